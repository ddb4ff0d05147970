/** The keys that are derived from the secret of the service. */
import { expect, it } from 'vitest';
import { createServiceKey } from '../../../src/service/keys/service-key.js';
import { systemDigest } from '../../../src/system/node-ports.js';

it('the service key derives a different key for each purpose, and none that contains the secret', () => {
  const key = createServiceKey(systemDigest, 'secret');
  const derived = (['cursors', 'rate-limits', 'dpop-nonces'] as const).map((purpose) => key.derive(purpose));
  expect(new Set(derived).size).toBe(derived.length);
  expect(derived.join()).not.toContain('secret');
});

it('the service key derives the same key for a purpose at every instance with the same secret', () => {
  const [one, other] = [createServiceKey(systemDigest, 'secret'), createServiceKey(systemDigest, 'secret')];
  expect(one.derive('cursors')).toBe(other.derive('cursors'));
  expect(one.derive('cursors')).toBe(one.derive('cursors'));
  expect(createServiceKey(systemDigest, 'another').derive('cursors')).not.toBe(one.derive('cursors'));
});
