/** The messages in English. A claim without a `label` is named by one of `labels`: usually “your” and the `displayName` of the catalogue. */
import type { Messages } from '../messages.js';

/** Names of countries and territories (ISO 3166-1) that take the article in a sentence. */
const COUNTRIES = {
  AE: 'the United Arab Emirates',
  AX: 'the Åland Islands',
  BQ: 'the Caribbean Netherlands',
  BS: 'the Bahamas',
  CC: 'the Cocos (Keeling) Islands',
  CF: 'the Central African Republic',
  CK: 'the Cook Islands',
  DO: 'the Dominican Republic',
  FK: 'the Falkland Islands',
  FO: 'the Faroe Islands',
  GB: 'the United Kingdom',
  GM: 'the Gambia',
  IM: 'the Isle of Man',
  IO: 'the British Indian Ocean Territory',
  KM: 'the Comoros',
  KY: 'the Cayman Islands',
  MH: 'the Marshall Islands',
  MP: 'the Northern Mariana Islands',
  MV: 'the Maldives',
  NL: 'the Netherlands',
  PH: 'the Philippines',
  PN: 'the Pitcairn Islands',
  PS: 'the Palestinian Territories',
  SB: 'the Solomon Islands',
  SC: 'the Seychelles',
  TC: 'the Turks and Caicos Islands',
  TF: 'the French Southern Territories',
  UM: 'the US Outlying Islands',
  US: 'the United States',
  VG: 'the British Virgin Islands',
  VI: 'the US Virgin Islands',
};

