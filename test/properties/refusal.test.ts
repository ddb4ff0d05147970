/** What is refused depends on query, catalogue and grant, and on nothing else. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { credentialDrafts, scenario, toCredentials } from '../../src/testing/index.js';
import { answer, bytes, holdsForAll } from './law.js';

// L20, S166
it('a refusal for want of scopes is the same whatever the claims are', () => {
  let refused = 0;
  holdsForAll(fc.tuple(scenario(), credentialDrafts()), ([asked, drafts]) => {
    const answered = answer(asked);
    if ('result' in answered || answered.error.code !== 'insufficient_scope') return;
    refused += 1;
    const others = toCredentials(drafts, asked.query, asked.now);
    expect(bytes({ ...asked, credentials: others })).toBe(bytes(asked));
    expect(bytes({ ...asked, credentials: [] })).toBe(bytes(asked));
  });
  expect(refused).toBeGreaterThan(300);
});
