/** Rejects checks that do not fit a column: if no value of a column passes a check, the check's negation passes for everyone (L15). */
import { operandFaults } from '../engine/claims/claim-type.js';
import { LAST_INSTANT } from '../engine/claims/instant.js';
import {
  type CatalogueClaim,
  type Check,
  CLAIM_TYPES,
  formatInstant,
  parseInstant,
} from '../engine/index.js';
import type { ReadableClaim } from '../engine/query/parse-context.js';
import { DATE_LENGTH } from '../util/time.js';
import { UnsupportedConstruct } from './errors.js';
import { FIRST_MIDNIGHT } from './instants.js';

/** A column whose type excludes some values. */
export interface TypedColumn {
  /** The column in messages: `The column \`age\``. */
  readonly label: string;
  /** The declared type. */
  readonly type: string;
  /** The type of claims to which the column's values belong. */
  readonly values: ColumnValues;
  /** The least and the greatest value; for dates and instants in epoch milliseconds. */
  readonly range?: readonly [number, number] | undefined;
}

export type ColumnValues = 'boolean' | 'integer' | 'number' | 'string' | 'date' | 'datetime';

/** Maps each type of claims to the columns that can contain at least some of its values. */
const COLUMNS_OF: Readonly<Record<CatalogueClaim['type'], readonly ColumnValues[]>> = {
  boolean: ['boolean'],
  integer: ['integer', 'number'],
  number: ['integer', 'number'],
  string: ['string', 'date', 'datetime'],
  enum: ['string', 'date', 'datetime'],
  date: ['string', 'date'],
  datetime: ['string', 'datetime'],
  // Only JSON has members.
  array: [],
  object: [],
};

/** The ranges of columns of a database: finite numbers, integers within ±(2^53 − 1), dates and instants of the years 1 to 9999. */
export const RANGES: Readonly<Partial<Record<ColumnValues, readonly [number, number]>>> = {
  integer: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  number: [-Number.MAX_VALUE, Number.MAX_VALUE],
  date: [FIRST_MIDNIGHT, Date.UTC(9999, 11, 31)],
  datetime: [FIRST_MIDNIGHT, LAST_INSTANT],
};

/**
 * Asserts that a check fits the column of its claim: a value of the column can equal each operand of `==`, `!=`, `in` and `notIn`, can pass
 * a comparison, and can begin with the operand of `startsWith`. Patterns are not examined.
 *
 * @param claims - The claims of the catalogue, whose types the columns must not contradict.
 * @throws {UnsupportedConstruct} `layout`, where no value of the column is of the claim's type; `operand` otherwise.
 */
export function assertFitsColumn(
  check: Check,
  column: TypedColumn,
  claims: readonly ReadableClaim[] = [],
): void {
  const { claim: path, operator } = check;
  const { label, type, values } = column;
  const catalogued = claims.find((claim) => claim.path === path)?.type;
  if (catalogued !== undefined && CLAIM_TYPES.includes(catalogued)) {
    if (!COLUMNS_OF[catalogued].includes(values)) {
      const message = `${label} of \`${path}\` is of type ${type}, which has no value of type ${catalogued}, the claim's type in \`claims\`.`;
      throw new UnsupportedConstruct('layout', message);
    }
  }
  const [fault] = operandFaults(check, { path, type: values });
  if (fault !== undefined)
    throw new UnsupportedConstruct('operand', `${fault.message} ${label} is of type ${type}.`);
  if (isWithinRange(check, column)) return;
  const reason = operator === 'startsWith' ? 'must be the beginning of a value' : 'is out of range';
  const message = `The \`value\` of \`${operator}\` on \`${path}\` ${reason}. ${label} is of type ${type}, with values from ${describeRange(column)}.`;
  throw new UnsupportedConstruct('operand', message);
}

/**
 * Returns whether a value in the range can pass a check or, for `==`, `!=`, `in` and `notIn`, can equal each operand. The operands must be of
 * the column's type.
 */
function isWithinRange({ operator, value }: Check, { values, range }: TypedColumn): boolean {
  if (range === undefined || value === undefined) return true;
  const [least, greatest] = range;
  const isInRange = (operand: unknown) => {
    const position = positionOf(operand);
    return position >= least && position <= greatest;
  };
  switch (operator) {
    case '>':
      return greatest > positionOf(value);
    case '>=':
      return greatest >= positionOf(value);
    case '<':
      return least < positionOf(value);
    case '<=':
      return least <= positionOf(value);
    case 'in':
    case 'notIn':
      return Array.isArray(value) && value.every(isInRange);
    case '==':
    case '!=':
      return isInRange(value);
    case 'startsWith':
      return completions(String(value), values).some(isInRange);
    default:
      return true;
  }
}

function positionOf(operand: unknown): number {
  return typeof operand === 'number' ? operand : (parseInstant(String(operand)) ?? Number.NaN);
}

/** The beginning of an instant, with the rest taken from one of these, is an instant for at least one of them. */
const INSTANTS = ['0001-01-01T00:00:00.000Z', '0001-01-10T00:00:00.000Z'];

function completions(beginning: string, values: ColumnValues): readonly string[] {
  if (values === 'date')
    return INSTANTS.map((each) => `${beginning}${each.slice(beginning.length, DATE_LENGTH)}`);
  return INSTANTS.map((each) => `${beginning}${each.slice(beginning.length)}`).filter((text) => {
    const instant = parseInstant(text);
    return instant !== undefined && formatInstant(instant) === text;
  });
}

function describeRange({ values, range = [-Infinity, Infinity] }: TypedColumn): string {
  const length = values === 'date' ? DATE_LENGTH : undefined;
  const [least, greatest] = range.map((bound) =>
    values === 'integer' || values === 'number' ? bound : `\`${formatInstant(bound).slice(0, length)}\``,
  );
  return `${least} to ${greatest}`;
}
