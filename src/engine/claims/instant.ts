/** RFC 3339 dates and date-times as epoch milliseconds, independent of the host's date parsing (L10, L17). */
import { MS_PER_DAY, MS_PER_MINUTE, MS_PER_SECOND } from '../../util/time.js';
import { wrongType } from '../value-types.js';

/** `full-date`, or `date-time` with an offset. Every part is in range, except that all months may have 31 days. */
const RFC_3339 =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d)))?$/;

/** The calendar repeats after this many years, an era. */
const YEARS_PER_ERA = 400;
const DAYS_PER_ERA = 146_097;

/**
 * Parses an RFC 3339 `full-date` (its midnight UTC) or `date-time` (with a required offset).
 *
 * Fractions are truncated to milliseconds. A leap second (`23:59:60` UTC on the last day of a month) is the instant
 * that follows it, as in POSIX time. Never throws.
 *
 * @returns Epoch milliseconds; `undefined` where the argument is not a string of these forms, or the day does not exist.
 * @see L17
 */
export function parseInstant(text: string): number | undefined {
  const parts = typeof text === 'string' ? RFC_3339.exec(text) : null;
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = 0, offsetMinute = 0] =
    parts;
  const start = midnight(Number(year), Number(month), Number(day));
  if (start === undefined || hour === undefined) return start;
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const minuteStart = start + (Number(hour) * 60 + Number(minute) - offset) * MS_PER_MINUTE;
  const at = minuteStart + Number(second) * MS_PER_SECOND;
  // A leap second is a single instant: POSIX time cannot represent its fractions.
  if (second === '60') return isStartOfMonth(at) ? at : undefined;
  return at + Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/**
 * The first and the last instant that RFC 3339 can represent in UTC, in epoch milliseconds: the years 0000 to 9999. {@link parseInstant} may
 * return an instant outside of these years, such as that of `0000-01-01T00:00:00+01:00`.
 */
export const FIRST_INSTANT = -62_167_219_200_000;
export const LAST_INSTANT = 253_402_300_799_999;

/** Returns whether a number is a whole number of milliseconds in the years 0000 to 9999 UTC. Never throws. */
export function isInstant(at: number | undefined): at is number {
  return Number.isSafeInteger(at) && Number(at) >= FIRST_INSTANT && Number(at) <= LAST_INSTANT;
}

/**
 * Asserts an instant of evaluation.
 *
 * @throws {TypeError} When it is not a number.
 * @throws {RangeError} When it is not a whole number of milliseconds in the years 0000 to 9999.
 */
export function assertInstant(at: unknown, name = '`now`'): asserts at is number {
  const required = 'a whole number of milliseconds in the years 0000 to 9999';
  if (typeof at !== 'number') throw wrongType(name, required, at);
  if (!isInstant(at)) throw new RangeError(`${name} must be ${required} (got ${at})`);
}

const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

/**
 * Formats an instant as RFC 3339 UTC with milliseconds.
 *
 * @param at - Epoch milliseconds, within the years 0000 to 9999.
 * @throws {RangeError} Outside of those years, which RFC 3339 cannot represent.
 * @throws {TypeError} When `at` is not a number.
 */
export function formatInstant(at: number): string {
  if (typeof at !== 'number') throw wrongType('an instant', 'a number', at);
  // Fractions of a millisecond are truncated.
  const whole = Math.trunc(at);
  if (!(whole >= FIRST_INSTANT && whole <= LAST_INSTANT)) {
    throw new RangeError(`an instant must be in the years 0000 to 9999 (got ${at})`);
  }
  const second = Math.floor(whole / MS_PER_SECOND);
  return `${formatSecond(second)}${THREE_DIGITS[whole - second * MS_PER_SECOND]}Z`;
}

/** Cache of formatted seconds: formatting a second with `Date` takes longer than creating the rest of a result, and most results have the same few seconds. */
const WRITTEN_SECONDS = new Map<number, string>();

const MAX_WRITTEN_SECONDS = 4_096;

/** Formats a second since 1970 as `YYYY-MM-DDThh:mm:ss.`. */
function formatSecond(second: number): string {
  let text = WRITTEN_SECONDS.get(second);
  if (text === undefined) {
    text = new Date(second * MS_PER_SECOND).toISOString().slice(0, -4);
    if (WRITTEN_SECONDS.size === MAX_WRITTEN_SECONDS) WRITTEN_SECONDS.clear();
    WRITTEN_SECONDS.set(second, text);
  }
  return text;
}

/** Returns the midnight UTC of a day; `undefined` if the day does not exist. */
function midnight(year: number, month: number, day: number): number | undefined {
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999; the calendar is the same one era later.
  const start = Date.UTC(year + YEARS_PER_ERA, month - 1, day) - DAYS_PER_ERA * MS_PER_DAY;
  // Every month has at least 28 days; a later day that does not exist is read as a day of the next month.
  return day <= 28 || new Date(start).getUTCDate() === day ? start : undefined;
}

/** Returns whether an instant is a possible end of a leap second in UTC (RFC 3339 §5.7). */
function isStartOfMonth(at: number): boolean {
  return at % MS_PER_DAY === 0 && new Date(at).getUTCDate() === 1;
}
