/** The interface of SQL dialects. */
import type { JsonValue } from '../../engine/index.js';
import { anyOf, type Fragment } from '../fragment.js';
import type { TextTools } from '../instants.js';

/** The supported dialects. `postgres` includes compatible databases with `jsonb`. */
export const DIALECT_NAMES = ['postgres', 'sqlite', 'duckdb'] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];

/** Conditions on strings. */
export interface TextConditions extends TextTools {
  /** @param values - One or more. */
  isAmong(text: Fragment, values: readonly string[]): Fragment;
  startsWith(text: Fragment, prefix: string): Fragment;
  /** @throws {UnsupportedConstruct} `pattern`, where the dialect cannot match as RE2 does. */
  matches(text: Fragment, pattern: string): Fragment;
}

export interface Dialect {
  readonly name: DialectName;
  /** Returns the placeholder of a parameter, by position from 1. */
  placeholder(position: number): string;
  /** Maximum number of parameters of a statement. */
  readonly maxParameters: number;
  readonly texts: TextConditions;
  /** Converts a column to JSON, where the layout may keep it as text. */
  asJson(column: Fragment): Fragment;
  /**
   * Returns the value at a path of member names in a JSON document; the document itself for an empty path.
   *
   * @param indexed - Whether the value has an index: then comparisons with numbers are written so that it is used.
   */
  json(document: Fragment, path: readonly string[], indexed?: boolean): SqlValue;
  /** Tests whether a document has a member. */
  hasMember(document: Fragment, name: string): Fragment;
  integer(value: number): Fragment;
  double(value: number): Fragment;
  boolean(value: boolean): Fragment;
  /** Tests whether a column declared as numeric has a number. Absent where it can have nothing else. */
  readonly isNumber?: (column: Fragment) => Fragment;
  /** Dates of the years 1 to 9999, as `YYYY-MM-DD`. Absent where a date column is text. */
  readonly dates?: TimeColumns;
  /** Columns `timestamptz`: instants of the years 1 to 9999, as `YYYY-MM-DDTHH:MM:SS.mmmZ`. Absent where there are none. */
  readonly timestamps?: TimeColumns;
  /** A text column, with comparison by bytes. */
  textColumn(column: Fragment): Fragment;
  /** A text whose byte order is the order of its code units, which is the order of ids (L11). */
  codeUnitOrder(text: Fragment): Fragment;
  /** Marks rows to be evaluated once, instead of once for each reference to a column. */
  once(rows: Fragment): Fragment;
  /** The strings of a JSON array that is bound as a parameter, as rows of one column. */
  listedTexts(array: string): Fragment;
}

/** Columns of a type of dates or of instants. */
export interface TimeColumns {
  /** A value, for comparison with a column. */
  literal(text: string): Fragment;
  /** Converts a column to text. */
  text(column: Fragment): Fragment;
  /**
   * Makes the statement fail where the column has another type, at no cost per row. Otherwise, databases would
   * convert the column, and select other people than the engine.
   */
  ofType(column: Fragment, condition: Fragment): Fragment;
}

export type Ordering = '>' | '>=' | '<' | '<=';

/** A claim's value in a statement. Each condition is true exactly where the engine's check passes, and otherwise false or unknown. */
export interface SqlValue {
  /** False where the claim is undefined, never unknown. */
  readonly isDefined: Fragment;
  equals(operand: JsonValue): Fragment;
  isAmong(operands: readonly JsonValue[]): Fragment;
  contains(operand: JsonValue): Fragment;
  orders(ordering: Ordering, operand: number): Fragment;
  /** Tests whether the value is a date or a date-time with this order to an instant, epoch milliseconds. */
  ordersInTime(ordering: Ordering, instant: number): Fragment;
  startsWith(prefix: string): Fragment;
  matches(pattern: string): Fragment;
}

/**
 * Tests whether a value is among operands. All strings are compared by one condition.
 *
 * @param isAmongStrings - Called with one or more strings.
 */
export function isAmong(
  operands: readonly JsonValue[],
  equals: (operand: JsonValue) => Fragment,
  isAmongStrings: (strings: readonly string[]) => Fragment,
): Fragment {
  const strings = operands.filter((operand) => typeof operand === 'string');
  const others = operands.filter((operand) => typeof operand !== 'string');
  return anyOf([...(strings.length === 0 ? [] : [isAmongStrings(strings)]), ...others.map(equals)]);
}

/** Returns whether a string could be the text of other JSON, so that its type must be compared as well. */
export function looksLikeJson(text: string): boolean {
  return text === 'true' || text === 'false' || text === 'null' || /^[-0-9[{]/.test(text);
}

/** Returns whether a string could be a prefix of the text of other JSON. */
export function mayPrefixJson(text: string): boolean {
  return looksLikeJson(text) || ['true', 'false', 'null'].some((literal) => literal.startsWith(text));
}

/**
 * Returns the first string after all strings with a prefix, in code-point order; `undefined` where there is none.
 *
 * @param text - Well-formed.
 */
export function prefixUpperBound(text: string): string | undefined {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last === 0x10ffff) continue;
    // Surrogates do not occur in a well-formed string.
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return undefined;
}
