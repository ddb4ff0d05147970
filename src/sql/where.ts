/** Conditions for query builders with an `sql` template tag, such as Kysely and Drizzle. */
import { wrongType } from '../engine/value-types.js';
import type { DialectName } from './dialects/dialect.js';
import { type SqlParameter, write } from './fragment.js';
import { createColumnAssertion } from './layouts/typed-column.js';
import { quoteTable } from './names.js';
import { parsePolicy } from './parse-policy.js';
import { type ConditionOptions, writeCondition } from './statement.js';
import { CONDITION_OPTIONS, dialectOf } from './to-sql.js';

/** A template tag that binds its values as parameters, such as `sql` of Kysely, Drizzle or postgres.js. */
export type SqlTag<Built> = (texts: TemplateStringsArray, ...values: SqlParameter[]) => Built;

export interface WhereOptions extends ConditionOptions {
  readonly dialect: DialectName;
  /**
   * The alias of the people's table in the surrounding query. Must have two characters or more, and must not be `keys` or `e` and a number. Default:
   * the table's name.
   */
  readonly alias?: string;
}

/** Aliases that the conditions themselves use, and that would shadow the alias of the people's table. */
const OWN_ALIAS = /^([a-z]|e\d+|keys)$/i;

/** A placeholder that the text of a condition does not contain: names are validated, and operands are bound. */
const SEPARATOR = '\0';

/**
 * Translates a check or a policy to a condition on the rows of the people's table, built by a template tag: true
 * exactly for the people for whom the engine's `test` is true, and otherwise false or unknown.
 *
 * @param sql - The tag. It must bind the values as parameters, and keep the strings of the template unchanged.
 * @param query - Raw JSON, or a query returned by `parse`.
 * @throws {QueryError} As `parse` does.
 * @throws {SqlTranslationError} With every reason why the dialect or the layout cannot express the query.
 * @throws {RangeError} When the alias or a name in the layout is invalid, `now` or a limit is out of range, or a limit does not exist.
 * @throws {TypeError} When `sql` is not a function; an option is unknown or has an invalid value, such as `dialect` or `alias`; `now` is missing for a
 *   layout of credentials; or the layout lacks a member or has an unknown one.
 * @see L10–L19, V14
 * @example
 * database.selectFrom('people').selectAll().where(toWhere(sql<SqlBool>, query, { dialect: 'postgres', layout }))
 */
export function toWhere<Built>(sql: SqlTag<Built>, query: unknown, options: WhereOptions): Built {
  const dialect = dialectOf(options, [...CONDITION_OPTIONS, 'alias']);
  if (typeof sql !== 'function') throw wrongType('`sql`', 'a template tag', sql);
  const { layout, alias = layout.people.table } = options;
  if (typeof alias !== 'string') throw wrongType('`alias`', 'a string', alias);
  if (OWN_ALIAS.test(alias)) {
    const required = 'must have two characters or more, and must not be `keys` or `e` and a number';
    throw new RangeError(`the alias of the people's table ${required} (got ${JSON.stringify(alias)})`);
  }
  const person = quoteTable(alias).parts.join('');
  const assertFits = createColumnAssertion(options, dialect);
  const condition = writeCondition(parsePolicy(query, options), dialect, person, options, assertFits);
  const { text, parameters } = write(condition, () => SEPARATOR);
  const texts = text.split(SEPARATOR);
  return sql(Object.assign(texts, { raw: texts }), ...parameters);
}
