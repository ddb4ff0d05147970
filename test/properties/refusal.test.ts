/** Checks that a scope error depends only on the query, the catalogue and the granted scopes. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { credentialDrafts, scenario, toCredentials } from '../../src/testing/index.js';
import { evaluateScenario, holdsForAll, outcomeText } from './law.js';

// L20, S166
it('an insufficient_scope error does not depend on the claims', () => {
  let rejected = 0;
  holdsForAll(fc.tuple(scenario(), credentialDrafts()), ([drawn, drafts]) => {
    const outcome = evaluateScenario(drawn);
    if ('result' in outcome || outcome.error.code !== 'insufficient_scope') return;
    rejected += 1;
    const others = toCredentials(drafts, drawn.query, drawn.now);
    expect(outcomeText({ ...drawn, credentials: others })).toBe(outcomeText(drawn));
    expect(outcomeText({ ...drawn, credentials: [] })).toBe(outcomeText(drawn));
  });
  expect(rejected).toBeGreaterThan(300);
});
