/** Types of claims in the catalogue. */

import { DATE_LENGTH } from '../../util/time.js';
import { describeOperand, joinNames, suggestion } from '../names.js';
import type { OperatorName } from '../operators/operators.js';
import { pointerTo } from '../problems.js';
import type { ReadableClaim } from '../query/parse-context.js';
import type { Check } from '../query/query.js';
import type { CatalogueClaim } from '../scopes/catalogue.js';
import { parseInstant } from './instant.js';
import { isJsonArray, type JsonValue } from './json-value.js';

/** Maximum number of values that a message lists; of longer lists it states the length. */
const MAX_LISTED_VALUES = 20;

/** Returns what a value of a claim must be, for messages. */
export function requiredValue({ type, values }: Pick<CatalogueClaim, 'type' | 'values'>): string {
  if (values === undefined) return `of type ${type}${EXAMPLES[type] ?? ''}`;
  const listed =
    values.length > MAX_LISTED_VALUES
      ? `the ${values.length} values of the catalogue`
      : values.map((each) => `\`${each}\``).join(', ');
  return `${type === 'array' ? 'an array of' : 'one of'} ${listed}`;
}

const EXAMPLES: Partial<Readonly<Record<CatalogueClaim['type'], string>>> = {
  date: ', such as `2026-01-31`',
  datetime: ', such as `2026-01-31T09:30:00Z` (RFC 3339)',
};

/**
 * Adds to each claim of a catalogue a test of the operators and operands of its checks. With these claims, `parse` rejects a check that does not fit its
 * claim: the negation of a check that no value passes would pass for everyone. Separate from `parse`, so that programs without a catalogue do not load it.
 */
export function withOperandChecks(claims: readonly OperandClaim[]): readonly ReadableClaim[] {
  return claims.map((claim) => ({
    path: claim.path,
    type: claim.type,
    reportOperand: ({ operator, value, pointer }, problems) => {
      for (const { index, message } of operandFaults({ operator, value }, claim))
        problems.add('operand_type', pointerTo(pointer, index), message);
    },
  }));
}

/** An operator or an operand that does not fit its claim. */
export interface OperandFault {
  readonly message: string;
  /** Index of the entry in the operand of `in` or `notIn`. */
  readonly index?: number | undefined;
}

type OperandClaim = Pick<CatalogueClaim, 'path' | 'type' | 'values'>;

/** The operators that compare the order of numbers or instants. */
export const ORDERINGS: readonly OperatorName[] = ['>', '>=', '<', '<='];
const STRING_OPERATORS: readonly OperatorName[] = ['startsWith', 'matchRegex'];
/** The operators of strings, which may be dates. */
const DATE_OPERATORS = [...ORDERINGS, ...STRING_OPERATORS];
const COMMON_OPERATORS: readonly OperatorName[] = ['==', '!=', 'in', 'notIn', 'isDefined'];

/** The operators whose checks some value of a type passes, by type, in addition to {@link COMMON_OPERATORS}. */
const OPERATORS_OF: Readonly<Record<CatalogueClaim['type'], readonly OperatorName[]>> = {
  boolean: [],
  string: DATE_OPERATORS,
  number: ORDERINGS,
  integer: ORDERINGS,
  date: DATE_OPERATORS,
  datetime: DATE_OPERATORS,
  array: ['contains'],
  object: [],
  enum: STRING_OPERATORS,
};

/**
 * Returns the faults of a check: one if no value of its claim passes it, or one for each operand of `==`, `!=`, `in` or `notIn` that no value
 * equals. Patterns are not examined.
 */
export function operandFaults(
  { operator, value }: Pick<Check, 'operator' | 'value'>,
  claim: OperandClaim,
): readonly OperandFault[] {
  if (value === undefined) return [];
  const { path, type } = claim;
  // Values of an enum may be dates, which have an order.
  const own =
    type === 'enum' && claim.values?.some((each) => parseInstant(each) !== undefined)
      ? DATE_OPERATORS
      : OPERATORS_OF[type];
  if (!COMMON_OPERATORS.includes(operator) && !own.includes(operator)) {
    const isStringType = operator === 'contains' && own.includes('startsWith');
    const fitting = joinNames(isStringType ? STRING_OPERATORS : [...own, ...COMMON_OPERATORS]);
    const message = `\`${operator}\` passes on no value of \`${path}\`, which is of type ${type}. Use ${fitting}.`;
    return [{ message }];
  }
  const faultsOf = (operand: JsonValue, index?: number): readonly OperandFault[] => {
    if (fitsOperator(operator, operand, claim)) return [];
    const hint = typeof operand === 'string' ? suggestion(operand, claim.values ?? []) : '';
    const required = requiredOperand(operator, claim);
    const message = `The \`value\` of \`${operator}\` on \`${path}\` must be ${required}, not ${describeOperand(operand)}.${hint}`;
    return [{ message, index }];
  };
  return (operator === 'in' || operator === 'notIn') && isJsonArray(value)
    ? value.flatMap(faultsOf)
    : faultsOf(value);
}

function requiredOperand(operator: OperatorName, claim: OperandClaim): string {
  if (operator === 'contains') return requiredValue({ ...claim, type: 'enum' });
  const required = requiredValue(claim);
  return operator === 'startsWith' ? `the beginning of a value that is ${required}` : required;
}

/**
 * Returns whether some value of a claim passes the check or, for `==`, `!=`, `in` and `notIn`, equals the operand. The operator must be one of the
 * claim's type. Returns true for every pattern.
 */
function fitsOperator(operator: OperatorName, operand: JsonValue, claim: OperandClaim): boolean {
  if (operator === 'matchRegex') return true;
  if (operator === 'startsWith') return isBeginning(String(operand), claim);
  if (operator === 'contains') return !claim.values?.every((each) => each !== operand);
  if (ORDERINGS.includes(operator))
    return (typeof operand === 'number') === (OPERATORS_OF[claim.type] === ORDERINGS);
  return fitsClaimType(operand, claim);
}

/** Returns whether a value of a claim may begin with a string. Of a date-time, only the day is examined. */
function isBeginning(text: string, { type, values }: OperandClaim): boolean {
  if (values !== undefined) return values.some((each) => each.startsWith(text));
  if (type !== 'date' && type !== 'datetime') return true;
  const day = text.slice(0, DATE_LENGTH);
  const isDay = DAYS.some((each) => parseInstant(`${day}${each.slice(day.length)}`) !== undefined);
  return isDay && (type === 'datetime' || text.length <= DATE_LENGTH);
}

/** A string is the beginning of an existing day if and only if the end of one of these days, appended to it, gives an existing day. */
const DAYS = ['0001-01-01', '0001-01-10'];

const BARE_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Returns whether a value is of a claim's type. Never throws. */
export function fitsClaimType(
  value: JsonValue,
  { type, values }: Pick<CatalogueClaim, 'type' | 'values'>,
): boolean {
  switch (type) {
    case 'boolean':
    case 'string':
    case 'number':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    case 'date':
      return typeof value === 'string' && BARE_DATE.test(value) && parseInstant(value) !== undefined;
    case 'datetime':
      return typeof value === 'string' && !BARE_DATE.test(value) && parseInstant(value) !== undefined;
    case 'array':
      return (
        Array.isArray(value) &&
        (values === undefined || value.every((each) => typeof each === 'string' && values.includes(each)))
      );
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'enum':
      return typeof value === 'string' && (values === undefined || values.includes(value));
  }
}
