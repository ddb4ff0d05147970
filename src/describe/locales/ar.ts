/** The messages in Arabic. The subject of a phrase is the value of a claim, a feminine noun, so that verbs agree with any label. */
import type { Messages } from '../messages.js';

export const ARABIC: Messages = {
  values: {
    true: '«نعم»',
    false: '«لا»',
    null: 'فارغة',
    noValues: 'إحدى قيم قائمة خالية',
    text: '«{text}»',
    instant: '{date}، {time} بالتوقيت العالمي',
  },
  labels: {
    named: 'بيانك «{name}»',
    flag: 'بيانك «{name}»',
    member: 'الحقل {member} من {parent}',
    shared: '{label} ({path})',
  },
  phrases: {
    is: '{form, select, must {يجب أن تكون قيمة {claim}} other {قيمة {claim} هي}} {value}',
    isNot: '{form, select, must {يجب ألا تكون قيمة {claim}} other {قيمة {claim} ليست}} {value}',
    recorded:
      '{form, select, must {يجب أن تكون قيمة {claim} المسجّلة} other {القيمة المسجّلة لـ{claim} هي}} {value}',
    notRecorded:
      '{form, select, must {يجب ألا تكون قيمة {claim} المسجّلة} other {القيمة المسجّلة لـ{claim} ليست}} {value}',
    more: '{form, select, must {يجب أن تكون قيمة {claim}} other {قيمة {claim}}} أكبر من {value}',
    atLeast: '{form, select, must {يجب ألا تقل قيمة {claim}} other {قيمة {claim} لا تقل}} عن {value}',
    less: '{form, select, must {يجب أن تكون قيمة {claim}} other {قيمة {claim}}} أقل من {value}',
    atMost: '{form, select, must {يجب ألا تزيد قيمة {claim}} other {قيمة {claim} لا تزيد}} على {value}',
    after: '{form, select, must {يجب أن تكون قيمة {claim}} other {قيمة {claim}}} بعد {value}',
    notBefore: '{form, select, must {يجب ألا تسبق قيمة {claim}} other {قيمة {claim} لا تسبق}} {value}',
    before: '{form, select, must {يجب أن تكون قيمة {claim}} other {قيمة {claim}}} قبل {value}',
    notAfter: '{form, select, must {يجب ألا تتجاوز قيمة {claim}} other {قيمة {claim} لا تتجاوز}} {value}',
    includes: '{form, select, must {يجب أن تتضمن قيمة {claim}} other {قيمة {claim} تتضمن}} {value}',
    includesNot: '{form, select, must {يجب ألا تتضمن قيمة {claim}} other {قيمة {claim} لا تتضمن}} {value}',
    startsWith: '{form, select, must {يجب أن تبدأ قيمة {claim}} other {قيمة {claim} تبدأ}} بـ {value}',
    startsWithNot: '{form, select, must {يجب ألا تبدأ قيمة {claim}} other {قيمة {claim} لا تبدأ}} بـ {value}',
    matches:
      '{form, select, must {يجب أن تكون قيمة {claim} بالصيغة المطلوبة} other {قيمة {claim} تطابق النمط {value}}}',
    matchesNot:
      '{form, select, must {يجب أن تكون قيمة {claim} بصيغة أخرى} other {قيمة {claim} لا تطابق النمط {value}}}',
    known: '{form, select, must {يجب أن يوجد} other {يوجد}} إثبات موثّق عن {claim}',
    unknown: '{form, select, must {يجب ألا يوجد} other {لا يوجد}} إثبات موثّق عن {claim}',
  },
  question: {
    whether: 'الإجابة عن سؤال: هل {clause}؟',
    whetherList: 'الإجابة عن سؤال: هل {clause}:',
    item: '{clause}',
    itemList: '{clause}:',
    and: '{first}، و{second}',
    or: '{first}، أو {second}',
    all: 'كل ما يلي صحيح',
    any: 'واحد على الأقل مما يلي صحيح',
    notAll: 'ليس كل ما يلي صحيحًا',
    none: 'لا شيء مما يلي صحيح',
    orUnknown: '{clause} (أو أن ذلك غير معروف)',
  },
  disclosure: {
    value: '{value}.',
    values:
      '{count, plural, one {هذه القيمة} two {هاتان القيمتان} few {هذه القيم وعددها #} many {هذه القيم وعددها #} other {هذه القيم وعددها #}}:',
    fields:
      '{count, plural, one {الحقل {fields} فقط} two {الحقلان {fields} فقط} few {الحقول {fields} فقط} many {الحقول {fields} فقط} other {الحقول {fields} فقط}} من {claim}',
    allFields: 'جميع حقول {claim}',
    element: '{position, plural, =1 {العنصر الأول فقط} other {العنصر رقم # فقط}} من {claim}',
    elementFromEnd:
      '{position, plural, =1 {العنصر الأخير فقط} other {العنصر رقم # من النهاية فقط}} من {claim}',
  },
  notLearned: {
    sentence: 'لا يشمل ذلك {items}.',
    join: '{first}، ولا {second}',
    more: '{items}، ولا {count, plural, one {بيانًا آخر} two {بيانين آخرين} few {# بيانات أخرى} many {# بيانًا آخر} other {# بيان آخر}}',
    itself: '{claim} بالتحديد',
  },
  failures: {
    sentence: '{text}.',
    notDefined: 'لا يوجد لدينا إثبات موثّق عن {claim}',
    orNotDefined: '{text} (لا يوجد لدينا إثبات موثّق لذلك)',
    and: '{first}، و{second}',
    or: '{first}، أو {second}',
    group: '({text})',
  },
  claims: {
    'identity.service_uuid': { label: 'معرّفك' },
    'identity.service_score': { label: 'درجة التحقق منك' },
    'identity.is_human': {
      label: 'التحقق من كونك إنسانًا',
      values: { true: '«مكتمل»', false: '«غير مكتمل»' },
    },
    'identity.palm_verified': {
      label: 'التحقق من راحة يدك',
      values: { true: '«مكتمل»', false: '«غير مكتمل»' },
    },
    'identity.country_of_residence': {
      label: 'بلد إقامتك',
      phrases: {
        is: '{form, select, must {يجب أن يكون بلد إقامتك} other {بلد إقامتك هو}} {value}',
        isNot: '{form, select, must {يجب ألا يكون بلد إقامتك} other {بلد إقامتك ليس}} {value}',
      },
    },
    'identity.residency_region': { label: 'منطقة إقامتك' },
    'identity.nationality': {
      label: 'جنسيتك',
      phrases: {
        is: '{form, select, must {يجب أن يكون بلد جنسيتك} other {بلد جنسيتك هو}} {value}',
        isNot: '{form, select, must {يجب ألا يكون بلد جنسيتك} other {بلد جنسيتك ليس}} {value}',
      },
    },
    'identity.email': { label: 'بريدك الإلكتروني' },
    'identity.phone': { label: 'رقم هاتفك' },
    'identity.social_accounts': { label: 'قائمة حساباتك الاجتماعية' },
    'identity.wallet_addresses': { label: 'قائمة عناوين محافظك' },
    'identity.primary_wallet_address': { label: 'عنوان محفظتك الرئيسية' },
    'identity.date_of_birth': {
      label: 'تاريخ ميلادك',
      phrases: {
        after: '{form, select, must {يجب أن يكون تاريخ ميلادك} other {تاريخ ميلادك}} بعد {value}',
        notBefore: '{form, select, must {يجب ألا يسبق تاريخ ميلادك} other {تاريخ ميلادك لا يسبق}} {value}',
        before: '{form, select, must {يجب أن يكون تاريخ ميلادك} other {تاريخ ميلادك}} قبل {value}',
        notAfter: '{form, select, must {يجب ألا يتجاوز تاريخ ميلادك} other {تاريخ ميلادك لا يتجاوز}} {value}',
      },
    },
    'identity.age': {
      label: 'عمرك',
      phrases: {
        more: '{form, select, must {يجب أن يكون عمرك} other {عمرك}} أكثر من {number, plural, =1 {سنة واحدة} =2 {سنتين} few {{value} سنوات} other {{value} سنة}}',
        atLeast:
          '{form, select, must {يجب أن يكون عمرك} other {عمرك}} {number, plural, =1 {سنة واحدة} =2 {{form, select, must {سنتين} other {سنتان}}} few {{value} سنوات} other {{value} سنة}} أو أكثر',
        less: '{form, select, must {يجب أن يكون عمرك} other {عمرك}} أقل من {number, plural, =1 {سنة واحدة} =2 {سنتين} few {{value} سنوات} other {{value} سنة}}',
        atMost:
          '{form, select, must {يجب أن يكون عمرك} other {عمرك}} {number, plural, =1 {سنة واحدة} =2 {{form, select, must {سنتين} other {سنتان}}} few {{value} سنوات} other {{value} سنة}} أو أقل',
      },
    },
    'identity.age_over_18': {
      label: 'بلوغك 18 سنة',
      values: { true: '18 سنة فأكثر', false: 'دون 18 سنة' },
      phrases: {
        is: '{form, select, must {يجب أن يكون عمرك} other {عمرك}} {value}',
        isNot: '{form, select, must {يجب ألا يكون عمرك} other {عمرك ليس}} {value}',
      },
    },
    'identity.age_over_21': {
      label: 'بلوغك 21 سنة',
      values: { true: '21 سنة فأكثر', false: 'دون 21 سنة' },
      phrases: {
        is: '{form, select, must {يجب أن يكون عمرك} other {عمرك}} {value}',
        isNot: '{form, select, must {يجب ألا يكون عمرك} other {عمرك ليس}} {value}',
      },
    },
    'identity.legal_name': { label: 'اسمك القانوني' },
    'identity.address_postal_code': { label: 'رمزك البريدي' },
    'identity.address_full': { label: 'عنوانك' },
    'kyc.passed': {
      label: 'نتيجة التحقق من هويتك',
      values: { true: '«ناجحة»', false: '«غير ناجحة»' },
    },
    'kyc.level': {
      label: 'مستوى التحقق من هويتك',
      values: { none: '«بلا تحقق»', basic: '«أساسي»', enhanced: '«معزَّز»' },
    },
    'kyc.last_updated_at': { label: 'آخر تحقق من هويتك' },
    'kyc.sanctions_clear': {
      label: 'نتيجة فحص العقوبات',
      values: { true: '«سليمة»', false: '«غير سليمة»' },
    },
    'kyc.aml_screening_passed': {
      label: 'نتيجة فحص غسل الأموال',
      values: { true: '«ناجحة»', false: '«غير ناجحة»' },
    },
    'kyc.pep_status': {
      label: 'صفتك كشخص معرّض سياسيًا',
      values: { true: '«نعم»', false: '«لا»' },
    },
    'kyc.is_high_risk': {
      label: 'مستوى المخاطر لديك',
      values: { true: '«مرتفع»', false: '«مقبول»' },
    },
    'kyc.geo_blocked_region': {
      label: 'شمول منطقتك بالخدمة',
      values: { true: '«خارج نطاق الخدمة»', false: '«ضمن نطاق الخدمة»' },
    },
    'kyc.employment_status': {
      label: 'وضعك الوظيفي',
      values: {
        employed: '«موظف»',
        self_employed: '«عمل حر»',
        unemployed: '«بلا عمل»',
        student: '«طالب»',
        retired: '«متقاعد»',
      },
    },
    'kyc.document_type': { label: 'نوع وثيقتك' },
    'kyc.document_country': { label: 'بلد إصدار وثيقتك' },
    'kyc.document_expiry_date': { label: 'تاريخ انتهاء وثيقتك' },
    'kyc.tax_residency': { label: 'بلد إقامتك الضريبية' },
    'kyc.document_number': { label: 'رقم وثيقتك' },
    'kyc.tax_id': { label: 'رقمك الضريبي' },
    'financial.cex_balance': { label: 'رصيدك في منصات التداول' },
    'financial.trading_frequency_score': { label: 'درجة تكرار تداولك' },
    'financial.net_worth': { label: 'صافي ثروتك' },
    'financial.net_worth_above_10k': {
      label: 'مقارنة صافي ثروتك بـ 10,000 دولار أمريكي',
      values: { true: 'أكثر من 10,000 دولار أمريكي', false: 'ما لا يزيد على 10,000 دولار أمريكي' },
      phrases: {
        is: '{form, select, must {يجب أن يبلغ صافي ثروتك} other {صافي ثروتك يبلغ}} {value}',
        isNot: '{form, select, must {يجب ألا يبلغ صافي ثروتك} other {صافي ثروتك لا يبلغ}} {value}',
      },
    },
    'financial.net_worth_above_100k': {
      label: 'مقارنة صافي ثروتك بـ 100,000 دولار أمريكي',
      values: { true: 'أكثر من 100,000 دولار أمريكي', false: 'ما لا يزيد على 100,000 دولار أمريكي' },
      phrases: {
        is: '{form, select, must {يجب أن يبلغ صافي ثروتك} other {صافي ثروتك يبلغ}} {value}',
        isNot: '{form, select, must {يجب ألا يبلغ صافي ثروتك} other {صافي ثروتك لا يبلغ}} {value}',
      },
    },
    'financial.bank_balance': { label: 'رصيدك المصرفي' },
    'financial.credit_card_balance': { label: 'رصيد بطاقاتك الائتمانية' },
    'financial.loan_balance': { label: 'رصيد قروضك' },
    'financial.investment_balance': { label: 'رصيد استثماراتك' },
    'financial.retirement_balance': { label: 'مدخرات تقاعدك' },
    'financial.tradfi_balance': { label: 'رصيدك المصرفي والاستثماري' },
    'financial.onchain_balance': { label: 'رصيد محافظك' },
    'financial.total_liabilities': { label: 'مجموع ديونك' },
    'financial.verified_income': { label: 'دخلك الموثّق' },
  },
};
