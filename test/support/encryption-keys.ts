/** Deterministic encryption keys by name. */
import { createHash } from 'node:crypto';
import type { EncryptionKey, ValueCipher } from '../../src/service/index.js';
import { createValueCipher } from '../../src/system/value-cipher.js';
import { createSeededRandom } from './seeded-random.js';

let ciphers = 0;

/** @param seed - Determines the key; two keys of one name can have different seeds. */
export function encryptionKey(name: string, seed = name): EncryptionKey {
  return { id: name, bytes: createHash('sha256').update(seed).digest() };
}

/** Creates a cipher; the first key encrypts. */
export function cipherOf(...keys: readonly (string | EncryptionKey)[]): ValueCipher {
  ciphers += 1;
  const encryptionKeys = keys.map((key) => (typeof key === 'string' ? encryptionKey(key) : key));
  return createValueCipher(encryptionKeys, createSeededRandom(`nonces-${ciphers}`));
}

/** Formats keys as `PROVISO_ENCRYPTION_KEYS` requires. */
export function encryptionSetting(...names: readonly string[]): string {
  return names.map((name) => `${name}:${Buffer.from(encryptionKey(name).bytes).toString('hex')}`).join(',');
}
