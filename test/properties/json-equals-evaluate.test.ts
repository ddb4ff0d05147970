/** Checks that `evaluateToJson` gives byte for byte the JSON of `evaluate` (L24). */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ClaimSet, QueryError } from '../../src/index.js';
import { scenario } from '../../src/testing/index.js';
import { compile } from '../support/with-re2js.js';

const EVERYTHING = { scopes: [], expand: () => new Set(['all']), coveringScopes: () => ['all'] };

it('`evaluateToJson` equals the JSON of `evaluate`, also with renamed credentials', () => {
  let compared = 0;
  fc.assert(
    fc.property(scenario(), ({ query, credentials, now }) => {
      try {
        const compiled = compile(query, { catalogue: EVERYTHING });
        const claims = ClaimSet.at(credentials, now);
        const options = { now, scopes: [] };
        const built = compiled.evaluate(claims, options);
        // Twice, since the second run uses cached JSON.
        for (const _time of [1, 2])
          expect(compiled.evaluateToJson(claims, options)).toBe(JSON.stringify(built));
        const renamed = compiled.evaluateToJson(claims, { ...options, credentialName: (id) => `"${id}"` });
        if (built.type === 'predicate') {
          for (const used of built.evidence.claimsUsed) {
            Object.assign(used, { credentialId: `"${used.credentialId}"` });
          }
        }
        expect(renamed).toBe(JSON.stringify(built));
        compared += 1;
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
      }
    }),
    { seed: 20_261_121, numRuns: 3_000 },
  );
  expect(compared).toBeGreaterThan(1_500);
});
