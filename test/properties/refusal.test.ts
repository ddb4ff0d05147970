/** Checks that a scope error depends only on the query, the catalogue and the granted scopes. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { credentialDrafts, scenario, toCredentials } from '../../src/testing/index.js';
import { bytes, evaluateScenario, holdsForAll } from './law.js';

// L20, S166
it('an insufficient_scope error does not depend on the claims', () => {
  let rejected = 0;
  holdsForAll(fc.tuple(scenario(), credentialDrafts()), ([drawn, drafts]) => {
    const outcome = evaluateScenario(drawn);
    if ('result' in outcome || outcome.error.code !== 'insufficient_scope') return;
    rejected += 1;
    const others = toCredentials(drafts, drawn.query, drawn.now);
    expect(bytes({ ...drawn, credentials: others })).toBe(bytes(drawn));
    expect(bytes({ ...drawn, credentials: [] })).toBe(bytes(drawn));
  });
  expect(rejected).toBeGreaterThan(300);
});
