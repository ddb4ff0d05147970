/** Queries as SQL: who satisfies them, asked of the database that holds the claims (V14, L10–L19). */
import { type PolicyItem, parse, type ReadingOptions } from '../engine/index.js';
import type { Dialect, DialectName } from './dialects/dialect.js';
import { duckdb } from './dialects/duckdb.js';
import { postgres } from './dialects/postgres.js';
import { sqlite } from './dialects/sqlite.js';
import { allOf, type Fragment, sql, TRUE, verbatim, type WrittenSql, write } from './fragment.js';
import type { SqlLayout } from './layouts/layout.js';
import { createClaimReader, PERSON } from './layouts/read-claims.js';
import { columnOf, quoteName } from './names.js';
import { type Translation, translate } from './policies.js';
import { type SqlProblem, SqlRefusal } from './refusal.js';

export interface ToSqlOptions extends ReadingOptions {
  readonly dialect: DialectName;
  readonly layout: SqlLayout;
  /** The instant for which it is asked, epoch milliseconds; needed where the layout keeps credentials. */
  readonly now?: number;
  /** `people`, their ids in a column `id`, in no order, each once; or `count`, how many they are, in a column `count`. */
  readonly select?: 'people' | 'count';
  /** Of these people only. */
  readonly among?: readonly string[];
}

/** What may satisfy a query, where not all of it is translated. */
export interface CandidateSql extends WrittenSql {
  /** Why checks were left out: whoever is found has to be asked again by the engine. None where the statement is exact. */
  readonly problems: readonly SqlProblem[];
}

export interface CandidateOptions extends ToSqlOptions {
  /** Claims that the database does not hold though they may be defined: those that are worked out from others. */
  readonly beyond?: readonly string[];
}

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { postgres, sqlite, duckdb };

/** SQLite takes no longer one, and no other plans a longer one in good time. */
const MAX_TEXT = 1_000_000;

/**
 * Translates a check or a policy into one statement that finds the people who satisfy it: exactly those for whom the engine's `test`
 * is true on the claims that the layout holds.
 *
 * Operands are bound, and never become text. Names of tables and columns are checked and quoted; claim paths are written as texts.
 *
 * @param query - Raw JSON, or what `parse` returned.
 * @throws {QueryError} As `parse` does.
 * @throws {SqlRefusal} With every reason why the dialect or the layout cannot hold the query's meaning.
 * @throws {RangeError} When a name in the layout is none, or `now` is missing.
 * @see L10–L19, V14
 * @example
 * toSql({ check: { claim: 'identity.age', operator: '>=', value: 18 } }, { dialect: 'duckdb', layout: { kind: 'columns',
 *   people: { table: 'people', id: 'id' }, columns: { 'identity.age': { column: 'age', type: 'integer' } } } }).text
 * // SELECT s."id" AS id FROM "people" AS s WHERE s."age" >= CAST($1 AS BIGINT)
 */
export function toSql(query: unknown, options: ToSqlOptions): WrittenSql {
  const { condition, problems } = translateQuery(query, options);
  if (problems.length > 0) throw new SqlRefusal(problems);
  const statement = writeStatement(condition, options);
  const excess = excessOf(statement, options);
  if (excess !== undefined) throw new SqlRefusal([excess]);
  return statement;
}

/**
 * As {@link toSql}, but checks that cannot be translated are left out on the side of whoever might pass: who is not found does not
 * satisfy the query, and who is found does where there are no problems.
 *
 * @throws {QueryError} As `parse` does.
 * @throws {SqlRefusal} For projections.
 */
export function toCandidateSql(query: unknown, options: CandidateOptions): CandidateSql {
  const { condition, problems } = translateQuery(query, options);
  const statement = writeStatement(condition, options);
  const excess = excessOf(statement, options);
  return excess === undefined
    ? { ...statement, problems }
    : { ...writeStatement(TRUE, options), problems: [...problems, excess] };
}

/** Why a statement is too large for a database, where it is. */
function excessOf({ text, parameters }: WrittenSql, { dialect }: ToSqlOptions): SqlProblem | undefined {
  const { maxParameters } = DIALECTS[dialect];
  if (text.length <= MAX_TEXT && parameters.length <= maxParameters) return undefined;
  const message = `A statement has at most ${MAX_TEXT} characters and ${maxParameters} values, not ${text.length} and ${parameters.length}.`;
  return { code: 'size', pointer: '', message };
}

function translateQuery(query: unknown, options: CandidateOptions): Translation {
  const { dialect, layout, now, beyond = [] } = options;
  const parsed = parse(query, options);
  if ('projections' in parsed) {
    const message = 'Projections neither pass nor fail; a check or a policy has people who satisfy it.';
    throw new SqlRefusal([{ code: 'projections', pointer: '/projections', message }]);
  }
  const isBeyond = (path: string) => beyond.some((one) => path === one || path.startsWith(`${one}.`));
  return translate(parsed satisfies PolicyItem, createClaimReader(layout, DIALECTS[dialect], now), isBeyond);
}

function writeStatement(
  condition: Fragment,
  { dialect: name, layout, select, among }: ToSqlOptions,
): WrittenSql {
  const dialect = DIALECTS[name];
  const { table, id } = layout.people;
  const person = columnOf(PERSON, id);
  const those =
    among === undefined ? TRUE : sql`${person} IN (${dialect.listedTexts(JSON.stringify(among))})`;
  const what = select === 'count' ? verbatim('count(*) AS count') : sql`${person} AS id`;
  return write(
    sql`SELECT ${what} FROM ${quoteName(table)} AS ${verbatim(PERSON)} WHERE ${allOf([those, condition])}`,
    dialect.placeholder,
  );
}
