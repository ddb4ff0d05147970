/** Everything that one evaluation takes, drawn so that its parts have to do with one another (L24). */
import * as fc from 'fast-check';
import type { Credential } from '../../engine/claims/credential.js';
import type { JsonValue } from '../../engine/claims/json-value.js';
import type { ScopeDefinition } from '../../engine/scopes/scope-catalogue.js';
import { credentialDrafts, toCredentials } from './claim-set.js';
import { instant } from './instant.js';
import { nearlyQuery, wildQuery } from './nearly-query.js';
import { query } from './query.js';
import { grantedScopes, scopeDefinitions } from './scopes.js';

/** The four things that an evaluation is a function of, and the catalogue. */
export interface Scenario {
  /** A query, nearly one, or none. */
  readonly query: JsonValue;
  readonly credentials: readonly Credential[];
  readonly scopes: readonly string[];
  readonly catalogue: readonly ScopeDefinition[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Scenarios: most with a query, some with what is nearly one or none.
 *
 * @param queries - Other queries than these.
 */
export function scenario(queries: fc.Arbitrary<unknown> = mixedQuery()): fc.Arbitrary<Scenario> {
  return fc
    .tuple(queries, credentialDrafts(), grantedScopes(), scopeDefinitions(), instant())
    .map(([drawn, drafts, scopes, catalogue, now]) => {
      // Queries are plain JSON, which the type of their forms does not say.
      const json = drawn as JsonValue;
      return { query: json, credentials: toCredentials(drafts, json, now), scopes, catalogue, now };
    });
}

function mixedQuery(): fc.Arbitrary<unknown> {
  return fc.oneof<fc.WeightedArbitrary<unknown>[]>(
    { weight: 24, arbitrary: query() },
    { weight: 2, arbitrary: nearlyQuery() },
    { weight: 1, arbitrary: wildQuery() },
  );
}
