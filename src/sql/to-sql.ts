/** Translation of queries to SQL, for the database that holds the claims (V14, L10–L19). */
import { assertName } from '../engine/names.js';
import { assertOptions } from '../engine/options.js';
import { assertObject, assertStrings } from '../engine/value-types.js';
import { DIALECT_NAMES, type Dialect, type DialectName } from './dialects/dialect.js';
import { duckdb } from './dialects/duckdb.js';
import { postgres } from './dialects/postgres.js';
import { sqlite } from './dialects/sqlite.js';
import type { WrittenSql } from './fragment.js';
import { assertLayout } from './layouts/assert-layout.js';
import { createColumnAssertion } from './layouts/typed-column.js';
import { parsePolicy } from './parse-policy.js';
import {
  type CandidateSql,
  type CandidateStatementOptions,
  type StatementOptions,
  writeCandidateSql,
  writeSql,
} from './statement.js';

export interface ToSqlOptions extends StatementOptions {
  readonly dialect: DialectName;
}

export interface CandidateOptions extends CandidateStatementOptions {
  readonly dialect: DialectName;
}

/** The options of every translation. */
export const CONDITION_OPTIONS = ['dialect', 'layout', 'now', 'limits', 'regex', 'claims'];
const STATEMENT_OPTIONS = [...CONDITION_OPTIONS, 'select', 'among'];

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { postgres, sqlite, duckdb };

/**
 * Translates a check or a policy to one statement that finds the people who satisfy it: exactly those for whom the
 * engine's `test` is true on the claims of the layout.
 *
 * Operands are bound as parameters and never become SQL text. Names of tables and columns are validated and quoted;
 * claim paths become string literals.
 *
 * @param query - Raw JSON, or a query returned by `parse`.
 * @throws {QueryError} As `parse` does.
 * @throws {SqlTranslationError} With every reason why the dialect or the layout cannot express the query.
 * @throws {RangeError} When a name in the layout is invalid, `now` or a limit is out of range, or a limit does not exist.
 * @throws {TypeError} When an option is unknown or has an invalid value, such as `dialect`, `select` or `among`; `now` is missing for a layout of
 *   credentials; or the layout lacks a member or has an unknown one.
 * @see L10–L19, V14
 * @example
 * toSql({ check: { claim: 'identity.age', operator: '>=', value: 18 } }, {
 *   dialect: 'duckdb',
 *   layout: {
 *     kind: 'columns',
 *     people: { table: 'people', id: 'id' },
 *     columns: { 'identity.age': { column: 'age', type: 'integer' } },
 *   },
 * }).text
 * // SELECT s."id" AS id FROM "people" AS s WHERE s."age" >= CAST($1 AS BIGINT)
 */
export function toSql(query: unknown, options: ToSqlOptions): WrittenSql {
  const dialect = dialectOf(options, STATEMENT_OPTIONS);
  assertSelection(options);
  const assertFits = createColumnAssertion(options, dialect);
  return writeSql(parsePolicy(query, options), dialect, withStorableIds(options), assertFits);
}

/**
 * Translates as {@link toSql} does, but omits checks that cannot be translated and reports them as `problems`. The
 * statement finds everyone who satisfies the query, and possibly others. If `problems` is empty, it finds no others.
 *
 * @throws {QueryError} As `parse` does.
 * @throws {SqlTranslationError} For projections.
 * @throws {RangeError | TypeError} As {@link toSql} does, and if `missingClaims` is not an array of strings.
 */
export function toCandidateSql(query: unknown, options: CandidateOptions): CandidateSql {
  const dialect = dialectOf(options, [...STATEMENT_OPTIONS, 'missingClaims']);
  assertSelection(options);
  const { missingClaims = [] } = options;
  assertStrings('`missingClaims`', missingClaims);
  const assertFits = createColumnAssertion(options, dialect);
  return writeCandidateSql(parsePolicy(query, options), dialect, withStorableIds(options), assertFits);
}

/** @throws {TypeError} When `select` has another value, or `among` is not an array of strings. */
function assertSelection({ select = 'people', among = [] }: StatementOptions): void {
  assertName('`select`', ['people', 'count'], select);
  assertStrings('`among`', among);
}

/** Omits ids with U+0000 or a lone surrogate, which no person has: PostgreSQL and DuckDB would reject the list. */
function withStorableIds<Options extends StatementOptions>(options: Options): Options {
  const { among } = options;
  if (among === undefined) return options;
  return { ...options, among: among.filter((id) => id.isWellFormed() && !id.includes('\0')) };
}

/** @throws {TypeError} When `dialect` or `layout` is missing or invalid, or the options contain one that is not in `known`. */
export function dialectOf(options: ToSqlOptions, known: readonly string[]): Dialect {
  assertObject('`options`', options);
  assertOptions(options, known);
  const { dialect, layout } = options as Partial<ToSqlOptions>;
  assertName('`dialect`', DIALECT_NAMES, dialect);
  assertLayout(layout);
  return DIALECTS[dialect as DialectName];
}
