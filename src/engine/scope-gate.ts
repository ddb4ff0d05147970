/** The scope gate: what a query reads must be covered by what was granted, before any claim is read (L20). */
import { type MissingScope, QueryError } from './errors.js';
import type { ScopeCatalogue } from './scopes/scope-catalogue.js';

/** Throws where the granted scopes do not cover every claim of the query. */
export type ScopeGate = (granted: Iterable<string>) => void;

/**
 * Builds the gate of a query. What it says depends on the query, the catalogue and the granted scopes, never on claims.
 *
 * @param claims - The distinct claim paths of the query, in order of first use.
 * @returns A gate that throws {@link QueryError} `insufficient_scope` with every claim that is not covered.
 * @see L20
 */
export function toScopeGate(claims: readonly string[], catalogue: ScopeCatalogue): ScopeGate {
  const covering: readonly MissingScope[] = claims.map((claim) =>
    Object.freeze({ claim, scopes: catalogue.coveringScopes(claim) }),
  );
  return (granted) => {
    const held = catalogue.expand(granted);
    const missing = covering.filter(({ scopes }) => !scopes.some((scope) => held.has(scope)));
    if (missing.length > 0) throw QueryError.forMissingScopes(missing);
  };
}
