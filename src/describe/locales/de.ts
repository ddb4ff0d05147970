/** The messages in German. Clauses are subordinate clauses without their conjunction, labels in the nominative. */
import type { Messages } from '../messages.js';

export const GERMAN: Messages = {
  values: {
    true: '„ja“',
    false: '„nein“',
    null: 'leer',
    noValues: 'ein Wert einer leeren Liste',
    text: '„{text}“',
    instant: '{date}, {time} UTC',
  },
  labels: {
    named: 'Ihre Angabe „{name}“',
    flag: 'Ihre Angabe „{name}“',
    member: '{parent} (Feld {member})',
    shared: '{label} ({path})',
  },
  phrases: {
    is: '{claim} {form, select, must {muss {value} sein} other {{value} ist}}',
    isNot: '{claim} {form, select, must {darf nicht {value} sein} other {nicht {value} ist}}',
    recorded: '{claim} {form, select, must {muss als {value} erfasst sein} other {als {value} erfasst ist}}',
    notRecorded:
      '{claim} {form, select, must {darf nicht als {value} erfasst sein} other {nicht als {value} erfasst ist}}',
    more: '{claim} {form, select, must {muss über {value} liegen} other {über {value} liegt}}',
    atLeast: '{claim} {form, select, must {muss mindestens {value} sein} other {mindestens {value} ist}}',
    less: '{claim} {form, select, must {muss unter {value} liegen} other {unter {value} liegt}}',
    atMost: '{claim} {form, select, must {darf höchstens {value} sein} other {höchstens {value} ist}}',
    after: '{claim} {form, select, must {muss nach dem {value} liegen} other {nach dem {value} liegt}}',
    notBefore:
      '{claim} {form, select, must {darf nicht vor dem {value} liegen} other {nicht vor dem {value} liegt}}',
    before: '{claim} {form, select, must {muss vor dem {value} liegen} other {vor dem {value} liegt}}',
    notAfter:
      '{claim} {form, select, must {darf nicht nach dem {value} liegen} other {nicht nach dem {value} liegt}}',
    includes: '{claim} {form, select, must {muss {value} enthalten} other {{value} enthält}}',
    includesNot: '{claim} {form, select, must {darf {value} nicht enthalten} other {{value} nicht enthält}}',
    startsWith: '{claim} {form, select, must {muss mit {value} beginnen} other {mit {value} beginnt}}',
    startsWithNot:
      '{claim} {form, select, must {darf nicht mit {value} beginnen} other {nicht mit {value} beginnt}}',
    matches:
      '{claim} {form, select, must {muss die verlangte Form haben} other {dem Muster {value} entspricht}}',
    matchesNot:
      '{claim} {form, select, must {muss eine andere Form haben} other {dem Muster {value} nicht entspricht}}',
    known: '{claim} {form, select, must {muss nachgewiesen sein} other {nachgewiesen ist}}',
    unknown: '{claim} {form, select, must {darf nicht nachgewiesen sein} other {nicht nachgewiesen ist}}',
  },
  question: {
    whether: 'Ob {clause}.',
    whetherList: 'Ob {clause}:',
    item: 'dass {clause}',
    itemList: 'dass {clause}:',
    and: '{first} und {second}',
    or: '{first} oder {second}',
    all: 'alles Folgende zutrifft',
    any: 'mindestens eines hiervon zutrifft',
    notAll: 'nicht alles Folgende zutrifft',
    none: 'nichts hiervon zutrifft',
    orUnknown: '{clause} (oder dies unbekannt ist)',
  },
  disclosure: {
    value: '{value}.',
    values: '{count, plural, one {Dieser Wert} other {Diese # Werte}}:',
    fields: '{claim}, nur {count, plural, one {das Feld} other {die Felder}} {fields}',
    allFields: '{claim}, mit allen Feldern',
    element: '{claim}, nur {position, plural, =1 {das erste} other {das #.}} Element',
    elementFromEnd:
      '{claim}, nur {position, plural, =1 {das letzte Element} other {das #. Element vom Ende}}',
  },
  notLearned: {
    sentence: 'Nicht {items}.',
    join: '{first}, nicht {second}',
    more: '{items} und {count, plural, one {# weitere Angabe} other {# weitere Angaben}} auch nicht',
    itself: '{claim} selbst',
  },
  failures: {
    sentence: '{text}.',
    notDefined: '{claim} ist nicht nachgewiesen',
    orNotDefined: '{text} (nicht nachgewiesen)',
    and: '{first}, und {second}',
    or: '{first}, oder {second}',
    group: '({text})',
  },
  claims: {
    'identity.service_uuid': { label: 'Ihre Kennung' },
    'identity.service_score': { label: 'Ihre Prüfpunktzahl' },
    'identity.is_human': {
      label: 'Ihre Prüfung als Mensch',
      values: { true: 'vollständig', false: 'unvollständig' },
    },
    'identity.palm_verified': {
      label: 'Ihre Handflächenprüfung',
      values: { true: 'vollständig', false: 'unvollständig' },
    },
    'identity.country_of_residence': { label: 'Ihr Wohnsitzland' },
    'identity.residency_region': { label: 'Ihre Wohnregion' },
    'identity.nationality': {
      label: 'Ihre Staatsangehörigkeit',
      phrases: {
        is: 'das Land Ihrer Staatsangehörigkeit {form, select, must {muss {value} sein} other {{value} ist}}',
        isNot:
          'das Land Ihrer Staatsangehörigkeit {form, select, must {darf nicht {value} sein} other {nicht {value} ist}}',
      },
    },
    'identity.email': { label: 'Ihre E-Mail-Adresse' },
    'identity.phone': { label: 'Ihre Telefonnummer' },
    'identity.social_accounts': { label: 'Ihre Liste von Konten in sozialen Netzen' },
    'identity.wallet_addresses': { label: 'Ihre Liste von Wallet-Adressen' },
    'identity.primary_wallet_address': { label: 'Ihre wichtigste Wallet-Adresse' },
    'identity.date_of_birth': {
      label: 'Ihr Geburtsdatum',
      phrases: {
        after:
          'Sie {form, select, must {müssen nach dem {value} geboren sein} other {nach dem {value} geboren sind}}',
        notBefore:
          'Sie {form, select, must {müssen am {value} oder später geboren sein} other {am {value} oder später geboren sind}}',
        before:
          'Sie {form, select, must {müssen vor dem {value} geboren sein} other {vor dem {value} geboren sind}}',
        notAfter:
          'Sie {form, select, must {müssen am {value} oder früher geboren sein} other {am {value} oder früher geboren sind}}',
      },
    },
    'identity.age': {
      label: 'Ihr Alter',
      phrases: {
        more: 'Sie {form, select, must {müssen älter als {value} sein} other {älter als {value} sind}}',
        atLeast:
          'Sie {form, select, must {müssen {value} {number, plural, one {Jahr} other {Jahre}} oder älter sein} other {{value} {number, plural, one {Jahr} other {Jahre}} oder älter sind}}',
        less: 'Sie {form, select, must {müssen jünger als {value} sein} other {jünger als {value} sind}}',
        atMost:
          'Sie {form, select, must {müssen {value} {number, plural, one {Jahr} other {Jahre}} oder jünger sein} other {{value} {number, plural, one {Jahr} other {Jahre}} oder jünger sind}}',
      },
    },
    'identity.age_over_18': {
      label: 'Ihre Angabe, ob Sie 18 oder älter sind',
      values: { true: '18 oder älter', false: 'unter 18' },
      phrases: {
        is: 'Sie {form, select, must {müssen {value} sein} other {{value} sind}}',
        isNot: 'Sie {form, select, must {dürfen nicht {value} sein} other {nicht {value} sind}}',
      },
    },
    'identity.age_over_21': {
      label: 'Ihre Angabe, ob Sie 21 oder älter sind',
      values: { true: '21 oder älter', false: 'unter 21' },
      phrases: {
        is: 'Sie {form, select, must {müssen {value} sein} other {{value} sind}}',
        isNot: 'Sie {form, select, must {dürfen nicht {value} sein} other {nicht {value} sind}}',
      },
    },
    'identity.legal_name': { label: 'Ihr amtlicher Name' },
    'identity.address_postal_code': { label: 'Ihre Postleitzahl' },
    'identity.address_full': { label: 'Ihre Anschrift' },
    'kyc.passed': {
      label: 'Ihre Identitätsprüfung',
      values: { true: 'bestanden', false: 'gescheitert' },
    },
    'kyc.level': {
      label: 'die Stufe Ihrer Identitätsprüfung',
      values: { none: 'keine', basic: 'einfach', enhanced: 'erweitert' },
    },
    'kyc.last_updated_at': { label: 'Ihre letzte Identitätsprüfung' },
    'kyc.sanctions_clear': {
      label: 'Ihre Sanktionsprüfung',
      values: { true: 'ohne Treffer', false: 'mit Treffern' },
    },
    'kyc.aml_screening_passed': {
      label: 'Ihre Geldwäscheprüfung',
      values: { true: 'bestanden', false: 'gescheitert' },
    },
    'kyc.pep_status': {
      label: 'Ihre politische Exponiertheit',
      values: { true: '„gegeben“', false: '„nicht gegeben“' },
    },
    'kyc.is_high_risk': { label: 'Ihre Risikostufe', values: { true: 'hoch', false: 'annehmbar' } },
    'kyc.geo_blocked_region': {
      label: 'Ihre Region',
      values: { true: 'vom Angebot ausgeschlossen', false: 'im Angebot eingeschlossen' },
    },
    'kyc.employment_status': {
      label: 'Ihr Beschäftigungsstatus',
      values: {
        employed: 'angestellt',
        self_employed: 'selbstständig',
        unemployed: 'arbeitslos',
        student: 'in Ausbildung',
        retired: 'im Ruhestand',
      },
    },
    'kyc.document_type': { label: 'die Art Ihres Ausweises' },
    'kyc.document_country': { label: 'das Ausstellungsland Ihres Ausweises' },
    'kyc.document_expiry_date': { label: 'das Ablaufdatum Ihres Ausweises' },
    'kyc.tax_residency': { label: 'das Land Ihrer Steuerpflicht' },
    'kyc.document_number': { label: 'Ihre Ausweisnummer' },
    'kyc.tax_id': { label: 'Ihre Steuernummer' },
    'financial.cex_balance': { label: 'Ihr Guthaben bei Kryptobörsen' },
    'financial.trading_frequency_score': { label: 'Ihre Punktzahl für Handelshäufigkeit' },
    'financial.net_worth': { label: 'Ihr Vermögen' },
    'financial.net_worth_above_10k': {
      label: 'der Vergleich Ihres Vermögens mit 10.000 USD',
      values: { true: 'über 10.000 USD', false: 'höchstens 10.000 USD' },
      phrases: {
        is: 'Ihr Vermögen {form, select, must {muss {value} betragen} other {{value} beträgt}}',
        isNot:
          'Ihr Vermögen {form, select, must {darf nicht {value} betragen} other {nicht {value} beträgt}}',
      },
    },
    'financial.net_worth_above_100k': {
      label: 'der Vergleich Ihres Vermögens mit 100.000 USD',
      values: { true: 'über 100.000 USD', false: 'höchstens 100.000 USD' },
      phrases: {
        is: 'Ihr Vermögen {form, select, must {muss {value} betragen} other {{value} beträgt}}',
        isNot:
          'Ihr Vermögen {form, select, must {darf nicht {value} betragen} other {nicht {value} beträgt}}',
      },
    },
    'financial.bank_balance': { label: 'Ihr Bankguthaben' },
    'financial.credit_card_balance': { label: 'Ihr Kreditkartensaldo' },
    'financial.loan_balance': { label: 'Ihr Darlehenssaldo' },
    'financial.investment_balance': { label: 'Ihr Anlageguthaben' },
    'financial.retirement_balance': { label: 'Ihr Altersvorsorgeguthaben' },
    'financial.tradfi_balance': { label: 'Ihr Bank- und Anlageguthaben' },
    'financial.onchain_balance': { label: 'Ihr Wallet-Guthaben' },
    'financial.total_liabilities': { label: 'die Summe Ihrer Schulden' },
    'financial.verified_income': { label: 'Ihr nachgewiesenes Einkommen' },
  },
};
