/** Conditions shared by several statements (V3), and statements that are compiled once (V12). */
import { type Compilable, type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AuthorizationStatus } from '../../service/authorization/authorization.js';

/** A placeholder for a value that is bound later. */
class Placeholder<Name> {
  readonly name: Name;

  constructor(name: Name) {
    this.name = name;
  }
}

/**
 * Compiles a statement with placeholders once.
 *
 * @param build - Builds the statement from placeholders for the members of `Values`, which may be used as bound values only.
 * @returns A function that binds values.
 */
export function compileOnce<Values extends object, Row>(
  build: (placeholders: Values) => Compilable<Row>,
): (values: Values) => CompiledQuery<Row> {
  const placeholders = new Proxy({}, { get: (_target, name) => new Placeholder(name) }) as Values;
  const compiled = build(placeholders).compile();
  return (values) => ({
    ...compiled,
    parameters: compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    ),
  });
}

/** Table or alias under which a statement reads `authorization_record`. */
type RecordName = 'authorization_record' | 'a' | 'other';

const REDEEMED: AuthorizationStatus = 'consumed';
const REDEEMABLE: AuthorizationStatus = 'approved';

/**
 * Condition on the status of grants that are found by another column. An expression, since for a condition on the column SQLite may search
 * the index on the status, which includes the grants of all people.
 */
export function isInState(states: readonly AuthorizationStatus[]): RawBuilder<SqlBool> {
  return sql`status || '' in (${sql.join(states)})`;
}

/** Condition: the code was redeemed. */
export function isRedeemed(name: RecordName = 'authorization_record'): RawBuilder<SqlBool> {
  return sql`${sql.ref(`${name}.status`)} = ${REDEEMED}`;
}

/** Condition: the code was not redeemed yet, and still can be. */
export function isRedeemable(at: number, name: RecordName = 'authorization_record'): RawBuilder<SqlBool> {
  return sql`(${sql.ref(`${name}.status`)} = ${REDEEMABLE} AND ${sql.ref(`${name}.code_expires_at`)} > ${at})`;
}

/** Condition like `isInForce`: the code was redeemed or still can be. A grant ends when its code expires unredeemed. */
export function isInForceAt(at: number, name: RecordName = 'authorization_record'): RawBuilder<SqlBool> {
  return sql`(${isRedeemed(name)} OR ${isRedeemable(at, name)})`;
}
