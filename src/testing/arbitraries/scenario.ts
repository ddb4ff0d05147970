/** Random scenarios: a query, credentials, scopes and an instant. */
import * as fc from 'fast-check';
import type { Credential } from '../../engine/claims/credential.js';
import type { JsonValue } from '../../engine/claims/json-value.js';
import type { ScopeDefinition } from '../../engine/scopes/catalogue.js';
import { credentialDrafts, toCredentials } from './claim-set.js';
import { instant } from './instant.js';
import { arbitraryJsonQuery, mutatedQuery } from './mutated-query.js';
import { CLAIM_PATHS, query } from './query.js';

/** The inputs of an evaluation, and the catalogue. */
export interface Scenario {
  /** A query, valid or not. */
  readonly query: JsonValue;
  readonly credentials: readonly Credential[];
  readonly scopes: readonly string[];
  readonly catalogue: readonly ScopeDefinition[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Scenarios: most with a valid query, some with an invalid one.
 *
 * @param queries - Replaces the default queries.
 */
export function scenario(queries: fc.Arbitrary<unknown> = mixedQuery()): fc.Arbitrary<Scenario> {
  return fc
    .tuple(queries, credentialDrafts(), grantedScopes(), scopeDefinitions(), instant())
    .map(([drawn, drafts, scopes, catalogue, now]) => {
      // Queries are plain JSON, which their type does not express.
      const json = drawn as JsonValue;
      return { query: json, credentials: toCredentials(drafts, json, now), scopes, catalogue, now };
    });
}

function mixedQuery(): fc.Arbitrary<unknown> {
  return fc.oneof<fc.WeightedArbitrary<unknown>[]>(
    { weight: 24, arbitrary: query() },
    { weight: 2, arbitrary: mutatedQuery() },
    { weight: 1, arbitrary: arbitraryJsonQuery() },
  );
}

const CATEGORIES = [...new Set(CLAIM_PATHS.map((path) => path.slice(0, path.indexOf('.'))))];
const COVERABLE = [...CATEGORIES, ...CLAIM_PATHS];
const SCOPES = ['first', 'second', 'third', 'fourth', 'fifth'];

/**
 * Catalogues in which scopes imply one another without cycles and cover categories, claims, and members of claims.
 * Most have a scope that covers every category, so that at least half of the queries are evaluated.
 */
export function scopeDefinitions(): fc.Arbitrary<readonly ScopeDefinition[]> {
  const definition = fc.record({
    covers: fc.subarray(COVERABLE, { maxLength: 3 }),
    // A bit mask: bit 0 implies the next scope of the catalogue, bit 1 the one after it. Bits beyond the last scope are ignored.
    implied: fc.nat({ max: 2 ** SCOPES.length - 1 }),
  });
  const definitions = fc.array(definition, { maxLength: SCOPES.length - 1 });
  return fc.tuple(fc.nat({ max: 5 }), definitions).map(([kind, drawn]) => {
    const everything = { covers: kind === 0 ? [] : CATEGORIES, implied: 0 };
    // When the scope that covers everything is last, others may imply it.
    const all = kind < 3 ? [...drawn, everything] : [everything, ...(kind === 5 ? [] : drawn)];
    return all.map(({ covers, implied }, index) => {
      const later = SCOPES.slice(index + 1, all.length).filter((_, bit) => (implied >> bit) % 2 === 1);
      const name = SCOPES[index] as string;
      return later.length === 0 ? { name, covers } : { name, implies: later, covers };
    });
  });
}

/** Granted scopes: mostly all names, of which a catalogue may define only some; otherwise some of them, and names that no catalogue defines. */
export function grantedScopes(): fc.Arbitrary<readonly string[]> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(SCOPES) },
    { weight: 2, arbitrary: fc.shuffledSubarray([...SCOPES, 'nobody:knows', '']) },
  );
}
