/** Checks that inactive credentials have no effect. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Credential } from '../../src/index.js';
import { credentialDrafts, scenario, toCredentials } from '../../src/testing/index.js';
import { holdsForAll, outcomeText } from './law.js';

const INACTIVE_STATES: Readonly<Record<string, (now: number) => Partial<Credential>>> = {
  'not yet issued': (now) => ({ issuedAt: now + 1 }),
  'just expired': (now) => ({ expiresAt: now }),
  'just revoked': (now) => ({ revokedAt: now }),
};

// L10, L11
it.each(Object.entries(INACTIVE_STATES))(
  'a credential that is %s does not change the result',
  (_title, deactivate) => {
    holdsForAll(fc.tuple(scenario(), credentialDrafts()), ([drawn, drafts]) => {
      const inactive = toCredentials(drafts, drawn.query, drawn.now).map((credential) => ({
        ...credential,
        id: `0${credential.id}`,
        ...deactivate(drawn.now),
      }));
      const credentials = [...inactive, ...drawn.credentials];
      expect(outcomeText({ ...drawn, credentials })).toBe(outcomeText(drawn));
    });
  },
);
