/** A query builder whose claim names, operands and scopes are checked by TypeScript. Loads the catalogue and the engine's parser. */
export { createQueryBuilder, type MissingScope, p, type QueryBuilder } from './builder.js';
export type { ClaimChecks, Condition } from './claim-checks.js';
export type { DateText, DefaultClaims, TypedClaim, ValueOf } from './claim-types.js';
export type { ClaimProjection, ProjectionQuery } from './projection.js';
