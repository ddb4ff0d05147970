/** RFC 3339 dates and date-times compared inside a database, as the engine's own reader understands them (L17). */
import { formatInstant } from '../engine/index.js';
import { allOf, anyOf, FALSE, type Fragment, list, sql, TRUE, verbatim } from './fragment.js';
import type { Ordering } from './value.js';

/** What a dialect has for texts. Parts of a text are looked at only where it has the form of a date. */
export interface TextTools {
  /** Whether it is `YYYY-MM-DD`, and a day of the calendar. */
  isDate(text: Fragment): Fragment;
  /** Whether it is a date-time in its form, of any digits. */
  isDateTime(text: Fragment): Fragment;
  /** Characters from a place, counted from 1. */
  slice(text: Fragment, from: Fragment, length: number): Fragment;
  /** A text of digits as a whole number of 64 bits. */
  integer(digits: Fragment): Fragment;
  /** Whole numbers that are not negative, divided; what is left over is dropped. */
  divide(dividend: Fragment, divisor: number): Fragment;
  /** A text that compares by its bytes. */
  binary(text: Fragment): Fragment;
  /** Epoch milliseconds. */
  instant(at: number): Fragment;
  /** A bound text. */
  text(value: string): Fragment;
}

const MS_PER_DAY = 86_400_000;
const DATE_LENGTH = 'YYYY-MM-DD'.length;
/** Julian day number of 1970-01-01. */
const EPOCH_JULIAN_DAY = 2_440_588;

/** The first or the last day that has a text is passed: then every date lies on one side. */
export type DateBound = { readonly date: string } | 'before_all' | 'after_all';

/** The midnights that lie so to an instant are those that lie so to a day: `>=` and `<` to the next, `>` and `<=` to this. */
export function dateBound(ordering: Ordering, instant: number): DateBound {
  const days = instant / MS_PER_DAY;
  return toDate((ordering === '>=' || ordering === '<' ? Math.ceil(days) : Math.floor(days)) * MS_PER_DAY);
}

/** Whether a text is a date or a date-time that lies so to an instant, epoch milliseconds. False or unknown for any other text. */
export function ordersInTime(
  text: Fragment,
  ordering: Ordering,
  instant: number,
  tools: TextTools,
): Fragment {
  const bare = sql`CASE WHEN ${tools.isDate(text)} THEN ${bareOrders(text, ordering, instant, tools)}`;
  const full = sql`WHEN ${tools.isDateTime(text)} THEN ${isRealDateTime(text, tools)} AND ${epochMs(text, tools)} ${verbatim(ordering)} ${tools.instant(instant)} END`;
  return allOf([nearby(text, ordering, instant, tools), sql`${bare} ${full}`]);
}

/** What every text of such an instant fulfils, local time being less than a day from UTC: an index can use it. */
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

/** A day of the calendar from 0000-01-01 to 9999-12-31, as a regular expression that every engine of them reads alike. */
export const CALENDAR_DATE = (() => {
  const [long, short] = ['(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])', '(0[469]|11)-(0[1-9]|[12][0-9]|30)'];
  const leapYear = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)';
  return `([0-9]{4}-(${long}|${short}|02-(0[1-9]|1[0-9]|2[0-8]))|${leapYear}-02-29)`;
})();

/** A part of a text in its place, as a number. */
function part(text: Fragment, from: number, length: number, tools: TextTools): Fragment {
  return tools.integer(tools.slice(text, verbatim(String(from)), length));
}

/** Whether a text that begins with digits in the places of a date begins with a day of the calendar. */
export function isRealDate(text: Fragment, tools: TextTools): Fragment {
  const month = part(text, 6, 2, tools);
  return sql`${month} BETWEEN 1 AND 12 AND ${part(text, 9, 2, tools)} BETWEEN 1 AND ${daysInMonth(text, tools)}`;
}

function daysInMonth(text: Fragment, tools: TextTools): Fragment {
  const year = part(text, 1, 4, tools);
  const leap = sql`(${year} % 4 = 0 AND (${year} % 100 <> 0 OR ${year} % 400 = 0))`;
  return sql`CASE ${part(text, 6, 2, tools)} WHEN 2 THEN CASE WHEN ${leap} THEN 29 ELSE 28 END WHEN 4 THEN 30 WHEN 6 THEN 30 WHEN 9 THEN 30 WHEN 11 THEN 30 ELSE 31 END`;
}

