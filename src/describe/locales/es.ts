/** The messages in Spanish. Phrases avoid participles and adjectives that agree with the claim. */
import type { Messages } from '../messages.js';

export const SPANISH: Messages = {
  values: {
    true: '«sí»',
    false: '«no»',
    null: 'vacío',
    noValues: 'uno de ningún valor',
    text: '«{text}»',
    instant: '{date}, {time} UTC',
  },
  labels: {
    named: 'su dato «{name}»',
    member: 'el campo {member} de {parent}',
    shared: '{label} ({path})',
  },
  phrases: {
    is: '{claim} {form, select, must {debe ser} other {es}} {value}',
    isNot: '{claim} {form, select, must {no debe ser} other {no es}} {value}',
    more: '{claim} {form, select, must {debe superar} other {supera}} {value}',
    atLeast: '{claim} {form, select, must {debe ser} other {es}} como mínimo {value}',
    less: '{claim} {form, select, must {debe ser} other {es}} menor que {value}',
    atMost: '{claim} {form, select, must {debe ser} other {es}} como máximo {value}',
    after: '{claim} {form, select, must {debe ser} other {es}} posterior al {value}',
    notBefore: '{claim} {form, select, must {debe ser} other {es}} el {value} o posterior',
    before: '{claim} {form, select, must {debe ser} other {es}} anterior al {value}',
    notAfter: '{claim} {form, select, must {debe ser} other {es}} el {value} o anterior',
    includes: '{claim} {form, select, must {debe incluir} other {incluye}} {value}',
    includesNot: '{claim} {form, select, must {no debe incluir} other {no incluye}} {value}',
    startsWith: '{claim} {form, select, must {debe empezar} other {empieza}} por {value}',
    startsWithNot: '{claim} {form, select, must {no debe empezar} other {no empieza}} por {value}',
    matches: '{claim} {form, select, must {debe tener la forma exigida} other {sigue el patrón {value}}}',
    matchesNot: '{claim} {form, select, must {debe tener otra forma} other {no sigue el patrón {value}}}',
    known: '{form, select, must {debe constar} other {consta}} de forma verificada {claim}',
    unknown: '{form, select, must {no debe constar} other {no consta}} de forma verificada {claim}',
  },
  question: {
    whether: 'Si {clause}.',
    whetherList: 'Si {clause}:',
    item: '{clause}',
    itemList: '{clause}:',
    and: '{first}, y {second}',
    or: '{first}, o {second}',
    all: 'se cumple todo lo siguiente',
    any: 'se cumple al menos uno de estos puntos',
    notAll: 'no se cumple todo lo siguiente',
    none: 'no se cumple ninguno de estos puntos',
    orUnknown: '{clause} (o no consta)',
  },
  disclosure: {
    value: '{value}.',
    values: '{count, plural, one {Este valor} other {Estos # valores}}:',
    fields: 'solo {count, plural, one {el campo} other {los campos}} {fields} de {claim}',
    allFields: 'todos los campos de {claim}',
    element: 'solo el {position, plural, =1 {primer elemento} other {elemento n.º #}} de {claim}',
    elementFromEnd:
      'solo el {position, plural, =1 {último elemento} other {elemento n.º # desde el final}} de {claim}',
  },
  notLearned: {
    sentence: 'No {items}.',
    join: '{first}, ni {second}',
    more: '{items}, ni {count, plural, one {# dato más} other {# datos más}}',
    itself: 'el valor exacto de {claim}',
  },
  failures: {
    sentence: '{text}.',
    notDefined: 'no consta de forma verificada {claim}',
  },
  claims: {
    'identity.service_uuid': { label: 'su identificador' },
    'identity.service_score': { label: 'su puntuación de verificación' },
    'identity.is_human': {
      label: 'el estado de su verificación como persona',
      values: { true: '«completa»', false: '«incompleta»' },
    },
    'identity.palm_verified': {
      label: 'el estado de su verificación de la palma',
      values: { true: '«completa»', false: '«incompleta»' },
    },
    'identity.country_of_residence': {
      label: 'su país de residencia',
      phrases: {
        is: '{form, select, must {debe residir} other {reside}} en {value}',
        isNot: '{form, select, must {no debe residir} other {no reside}} en {value}',
      },
    },
    'identity.residency_region': { label: 'su región de residencia' },
    'identity.nationality': {
      label: 'su nacionalidad',
      phrases: {
        is: 'el país de su nacionalidad {form, select, must {debe ser} other {es}} {value}',
        isNot: 'el país de su nacionalidad {form, select, must {no debe ser} other {no es}} {value}',
      },
    },
    'identity.email': { label: 'su dirección de correo electrónico' },
    'identity.phone': { label: 'su número de teléfono' },
    'identity.social_accounts': { label: 'su lista de cuentas en redes sociales' },
    'identity.wallet_addresses': { label: 'su lista de direcciones de monedero' },
    'identity.primary_wallet_address': { label: 'su dirección de monedero principal' },
    'identity.date_of_birth': {
      label: 'su fecha de nacimiento',
      phrases: {
        after: '{form, select, must {debe haber nacido} other {nació}} después del {value}',
        notBefore: '{form, select, must {debe haber nacido} other {nació}} el {value} o después',
        before: '{form, select, must {debe haber nacido} other {nació}} antes del {value}',
        notAfter: '{form, select, must {debe haber nacido} other {nació}} el {value} o antes',
      },
    },
    'identity.age': {
      label: 'su edad',
      phrases: {
        more: '{form, select, must {debe tener} other {tiene}} más de {value} {number, plural, one {año} other {años}}',
        atLeast:
          '{form, select, must {debe tener} other {tiene}} {value} {number, plural, one {año} other {años}} o más',
        less: '{form, select, must {debe tener} other {tiene}} menos de {value} {number, plural, one {año} other {años}}',
        atMost:
          '{form, select, must {debe tener} other {tiene}} {value} {number, plural, one {año} other {años}} o menos',
      },
    },
    'identity.age_over_18': {
      label: 'su condición de persona de 18 años o más',
      values: { true: 'de 18 años o más', false: 'de menos de 18 años' },
      phrases: {
        is: 'su edad {form, select, must {debe ser} other {es}} {value}',
        isNot: 'su edad {form, select, must {no debe ser} other {no es}} {value}',
      },
    },
    'identity.age_over_21': {
      label: 'su condición de persona de 21 años o más',
      values: { true: 'de 21 años o más', false: 'de menos de 21 años' },
      phrases: {
        is: 'su edad {form, select, must {debe ser} other {es}} {value}',
        isNot: 'su edad {form, select, must {no debe ser} other {no es}} {value}',
      },
    },
    'identity.legal_name': { label: 'su nombre legal' },
    'identity.address_postal_code': { label: 'su código postal' },
    'identity.address_full': { label: 'su dirección' },
    'kyc.passed': {
      label: 'el resultado de su verificación de identidad',
      values: { true: '«superada»', false: '«no superada»' },
    },
    'kyc.level': {
      label: 'su nivel de verificación de identidad',
      values: { none: '«ninguno»', basic: '«básico»', enhanced: '«reforzado»' },
    },
    'kyc.last_updated_at': { label: 'su última verificación de identidad' },
    'kyc.sanctions_clear': {
      label: 'el resultado de su control de sanciones',
      values: { true: '«limpio»', false: '«no limpio»' },
    },
    'kyc.aml_screening_passed': {
      label: 'el resultado de su control contra el blanqueo',
      values: { true: '«superado»', false: '«no superado»' },
    },
    'kyc.pep_status': {
      label: 'su condición de persona con responsabilidad pública',
      values: { true: '«sí»', false: '«no»' },
    },
    'kyc.is_high_risk': { label: 'su nivel de riesgo', values: { true: 'alto', false: 'aceptable' } },
    'kyc.geo_blocked_region': {
      label: 'la cobertura de su región',
      values: { true: '«fuera del área de servicio»', false: '«dentro del área de servicio»' },
    },
    'kyc.employment_status': {
      label: 'su situación laboral',
      values: {
        employed: '«por cuenta ajena»',
        self_employed: '«por cuenta propia»',
        unemployed: '«desempleo»',
        student: '«estudios»',
        retired: '«jubilación»',
      },
    },
    'kyc.document_type': { label: 'su tipo de documento' },
    'kyc.document_country': { label: 'el país emisor de su documento' },
    'kyc.document_expiry_date': { label: 'la fecha de caducidad de su documento' },
    'kyc.tax_residency': { label: 'su país de residencia fiscal' },
    'kyc.document_number': { label: 'su número de documento' },
    'kyc.tax_id': { label: 'su número de identificación fiscal' },
    'financial.cex_balance': { label: 'su saldo en plataformas de intercambio' },
    'financial.trading_frequency_score': { label: 'su puntuación de frecuencia de operaciones' },
    'financial.net_worth': { label: 'su patrimonio neto' },
    'financial.net_worth_above_10k': {
      label: 'la comparación de su patrimonio neto con 10.000 USD',
      values: { true: 'de más de 10.000 USD', false: 'de 10.000 USD como máximo' },
      phrases: {
        is: 'su patrimonio neto {form, select, must {debe ser} other {es}} {value}',
        isNot: 'su patrimonio neto {form, select, must {no debe ser} other {no es}} {value}',
      },
    },
    'financial.net_worth_above_100k': {
      label: 'la comparación de su patrimonio neto con 100.000 USD',
      values: { true: 'de más de 100.000 USD', false: 'de 100.000 USD como máximo' },
      phrases: {
        is: 'su patrimonio neto {form, select, must {debe ser} other {es}} {value}',
        isNot: 'su patrimonio neto {form, select, must {no debe ser} other {no es}} {value}',
      },
    },
    'financial.bank_balance': { label: 'su saldo bancario' },
    'financial.credit_card_balance': { label: 'su saldo de tarjetas de crédito' },
    'financial.loan_balance': { label: 'su saldo de préstamos' },
    'financial.investment_balance': { label: 'su saldo de inversiones' },
    'financial.retirement_balance': { label: 'su ahorro para la jubilación' },
    'financial.tradfi_balance': { label: 'su saldo bancario y de inversiones' },
    'financial.onchain_balance': { label: 'su saldo en monederos' },
    'financial.total_liabilities': { label: 'el total de sus deudas' },
    'financial.verified_income': { label: 'su ingreso verificado' },
  },
};
