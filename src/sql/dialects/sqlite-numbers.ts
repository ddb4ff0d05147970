/**
 * Comparison of JSON numbers in SQLite, equal to the engine's (L16).
 *
 * SQLite converts text to numbers with errors: in version 3.45, every second decimal halfway between two doubles is
 * off by one, and so are a few numbers of 17 digits; below 1e-300 errors are larger, and the largest double becomes
 * infinite. Numbers near an operand are therefore compared by their digits with the decimals that round to it.
 */
import { boundsOf, decimalComparison } from '../double-bounds.js';
import { allOf, anyOf, bind, type Fragment, list, sql, TRUE, verbatim } from '../fragment.js';
import type { Ordering } from './dialect.js';

/** A JSON value that may be a number. */
export interface NumberExpression {
  /** The result of `json_type`. */
  readonly type: Fragment;
  /** A 64-bit integer, or a double that SQLite read. */
  readonly scalar: Fragment;
  /** The value's JSON. */
  readonly json: Fragment;
}

/** Upper bounds of SQLite's errors, in versions with and without extended-precision arithmetic, for subnormal numbers as well. */
const RELATIVE_ERROR = 2 ** -36;
const ABSOLUTE_ERROR = 1e-280;
/** Above this, SQLite may read a number as infinite. */
const LARGE = 1e290;

/** Tests the order of a number and a double. */
export function ordersNumber(
  { type, scalar, json }: NumberExpression,
  ordering: Ordering,
  operand: number,
): Fragment {
  const isGreater = ordering.startsWith('>');
  const { low, high } = toleranceOf(operand);
  const weaker = isGreater ? from(scalar, low) : upTo(scalar, high);
  const certain = isGreater ? high : low;
  const certainly = Number.isFinite(certain)
    ? sql`WHEN ${scalar} ${verbatim(isGreater ? '>' : '<')} ${bind(certain)} THEN TRUE `
    : verbatim('');
  const exact = sql`(SELECT ${ordersDigits(ordering, operand)} FROM (${partsOf(json)}) AS n)`;
  const integer = sql`CAST(${scalar} AS REAL) ${verbatim(ordering)} ${double(operand)}`;
  return allOf([
    isNumber(type),
    weaker,
    sql`CASE ${certainly}WHEN typeof(${scalar}) = 'integer' THEN ${integer} ELSE ${exact} END`,
  ]);
}

/** Tests whether a number equals one of some doubles. @param operands - One or more. */
export function isAmongNumbers(
  { type, scalar, json }: NumberExpression,
  operands: readonly number[],
): Fragment {
  const tolerances = operands.map(toleranceOf);
  const near = tolerances.map(({ low, high }) => allOf([from(scalar, low), upTo(scalar, high)]));
  const lowest = tolerances.reduce((least, { low }) => Math.min(least, low), Number.POSITIVE_INFINITY);
  const highest = tolerances.reduce(
    (greatest, { high }) => Math.max(greatest, high),
    Number.NEGATIVE_INFINITY,
  );
  const integer = sql`CAST(${scalar} AS REAL) IN (${list(operands.map(double))})`;
  const intervals = bind(JSON.stringify(operands.map(intervalOf)));
  const exact = sql`EXISTS (SELECT 1 FROM (${partsOf(json)}) AS n, json_each(${intervals}) AS b WHERE ${IS_WITHIN})`;
  return allOf([
    isNumber(type),
    from(scalar, lowest),
    upTo(scalar, highest),
    sql`CASE WHEN typeof(${scalar}) = 'integer' THEN ${integer} WHEN ${anyOf(near)} THEN ${exact} END`,
  ]);
}

