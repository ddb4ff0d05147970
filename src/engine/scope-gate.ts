/** The scope gate: what a query reads must be covered by what was granted, before any claim is read (L20). */
import { type MissingScope, QueryError } from './errors.js';
import type { ScopeCatalogue } from './scopes/scope-catalogue.js';

/** Throws where the granted scopes do not cover every claim of the query. */
export type ScopeGate = (granted: Iterable<string>) => void;

/** As many claims as have a bit each in a small integer. */
const MAX_MASKED_CLAIMS = 30;

/**
 * Builds the gate of a query. What it says depends on the query, the catalogue and the granted scopes, never on claims.
 *
 * @param claims - The distinct claim paths of the query, in order of first use.
 * @returns A gate that throws {@link QueryError} `insufficient_scope` with every claim that is not covered.
 * @see L20
 */
export function toScopeGate(claims: readonly string[], catalogue: ScopeCatalogue): ScopeGate {
  const all = 2 ** claims.length - 1;
  const masks = new Map<string, number>();
  let passedLast: readonly string[] | undefined;
  const isCovered = (claim: string, held: ReadonlySet<string>): boolean =>
    catalogue.coveringScopes(claim).some((scope) => held.has(scope));
  /** Returns a bit for each claim that a scope covers, with all that it implies. */
  const maskOf = (scope: string): number => {
    const held = catalogue.expand([scope]);
    const mask = claims.reduce(
      (bits, claim, position) => bits | (Number(isCovered(claim, held)) << position),
      0,
    );
    if (held.size > 0) masks.set(scope, mask);
    return mask;
  };
  const coversAll = (granted: Iterable<string>): boolean => {
    if (claims.length > MAX_MASKED_CLAIMS) return false;
    let held = 0;
    for (const scope of granted) held |= masks.get(scope) ?? maskOf(scope);
    return held === all;
  };
  return (granted) => {
    if (isSame(granted, passedLast)) return;
    if (!coversAll(granted)) {
      const held = catalogue.expand(granted);
      const missing = claims
        .filter((claim) => !isCovered(claim, held))
        .map((claim): MissingScope => Object.freeze({ claim, scopes: catalogue.coveringScopes(claim) }));
      if (missing.length > 0) throw QueryError.forMissingScopes(missing);
    }
    if (Array.isArray(granted)) passedLast = [...granted];
  };
}

/** Whether a grant is the one that passed last: most are, and need no second look. */
function isSame(granted: Iterable<string>, last: readonly string[] | undefined): boolean {
  if (last === undefined || !Array.isArray(granted) || granted.length !== last.length) return false;
  for (let index = 0; index < last.length; index += 1) {
    if (granted[index] !== last[index]) return false;
  }
  return true;
}