export const ENGLISH: Messages = {
  values: {
    true: 'yes',
    false: 'no',
    null: 'empty',
    noValues: 'one of an empty list of values',
    text: '“{text}”',
    instant: '{date}, {time} UTC',
  },
  labels: {
    named: 'your {name}',
    flag: 'your “{name}” status',
    member: '{member} of {parent}',
    shared: '{label} ({path})',
  },
  phrases: {
    is: '{claim} {form, select, must {must be} other {is}} {value}',
    isNot: '{claim} {form, select, must {must not be} other {is not}} {value}',
    recorded: '{claim} {form, select, must {must be} other {is}} recorded as {value}',
    notRecorded: '{claim} {form, select, must {must not be} other {is not}} recorded as {value}',
    more: '{claim} {form, select, must {must be} other {is}} more than {value}',
    atLeast: '{claim} {form, select, must {must be} other {is}} at least {value}',
    less: '{claim} {form, select, must {must be} other {is}} less than {value}',
    atMost: '{claim} {form, select, must {must be} other {is}} at most {value}',
    after: '{claim} {form, select, must {must be} other {is}} after {value}',
    notBefore: '{claim} {form, select, must {must be} other {is}} {value} or later',
    before: '{claim} {form, select, must {must be} other {is}} before {value}',
    notAfter: '{claim} {form, select, must {must be} other {is}} {value} or earlier',
    includes: '{claim} {form, select, must {must include} other {includes}} {value}',
    includesNot: '{claim} {form, select, must {must not include} other {does not include}} {value}',
    startsWith: '{claim} {form, select, must {must start} other {starts}} with {value}',
    startsWithNot: '{claim} {form, select, must {must not start} other {does not start}} with {value}',
    // A failure does not show the pattern, which is not meant for people: describe it in the messages of its claim.
    matches: '{claim} {form, select, must {must have the required form} other {matches the pattern {value}}}',
    matchesNot:
      '{claim} {form, select, must {must have another form} other {does not match the pattern {value}}}',
    known: '{form, select, must {there must be} other {there is}} a verified record of {claim}',
    unknown: '{form, select, must {there must be} other {there is}} no verified record of {claim}',
  },
  question: {
    whether: 'Whether {clause}.',
    whetherList: 'Whether {clause}:',
    item: '{clause}',
    itemList: '{clause}:',
    and: '{first}, and {second}',
    or: '{first}, or {second}',
    all: 'all of these are true',
    any: 'at least one of these is true',
    notAll: 'not all of these are true',
    none: 'none of these is true',
    orUnknown: '{clause} (or this is unknown)',
  },
  disclosure: {
    value: '{value}.',
    values: 'These {count, number} values:',
    fields: 'only the {count, plural, one {field} other {fields}} {fields} of {claim}',
    allFields: 'all fields of {claim}',
    element:
      'only the {position, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} element of {claim}',
    elementFromEnd:
      'only the {position, plural, =1 {last element} other {{position, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} element from the end}} of {claim}',
  },
  notLearned: {
    sentence: 'Not {items}.',
    join: '{first}, not {second}',
    more: '{items}, and not {count, plural, one {# other detail} other {# other details}}',
    itself: '{claim} itself',
  },
  failures: {
    sentence: '{text}.',
    notDefined: 'we have no verified record of {claim}',
    orNotDefined: '{text} (we have no verified record of this)',
    and: '{first}, and {second}',
    or: '{first}, or {second}',
    group: '({text})',
  },
  claims: {
    'identity.is_human': { values: { true: 'complete', false: 'incomplete' } },
    'identity.palm_verified': { values: { true: 'complete', false: 'incomplete' } },
    'identity.country_of_residence': {
      values: COUNTRIES,
      phrases: {
        is: 'you {form, select, must {must live} other {live}} in {value}',
        isNot: 'you {form, select, must {must not} other {do not}} live in {value}',
      },
    },
    'identity.nationality': {
      values: COUNTRIES,
      phrases: {
        is: 'you {form, select, must {must be} other {are}} a national of {value}',
        isNot: 'you {form, select, must {must not be} other {are not}} a national of {value}',
      },
    },
    'identity.social_accounts': { label: 'your list of social accounts' },
    'identity.wallet_addresses': { label: 'your list of wallet addresses' },
    'identity.date_of_birth': {
      phrases: {
        after: 'you {form, select, must {must have been} other {were}} born after {value}',
        notBefore: 'you {form, select, must {must have been} other {were}} born on {value} or later',
        before: 'you {form, select, must {must have been} other {were}} born before {value}',
        notAfter: 'you {form, select, must {must have been} other {were}} born on {value} or earlier',
      },
    },
    'identity.age': {
      phrases: {
        more: 'you {form, select, must {must be} other {are}} older than {value}',
        atLeast: 'you {form, select, must {must be} other {are}} {value} or older',
        less: 'you {form, select, must {must be} other {are}} younger than {value}',
        atMost: 'you {form, select, must {must be} other {are}} {value} or younger',
      },
    },
    'identity.age_over_18': {
      label: 'your status as 18 or older',
      values: { true: '18 or older', false: 'under 18' },
      phrases: {
        is: 'your age {form, select, must {must be} other {is}} {value}',
        isNot: 'your age {form, select, must {must not be} other {is not}} {value}',
      },
    },
    'identity.age_over_21': {
      label: 'your status as 21 or older',
      values: { true: '21 or older', false: 'under 21' },
      phrases: {
        is: 'your age {form, select, must {must be} other {is}} {value}',
        isNot: 'your age {form, select, must {must not be} other {is not}} {value}',
      },
    },
    'kyc.passed': { values: { true: 'passed', false: 'failed' } },
    'kyc.level': { values: { none: 'none', basic: 'basic', enhanced: 'enhanced' } },
    'kyc.sanctions_clear': { values: { true: 'clear', false: 'flagged' } },
    'kyc.aml_screening_passed': { values: { true: 'passed', false: 'failed' } },
    'kyc.pep_status': { values: { true: 'present', false: 'absent' } },
    'kyc.is_high_risk': { values: { true: 'high', false: 'acceptable' } },
    'kyc.geo_blocked_region': { values: { true: 'outside of the service area', false: 'served' } },
    'kyc.employment_status': {
      values: {
        employed: 'employed',
        self_employed: 'self-employed',
        unemployed: 'unemployed',
        student: 'student',
        retired: 'retired',
      },
    },
    'financial.net_worth_above_10k': {
      label: 'the comparison of your net worth with 10,000 USD',
      values: { true: 'above 10,000 USD', false: 'at most 10,000 USD' },
      phrases: {
        is: 'your net worth {form, select, must {must be} other {is}} {value}',
        isNot: 'your net worth {form, select, must {must not be} other {is not}} {value}',
      },
    },
    'financial.net_worth_above_100k': {
      label: 'the comparison of your net worth with 100,000 USD',
      values: { true: 'above 100,000 USD', false: 'at most 100,000 USD' },
      phrases: {
        is: 'your net worth {form, select, must {must be} other {is}} {value}',
        isNot: 'your net worth {form, select, must {must not be} other {is not}} {value}',
      },
    },
  },
};
