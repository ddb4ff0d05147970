/** Checks that results disclose only claims that the query requests. */
import { expect, it } from 'vitest';
import { createScopeCatalogue, type JsonValue } from '../../src/index.js';
import { query, scenario } from '../../src/testing/index.js';
import { compile } from '../support/with-re2js.js';
import { evaluateScenario, holdsForAll, regex } from './law.js';

// L20, L21, L23, S168
it('evidence and data contain only claims that the query reads and the scopes cover', () => {
  holdsForAll(scenario(query()), (drawn) => {
    const outcome = evaluateScenario(drawn);
    if ('error' in outcome) return;
    const { result } = outcome;
    const claimsRead = compile(drawn.query, { regex }).claims;
    const { expand, coveringScopes } = createScopeCatalogue(drawn.catalogue);
    const granted = expand(drawn.scopes);
    const disclosed =
      result.type === 'predicate'
        ? [
            ...result.evidence.claimsUsed.map(({ path }) => path),
            ...result.evidence.checkResults.map(({ claim }) => claim),
          ]
        : [...Object.keys(result.data), ...result.claimsUsed.map(({ path }) => path)];
    for (const claim of disclosed) {
      expect(claimsRead).toContain(claim);
      expect(coveringScopes(claim).some((scope) => granted.has(scope))).toBe(true);
    }
  });
});

// L21, L23, S168
it('every value in a result comes from a credential, and every credential id in it is one of the person’s', () => {
  holdsForAll(scenario(query()), (drawn) => {
    const outcome = evaluateScenario(drawn);
    if ('error' in outcome) return;
    const { result } = outcome;
    const credentialValues = new Set(
      drawn.credentials.flatMap(({ claims }) => Object.values(claims).flatMap(leaves)),
    );
    if (result.type === 'projection') {
      const values = [...Object.values(result.data), ...result.claimsUsed.map(({ value }) => value)];
      for (const value of values) expectLeaves(value, credentialValues);
      return;
    }
    const ids = drawn.credentials.map(({ id }) => id);
    for (const { value, credentialId } of result.evidence.claimsUsed) {
      expectLeaves(value, credentialValues);
      expect(ids).toContain(credentialId);
    }
    for (const { actualValue } of result.evidence.checkResults) {
      if (actualValue !== undefined) expectLeaves(actualValue, credentialValues);
    }
  });
});

function expectLeaves(value: JsonValue, credentialValues: ReadonlySet<JsonValue>): void {
  // A lens that does not fit gives null, which no claim contains.
  const foreign = leaves(value).filter((leaf) => leaf !== null && !credentialValues.has(leaf));
  expect(foreign).toEqual([]);
}

function leaves(value: JsonValue): readonly JsonValue[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap(leaves);
}
