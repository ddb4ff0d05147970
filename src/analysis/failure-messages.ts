/** The messages of `describeFailures` as a table of plain data, and its English form. */
import type { OperatorName } from '../engine/index.js';

/**
 * The sentences of a check. Placeholders: `{claim}`, the label of the claim; `{expected}`, the operand; `{actual}`, the
 * value of the claim.
 */
export interface CheckMessages {
  /** The check fails on the value of the claim. */
  readonly unmet: string;
  /** The check passes on the value of the claim, and the policy negates it. */
  readonly negated: string;
}

/** Operators that compare numbers or dates. */
export type OrderingOperator = '>' | '>=' | '<' | '<=';

/** The messages of one claim, which take precedence over those of all claims. */
export interface ClaimMessages {
  /** The name of the claim. Defaults to its `displayName` in the catalogue. */
  readonly label?: string;
  /** Values as the person reads them, by the value as text; `'country'` for the names of ISO 3166-1 alpha-2 codes. */
  readonly values?: Readonly<Record<string, string>> | 'country';
  /** The claim is not defined. */
  readonly notDefined?: string;
  readonly operators?: Readonly<Partial<Record<OperatorName, Partial<CheckMessages>>>>;
}

/** The messages of {@link describeFailures}. Plain data: copy {@link ENGLISH_MESSAGES} to change or translate it. */
export interface FailureMessages {
  /** BCP 47 tag of the language in which lists, numbers, dates and countries are formatted. */
  readonly locale: string;
  /** The claim is not defined; placeholders as in {@link CheckMessages}. For `isDefined`, see `operators`. */
  readonly notDefined: string;
  readonly operators: Readonly<Record<OperatorName, CheckMessages>>;
  /** Replace the messages of ordering operators where the operand is a date. */
  readonly dates: Readonly<Record<OrderingOperator, CheckMessages>>;
  /** Messages by claim path. */
  readonly claims: Readonly<Record<string, ClaimMessages>>;
  readonly formats: {
    readonly number: Intl.NumberFormatOptions;
    /** Dates without a time. Their time zone is always UTC. */
    readonly date: Intl.DateTimeFormatOptions;
    readonly dateTime: Intl.DateTimeFormatOptions;
    /** The operand of `in` and `notIn`. */
    readonly alternatives: Intl.ListFormatOptions;
    /** Any other array. */
    readonly list: Intl.ListFormatOptions;
    readonly emptyList: string;
    /** A string that is no date and has no name in `values` of its claim; the placeholder is `{text}`. */
    readonly text: string;
    readonly true: string;
    readonly false: string;
    readonly null: string;
  };
}

/** The messages in English. The claims are those of the default catalogue. */
export const ENGLISH_MESSAGES: FailureMessages = {
  locale: 'en-GB',
  notDefined: 'We have no verified {claim}.',
  operators: {
    '==': { unmet: 'Your {claim} must be {expected}.', negated: 'Your {claim} must not be {expected}.' },
    '!=': { unmet: 'Your {claim} must not be {expected}.', negated: 'Your {claim} must be {expected}.' },
    '>': {
      unmet: 'Your {claim} must be more than {expected}.',
      negated: 'Your {claim} must be at most {expected}.',
    },
    '>=': {
      unmet: 'Your {claim} must be at least {expected}.',
      negated: 'Your {claim} must be less than {expected}.',
    },
    '<': {
      unmet: 'Your {claim} must be less than {expected}.',
      negated: 'Your {claim} must be at least {expected}.',
    },
    '<=': {
      unmet: 'Your {claim} must be at most {expected}.',
      negated: 'Your {claim} must be more than {expected}.',
    },
    in: {
      unmet: 'Your {claim} must be one of {expected}.',
      negated: 'Your {claim} must not be one of {expected}.',
    },
    notIn: {
      unmet: 'Your {claim} must not be one of {expected}.',
      negated: 'Your {claim} must be one of {expected}.',
    },
    contains: {
      unmet: 'Your {claim} must include {expected}.',
      negated: 'Your {claim} must not include {expected}.',
    },
    startsWith: {
      unmet: 'Your {claim} must start with {expected}.',
      negated: 'Your {claim} must not start with {expected}.',
    },
    // A pattern is not meant for people: describe it in the messages of its claim.
    matchRegex: {
      unmet: 'Your {claim} does not have the required form.',
      negated: 'Your {claim} has a form that is not accepted.',
    },
    isDefined: {
      unmet: 'We have no verified {claim}.',
      negated: 'You must not have a verified {claim}.',
    },
  },
  dates: {
    '>': {
      unmet: 'Your {claim} must be after {expected}.',
      negated: 'Your {claim} must be {expected} or earlier.',
    },
    '>=': {
      unmet: 'Your {claim} must be {expected} or later.',
      negated: 'Your {claim} must be before {expected}.',
    },
    '<': {
      unmet: 'Your {claim} must be before {expected}.',
      negated: 'Your {claim} must be {expected} or later.',
    },
    '<=': {
      unmet: 'Your {claim} must be {expected} or earlier.',
      negated: 'Your {claim} must be after {expected}.',
    },
  },
  claims: {
    'identity.is_human': { values: { true: 'complete', false: 'incomplete' } },
    'identity.palm_verified': { values: { true: 'complete', false: 'incomplete' } },
    'identity.country_of_residence': { values: 'country' },
    'identity.nationality': { values: 'country' },
    'identity.age': {
      operators: {
        '>': { unmet: 'You must be older than {expected}.', negated: 'You must be {expected} or younger.' },
        '>=': { unmet: 'You must be {expected} or older.', negated: 'You must be younger than {expected}.' },
        '<': { unmet: 'You must be younger than {expected}.', negated: 'You must be {expected} or older.' },
        '<=': { unmet: 'You must be {expected} or younger.', negated: 'You must be older than {expected}.' },
      },
    },
    'identity.age_over_18': { values: { true: '18 or older', false: 'under 18' } },
    'identity.age_over_21': { values: { true: '21 or older', false: 'under 21' } },
    'kyc.passed': { values: { true: 'passed', false: 'failed' } },
    'kyc.level': { values: { none: 'none', basic: 'basic', enhanced: 'enhanced' } },
    'kyc.sanctions_clear': { values: { true: 'clear', false: 'not clear' } },
    'kyc.aml_screening_passed': { values: { true: 'passed', false: 'failed' } },
    'kyc.pep_status': { values: { true: 'present', false: 'absent' } },
    'kyc.is_high_risk': { values: { true: 'high', false: 'acceptable' } },
    'kyc.geo_blocked_region': { values: { true: 'outside of our service area', false: 'served' } },
    'kyc.employment_status': {
      values: {
        employed: 'employed',
        self_employed: 'self-employed',
        unemployed: 'unemployed',
        student: 'student',
        retired: 'retired',
      },
    },
    'kyc.document_country': { values: 'country' },
    'kyc.tax_residency': { values: 'country' },
    'financial.net_worth_above_10k': { values: { true: 'above 10,000 USD', false: 'at most 10,000 USD' } },
    'financial.net_worth_above_100k': { values: { true: 'above 100,000 USD', false: 'at most 100,000 USD' } },
  },
  formats: {
    number: { maximumFractionDigits: 20 },
    date: { dateStyle: 'long' },
    dateTime: { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' },
    alternatives: { type: 'disjunction' },
    list: { type: 'conjunction' },
    emptyList: 'an empty list',
    text: '“{text}”',
    true: 'yes',
    false: 'no',
    null: 'empty',
  },
};
