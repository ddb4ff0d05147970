/** The package entry `proviso/builder`: a query builder with type-checked claims, operands and scopes. */
export { createQueryBuilder, type MissingScope, p, type QueryBuilder } from './builder.js';
export type { ClaimChecks, Condition } from './claim-checks.js';
export type { ClaimsOf, DateText, DefaultClaims, TypedClaim, ValueOf } from './claim-types.js';
export type { ClaimProjection, ProjectionQuery } from './projection.js';
