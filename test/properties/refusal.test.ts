/** A scope error depends only on query, catalogue and granted scopes. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { credentialDrafts, scenario, toCredentials } from '../../src/testing/index.js';
import { bytes, evaluateScenario, holdsForAll } from './law.js';

// L20, S166
it('an insufficient_scope error does not depend on the claims', () => {
  let refused = 0;
  holdsForAll(fc.tuple(scenario(), credentialDrafts()), ([asked, drafts]) => {
    const answered = evaluateScenario(asked);
    if ('result' in answered || answered.error.code !== 'insufficient_scope') return;
    refused += 1;
    const others = toCredentials(drafts, asked.query, asked.now);
    expect(bytes({ ...asked, credentials: others })).toBe(bytes(asked));
    expect(bytes({ ...asked, credentials: [] })).toBe(bytes(asked));
  });
  expect(refused).toBeGreaterThan(300);
});
