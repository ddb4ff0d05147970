/** Representative strings: those that checks name, and one for each way in which prefixes, patterns and dates can come out (L16–L18). */
import { FIRST_INSTANT, LAST_INSTANT } from '../../engine/claims/instant.js';
import { type Check, type CompileOptions, formatInstant, parseInstant } from '../../engine/index.js';
import { partitionTexts } from '../patterns/text-partition.js';
import type { Values } from './representatives.js';

/** @param equals - Texts that checks compare with by equality. */
export function textsBeside(
  checks: readonly Check[],
  equals: readonly string[],
  options: CompileOptions,
): Values {
  const taken = new Set(equals);
  const beginnings = operandsOf(checks, 'startsWith');
  const patterns = operandsOf(checks, 'matchRegex');
  const instants = instantTextsBeside(checks, taken);
  const { texts, incomplete } = partitionTexts(
    { equals: [...taken], beginnings, patterns, hasInstants: instants.length > 0 },
    options,
  );
  const values = [...texts, ...instants];
  return { values, ...(incomplete === undefined ? {} : { incomplete }) };
}

function operandsOf(checks: readonly Check[], wanted: Check['operator']): readonly string[] {
  const operands = checks.flatMap(({ operator, value }) =>
    operator === wanted && typeof value === 'string' ? [value] : [],
  );
  return [...new Set(operands)];
}

/** The furthest that an offset moves a date-time. */
const MAX_OFFSET_MS = (23 * 60 + 59) * 60_000;
const DATE_LENGTH = 'YYYY-MM-DD'.length;

/**
 * @param taken - Texts that have to be told from those returned: an instant has many.
 * @returns Nothing where no check compares instants.
 */
function instantTextsBeside(checks: readonly Check[], taken: ReadonlySet<string>): readonly string[] {
  const points = checks.flatMap(({ operator, value }) => {
    const instant =
      ['<', '<=', '>', '>='].includes(operator) && typeof value === 'string'
        ? parseInstant(value)
        : undefined;
    return instant === undefined ? [] : [instant];
  });
  if (points.length === 0) return [];
  // Texts that checks name are instants as well, and lie in gaps like any other.
  const around = points.flatMap((point) => [point - 1, point, point + 1]);
  return [...new Set(around)].flatMap((instant) => write(instant, taken) ?? []);
}

/** A text for an instant that is none of those taken; `undefined` beyond what can be written. */
function write(instant: number, taken: ReadonlySet<string>): string | undefined {
  const shift = instant < FIRST_INSTANT ? MAX_OFFSET_MS : instant > LAST_INSTANT ? -MAX_OFFSET_MS : 0;
  const local = instant + shift;
  if (local < FIRST_INSTANT || local > LAST_INSTANT) return undefined;
  const zone = shift === 0 ? 'Z' : shift > 0 ? '+23:59' : '-23:59';
  const text = formatInstant(local);
  const day = text.slice(0, DATE_LENGTH);
  if (shift === 0 && text.endsWith('T00:00:00.000Z') && !taken.has(day)) return day;
  // What follows the millisecond is cut off.
  for (let zeros = ''; ; zeros += '0') {
    const candidate = `${text.slice(0, -1)}${zeros}${zone}`;
    if (!taken.has(candidate)) return candidate;
  }
}
