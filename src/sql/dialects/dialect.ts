/** What a dialect of SQL has to define; everything else is the same in all of them. */
import type { JsonValue } from '../../engine/index.js';
import type { Fragment } from '../fragment.js';
import type { TextTools } from '../instants.js';

/** `postgres` is also what speaks its dialect and keeps `jsonb`. */
export const DIALECT_NAMES = ['postgres', 'sqlite', 'duckdb'] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];

/** Conditions on texts that are known to be texts. */
export interface TextConditions extends TextTools {
  /** @param values - One or more. */
  isAmong(text: Fragment, values: readonly string[]): Fragment;
  startsWith(text: Fragment, prefix: string): Fragment;
  /** @throws {UnsupportedConstruct} `pattern`, where nothing here matches as RE2 does. */
  matches(text: Fragment, pattern: string): Fragment;
}

export interface Dialect {
  readonly name: DialectName;
  /** What stands for the value at a position, counted from 1. */
  placeholder(position: number): string;
  /** How many values a statement binds at most. */
  readonly maxParameters: number;
  readonly texts: TextConditions;
  /** A column of JSON as this dialect reads it, where the layout may keep it as text. */
  asJson(column: Fragment): Fragment;
  /**
   * The value at a path of names inside a JSON document; the document's own value for none.
   *
   * @param indexed - Whether there is an index on it: then numbers are compared so that it can be used.
   */
  json(document: Fragment, path: readonly string[], indexed?: boolean): SqlValue;
  /** Whether a document has a member. */
  hasMember(document: Fragment, name: string): Fragment;
  integer(value: number): Fragment;
  double(value: number): Fragment;
  boolean(value: boolean): Fragment;
  /** A date of the years 1 to 9999, as `YYYY-MM-DD`, to compare a column of dates with. */
  date(text: string): Fragment;
  /** A column of dates as text. */
  dateText(column: Fragment): Fragment;
  /** A column of texts, compared by its bytes where the column itself may not be. */
  textColumn(column: Fragment): Fragment;
  /** A text whose bytes have the order of its code units: the order of ids (L11). */
  codeUnitOrder(text: Fragment): Fragment;
  /** Rows that are made once, and not anew for each mention of a column. */
  once(rows: Fragment): Fragment;
  /** The texts of a JSON array that is bound as a text, as rows of one column. */
  listedTexts(array: string): Fragment;
}

export type Ordering = '>' | '>=' | '<' | '<=';

/**
 * A claim's value in a statement. Each condition is true exactly where the engine's check passes; elsewhere it is false
 * or unknown.
 */
export interface SqlValue {
  /** False where it is undefined, never unknown. */
  readonly isDefined: Fragment;
  equals(operand: JsonValue): Fragment;
  isAmong(operands: readonly JsonValue[]): Fragment;
  contains(operand: JsonValue): Fragment;
  orders(ordering: Ordering, operand: number): Fragment;
  /** Whether it is a date or a date-time that lies so to an instant, epoch milliseconds. */
  ordersInTime(ordering: Ordering, instant: number): Fragment;
  startsWith(prefix: string): Fragment;
  matches(pattern: string): Fragment;
}

/** Whether a text may be what JSON looks like that is no string: then it takes a look at the type to tell them apart. */
export function looksLikeJson(text: string): boolean {
  return text === 'true' || text === 'false' || text === 'null' || /^[-0-9[{]/.test(text);
}

/** Whether a text may begin what JSON looks like that is no string. */
export function mayPrefixJson(text: string): boolean {
  return looksLikeJson(text) || ['true', 'false', 'null'].some((literal) => literal.startsWith(text));
}

/**
 * The first text after all that begin with this one, in the order of code points; `undefined` where there is none.
 *
 * @param text - Well-formed.
 */
export function prefixUpperBound(text: string): string | undefined {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last === 0x10ffff) continue;
    // No text holds half of a pair.
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return undefined;
}
