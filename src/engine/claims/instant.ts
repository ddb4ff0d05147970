/** RFC 3339 dates and date-times as epoch milliseconds, without the host's date parsing (L10, L17). */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 86_400_000;
const DAYS_PER_ERA = 146_097;
/** From 1 March 0000 to 1 January 1970. */
const DAYS_FROM_MARCH_0000 = 719_468;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

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
  const date = DATE.exec(text);
  if (date) return midnight(Number(date[1]), Number(date[2]), Number(date[3]));
  const parts = DATE_TIME.exec(text);
  return parts ? dateTime(parts) : undefined;
}

/** The first and the last instant that RFC 3339 can write, epoch milliseconds: the years 0000 to 9999. */
export const FIRST_INSTANT = -62_167_219_200_000;
export const LAST_INSTANT = 253_402_300_799_999;

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
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
  const day = Math.floor(whole / MS_PER_DAY);
  const ms = whole - day * MS_PER_DAY;
  const hour = TWO_DIGITS[Math.floor(ms / MS_PER_HOUR)];
  const minute = TWO_DIGITS[Math.floor(ms / MS_PER_MINUTE) % 60];
  const second = TWO_DIGITS[Math.floor(ms / MS_PER_SECOND) % 60];
  return `${formatDay(day)}T${hour}:${minute}:${second}.${THREE_DIGITS[ms % MS_PER_SECOND]}Z`;
}

/**
 * Writes a day as `YYYY-MM-DD`. Every answer has two instants, and `Date` takes longer to write them than the rest takes.
 *
 * Years begin in March here, so that a leap day is the last of its year, and eras have 400 years, as the calendar repeats itself.
 *
 * @param day - Days since 1970.
 */
function formatDay(day: number): string {
  const sinceMarch0000 = day + DAYS_FROM_MARCH_0000;
  const era = Math.floor(sinceMarch0000 / DAYS_PER_ERA);
  const ofEra = sinceMarch0000 - era * DAYS_PER_ERA;
  const leapDays = Math.floor(ofEra / 1_460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096);
  const yearOfEra = Math.floor((ofEra - leapDays) / 365);
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  // 153 days are five months from March on: 31, 30, 31, 30, 31.
  const monthFromMarch = Math.floor((5 * ofYear + 2) / 153);
  const dayOfMonth = ofYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${TWO_DIGITS[Math.floor(year / 100)]}${TWO_DIGITS[year % 100]}-${TWO_DIGITS[month]}-${TWO_DIGITS[dayOfMonth]}`;
}

function dateTime(parts: RegExpExecArray): number | undefined {
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHour, offsetMinute] = parts;
  const start = midnight(Number(year), Number(month), Number(day));
  const offset = offsetMinutes(sign, Number(offsetHour ?? 0), Number(offsetMinute ?? 0));
  if (start === undefined || offset === undefined) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const minuteStart = start + (Number(hour) * 60 + Number(minute) - offset) * MS_PER_MINUTE;
  if (Number(second) === 60 && !isLeapMinute(minuteStart)) return undefined;
  const milliseconds = Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
  // Within a leap second there is one instant only: POSIX time has no room for its fractions.
  if (Number(second) === 60) return minuteStart + MS_PER_MINUTE;
  return minuteStart + Number(second) * MS_PER_SECOND + milliseconds;
}

function midnight(year: number, month: number, day: number): number | undefined {
  const days = DAYS_IN_MONTH[month - 1];
  if (days === undefined || day < 1 || day > days + (month === 2 && isLeapYear(year) ? 1 : 0))
    return undefined;
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; setUTCFullYear does not.
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function offsetMinutes(sign: string | undefined, hours: number, minutes: number): number | undefined {
  if (hours > 23 || minutes > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** Whether a minute is the last of a month in UTC, where leap seconds are added (RFC 3339 §5.7). */
function isLeapMinute(minuteStart: number): boolean {
  const next = new Date(minuteStart + MS_PER_MINUTE);
  return next.getUTCDate() === 1 && next.getUTCHours() === 0 && next.getUTCMinutes() === 0;
}
