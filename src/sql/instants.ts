/** Comparison of RFC 3339 dates and date-times in SQL, equal to the engine's parser (L17). */
import { formatInstant } from '../engine/index.js';
import { DATE_LENGTH, MS_PER_DAY } from '../util/time.js';
import type { Ordering } from './dialects/dialect.js';
import { allOf, anyOf, FALSE, type Fragment, list, sql, TRUE, verbatim } from './fragment.js';

/** String expressions of a dialect. Parts of a string are read only where it has the form of a date. */
export interface TextTools {
  /** Tests whether a string is `YYYY-MM-DD` and a day of the calendar. */
  isDate(text: Fragment): Fragment;
  /** Tests whether a string has the form of a date-time, with any digits. */
  isDateTime(text: Fragment): Fragment;
  /** Extracts characters from a position, counted from 1. */
  slice(text: Fragment, from: Fragment, length: number): Fragment;
  /** Converts digits to a 64-bit integer. */
  integer(digits: Fragment): Fragment;
  /** Divides non-negative integers, and rounds down. */
  divide(dividend: Fragment, divisor: number): Fragment;
  /** A string with comparison by bytes. */
  binary(text: Fragment): Fragment;
  /**
   * Creates a condition that refers to parts of a string many times. SQLite computes each part once, in a subquery, and DuckDB in a list; PostgreSQL
   * repeats the expression of the part.
   */
  withParts<Part extends string>(
    text: Fragment,
    parts: (text: Fragment) => Readonly<Record<Part, Fragment>>,
    condition: (part: (name: Part) => Fragment) => Fragment,
  ): Fragment;
  /** A bound 64-bit integer, epoch milliseconds. */
  instant(at: number): Fragment;
  /** A bound string. */
  text(value: string): Fragment;
}

/** The first instant that columns of dates and instants can have: the start of the year 1. */
export const FIRST_MIDNIGHT = -62_135_596_800_000;

/** Julian day number of 1970-01-01. */
const EPOCH_JULIAN_DAY = 2_440_588;

/** A date; for an instant outside of the years 0000 to 9999, whether it is before or after all dates. */
export type DateBound = { readonly date: string } | 'before_all' | 'after_all';

/**
 * Returns the date with which dates are compared instead of an instant. For `>=` and `<`, it begins at the first midnight at or after the
 * instant, and for `>` and `<=`, at the last midnight at or before it.
 */
export function dateBound(ordering: Ordering, instant: number): DateBound {
  const days = instant / MS_PER_DAY;
  return toDate((ordering === '>=' || ordering === '<' ? Math.ceil(days) : Math.floor(days)) * MS_PER_DAY);
}

/**
 * Tests whether a string is a date or a date-time with this order to an instant, epoch milliseconds. False or
 * unknown for any other string.
 */
export function ordersInTime(
  text: Fragment,
  ordering: Ordering,
  instant: number,
  tools: TextTools,
): Fragment {
  const bare = bareOrders(text, ordering, instant, tools);
  const full = tools.withParts(
    text,
    (whole) => partsOf(whole, tools),
    (part) =>
      allOf([
        isRealDateTime(part),
        sql`${epochMs(part, tools)} ${verbatim(ordering)} ${tools.instant(instant)}`,
      ]),
  );
  const cases = sql`CASE WHEN ${tools.isDate(text)} THEN ${bare} WHEN ${tools.isDateTime(text)} THEN ${full} END`;
  return allOf([nearby(text, ordering, instant, tools), cases]);
}

/** Returns a weaker condition that an index can serve: local time differs from UTC by less than a day. */
function nearby(text: Fragment, ordering: Ordering, instant: number, tools: TextTools): Fragment {
  const isLater = ordering === '>' || ordering === '>=';
  const bound = toDate(instant + (isLater ? -1 : 2) * MS_PER_DAY);
  if (typeof bound === 'string') return TRUE;
  return isLater
    ? sql`${tools.binary(text)} >= ${tools.text(bound.date)}`
    : sql`${tools.binary(text)} < ${tools.text(bound.date)}`;
}

function bareOrders(text: Fragment, ordering: Ordering, instant: number, tools: TextTools): Fragment {
  const bound = dateBound(ordering, instant);
  const isLater = ordering === '>' || ordering === '>=';
  if (bound === 'before_all') return isLater ? TRUE : FALSE;
  if (bound === 'after_all') return isLater ? FALSE : TRUE;
  return sql`${tools.binary(text)} ${verbatim(ordering)} ${tools.text(bound.date)}`;
}

function toDate(at: number): DateBound {
  try {
    return { date: formatInstant(at).slice(0, DATE_LENGTH) };
  } catch {
    return at < 0 ? 'before_all' : 'after_all';
  }
}

/** A regular expression of the leap years from 0000 to 9999, portable between engines. */
export const LEAP_YEAR = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)';

/** A regular expression of the days from 0000-01-01 to 9999-12-31. */
export const CALENDAR_DATE = (() => {
  const [long, short] = ['(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])', '(0[469]|11)-(0[1-9]|[12][0-9]|30)'];
  return `([0-9]{4}-(${long}|${short}|02-(0[1-9]|1[0-9]|2[0-8]))|${LEAP_YEAR}-02-29)`;
})();

/** The days of a common year, as `-MM-DD`. */
export const DAYS_OF_EACH_YEAR: readonly string[] = Array.from({ length: 365 }, (_, day) =>
  // 1970 is a common year.
  formatInstant(day * MS_PER_DAY).slice('YYYY'.length, DATE_LENGTH),
);

/** Reads digits at a position as a number. */
function digits(text: Fragment, from: number, length: number, tools: TextTools): Fragment {
  return tools.integer(tools.slice(text, verbatim(String(from)), length));
}

