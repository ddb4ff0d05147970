/** The cipher of encryption at rest: what it writes is what its page says, and nothing but that is read. */
import { webcrypto } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/system/node-ports.js';
import { createValueCipher } from '../../../src/system/value-cipher.js';
import { cipherOf, encryptionKey } from '../../support/encryption-keys.js';

const TEXTS = ['', 'a', '{"a.b":"Zoë 🌍"}', 'x'.repeat(100_000)];

/** Decrypts a value as documented, independent of the implementation. */
async function readByWebCrypto(bytes: Uint8Array, encrypted: string, bound: string): Promise<string> {
  const { subtle } = webcrypto;
  const base = await subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
  const key = await subtle.deriveKey(
    {
      name: 'HKDF',
      hash: 'SHA-256',
      salt: new Uint8Array(),
      info: new TextEncoder().encode('proviso values 1'),
    },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['decrypt'],
  );
  const whole = Buffer.from(encrypted, 'base64url');
  const parameters = {
    name: 'AES-GCM',
    iv: whole.subarray(0, 12),
    additionalData: new TextEncoder().encode(bound),
    tagLength: 128,
  };
  return new TextDecoder().decode(await subtle.decrypt(parameters, key, whole.subarray(12)));
}

describe('a value', () => {
  it.each(TEXTS.map((text) => [text.length, text]))(
    'of %i characters comes back, and is what AES-256-GCM gives under the key that HKDF derives',
    async (_length, text) => {
      const cipher = createValueCipher([encryptionKey('one')], systemRandom);
      const encrypted = cipher.encrypt(text, 'bound');
      expect(cipher.decrypt('one', encrypted, 'bound')).toBe(text);
      expect(await readByWebCrypto(encryptionKey('one').bytes, encrypted, 'bound')).toBe(text);
    },
  );

  it('is written with another nonce each time', () => {
    const cipher = createValueCipher([encryptionKey('one')], systemRandom);
    const nonces = Array.from({ length: 1_000 }, () => cipher.encrypt('x', '').slice(0, 16));
    expect(new Set(nonces).size).toBe(1_000);
  });

  it('does not decrypt under another key, id or associated data, or with a changed bit', () => {
    const cipher = cipherOf('one', 'two');
    const encrypted = cipher.encrypt('text', 'bound');
    expect(cipher.decrypt('two', encrypted, 'bound')).toBeUndefined();
    expect(cipher.decrypt('three', encrypted, 'bound')).toBeUndefined();
    expect(cipher.decrypt('one', encrypted, 'Bound')).toBeUndefined();
    expect(cipherOf(encryptionKey('one', 'another')).decrypt('one', encrypted, 'bound')).toBeUndefined();
    const bytes = Buffer.from(encrypted, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(cipher.decrypt('one', changed.toString('base64url'), 'bound')).toBeUndefined();
    }
    for (let length = 0; length < encrypted.length; length += 1)
      expect(cipher.decrypt('one', encrypted.slice(0, length), 'bound')).toBeUndefined();
  });
});

describe('a fingerprint', () => {
  it('is the same for the same text, key and place alone', () => {
    const cipher = cipherOf('one', 'two');
    const whole = cipher.fingerprint('one', 'text', 'place');
    expect(cipherOf('one').fingerprint('one', 'text', 'place')).toBe(whole);
    const others = [
      cipher.fingerprint('two', 'text', 'place'),
      cipher.fingerprint('one', 'Text', 'place'),
      cipher.fingerprint('one', 'text', 'Place'),
    ];
    expect(others).not.toContain(whole);
    expect(() => cipher.fingerprint('three', 'text', 'place')).toThrow(RangeError);
  });
});

it('keys are of 256 bits, one at least, each id once', () => {
  expect(() => createValueCipher([], systemRandom)).toThrow(RangeError);
  expect(() => cipherOf('one', 'one')).toThrow(RangeError);
  const short = { id: 'short', bytes: new Uint8Array(31) };
  expect(() => createValueCipher([short], systemRandom)).toThrow(RangeError);
});
