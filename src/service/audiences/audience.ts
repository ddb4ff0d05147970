/** Who of many people satisfies a policy: the store narrows them down, and the engine asks those again of whom it cannot be sure (V14). */
import {
  ClaimSet,
  type CompiledQuery,
  type CompileOptions,
  compile,
  type PolicyItem,
  type RegexEngine,
} from '../../engine/index.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import { createDerivedClaims, type DerivedClaims } from '../claims/derived-claims.js';
import type { Store } from '../ports/store/store.js';

/** A policy, ready to be asked of people. */
export interface Audience {
  /** The claim paths that it reads. */
  readonly claims: readonly string[];
  /** Those of some people who satisfy it, in no order. */
  filter(userIds: readonly string[]): Promise<readonly string[]>;
}

/** What an audience reads of a store. */
export type AudienceStore = Pick<Store, 'narrowAudience' | 'readCredentials'>;

/** Thrown where a query has no audience: projections neither pass nor fail. */
export class AudienceError extends Error {
  override readonly name = 'AudienceError';

  constructor() {
    super('The query of an audience must be a check or a policy: projections neither pass nor fail.');
  }
}

export interface AudienceOptions {
  readonly store: AudienceStore;
  readonly catalogue: ServiceCatalogue;
  readonly regex: RegexEngine;
  /** The instant for which everybody is asked; epoch milliseconds. */
  readonly at: number;
}

/**
 * Prepares a policy to be asked of people, whatever they granted.
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

/** As {@link createAudience}, for a query that is compiled. */
export function createCompiledAudience(
  compiled: CompiledQuery,
  {
    store,
    catalogue,
    derivedClaims,
    at,
  }: Omit<AudienceOptions, 'regex'> & { readonly derivedClaims: DerivedClaims },
): Audience {
  if ('projections' in compiled.query) throw new AudienceError();
  const query: PolicyItem = compiled.query;
  const derived = catalogue.definition.claims.flatMap((claim) => (claim.derived ? [claim.path] : []));
  const satisfies = async (userId: string) => {
    const credentials = derivedClaims.addTo(await store.readCredentials(userId), at, compiled.claims);
    return compiled.test(ClaimSet.at(credentials, at));
  };
  return {
    claims: compiled.claims,
    filter: async (userIds) => {
      if (userIds.length === 0) return [];
      const found = await store.narrowAudience({ query, among: userIds, at, derived });
      if (found.exact) return found.userIds;
      const confirmed: string[] = [];
      for (const userId of found.userIds) if (await satisfies(userId)) confirmed.push(userId);
      return confirmed;
    },
  };
}
