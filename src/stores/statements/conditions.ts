/** Conditions that several statements share (V3), and statements that are compiled once (V12). */
import { type Compilable, type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AuthorizationStatus } from '../../service/authorization/authorization.js';

/** Stands in a statement where a value will. */
class Placeholder<Name> {
  readonly name: Name;

  constructor(name: Name) {
    this.name = name;
  }
}

/**
 * Builds a statement with places for its values.
 *
 * @param build - Is given the members of `Values`, each of which it may put where a value goes, and look at no further.
 * @returns The statement with values in their places.
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

/** The code was redeemed. */
export function isRedeemed(name: RecordName = 'authorization_record'): RawBuilder<SqlBool> {
  return sql`${sql.ref(`${name}.status`)} = ${REDEEMED}`;
}

/** The code was not redeemed yet, and still can be. */
export function isRedeemable(at: number, name: RecordName = 'authorization_record'): RawBuilder<SqlBool> {
  return sql`(${sql.ref(`${name}.status`)} = ${REDEEMABLE} AND ${sql.ref(`${name}.code_expires_at`)} > ${at})`;
}

/** As `isInForce` of the service: the code was redeemed, or still can be. An unredeemed code takes its grant with it when it expires. */
export function isInForceAt(at: number, name: RecordName = 'authorization_record'): RawBuilder<SqlBool> {
  return sql`(${isRedeemed(name)} OR ${isRedeemable(at, name)})`;
}
