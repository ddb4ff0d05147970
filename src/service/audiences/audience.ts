/** Evaluates a policy for many people: the store narrows down the candidates, and the engine evaluates those that the store cannot decide (V14). */
import { indexCredentials } from '../../engine/claims/claim-set.js';
import {
  type ClaimSet,
  type CompiledQuery,
  type CompileOptions,
  type Credential,
  compile,
  type PolicyItem,
  type RegexEngine,
} from '../../engine/index.js';
import { ProvisoError } from '../../util/proviso-error.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import { createDerivedClaims, type DerivedClaims } from '../claims/derived-claims.js';
import type { Store } from '../ports/store/store.js';

/** A compiled policy that can be evaluated for many people. */
export interface Audience {
  /** Claim paths that the policy reads. */
  readonly claims: readonly string[];
  /**
   * Returns the people who satisfy the policy, in no particular order.
   *
   * @throws {QueryError} `query_too_large` if matching patterns with the claims of one of the people would exceed the cost limit; not for an
   *   audience with a `test`.
   */
  filter(userIds: readonly string[]): Promise<readonly string[]>;
}

/** The store methods that an audience needs. */
export type AudienceStore = Pick<Store, 'narrowAudience' | 'readCredentialsOf'>;

/** Thrown for projections, which neither pass nor fail. */
export class AudienceError extends ProvisoError<'audience_projections'> {
  override readonly name = 'AudienceError';

  constructor() {
    super(
      'audience_projections',
      'The query of an audience must be a check or a policy: projections neither pass nor fail.',
    );
  }
}

export interface AudienceOptions {
  readonly store: AudienceStore;
  readonly catalogue: ServiceCatalogue;
  readonly regex: RegexEngine;
  /** The instant of evaluation for every person; epoch milliseconds. */
  readonly at: number;
}

/**
 * Compiles a policy for evaluation over many people, regardless of their grants.
 *
 * @param query - Raw JSON.
 * @throws {QueryError} As `compile` does.
 * @throws {AudienceError} For projections.
 */
export function createAudience(query: unknown, { store, catalogue, regex, at }: AudienceOptions): Audience {
  const options: CompileOptions = { regex, catalogue: catalogue.scopes };
  return createCompiledAudience(compile(query, options), {
    store,
    derivedClaims: createDerivedClaims(catalogue, regex),
    catalogue,
    at,
  });
}

/**
 * Like {@link createAudience}, for a compiled query.
 *
 * @param test - Evaluates the query for the claims of a person. Default: `compiled.test`, which has a cost limit.
 * @throws {AudienceError} For projections.
 */
export function createCompiledAudience(
  compiled: CompiledQuery,
  {
    store,
    catalogue,
    derivedClaims,
    at,
    test = (claims) => compiled.test(claims),
  }: Omit<AudienceOptions, 'regex'> & {
    readonly derivedClaims: DerivedClaims;
    readonly test?: (claims: ClaimSet) => boolean;
  },
): Audience {
  if ('projections' in compiled.query) throw new AudienceError();
  const query: PolicyItem = compiled.query;
  const derived = catalogue.definition.claims.flatMap((claim) => (claim.derived ? [claim.path] : []));
  const satisfies = (stored: readonly Credential[]) =>
    test(indexCredentials(derivedClaims.addTo(stored, at, compiled.claims), at));
  return {
    claims: compiled.claims,
    filter: async (userIds) => {
      if (userIds.length === 0) return [];
      const found = await store.narrowAudience({ query, among: userIds, at, derived });
      if (found.exact) return found.userIds;
      const credentials = await store.readCredentialsOf(found.userIds);
      return found.userIds.filter((userId) => satisfies(credentials.get(userId) ?? []));
    },
  };
}
