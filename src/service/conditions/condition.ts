/** Conditions: questions that a person agrees to, without agreeing to share the claims that answer them (RFC 9396). */
import type { PolicyItem, QueryLimits } from '../../engine/index.js';
import { checksOf } from '../../engine/query/query.js';
import type { Application } from '../clients/application.js';

/** The `type` of the authorization details of a condition. */
export const CONDITION_TYPE = 'claims_condition';

/** The supported types of authorization details (RFC 9396 §2). */
export const AUTHORIZATION_DETAILS_TYPES = [CONDITION_TYPE] as const;

export type AuthorizationDetailsType = (typeof AUTHORIZATION_DETAILS_TYPES)[number];

/** Limits for queries that were accepted before. The limits at that time are not known: a deployment may have changed them since. */
export const LIMITS_OF_ACCEPTED_QUERIES: QueryLimits = {
  depth: 256,
  operandDepth: 256,
  checks: Number.MAX_SAFE_INTEGER,
  projections: Number.MAX_SAFE_INTEGER,
  members: Number.MAX_SAFE_INTEGER,
  listEntries: Number.MAX_SAFE_INTEGER,
  stringCodeUnits: Number.MAX_SAFE_INTEGER,
  patternCodeUnits: Number.MAX_SAFE_INTEGER,
  patternProgram: Number.MAX_SAFE_INTEGER,
  patternWork: Number.MAX_SAFE_INTEGER,
  matchCost: Number.MAX_SAFE_INTEGER,
  pathSegments: Number.MAX_SAFE_INTEGER,
  pathCodeUnits: Number.MAX_SAFE_INTEGER,
};

/** A condition of a request, a grant or a token. */
export interface Condition {
  /** The canonical text of a check or a policy (L25). */
  readonly query: string;
  /** Why the application asks, in its own words. */
  readonly purpose: string;
}

/** Returns the query of a condition. */
export function queryOf({ query }: Pick<Condition, 'query'>): PolicyItem {
  // Written by `canonicalText`.
  return JSON.parse(query) as PolicyItem;
}

/** Returns the authorization details of a condition, as in requests and responses. */
export function toAuthorizationDetails(condition: Condition): Readonly<Record<string, unknown>> {
  return { type: CONDITION_TYPE, query: queryOf(condition), purpose: condition.purpose };
}

/** Returns the distinct claims that a condition reads. */
export function claimsOf(condition: Condition): readonly string[] {
  return [...new Set(checksOf(queryOf(condition)).map(({ claim }) => claim))];
}

/** Whether an application may request conditions. */
export function mayRequestConditions({
  authorizationDetailsTypes = [],
}: Pick<Application, 'authorizationDetailsTypes'>): boolean {
  return authorizationDetailsTypes.includes(CONDITION_TYPE);
}

/** Returns the conditions if the application may still request conditions; otherwise none. */
export function effectiveConditions(
  conditions: readonly Condition[] | undefined,
  application: Pick<Application, 'authorizationDetailsTypes'>,
): readonly Condition[] {
  return conditions !== undefined && mayRequestConditions(application) ? conditions : [];
}
