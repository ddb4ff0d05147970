/** The cipher for encryption at rest: the documented format of its values, and the rejection of changed values. */
import { webcrypto } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/system/node-ports.js';
import { createValueCipher } from '../../../src/system/value-cipher.js';
import { cipherOf, encryptionKey } from '../../support/encryption-keys.js';

const TEXTS = ['', 'a', '{"a.b":"Zoë 🌍"}', 'x'.repeat(100_000)];

/** Decrypts a value as documented, independent of the implementation. */
async function decryptByWebCrypto(bytes: Uint8Array, encrypted: string, bound: string): Promise<string> {
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
  const ciphertext = Buffer.from(encrypted, 'base64url');
  const parameters = {
    name: 'AES-GCM',
    iv: ciphertext.subarray(0, 12),
    additionalData: new TextEncoder().encode(bound),
    tagLength: 128,
  };
  return new TextDecoder().decode(await subtle.decrypt(parameters, key, ciphertext.subarray(12)));
}

describe('an encrypted value', () => {
  it.each(TEXTS.map((text) => [text.length, text]))(
    'of %i characters is decrypted, also by WebCrypto with AES-256-GCM and the key that HKDF derives',
    async (_length, text) => {
      const cipher = createValueCipher([encryptionKey('one')], systemRandom);
      const encrypted = cipher.encrypt(text, 'bound');
      expect(cipher.decrypt('one', encrypted, 'bound')).toBe(text);
      expect(await decryptByWebCrypto(encryptionKey('one').bytes, encrypted, 'bound')).toBe(text);
    },
  );

  it('has a new nonce each time', () => {
    const cipher = createValueCipher([encryptionKey('one')], systemRandom);
    const nonces = Array.from({ length: 1_000 }, () => cipher.encrypt('x', '').slice(0, 16));
    expect(new Set(nonces).size).toBe(1_000);
  });

  it('is not decrypted with another key, id or associated data, with a changed bit, or if it is truncated', () => {
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
  it('is equal only for the same text, key and context', () => {
    const cipher = cipherOf('one', 'two');
    const expected = cipher.fingerprint('one', 'text', 'context');
    expect(cipherOf('one').fingerprint('one', 'text', 'context')).toBe(expected);
    const others = [
      cipher.fingerprint('two', 'text', 'context'),
      cipher.fingerprint('one', 'Text', 'context'),
      cipher.fingerprint('one', 'text', 'Context'),
    ];
    expect(others).not.toContain(expected);
    expect(() => cipher.fingerprint('three', 'text', 'context')).toThrow(RangeError);
  });
});

it('a cipher requires one or more keys of 256 bits with distinct ids', () => {
  expect(() => createValueCipher([], systemRandom)).toThrow(RangeError);
  expect(() => cipherOf('one', 'one')).toThrow(RangeError);
  const short = { id: 'short', bytes: new Uint8Array(31) };
  expect(() => createValueCipher([short], systemRandom)).toThrow(RangeError);
});
