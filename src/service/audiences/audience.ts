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
   * @throws {QueryError} `query_too_large` if matching patterns with the claims of one of the people would exceed the cost limit.
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
  const compiled: CompiledQuery = compile(query, options);
  assertNoProjections(compiled);
  const { query: item } = compiled;
  const derivedClaims = createDerivedClaims(catalogue, regex);
  const derived = catalogue.definition.claims.flatMap((claim) => (claim.derived ? [claim.path] : []));
  return {
    claims: compiled.claims,
    filter: async (userIds) => {
      if (userIds.length === 0) return [];
      const found = await store.narrowAudience({ query: item, among: userIds, at, derived });
      if (found.exact) return found.userIds;
      const claimSets = await readClaimSets(found.userIds, compiled.claims, at, { store, derivedClaims });
      return claimSets.flatMap(([userId, claims]) => (compiled.test(claims) ? [userId] : []));
    },
  };
}

/** @throws {AudienceError} For projections. */
export function assertNoProjections(
  compiled: CompiledQuery,
): asserts compiled is CompiledQuery & { readonly query: PolicyItem } {
  if ('projections' in compiled.query) throw new AudienceError();
}

/** Reads the credentials of people, and returns each person with the claims that a query may read, derived claims included. */
export async function readClaimSets(
  userIds: readonly string[],
  claims: readonly string[],
  at: number,
  { store, derivedClaims, toVisible = (stored) => stored }: ClaimSource,
): Promise<readonly (readonly [userId: string, claims: ClaimSet])[]> {
  const credentials = await store.readCredentialsOf(userIds);
  return userIds.map((userId) => {
    const visible = toVisible(credentials.get(userId) ?? []);
    return [userId, indexCredentials(derivedClaims.addTo(visible, at, claims), at)];
  });
}

interface ClaimSource {
  readonly store: Pick<Store, 'readCredentialsOf'>;
  readonly derivedClaims: DerivedClaims;
  /** Maps stored credentials to those that an organization may see; by default, credentials are evaluated as stored. */
  readonly toVisible?: (stored: readonly Credential[]) => readonly Credential[];
}
