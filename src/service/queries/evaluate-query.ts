/** Evaluates a query under a grant: checks scopes, reads credentials, evaluates, in this order (L20, S166). */
import { type CompiledQuery, QueryError } from '../../engine/index.js';
import { didYouMean } from '../../engine/names.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { DerivedClaims } from '../claims/derived-claims.js';
import type { OrganizationView, PairwiseIdentifiers } from '../claims/organization-view.js';
import type { SubjectClaims } from '../claims/subject-claims.js';
import { ServiceError } from '../errors.js';
import type { Clock } from '../ports/ports.js';
import type { Store } from '../ports/store/store.js';
import { UNMETERED, type WorkMeter } from '../rate-limits/work-meter.js';
import type { Grant } from '../tokens/tokens.js';
import type { CompiledQueryCache } from './compiled-query-cache.js';

export interface QueryPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly catalogue: ServiceCatalogue;
  readonly derivedClaims: DerivedClaims;
  readonly subjectClaims: SubjectClaims;
  readonly view: OrganizationView;
  readonly queries: CompiledQueryCache;
  readonly identifiers: PairwiseIdentifiers;
}

/**
 * Evaluates a query about the person of a grant.
 *
 * @param meter - Measures the evaluation.
 * @returns The result as JSON.
 * @throws {ServiceError} `insufficient_scope` before any credential is read; `query_too_large`.
 */
export async function evaluateForGrant(
  compiled: CompiledQuery,
  grant: Grant,
  { clock, store, catalogue, subjectClaims, identifiers }: QueryPorts,
  meter: WorkMeter = UNMETERED,
): Promise<string> {
  const now = clock.now();
  try {
    const covered = compiled.assertCovered(grant.grantedScopes);
    const stored = await store.readCredentials(grant.userId);
    return meter.measure(() =>
      covered.evaluateToJson(subjectClaims.at(stored, compiled, grant.organizationId, now), {
        now,
        credentialName: credentialNames(grant.organizationId, identifiers),
      }),
    );
  } catch (error) {
    throw error instanceof QueryError ? fromQueryError(error, catalogue) : error;
  }
}

/** Returns the pairwise identifiers of credentials for evidence, so that organizations cannot correlate people (D5). */
export function credentialNames(
  organizationId: string,
  identifiers: PairwiseIdentifiers,
): (credentialId: string) => string {
  return (credentialId) => identifiers.credential(organizationId, credentialId);
}

/** Converts an error of the query engine to one of the service. */
export function fromQueryError(error: QueryError, catalogue: ServiceCatalogue): ServiceError {
  switch (error.code) {
    case 'invalid_query':
    case 'query_too_large':
      return new ServiceError(error.code, { problems: error.problems, problem_count: error.problemCount });
    case 'insufficient_scope':
      return new ServiceError('insufficient_scope', { missing: withNearestClaims(error.missing, catalogue) });
  }
}

/** Maximum number of claims per query that get a spelling suggestion, which compares with the whole catalogue. */
const MAX_SUGGESTIONS = 5;

/** Adds `did_you_mean`, the nearest claim of the catalogue, to claims that no scope covers. Depends only on the query and the public catalogue. */
function withNearestClaims(
  missing: QueryError['missing'],
  { definition }: ServiceCatalogue,
): readonly (QueryError['missing'][number] & { readonly did_you_mean?: string })[] {
  const paths = definition.claims.map(({ path }) => path);
  const unknown = new Set(missing.filter(({ scopes }) => scopes.length === 0).slice(0, MAX_SUGGESTIONS));
  return missing.map((entry) => {
    const nearest = unknown.has(entry) ? didYouMean(entry.claim, paths) : undefined;
    return nearest === undefined ? entry : { ...entry, did_you_mean: nearest };
  });
}
