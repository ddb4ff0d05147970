/**
 * Representative strings (L16–L18): those that checks name, one for each combination of outcomes of prefixes and patterns, and dates around each
 * compared date. Dates are not combined with prefixes and patterns: the result is incomplete if these match only some dates.
 */
import { ORDERINGS } from '../../engine/claims/claim-type.js';
import { FIRST_INSTANT, LAST_INSTANT } from '../../engine/claims/instant.js';
import { type Check, type CompileOptions, formatInstant, parseInstant } from '../../engine/index.js';
import { DATE_LENGTH } from '../../util/time.js';
import { partitionStrings } from '../patterns/string-partition.js';
import type { Values } from './representatives.js';

/**
 * Returns the representative strings of a claim.
 *
 * @param equals - Strings that checks compare for equality.
 * @param steps - The limit on the steps of the analysis, which also bounds the work here.
 */
export function representativeStrings(
  checks: readonly Check[],
  equals: readonly string[],
  options: CompileOptions,
  steps: number,
): Values {
  const reserved = new Set(equals);
  const prefixes = operandsOf(checks, 'startsWith');
  const patterns = operandsOf(checks, 'matchRegex');
  const instants = representativeInstants(checks, reserved);
  const { strings, incomplete } = partitionStrings(
    { equals: [...reserved], prefixes, patterns, hasInstants: instants.length > 0 },
    options,
    steps,
  );
  const values = [...strings, ...instants];
  return { values, ...(incomplete === undefined ? {} : { incomplete }) };
}

function operandsOf(checks: readonly Check[], name: Check['operator']): readonly string[] {
  const operands = checks.flatMap(({ operator, value }) =>
    operator === name && typeof value === 'string' ? [value] : [],
  );
  return [...new Set(operands)];
}

/** The largest offset of a date-time. */
const MAX_OFFSET_MS = (23 * 60 + 59) * 60_000;

/**
 * Returns dates and date-times at, directly before and directly after each compared instant; empty where no check compares instants.
 *
 * @param reserved - Strings that the returned ones must differ from.
 */
function representativeInstants(checks: readonly Check[], reserved: ReadonlySet<string>): readonly string[] {
  const points = comparedInstants(checks);
  if (points.length === 0) return [];
  // `points` has only the operands of ordering operators: `==` distinguishes only its operand, which is a representative already.
  const around = points.flatMap((point) => [point - 1, point, point + 1]);
  return [...new Set(around)].flatMap((instant) => writeInstant(instant, reserved) ?? []);
}

/** Returns the instants that checks compare with. */
export function comparedInstants(checks: readonly Check[]): readonly number[] {
  return checks.flatMap(({ operator, value }) => {
    const instant =
      ORDERINGS.includes(operator) && typeof value === 'string' ? parseInstant(value) : undefined;
    return instant === undefined ? [] : [instant];
  });
}

/** Formats an instant as a string that is not reserved; `undefined` where it cannot be represented. */
export function writeInstant(instant: number, reserved: ReadonlySet<string>): string | undefined {
  const shift = instant < FIRST_INSTANT ? MAX_OFFSET_MS : instant > LAST_INSTANT ? -MAX_OFFSET_MS : 0;
  const local = instant + shift;
  if (local < FIRST_INSTANT || local > LAST_INSTANT) return undefined;
  const zone = shift === 0 ? 'Z' : shift > 0 ? '+23:59' : '-23:59';
  const text = formatInstant(local);
  const day = text.slice(0, DATE_LENGTH);
  if (shift === 0 && text.endsWith('T00:00:00.000Z') && !reserved.has(day)) return day;
  // Digits after the millisecond are ignored.
  for (let zeros = ''; ; zeros += '0') {
    const candidate = `${text.slice(0, -1)}${zeros}${zone}`;
    if (!reserved.has(candidate)) return candidate;
  }
}