/** Tests whether the numbers at some paths of a document equal doubles. The document has a number at each path. */
export function hasNumbersAt(document: Fragment, numbers: readonly (readonly [string, number])[]): Fragment {
  if (numbers.length === 0) return TRUE;
  const intervals = numbers.map(([path, operand]) => [...intervalOf(operand), path]);
  const parts = partsOf(sql`(${document} -> (b.value ->> 6))`);
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${bind(JSON.stringify(intervals))}) AS b WHERE (SELECT ${IS_WITHIN} FROM (${parts}) AS n) IS NOT TRUE)`;
}

function isNumber(type: Fragment): Fragment {
  return sql`${type} IN ('integer', 'real')`;
}

/** Exact, since drivers bind doubles as they are. */
function double(value: number): Fragment {
  return sql`CAST(${bind(value)} AS REAL)`;
}

/** Tests whether the value that SQLite read is at least a bound. An index can serve this condition, and that of {@link upTo}. */
function from(scalar: Fragment, low: number): Fragment {
  return Number.isFinite(low) ? sql`${scalar} >= ${bind(low)}` : TRUE;
}

function upTo(scalar: Fragment, high: number): Fragment {
  return Number.isFinite(high) ? sql`${scalar} <= ${bind(high)}` : TRUE;
}

/** Returns an interval that contains every value to which SQLite may convert a number that equals the operand. */
function toleranceOf(operand: number): { readonly low: number; readonly high: number } {
  const error = Math.abs(operand) * RELATIVE_ERROR + ABSOLUTE_ERROR;
  return {
    low: operand < -LARGE ? Number.NEGATIVE_INFINITY : operand - error,
    high: operand > LARGE ? Number.POSITIVE_INFINITY : operand + error,
  };
}

/** A decimal as 0.digits × 10^exponent, with neither leading nor trailing zeros. */
interface DecimalParts {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** @param decimal - Not zero, without exponent. */
function toParts(decimal: string): DecimalParts {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const significant = `${whole}${fraction}`.replace(/^0+/, '');
  return {
    isNegative: decimal.startsWith('-'),
    digits: significant.replace(/0+$/, ''),
    exponent: significant.length - fraction.length,
  };
}

/** Returns one row with the {@link DecimalParts} of a JSON number. For zero, it is not negative, and the exponent is less than that of every nonzero double. */
function partsOf(json: Fragment): Fragment {
  const whole = sql`SELECT t, instr(lower(t), 'e') AS e FROM (SELECT ${json} AS t)`;
  const split = sql`SELECT substr(t, 1, 1) = '-' AS negative, ltrim(CASE WHEN e > 0 THEN substr(t, 1, e - 1) ELSE t END, '-') AS m, CASE WHEN e > 0 THEN CAST(substr(t, e + 1) AS INTEGER) ELSE 0 END AS x FROM (${whole})`;
  const trimmed = sql`SELECT negative, ltrim(replace(m, '.', ''), '0') AS d, x - CASE WHEN instr(m, '.') > 0 THEN length(m) - instr(m, '.') ELSE 0 END AS y FROM (${split})`;
  return sql`SELECT negative AND d <> '' AS negative, rtrim(d, '0') AS digits, CASE WHEN d = '' THEN -100000 ELSE length(d) + y END AS exponent FROM (${trimmed})`;
}

/** Tests the order of a number and a double. The row `n` has the {@link DecimalParts} of the number. */
function ordersDigits(ordering: Ordering, operand: number): Fragment {
  const decimal = decimalComparison(ordering, operand);
  const { isNegative, digits, exponent } = toParts(decimal.bound);
  const isGreater = decimal.ordering.startsWith('>');
  const includes = decimal.ordering.endsWith('=');
  // Greater than a positive bound, and less than a negative one, is a longer distance from zero.
  const isOutward = isGreater !== isNegative;
  const sign = verbatim(includes === isOutward ? '>=' : '>');
  const outward = sql`(${verbatim(isNegative ? 'n.negative' : 'NOT n.negative')} AND (n.exponent, n.digits) ${sign} (${bind(exponent)}, ${bind(digits)}))`;
  return isOutward ? outward : sql`NOT ${outward}`;
}

/**
 * Returns the interval of the decimals that round to a double, as an array: the sign of the double, exponent and digits of the bound nearer to
 * zero, exponent and digits of the other bound, and 1 if both bounds belong to the interval. For zero, only the other bound counts.
 */
function intervalOf(operand: number): readonly (string | number)[] {
  const bounds = boundsOf(operand);
  const [low, high] = [toParts(bounds.low), toParts(bounds.high)];
  const [near, far] = high.isNegative ? [high, low] : [low, high];
  const sign = Math.sign(operand) + 0;
  return [sign, near.exponent, near.digits, far.exponent, far.digits, Number(bounds.closed)];
}

/** Tests whether the number in the row `n` is in the interval in the row `b`. */
const IS_WITHIN = (() => {
  const at = (index: number) => `b.value ->> ${index}`;
  const [number, near, far] = ['(n.exponent, n.digits)', `(${at(1)}, ${at(2)})`, `(${at(3)}, ${at(4)})`];
  const isOn = (bound: string) => `${at(5)} AND ${number} = ${bound}`;
  const sign = `${at(0)} = CASE WHEN n.negative THEN -1 ELSE 1 END`;
  const isAbove = `(${number} > ${near} OR ${isOn(near)})`;
  const isBelow = `(${number} < ${far} OR ${isOn(far)})`;
  return verbatim(`((${at(0)} = 0 OR ${sign} AND ${isAbove}) AND ${isBelow})`);
})();
