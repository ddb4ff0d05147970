/** A person's claims as one query reads them: indexed when they are first asked about, and moved from instant to instant after that. */
import { ClaimSet, type CompiledQuery, type Credential } from '../../engine/index.js';
import type { DerivedClaims } from './derived-claims.js';
import type { OrganizationView } from './organization-view.js';

export interface SubjectClaims {
  /**
   * The claims that a query reads, with those that follow from them, as an organization may see them.
   *
   * @param stored - A person's credentials. Where the same list comes again, and the same query, nothing is worked out twice.
   * @param now - Epoch milliseconds.
   */
  at(stored: readonly Credential[], query: CompiledQuery, organizationId: string, now: number): ClaimSet;
}

interface IndexedClaims {
  readonly query: CompiledQuery;
  readonly organizationId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly claims: ClaimSet;
}

/** Each person's claims take up to 17 KB beside what was read of them, however little that was. */
const MAX_INDEXED = 4_096;

/** @param derived - Works out what follows from what is stored. */
export function createSubjectClaims(derived: DerivedClaims, view: OrganizationView): SubjectClaims {
  // Goes when the list goes; of one person the last query's claims, so that what is kept stays as small as what is read.
  let indexed = new WeakMap<readonly Credential[], IndexedClaims>();
  let kept = 0;
  return {
    at: (stored, query, organizationId, now) => {
      const last = indexed.get(stored);
      // What follows from a claim ends when something else would follow. It does not say since when it follows: only forward.
      const movable =
        last !== undefined &&
        last.query === query &&
        last.organizationId === organizationId &&
        last.at <= now;
      const moved = movable ? ClaimSet.move(last.claims, now) : undefined;
      if (moved !== undefined) return moved;
      const claims = ClaimSet.at(derived.addTo(view.of(stored, organizationId, now), now, query.claims), now);
      if (last === undefined) {
        if (kept === MAX_INDEXED) {
          indexed = new WeakMap();
          kept = 0;
        }
        kept += 1;
      }
      indexed.set(stored, { query, organizationId, at: now, claims });
      return claims;
    },
  };
}
