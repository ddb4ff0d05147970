/** Statements of queries in one dialect. Importing this module bundles no other dialect. */
import type { ParseOptions, PolicyItem } from '../engine/index.js';
import type { Dialect } from './dialects/dialect.js';
import { type SqlProblem, SqlTranslationError, UnsupportedConstruct } from './errors.js';
import { allOf, type Fragment, sql, TRUE, verbatim, type WrittenSql, write } from './fragment.js';
import type { SqlLayout } from './layouts/layout.js';
import { createClaimReader } from './layouts/read-claims.js';
import { columnOf, quoteTable } from './names.js';
import { type CheckAssertion, type Translation, translate } from './policies.js';

export interface ConditionOptions extends ParseOptions {
  readonly layout: SqlLayout;
  /** The instant of evaluation, epoch milliseconds; required for layouts of credentials. */
  readonly now?: number;
}

export interface StatementOptions extends ConditionOptions {
  /** `people`: the ids of matching people in a column `id`, unordered and distinct; `count`: their number in a column `count`. */
  readonly select?: 'people' | 'count';
  /** Restricts the result to these people. */
  readonly among?: readonly string[];
}

export interface CandidateStatementOptions extends StatementOptions {
  /** Claims that, with their members, the database does not store though they may be defined, such as derived claims. */
  readonly missingClaims?: readonly string[];
}

/** A statement that finds everyone who might satisfy a query: checks that cannot be translated are omitted. */
export interface CandidateSql extends WrittenSql {
  /** Why checks were omitted: the engine must then evaluate every person found. Empty where the statement is exact. */
  readonly problems: readonly SqlProblem[];
}

/** The alias of a person's row. */
const PERSON = 's';

/** Maximum length of a statement in code units: databases plan longer ones too slowly. */
const MAX_TEXT = 1_000_000;

/** Creates a statement that finds exactly the people who satisfy the query: see `toSql`. */
export function writeSql(
  query: PolicyItem,
  dialect: Dialect,
  options: StatementOptions,
  assertFits: CheckAssertion,
): WrittenSql {
  const { condition, problems } = translateQuery(query, dialect, PERSON, options, assertFits);
  if (problems.length > 0) throw new SqlTranslationError(problems);
  const statement = writeStatement(condition, dialect, options);
  const excess = excessOf(statement, dialect);
  if (excess !== undefined) throw new SqlTranslationError([excess]);
  return statement;
}

/**
 * Creates a statement that finds everyone who might satisfy the query: see `toCandidateSql`.
 *
 * @param assertFits - Required for layouts of columns. Other layouts keep claims as JSON, where every operand fits.
 */
export function writeCandidateSql(
  query: PolicyItem,
  dialect: Dialect,
  options: CandidateStatementOptions,
  assertFits: CheckAssertion = () => {},
): CandidateSql {
  const { condition, problems } = translateQuery(query, dialect, PERSON, options, assertFits);
  const statement = writeStatement(condition, dialect, options);
  const excess = excessOf(statement, dialect);
  return excess === undefined
    ? { ...statement, problems }
    : { ...writeStatement(TRUE, dialect, options), problems: [...problems, excess] };
}

/** Returns the problem of a statement that is too large for a database. */
function excessOf({ text, parameters }: WrittenSql, { maxParameters }: Dialect): SqlProblem | undefined {
  if (text.length <= MAX_TEXT && parameters.length <= maxParameters) return undefined;
  const message = `The statement must have at most ${MAX_TEXT} characters and ${maxParameters} parameters, not ${text.length} and ${parameters.length}.`;
  return { code: 'size', pointer: '', message };
}

/** Creates a condition on the rows of a table: see `toWhere`. @param person - The table's alias, quoted. */
export function writeCondition(
  query: PolicyItem,
  dialect: Dialect,
  person: string,
  options: ConditionOptions,
  assertFits: CheckAssertion,
): Fragment {
  const { condition, problems } = translateQuery(query, dialect, person, options, assertFits);
  if (problems.length > 0) throw new SqlTranslationError(problems);
  const excess = excessOf(write(condition, dialect.placeholder), dialect);
  if (excess !== undefined) throw new SqlTranslationError([excess]);
  return condition;
}

function translateQuery(
  query: PolicyItem,
  dialect: Dialect,
  person: string,
  options: ConditionOptions & Pick<CandidateStatementOptions, 'missingClaims'>,
  assertFits: CheckAssertion,
): Translation {
  const { layout, now, missingClaims = [] } = options;
  return translate(query, createClaimReader(layout, dialect, person, now, options.claims), (check) => {
    const { claim } = check;
    if (missingClaims.some((one) => claim === one || claim.startsWith(`${one}.`)))
      throw new UnsupportedConstruct('layout', `The database does not store \`${claim}\`.`);
    assertFits(check);
  });
}

function writeStatement(
  condition: Fragment,
  dialect: Dialect,
  { layout, select, among }: StatementOptions,
): WrittenSql {
  const { table, id } = layout.people;
  const person = columnOf(PERSON, id);
  const isAmong =
    among === undefined ? TRUE : sql`${person} IN (${dialect.listedTexts(JSON.stringify([...among]))})`;
  const selection = select === 'count' ? verbatim('count(*) AS count') : sql`${person} AS id`;
  return write(
    sql`SELECT ${selection} FROM ${quoteTable(table)} AS ${verbatim(PERSON)} WHERE ${allOf([isAmong, condition])}`,
    dialect.placeholder,
  );
}
