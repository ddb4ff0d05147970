/** Checks that granting more scopes never removes access. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { scenario } from '../../src/testing/index.js';
import { evaluateScenario, holdsForAll, outcomeText } from './law.js';

// L20
it('an additional scope never turns a result into an error, and never changes a result', () => {
  const scenarioAndScope = fc.tuple(
    scenario(),
    fc.constantFrom('all', 'first', 'second', 'third', 'fourth', 'nobody'),
  );
  holdsForAll(scenarioAndScope, ([drawn, scope]) => {
    const before = evaluateScenario(drawn);
    const withScope = { ...drawn, scopes: [...drawn.scopes, scope] };
    if ('result' in before) expect(outcomeText(withScope)).toBe(outcomeText(drawn));
    const after = evaluateScenario(withScope);
    if ('error' in before && 'error' in after && before.error.code === 'insufficient_scope') {
      const missing = before.error.missing.map(({ claim }) => claim);
      expect(missing).toEqual(expect.arrayContaining(after.error.missing.map(({ claim }) => claim)));
    }
  });
});
