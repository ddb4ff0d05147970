/** Checks that a scope error depends only on the query, the catalogue and the granted scopes. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { credentialDrafts, scenario, toCredentials } from '../../src/testing/index.js';
import { bytes, evaluateScenario, holdsForAll } from './law.js';

// L20, S166
it('an insufficient_scope error does not depend on the claims', () => {
  let rejected = 0;
  holdsForAll(fc.tuple(scenario(), credentialDrafts()), ([asked, drafts]) => {
    const outcome = evaluateScenario(asked);
    if ('result' in outcome || outcome.error.code !== 'insufficient_scope') return;
    rejected += 1;
    const others = toCredentials(drafts, asked.query, asked.now);
    expect(bytes({ ...asked, credentials: others })).toBe(bytes(asked));
    expect(bytes({ ...asked, credentials: [] })).toBe(bytes(asked));
  });
  expect(rejected).toBeGreaterThan(300);
});
