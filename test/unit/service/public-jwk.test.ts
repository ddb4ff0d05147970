/** Recognition of public JSON Web Keys (RFC 7517). */
import { describe, expect, it } from 'vitest';
import { isPublicJwk } from '../../../src/service/keys/public-jwk.js';

const KEYS = [
  { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
  { kty: 'OKP', crv: 'Ed25519', x: 'x' },
  { kty: 'RSA', n: 'n', e: 'AQAB' },
];

describe.each(KEYS)('a public key of type $kty', (key) => {
  it('is recognized, with and without optional members', () => {
    expect(isPublicJwk(key)).toBe(true);
    expect(isPublicJwk({ ...key, kid: 'k', alg: 'a', use: 'sig', key_ops: ['verify'] })).toBe(true);
  });

  it.each(Object.keys(key))('must have `%s` as a string', (member) => {
    for (const value of [undefined, null, 7, ['x']])
      expect(isPublicJwk({ ...key, [member]: value })).toBe(false);
  });

  it.each(['kid', 'alg', 'use'])('must have `%s` as a string, if at all', (member) => {
    for (const value of [null, 7, ['x']]) expect(isPublicJwk({ ...key, [member]: value })).toBe(false);
  });

  it.each(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])(
    'must not have the private member `%s`',
    (member) => {
      expect(isPublicJwk({ ...key, [member]: 'x' })).toBe(false);
    },
  );
});

it.each([undefined, null, 'EC', 7, [], {}, { kty: 'AKP', pub: 'x' }, { kty: 'oct' }])(
  'a value that is not a key of a known type is rejected: %j',
  (value) => {
    expect(isPublicJwk(value)).toBe(false);
  },
);
