/** The statement of a query in one dialect; what needs only one dialect bundles only that one. */
import { type ParseOptions, type PolicyItem, parse } from '../engine/index.js';
import type { Dialect } from './dialects/dialect.js';
import { type SqlProblem, SqlTranslationError } from './errors.js';
import { allOf, type Fragment, sql, TRUE, verbatim, type WrittenSql, write } from './fragment.js';
import type { SqlLayout } from './layouts/layout.js';
import { createClaimReader, PERSON } from './layouts/read-claims.js';
import { columnOf, quoteName } from './names.js';
import { type Translation, translate } from './policies.js';

export interface StatementOptions extends ParseOptions {
  readonly layout: SqlLayout;
  /** The instant for which it is asked, epoch milliseconds; needed where the layout keeps credentials. */
  readonly now?: number;
  /** `people`, their ids in a column `id`, in no order, each once; or `count`, how many they are, in a column `count`. */
  readonly select?: 'people' | 'count';
  /** Of these people only. */
  readonly among?: readonly string[];
}

export interface CandidateStatementOptions extends StatementOptions {
  /** Claims that the database does not hold though they may be defined: those that are worked out from others. */
  readonly missingClaims?: readonly string[];
}

/** What may satisfy a query, where not all of it is translated. */
export interface CandidateSql extends WrittenSql {
  /** Why checks were left out: whoever is found has to be asked again by the engine. None where the statement is exact. */
  readonly problems: readonly SqlProblem[];
}

/** SQLite takes no longer one, and no other plans a longer one in good time. */
const MAX_TEXT = 1_000_000;

/** Writes a statement that finds exactly those who satisfy the query: see `toSql`. */
export function writeSql(query: unknown, dialect: Dialect, options: StatementOptions): WrittenSql {
  const { condition, problems } = translateQuery(query, dialect, options);
  if (problems.length > 0) throw new SqlTranslationError(problems);
  const statement = writeStatement(condition, dialect, options);
  const excess = excessOf(statement, dialect);
  if (excess !== undefined) throw new SqlTranslationError([excess]);
  return statement;
}

/** Writes a statement that finds everybody who might satisfy the query: see `toCandidateSql`. */
export function writeCandidateSql(
  query: unknown,
  dialect: Dialect,
  options: CandidateStatementOptions,
): CandidateSql {
  const { condition, problems } = translateQuery(query, dialect, options);
  const statement = writeStatement(condition, dialect, options);
  const excess = excessOf(statement, dialect);
  return excess === undefined
    ? { ...statement, problems }
    : { ...writeStatement(TRUE, dialect, options), problems: [...problems, excess] };
}

/** Why a statement is too large for a database, where it is. */
function excessOf({ text, parameters }: WrittenSql, { maxParameters }: Dialect): SqlProblem | undefined {
  if (text.length <= MAX_TEXT && parameters.length <= maxParameters) return undefined;
  const message = `A statement has at most ${MAX_TEXT} characters and ${maxParameters} values, not ${text.length} and ${parameters.length}.`;
  return { code: 'size', pointer: '', message };
}

function translateQuery(query: unknown, dialect: Dialect, options: CandidateStatementOptions): Translation {
  const { layout, now, missingClaims = [] } = options;
  const parsed = parse(query, options);
  if ('projections' in parsed) {
    const message = 'Projections neither pass nor fail; a check or a policy has people who satisfy it.';
    throw new SqlTranslationError([{ code: 'projections', pointer: '/projections', message }]);
  }
  const isMissing = (path: string) => missingClaims.some((one) => path === one || path.startsWith(`${one}.`));
  return translate(parsed satisfies PolicyItem, createClaimReader(layout, dialect, now), isMissing);
}

function writeStatement(
  condition: Fragment,
  dialect: Dialect,
  { layout, select, among }: StatementOptions,
): WrittenSql {
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
