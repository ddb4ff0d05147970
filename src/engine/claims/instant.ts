/** RFC 3339 dates and date-times as epoch milliseconds, without the host's date parsing (L10, L17). */

/** `full-date`, and `date-time` with an offset: each part within its range, but that months have fewer than 31 days. */
const RFC_3339 =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d)))?$/;

const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
/** The calendar repeats itself after so many years: an era. */
const YEARS_PER_ERA = 400;
const DAYS_PER_ERA = 146_097;

/**
 * Reads an RFC 3339 `full-date` (its midnight UTC) or `date-time` (whose offset is required).
 *
 * Fractions are cut off after the millisecond. A leap second (`23:59:60` UTC on the last day of a month) is the instant
 * that follows it, as in POSIX time. Never throws.
 *
 * @returns Epoch milliseconds; `undefined` where the text is no such date or names a day that does not exist.
 * @see L17
 */
export function parseInstant(text: string): number | undefined {
  const parts = RFC_3339.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = 0, offsetMinute = 0] =
    parts;
  const start = midnight(Number(year), Number(month), Number(day));
  if (start === undefined || hour === undefined) return start;
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const minuteStart = start + (Number(hour) * 60 + Number(minute) - offset) * MS_PER_MINUTE;
  const at = minuteStart + Number(second) * MS_PER_SECOND;
  // Within a leap second there is one instant only: POSIX time has no room for its fractions.
  if (second === '60') return isStartOfMonth(at) ? at : undefined;
  return at + Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/** The first and the last instant that RFC 3339 can write, epoch milliseconds: the years 0000 to 9999. */
export const FIRST_INSTANT = -62_167_219_200_000;
export const LAST_INSTANT = 253_402_300_799_999;

const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

/**
 * Writes an instant as RFC 3339 UTC with milliseconds.
 *
 * @param at - Epoch milliseconds, within the years 0000 to 9999.
 * @throws {RangeError} Outside of those years: RFC 3339 has no way to write it.
 */
export function formatInstant(at: number): string {
  // A fraction of a millisecond is not written.
  const whole = Math.trunc(at);
  if (!(whole >= FIRST_INSTANT && whole <= LAST_INSTANT)) {
    throw new RangeError(`an instant lies in the years 0000 to 9999: ${at}`);
  }
  const second = Math.floor(whole / MS_PER_SECOND);
  return `${formatSecond(second)}${THREE_DIGITS[whole - second * MS_PER_SECOND]}Z`;
}

/** The seconds written last: `Date` takes longer to write one than the rest of an answer takes, and most answers name the same few. */
const WRITTEN_SECONDS = new Map<number, string>();

const MAX_WRITTEN_SECONDS = 4_096;

/** Writes a second, counted from 1970, as `YYYY-MM-DDThh:mm:ss.`. */
function formatSecond(second: number): string {
  let text = WRITTEN_SECONDS.get(second);
  if (text === undefined) {
    text = new Date(second * MS_PER_SECOND).toISOString().slice(0, -4);
    if (WRITTEN_SECONDS.size === MAX_WRITTEN_SECONDS) WRITTEN_SECONDS.clear();
    WRITTEN_SECONDS.set(second, text);
  }
  return text;
}

/** `undefined` where the month has no such day. */
function midnight(year: number, month: number, day: number): number | undefined {
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; an era later, the calendar is the same.
  const start = Date.UTC(year + YEARS_PER_ERA, month - 1, day) - DAYS_PER_ERA * MS_PER_DAY;
  // No month has fewer days than 28; what it has not is read as a day of the next.
  return day <= 28 || new Date(start).getUTCDate() === day ? start : undefined;
}

/** Where leap seconds are added just before, in UTC (RFC 3339 §5.7). */
function isStartOfMonth(at: number): boolean {
  return at % MS_PER_DAY === 0 && new Date(at).getUTCDate() === 1;
}