/** Tests whether the first ten characters of a string, which must have the form `YYYY-MM-DD`, are a day of the calendar. */
export function isRealDate(text: Fragment, tools: TextTools): Fragment {
  return tools.withParts(text, (whole) => datePartsOf(whole, tools), isRealDay);
}

type DatePart = 'year' | 'month' | 'day';
type Part = DatePart | 'hour' | 'minute' | 'second' | 'ms' | 'ahead';

function datePartsOf(text: Fragment, tools: TextTools): Readonly<Record<DatePart, Fragment>> {
  return {
    year: digits(text, 1, 4, tools),
    month: digits(text, 6, 2, tools),
    day: digits(text, 9, 2, tools),
  };
}

function partsOf(text: Fragment, tools: TextTools): Readonly<Record<Part, Fragment>> {
  return {
    ...datePartsOf(text, tools),
    hour: digits(text, 12, 2, tools),
    minute: digits(text, 15, 2, tools),
    second: digits(text, 18, 2, tools),
    ms: milliseconds(text, tools),
    ahead: minutesAhead(text, tools),
  };
}

function isRealDay(part: (name: DatePart) => Fragment): Fragment {
  return sql`${part('month')} BETWEEN 1 AND 12 AND ${part('day')} BETWEEN 1 AND ${daysInMonth(part)}`;
}

function daysInMonth(part: (name: DatePart) => Fragment): Fragment {
  const year = part('year');
  const leap = sql`(${year} % 4 = 0 AND (${year} % 100 <> 0 OR ${year} % 400 = 0))`;
  return sql`CASE WHEN ${part('month')} = 2 THEN CASE WHEN ${leap} THEN 29 ELSE 28 END WHEN ${part('month')} IN (4, 6, 9, 11) THEN 30 ELSE 31 END`;
}

function isRealDateTime(part: (name: Part) => Fragment): Fragment {
  const next = sql`(${utcMinute(part)} + 1)`;
  // A leap second ends a month in UTC: at the end of this local day, or at its beginning.
  const leap = sql`(${part('second')} = 60 AND ((${next} = 0 AND ${part('day')} = 1) OR (${next} = 1440 AND ${part('day')} = ${daysInMonth(part)})))`;
  return allOf([
    isRealDay(part),
    sql`${part('hour')} <= 23`,
    sql`${part('minute')} <= 59`,
    anyOf([sql`${part('second')} <= 59`, leap]),
    sql`${part('ahead')} IS NOT NULL`,
  ]);
}

function epochMs(part: (name: Part) => Fragment, tools: TextTools): Fragment {
  // A leap second is a single instant.
  const fraction = sql`CASE WHEN ${part('second')} = 60 THEN 0 ELSE ${part('ms')} END`;
  return sql`(${epochDay(part, tools)} * ${verbatim(String(MS_PER_DAY))} + ${utcMinute(part)} * 60000 + ${part('second')} * 1000 + ${fraction})`;
}

/** Returns the days since 1970 by Julian day number, in which years begin in March, so that a leap day ends its year. */
function epochDay(part: (name: DatePart) => Fragment, tools: TextTools): Fragment {
  const early = sql`CASE WHEN ${part('month')} <= 2 THEN 1 ELSE 0 END`;
  const year = sql`(${part('year')} + 4800 - ${early})`;
  const fromMarch = sql`(${part('month')} + 12 * ${early} - 3)`;
  const pieces = [
    part('day'),
    tools.divide(sql`(153 * ${fromMarch} + 2)`, 5),
    sql`365 * ${year}`,
    tools.divide(year, 4),
    sql`${tools.divide(year, 400)} - ${tools.divide(year, 100)}`,
  ];
  return sql`(${list(pieces, ' + ')} - ${verbatim(String(32_045 + EPOCH_JULIAN_DAY))})`;
}

/** Returns the minutes from local midnight to the instant in UTC, which may lie on the day before or after. */
function utcMinute(part: (name: Part) => Fragment): Fragment {
  return sql`(${part('hour')} * 60 + ${part('minute')} - ${part('ahead')})`;
}

/** Returns the offset of local time from UTC in minutes; NULL where it is malformed. */
function minutesAhead(text: Fragment, tools: TextTools): Fragment {
  const fromEnd = (before: number, length: number) =>
    tools.slice(text, sql`length(${text}) - ${verbatim(String(before))}`, length);
  const [hours, minutes] = [tools.integer(fromEnd(4, 2)), tools.integer(fromEnd(1, 2))];
  const sign = sql`CASE WHEN ${fromEnd(5, 1)} = '-' THEN -1 ELSE 1 END`;
  return sql`CASE WHEN ${fromEnd(0, 1)} IN ('Z', 'z') THEN 0 WHEN ${hours} <= 23 AND ${minutes} <= 59 THEN ${sign} * (${hours} * 60 + ${minutes}) END`;
}

/** Returns the milliseconds: the first three digits of the fraction, padded with zeros. */
function milliseconds(text: Fragment, tools: TextTools): Fragment {
  const digitAt = (index: number) => tools.slice(text, verbatim(String(21 + index)), 1);
  const isDigit = (index: number) => sql`${tools.binary(digitAt(index))} BETWEEN '0' AND '9'`;
  const worth = (index: number) =>
    sql`${tools.integer(digitAt(index))} * ${verbatim(String(10 ** (2 - index)))}`;
  const third = sql`CASE WHEN ${isDigit(2)} THEN ${worth(2)} ELSE 0 END`;
  const second = sql`CASE WHEN ${isDigit(1)} THEN ${worth(1)} + ${third} ELSE 0 END`;
  return sql`CASE WHEN ${tools.slice(text, verbatim('20'), 1)} = '.' THEN ${worth(0)} + ${second} ELSE 0 END`;
}
