/** RFC 3339 texts as the specification describes them, counted in days by hand: the reference's own clockwork (L17). */

const SHAPE =
  /^(\d\d\d\d)-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d)))?$/;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MINUTES_A_DAY = 1_440;

/**
 * Reads a full-date, which is its midnight UTC, or a date-time with its offset.
 *
 * @returns Epoch milliseconds; `undefined` where the text is neither. Never throws.
 * @see L17
 */
export function readInstant(text: string): number | undefined {
  const parts = SHAPE.exec(text);
  if (parts === null) return undefined;
  // What a full-date leaves out is its midnight UTC.
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', sign = '+'] = parts;
  const [offsetHours, offsetMinutes] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  const days = dayNumber(Number(year), Number(month), Number(day));
  if (days === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;

  const offset = (offsetHours * 60 + offsetMinutes) * (sign === '-' ? -1 : 1);
  const minutes = days * MINUTES_A_DAY + Number(hour) * 60 + Number(minute) - offset;
  if (Number(second) < 60) {
    return minutes * MINUTE_MS + Number(second) * 1_000 + Number(`${fraction}000`.slice(0, 3));
  }
  // A leap second is the last minute of a month in UTC; it is the instant after it.
  const next = minutes + 1;
  return next % MINUTES_A_DAY === 0 && startsMonth(next / MINUTES_A_DAY) ? next * MINUTE_MS : undefined;
}

/** Writes epoch milliseconds as RFC 3339 UTC with milliseconds. @throws {RangeError} Outside of what a date can be. */
export function writeInstant(at: number): string {
  return new Date(at).toISOString();
}

/** Days since 1970-01-01; `undefined` where there is no such day. */
function dayNumber(year: number, month: number, day: number): number | undefined {
  if (day < 1 || day > (monthLengths(year)[month - 1] ?? 0)) return undefined;
  const before = monthLengths(year)
    .slice(0, month - 1)
    .reduce((sum, length) => sum + length, 0);
  return daysBeforeYear(year) - daysBeforeYear(1970) + before + day - 1;
}

/** Days from the first of the year 0000; the leap years among those before are the multiples of 4, not of 100, but of 400. */
function daysBeforeYear(year: number): number {
  return 365 * year + Math.ceil(year / 4) - Math.ceil(year / 100) + Math.ceil(year / 400);
}

function monthLengths(year: number): readonly number[] {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
}

function startsMonth(days: number): boolean {
  return new Date(days * DAY_MS).getUTCDate() === 1;
}
