/** What a dialect of SQL has to say of its own; everything else is the same in all of them. */
import type { Fragment } from '../fragment.js';
import type { TextTools } from '../instants.js';
import type { SqlValue } from '../value.js';

/** `postgres` is also what speaks its dialect and keeps `jsonb`. */
export const DIALECT_NAMES = ['postgres', 'sqlite', 'duckdb'] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];

/** Conditions on texts that are known to be texts. */
export interface TextConditions extends TextTools {
  /** @param values - One or more. */
  isAmong(text: Fragment, values: readonly string[]): Fragment;
  startsWith(text: Fragment, beginning: string): Fragment;
  /** @throws {Untranslatable} `pattern`, where nothing here matches as RE2 does. */
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
