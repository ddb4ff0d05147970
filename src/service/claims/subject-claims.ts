/** A person's claims for one query: indexed at first use, then reused at later instants. */
import { indexCredentials } from '../../engine/claims/claim-set.js';
import { ClaimSet, type CompiledQuery, type Credential } from '../../engine/index.js';
import type { DerivedClaims } from './derived-claims.js';
import type { OrganizationView } from './organization-view.js';

export interface SubjectClaims {
  /**
   * Returns the claims that a query reads, derived claims included, in the view of an organization.
   *
   * @param stored - The person's credentials. Without hidden parents, the last result for this array is reused for the same query and organization, at
   *   the same or a later instant.
   * @param now - Epoch milliseconds.
   * @param hiddenParents - As for `DerivedClaims.addTo`.
   */
  at(
    stored: readonly Credential[],
    query: CompiledQuery,
    organizationId: string,
    now: number,
    hiddenParents?: readonly string[],
  ): ClaimSet;
}

interface IndexedClaims {
  readonly query: CompiledQuery;
  readonly organizationId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly claims: ClaimSet;
}

/** Maximum number of indexed claim sets. Each takes up to 17 KB, even with few claims. */
const MAX_INDEXED = 4_096;

/** @param derived - Computes derived claims. */
export function createSubjectClaims(derived: DerivedClaims, view: OrganizationView): SubjectClaims {
  // Keyed weakly by the array; holds only the last query of each person, to bound memory.
  let indexed = new WeakMap<readonly Credential[], IndexedClaims>();
  let indexedCount = 0;
  return {
    at: (stored, query, organizationId, now, hiddenParents = []) => {
      const index = () =>
        indexCredentials(
          derived.addTo(view.pseudonymize(stored, organizationId, now), now, query.claims, hiddenParents),
          now,
        );
      // Claims derived from hidden parents expire relative to the instant of evaluation, so a claim set that contains them cannot be moved.
      if (hiddenParents.length > 0) return index();
      const last = indexed.get(stored);
      // A derived claim has an expiry but no start, so a claim set can only be moved forward.
      const movable =
        last !== undefined &&
        last.query === query &&
        last.organizationId === organizationId &&
        last.at <= now;
      const moved = movable ? ClaimSet.move(last.claims, now) : undefined;
      if (moved !== undefined) return moved;
      const claims = index();
      if (last === undefined) {
        if (indexedCount === MAX_INDEXED) {
          indexed = new WeakMap();
          indexedCount = 0;
        }
        indexedCount += 1;
      }
      indexed.set(stored, { query, organizationId, at: now, claims });
      return claims;
    },
  };
}
