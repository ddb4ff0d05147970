/** Conditions for grants in force at an instant, the same in every statement (V3). */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AuthorizationStatus } from '../../service/authorization/authorization.js';

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
