/** The pages in Arabic. */
import type { PageTexts } from '../page-texts.js';

export const ARABIC: PageTexts = {
  messages: {
    'page.skip': 'انتقل إلى المحتوى',
    'page.promise': 'لا تتم مشاركة أي شيء دون موافقتك.',
    'page.grants': 'عرض ما تشاركه',
    'page.back': 'العودة إلى {app}',
    'page.nothingShared': 'لم تتم مشاركة أي شيء.',
    'page.outdated':
      'كانت هذه الصفحة قديمة: سجّل شخص دخوله أو خروجه منذ فتحها. لم يتغيّر أي شيء. تأكد من أن الاسم في هذه الصفحة اسمك، ثم حاول من جديد.',
    'page.you': 'أنت {person}',
    'page.labeled': '{label}: {value}',
    'page.signIn': 'تسجيل الدخول',
    'page.signOut': 'تسجيل الخروج',

    'app.of': 'من {organization}',
    'app.purpose': 'الغرض، بحسب التطبيق',
    'app.privacy': 'سياسة الخصوصية',
    'app.terms': 'شروط الاستخدام',

    'sensitivity.low': 'عادي',
    'sensitivity.medium': 'شخصي',
    'sensitivity.high': 'حسّاس',
    'sensitivity.critical': 'حسّاس جدًا',

    'scope.example': 'مثال، ليست بياناتك',
    'scope.yours': 'بياناتك الحالية',
    'scope.included': 'هذه المعلومات جزء أيضًا من: {scopes}.',
    'scope.claims':
      '{count, plural, one {عرض بيان واحد} two {عرض البيانين} few {عرض البيانات كلها (#)} many {عرض البيانات كلها (#)} other {عرض البيانات كلها (#)}}',
    'condition.answer': 'يعرف التطبيق الإجابة بنعم أو لا فقط، كلما سأل.',
    'condition.tag': 'نعم أو لا',
    'evidence.none': 'يرى {app} إجابات لا قيمًا: نعم أو لا عن كل سؤال.',
    'evidence.checks': 'يرى {app} إجابات لا قيمًا: نعم أو لا عن كل جزء من السؤال.',
    'evidence.some': 'يرى {app} إجابات لا قيمًا بشأن: {claims}.',
    'bound.years':
      '{claim}: تترك أسئلة التطبيق دائمًا نطاقًا لا يقل عن {count, plural, one {سنة واحدة} two {سنتين} few {# سنوات} many {# سنة} other {# سنة}}.',
    'bound.width': '{claim}: تترك أسئلة التطبيق دائمًا نطاقًا لا يقل عن {width}.',
    'bound.values':
      '{claim}: تترك أسئلة التطبيق دائمًا ما لا يقل عن {count, plural, one {احتمال واحد} two {احتمالين} few {# احتمالات} many {# احتمالًا} other {# احتمال}}.',

    'consent.title': 'هل تريد المشاركة مع {app}؟',
    'consent.requester': 'من يطلب',
    'consent.return': 'ستعود بعد ذلك إلى',
    'consent.duration': 'المدة',
    'consent.untilEnded': 'إلى أن تنهيها',
    'consent.untilAsked':
      'إلى أن تنهيها، وبحد أقصى {days, plural, one {يوم واحد} two {يومين} few {# أيام} many {# يومًا} other {# يوم}} دون سؤالك مجددًا',
    'consent.expiry': 'الوقت المتاح للقرار',
    'consent.minutes':
      '{minutes, plural, one {دقيقة واحدة} two {دقيقتان} few {# دقائق} many {# دقيقة} other {# دقيقة}}',
    'consent.sees': 'ما سيراه {app}',
    'consent.learns': 'ما سيعرفه {app}',
    'consent.clear': 'أزل العلامة عمّا لا تريد مشاركته.',
    'consent.hidden': 'ما لا تتم مشاركته',
    'consent.hiddenCleared': 'كل ما لا يشمله عنصر محدّد',
    'consent.hiddenPalm': 'راحة يدك، وهويتك في التطبيقات الأخرى',
    'consent.hiddenMore':
      '{count, plural, one {بيان حسّاس آخر لم يُطلب} two {بيانان حسّاسان آخران لم يُطلبا} few {# بيانات حسّاسة أخرى لم تُطلب} many {# بيانًا حسّاسًا آخر لم يُطلب} other {# بيان حسّاس آخر لم يُطلب}}',
    'consent.stop': 'يمكنك التوقف في أي وقت: {grants}.',
    'consent.decide': 'القرار',
    'consent.deny': 'عدم المشاركة',
    'consent.share': 'مشاركة',
    'consent.count': 'تم تحديد {selected} من {total}',
    'consent.palm': 'بعض هذه المعلومات حسّاس. تحقّق من راحة يدك، ثم اختر ما تريد مشاركته.',
    'consent.palmSandbox': 'لا يوجد قارئ في بيئة التجربة: اضغط الزر فقط.',
    'consent.verify': 'التحقق من راحة يدي',
    'consent.person': 'أنت',
    'consent.other': 'لست أنت؟',
    'consent.choose': 'اختر شخصًا',
    'consent.unknownHint': 'سأل التطبيق عن شخص غير موجود هنا: {hint}',
    'consent.nothingTitle': 'لم يتم تحديد أي شيء',
    'consent.nothing': 'لم يتم تحديد أي شيء. حدّد ما تريد مشاركته، أو اضغط «عدم المشاركة».',
    'consent.outdatedTitle': 'كانت هذه الصفحة قديمة',
    'consent.outdated':
      'كانت هذه الصفحة قديمة: سجّل شخص دخوله أو خروجه منذ فتحها. لم تتم مشاركة أي شيء. تأكد من أن الاسم أدناه اسمك، ثم قرّر من جديد.',

    'grants.title': 'ما تشاركه',
    'grants.lead': 'التطبيقات التي يمكنها الاطلاع على معلومات عنك. يمكنك إيقاف المشاركة في أي وقت.',
    'grants.tooLate': 'فات أوان التراجع. للمشاركة من جديد، ابدأ من جديد في التطبيق.',
    'grants.none': 'لا تشارك أي شيء مع أحد. تظهر هنا التطبيقات التي تشارك معها.',
    'grants.noneElse': 'لا تشارك أي شيء مع أحد آخر. تظهر هنا التطبيقات التي تشارك معها.',
    'grants.signedIn': 'تم تسجيل الدخول باسم {person}',
    'grants.signOut': 'تسجيل الخروج',
    'grants.since': 'منذ',
    'grants.used': 'آخر اطلاع',
    'grants.unused': 'لا يوجد بعد',
    'grants.end': 'إيقاف المشاركة',
    'grants.endWith': 'إيقاف المشاركة مع {app}',
    'grants.withdrawn': 'لم يعد بإمكان {app} الاطلاع على معلوماتك.',
    'grants.undo': 'تراجع',
    'grants.undoWith': 'تراجع: المشاركة مع {app} من جديد',
    'grants.undoLeft':
      'خلال {seconds, plural, one {ثانية واحدة} two {ثانيتين} few {# ثوانٍ} many {# ثانية} other {# ثانية}}',
    'grants.ended': 'لم تعد تتم مشاركته',
    'grants.period': 'من {from} إلى {to}',
    'learned.summary': 'ما عرفه التطبيق',
    'learned.inferred': 'يمكنه أن يستنتج:',
    'learned.values': 'اطّلع على:',
    'learned.answers': 'سأل عن:',
    'learned.yes': 'نعم',
    'learned.no': 'لا',
    'learned.when':
      '{day}{changes, plural, =0 {} one {، تغيّرت مرة واحدة} two {، تغيّرت مرتين} few {، تغيّرت # مرات} many {، تغيّرت # مرة} other {، تغيّرت # مرة}}',
    'learned.more':
      '{count, plural, one {وسؤال واحد آخر} two {وسؤالان آخران} few {و# أسئلة أخرى} many {و# سؤالًا آخر} other {و# سؤال آخر}}',
    'learned.moreAbout': 'عرف أكثر مما يمكننا سرده عن:',
    'learned.note':
      'قد يكون ما يستنتجه التطبيق قديمًا إذا تغيّر شيء ما. إذا حذفت هذا السجل، يظل التطبيق على علم بما عرفه.',
    'learned.delete': 'حذف هذا السجل',
    'learned.deleteOf': 'حذف هذا السجل: {app}',
    'learned.off': 'لا تسجّل هذه الخدمة ما تعرفه التطبيقات عنك، لذلك لا يمكن عرضه هنا أو التحقق منه لاحقًا.',

    'expired.title': 'انتهت صلاحية هذا الطلب',
    'expired.text': 'تنتهي صلاحية الطلبات بعد فترة، حتى لا يجيب عنها أحد غيرك نيابة عنك. {nothing}',
    'expired.next': 'للمتابعة، عد إلى {app} وابدأ من جديد.',
    'denied.title': 'اخترت عدم المشاركة',
    'denied.text': '{nothing} إذا غيّرت رأيك، فابدأ من جديد في {app}. وستُسأل مرة أخرى.',
    'answered.title': 'سبق أن أجبت عن هذا الطلب',
    'answered.text': 'وافقت على المشاركة مع {app}. لم يبق ما تفعله هنا.',
    'answered.next': 'يمكنك عرض ما تشاركه وإيقاف المشاركة في أي وقت.',
    'revoked.title': 'انتهت المشاركة',
    'revoked.text':
      'كنت قد وافقت على المشاركة مع {app}، وقد انتهى ذلك. لم يعد بإمكان {app} الاطلاع على معلوماتك.',
    'revoked.next': 'للمشاركة من جديد، ابدأ من جديد في {app}. وستُسأل مرة أخرى.',
    'unknown.title': 'لم يتم العثور على الطلب',
    'unknown.text':
      'الرابط غير مكتمل، أو بدأ الطلب في متصفح آخر أو في نافذة خاصة. حرصًا على سلامتك، لا يمكنك الإجابة عن الطلب إلا في المتصفح الذي بدأ فيه.',
    'unknown.next':
      '{nothing} عد إلى التطبيق وابدأ من جديد، في هذا المتصفح ومع السماح بملفات تعريف الارتباط.',

    'signIn.title': 'من أنت؟',
    'signIn.lead': 'هؤلاء أشخاص خياليون للتجربة. اختر أحدهم لتسجيل الدخول.',
    'signIn.closed': 'لا يمكنك تسجيل الدخول في هذه الصفحة. عد إلى التطبيق وابدأ من جديد.',
    'signIn.rejected': 'شخص غير معروف. اختر من جديد.',
    'signIn.required': 'انتهت جلستك، لذلك لم يغيّر هذا الطلب أي شيء. سجّل الدخول للمتابعة.',
    'data.link': 'تنزيل بياناتك أو محوها',
    'data.title': 'بياناتك',
    'data.you': 'أنت {person}.',
    'data.download': 'تنزيل',
    'data.what':
      'ملف فيه اسمك وعناوينك، وإثباتاتك بما فيها من معلومات، وما تشاركه وما عرفته التطبيقات، وقيود السجل التي تخصك.',
    'data.downloadButton': 'تنزيل بياناتي',
    'data.erase': 'محو',
    'data.eraseText':
      'يُحذف كل ذلك، ويفقد كل تطبيق إمكانية الوصول فورًا. قد تحتفظ التطبيقات بما عرفته من قبل: اطلب منها حذفه. تبقى قيود السجل، لكنها لا تدل عليك بعد ذلك.',
    'data.confirm': 'أفهم أن هذا لا يمكن التراجع عنه.',
    'data.eraseButton': 'محو بياناتي',
    'data.again': 'سجّل الدخول من جديد لمحو بياناتك',
    'data.rejected': 'لم يُمحَ شيء. ضع علامة في المربع للتأكيد.',
    'data.erased': 'مُحيت بياناتك',
    'data.erasedText': 'لم يعد هنا ما يدل عليك. إذا سجّلت الدخول من جديد، تبدأ من البداية.',
    'providers.account': 'اختر الجهة التي لديك حساب فيها.',
    'providers.palm': 'اختر الجهة التي تتحقق من راحة يدك.',

    'signOut.title': 'هل تريد تسجيل الخروج؟',
    'signOut.heading': 'هل تريد تسجيل الخروج من {service}؟',
    'signOut.asked': 'يطلب منك {app} تسجيل الخروج هنا.',
    'signOut.text': 'أنت {person}. ينهي تسجيل الخروج جلساتك في كل المتصفحات. ولا يغيّر ما تشاركه.',
    'signOut.return': 'ستعود بعد ذلك إلى {address}.',
    'signOut.stay': 'البقاء مسجّلًا',
    'signOut.confirm': 'تسجيل الخروج',
    'signedOut.title': 'تم تسجيل خروجك',
    'signedOut.text': 'تم تسجيل خروجك. ولم يتغير ما تشاركه.',
    'signedOut.remaining': 'ما زلت مسجّلًا لدى {provider}. إذا كان الجهاز مشتركًا، فسجّل الخروج هناك أيضًا.',

    'landing.title': 'مرحبًا',
    'landing.lead':
      'تجيب هذه الخدمة عن سؤال واحد عن شخص: هل تستوفي إثباتاته الموثّقة هذا الشرط؟ لا تحصل التطبيقات على إجابة إلا بموافقة الشخص.',
    'landing.sandbox': 'هذه بيئة تجربة: أشخاصها وإثباتاتهم خيالية.',
    'landing.playground': 'ساحة التجربة',
    'landing.playgroundText': 'اكتب شرطًا وشاهد النتيجة لأشخاص خياليين أثناء الكتابة.',
    'landing.grantsText': 'اعرف أي التطبيقات يمكنها الاطلاع على معلومات عنك، وأوقف المشاركة.',
    'landing.discovery': 'وثيقة الاستكشاف',
    'landing.discoveryText': 'نقاط الاتصال والإمكانات، لعملاء OAuth 2.0 وOpenID Connect (بصيغة JSON).',
    'landing.api': 'وصف واجهة البرمجة',
    'landing.apiText': 'كل نقاط الاتصال، في وثيقة OpenAPI 3.1 (بصيغة JSON).',

    'return.title': 'جارٍ الرجوع',
    'return.text': 'تتم إعادتك إلى {address}.',
    'return.continue': 'متابعة',

    'problem.title': 'لم ينجح ذلك',
    'problem.advice': 'عد إلى التطبيق وابدأ من جديد. وإذا تكرر ذلك، فأرسل الرسالة أدناه إلى دعم التطبيق.',
    'problem.request': 'الطلب {id}.',
    'problem.received': 'الوارد',
    'problem.registered': 'المسجّل',
    'problem.appTitle': 'تطبيق غير معروف',
    'problem.app':
      'التطبيق الذي أرسلك إلى هنا غير مسجّل، أو لم يعد مسجّلًا. لا يمكنك إصلاح ذلك بنفسك: يرجى إبلاغ دعم التطبيق.',
    'problem.linkTitle': 'هذا الرابط غير مكتمل',
    'problem.link': 'جزء من الرابط ناقص أو مكرر أو معدّل. عد إلى التطبيق وابدأ من جديد.',
    'problem.addressTitle': 'عنوان الرجوع غير مسجّل',
    'problem.address':
      'يريد التطبيق الذي أرسلك إلى هنا إعادتك إلى عنوان لم يسجّله. لا يمكنك إصلاح ذلك بنفسك: يرجى إبلاغ دعم التطبيق.',
    'problem.usedTitle': 'انتهت صلاحية هذا الرابط',
    'problem.used':
      'يعمل الرابط مرة واحدة فقط ولفترة قصيرة. عد إلى التطبيق الذي أرسلك إلى هنا وابدأ من جديد.',
    'problem.signOutAddress':
      'يريد التطبيق الذي أرسلك إلى هنا لتسجيل الخروج إعادتك إلى عنوان لم يسجّله. ما زلت مسجّلًا: افتح «عرض ما تشاركه» أدناه وسجّل الخروج هناك.',
    'problem.formTitle': 'لم يُرسل هذا النموذج من صفحتنا',
    'problem.form':
      'حرصًا على سلامتك، لا نقبل النماذج إلا من صفحاتنا. ارجع إلى الخلف، وأعد تحميل الصفحة، وحاول من جديد.',
    'problem.signInTitle': 'سجّل الدخول من جديد',
    'problem.signIn':
      'يتطلب التطبيق الذي أرسلك إلى هنا تسجيل دخول أحدث. عد إلى التطبيق وابدأ من جديد. وإذا تكرر ذلك، فأرسل الرسالة أدناه إلى دعم التطبيق.',
    'problem.canceledTitle': 'لم يتم تسجيل دخولك',
    'problem.canceled':
      'أُلغي تسجيل الدخول، أو استغرق وقتًا طويلًا، أو كان قد اكتمل من قبل. عد إلى التطبيق وابدأ من جديد.',
    'problem.providerTitle': 'لا يمكنك تسجيل الدخول الآن',
    'problem.provider': 'الجهة التي تسجّل الدخول لديها لا تستجيب. أعد تحميل الصفحة بعد قليل. لم يُفقد أي شيء.',
    'problem.palmTitle': 'تحقّق أولًا من راحة يدك',
    'problem.palm': 'بعض المعلومات المطلوبة حسّاس. ارجع إلى الخلف، وأعد تحميل الصفحة، وتحقّق من راحة يدك.',
    'problem.laterTitle': 'لحظة من فضلك',
    'problem.later': 'الخدمة غير متاحة الآن. أعد تحميل الصفحة بعد قليل. لم يُفقد أي شيء.',
    'problem.failureTitle': 'حدث خطأ ما',
    'problem.failure':
      'الخطأ من جانبنا، وقد تم تسجيله. حاول لاحقًا. وإذا تكرر ذلك، فأرسل إلينا الرسالة أدناه.',
  },
  scopes: {
    openid: {
      displayName: 'تسجيل دخولك',
      description: 'التعرف عليك عند عودتك، باسم خاص بهذه المؤسسة وحدها. وهذا لازم لتسجيل الدخول.',
    },
    'profile.full': {
      displayName: 'ملفك الشخصي كله',
      description: 'كل ما هو عادي أو شخصي عن هويتك وعمليات التحقق منك وأموالك.',
    },
    'data.read': {
      displayName: 'إثباتاتك',
      description: 'الإثباتات نفسها، في حدود ما تشاركه هنا.',
    },
    'identity:read': {
      displayName: 'من أنت',
      description: 'جنسيتك وبلد إقامتك وبريدك الإلكتروني ورقم هاتفك وحساباتك ومحافظك والتحقق منك.',
    },
    'identity:date_of_birth': {
      displayName: 'تاريخ ميلادك',
      description: 'اليوم الذي ولدت فيه، ومنه عمرك.',
    },
    'identity:legal_name': {
      displayName: 'اسمك القانوني',
      description: 'اسمك كما هو مكتوب في وثائقك.',
    },
    'identity:address_postal_code': {
      displayName: 'رمزك البريدي',
      description: 'الرمز البريدي لمكان سكنك.',
    },
    'identity:address_full': {
      displayName: 'عنوانك',
      description: 'العنوان الكامل لمكان سكنك.',
    },
    profile: {
      displayName: 'اسمك وتاريخ ميلادك',
      description: 'اسمك كما هو مكتوب في وثائقك، واليوم الذي ولدت فيه.',
    },
    email: {
      displayName: 'بريدك الإلكتروني',
      description: 'عنوان بريد إلكتروني يمكن التواصل معك عبره.',
    },
    phone: { displayName: 'رقم هاتفك', description: 'رقم هاتف يمكن التواصل معك عبره.' },
    address: { displayName: 'مكان سكنك', description: 'العنوان الكامل لمكان سكنك.' },
    'kyc:read': {
      displayName: 'عمليات التحقق من هويتك',
      description:
        'التحقق من الهوية والعقوبات والمخاطر وتاريخه؛ نوع الوثيقة وبلدها وصلاحيتها؛ المنطقة والعمل والمناصب العامة.',
    },
    'kyc:tax_residency': {
      displayName: 'أين تدفع الضرائب',
      description: 'بلد إقامتك الضريبية.',
    },
    'kyc:document_number': {
      displayName: 'رقم وثيقتك',
      description: 'رقم الوثيقة التي تم التحقق منك بها.',
    },
    'kyc:tax_id': { displayName: 'رقمك الضريبي', description: 'الرقم الذي تدفع به الضرائب.' },
    'financial:read': {
      displayName: 'تداولك',
      description: 'رصيدك في منصات التداول ومدى تكرار تداولك.',
    },
    'financial:net_worth': {
      displayName: 'صافي ثروتك',
      description: 'ما تملكه ناقصًا ما عليك من ديون.',
    },
    'financial:bank_balance': {
      displayName: 'رصيدك المصرفي',
      description: 'ما في حساباتك المصرفية.',
    },
    'financial:credit_card_balance': {
      displayName: 'بطاقاتك الائتمانية',
      description: 'ما عليك من ديون على البطاقات الائتمانية.',
    },
    'financial:loan_balance': { displayName: 'قروضك', description: 'ما عليك من قروض.' },
    'financial:investment_balance': {
      displayName: 'استثماراتك',
      description: 'قيمة حساباتك الاستثمارية.',
    },
    'financial:retirement_balance': {
      displayName: 'مدخراتك للتقاعد',
      description: 'قيمة حساباتك التقاعدية.',
    },
    'financial:tradfi_balance': {
      displayName: 'حساباتك مجتمعة',
      description: 'قيمة حساباتك المصرفية والاستثمارية مجتمعة.',
    },
    'financial:onchain_balance': {
      displayName: 'محافظك',
      description: 'قيمة المحافظ التي أثبتّ أنها لك.',
    },
    'financial:total_liabilities': {
      displayName: 'ما عليك من ديون',
      description: 'كل ما عليك من ديون مجتمعة.',
    },
    'financial:verified_income': {
      displayName: 'دخلك',
      description: 'ما تكسبه في السنة، بعد التحقق منه.',
    },
  },
};
