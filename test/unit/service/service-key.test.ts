/** The keys that are derived from the secret of the service. */
import { expect, it } from 'vitest';
import { createServiceKey, type KeyPurpose } from '../../../src/service/keys/service-key.js';
import { systemDigest } from '../../../src/system/node-ports.js';

const PURPOSES = {
  cursors: true,
  'rate-limits': true,
  'verified-secrets': true,
  'client-assertions': true,
  'sign-in-assertions': true,
  'sign-in-providers': true,
  'dpop-proofs': true,
  'dpop-nonces': true,
  ledger: true,
} satisfies Readonly<Record<KeyPurpose, true>>;

it('the service key derives a different key for each purpose, and none that contains the secret', () => {
  const key = createServiceKey(systemDigest, 'secret');
  const derived = (Object.keys(PURPOSES) as KeyPurpose[]).map((purpose) => key.derive(purpose));
  expect(new Set(derived).size).toBe(derived.length);
  expect(derived.join()).not.toContain('secret');
});

it('the service key derives the same key for a purpose at every instance with the same secret', () => {
  const [one, other] = [createServiceKey(systemDigest, 'secret'), createServiceKey(systemDigest, 'secret')];
  expect(one.derive('cursors')).toBe(other.derive('cursors'));
  expect(one.derive('cursors')).toBe(one.derive('cursors'));
  expect(createServiceKey(systemDigest, 'another').derive('cursors')).not.toBe(one.derive('cursors'));
});