function isRealDateTime(text: Fragment, tools: TextTools): Fragment {
  const [day, second] = [part(text, 9, 2, tools), part(text, 18, 2, tools)];
  const next = sql`(${utcMinute(text, tools)} + 1)`;
  // A leap second ends a month in UTC: at the end of this day here, or at its beginning.
  const leap = sql`(${second} = 60 AND ((${next} = 0 AND ${day} = 1) OR (${next} = 1440 AND ${day} = ${daysInMonth(text, tools)})))`;
  return allOf([
    isRealDate(text, tools),
    sql`${part(text, 12, 2, tools)} <= 23`,
    sql`${part(text, 15, 2, tools)} <= 59`,
    anyOf([sql`${second} <= 59`, leap]),
    sql`CASE WHEN ${isUtc(text, tools)} THEN TRUE ELSE ${tail(text, 4, 2, tools)} <= 23 AND ${tail(text, 1, 2, tools)} <= 59 END`,
  ]);
}

function epochMs(text: Fragment, tools: TextTools): Fragment {
  const second = part(text, 18, 2, tools);
  // In a leap second there is one instant only.
  const fraction = sql`CASE WHEN ${second} = 60 THEN 0 ELSE ${milliseconds(text, tools)} END`;
  return sql`(${epochDay(text, tools)} * ${verbatim(String(MS_PER_DAY))} + ${utcMinute(text, tools)} * 60000 + ${second} * 1000 + ${fraction})`;
}

/** Days since 1970, by the Julian day number: years begin in March, so that a leap day is the last of its year. */
function epochDay(text: Fragment, tools: TextTools): Fragment {
  const [month, day] = [part(text, 6, 2, tools), part(text, 9, 2, tools)];
  const early = sql`CASE WHEN ${month} <= 2 THEN 1 ELSE 0 END`;
  const year = sql`(${part(text, 1, 4, tools)} + 4800 - ${early})`;
  const fromMarch = sql`(${month} + 12 * ${early} - 3)`;
  const pieces = [
    day,
    tools.divide(sql`(153 * ${fromMarch} + 2)`, 5),
    sql`365 * ${year}`,
    tools.divide(year, 4),
    sql`${tools.divide(year, 400)} - ${tools.divide(year, 100)}`,
  ];
  return sql`(${list(pieces, ' + ')} - ${verbatim(String(32_045 + EPOCH_JULIAN_DAY))})`;
}

/** Minutes from the local day's midnight to the instant in UTC: negative on the day before, 1440 and more on the day after. */
function utcMinute(text: Fragment, tools: TextTools): Fragment {
  const local = sql`${part(text, 12, 2, tools)} * 60 + ${part(text, 15, 2, tools)}`;
  const offset = sql`(${tail(text, 4, 2, tools)} * 60 + ${tail(text, 1, 2, tools)})`;
  const sign = tools.slice(text, sql`length(${text}) - 5`, 1);
  return sql`(${local} - CASE WHEN ${isUtc(text, tools)} THEN 0 WHEN ${sign} = '-' THEN -${offset} ELSE ${offset} END)`;
}

/** The first three digits of the fraction, filled up with noughts. */
function milliseconds(text: Fragment, tools: TextTools): Fragment {
  const digits = [0, 1, 2].map((index) => {
    const digit = tools.slice(text, verbatim(String(21 + index)), 1);
    const before = Array.from({ length: index + 1 }, (_, earlier) =>
      isDigit(tools.slice(text, verbatim(String(21 + earlier)), 1)),
    );
    return sql`CASE WHEN ${allOf(before)} THEN ${tools.integer(digit)} * ${verbatim(String(10 ** (2 - index)))} ELSE 0 END`;
  });
  return sql`CASE WHEN ${tools.slice(text, verbatim('20'), 1)} = '.' THEN ${list(digits, ' + ')} ELSE 0 END`;
}

function isDigit(character: Fragment): Fragment {
  return sql`${character} IN ('0','1','2','3','4','5','6','7','8','9')`;
}

function isUtc(text: Fragment, tools: TextTools): Fragment {
  return sql`${tools.slice(text, sql`length(${text})`, 1)} IN ('Z','z')`;
}

/** Digits of the offset, by how far before the end they begin. */
function tail(text: Fragment, before: number, length: number, tools: TextTools): Fragment {
  return tools.integer(tools.slice(text, sql`length(${text}) - ${verbatim(String(before))}`, length));
}
