/** Encryption at rest with AES-256-GCM (NIST SP 800-38D), with keys derived by HKDF (RFC 5869). */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { EncryptionKey, Random, ValueCipher } from '../service/index.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** Nonces per call of the source of randomness: a call for a single nonce would take as long. */
const NONCES_PER_CALL = 128;
const NO_SALT = new Uint8Array();
const GCM = { authTagLength: TAG_BYTES };

/** Independent keys for encryption and fingerprints. */
interface DerivedKeys {
  readonly values: KeyObject;
  readonly fingerprints: KeyObject;
}

/**
 * Creates a cipher.
 *
 * @param keys - Keys with unique ids; the first encrypts.
 * @param random - Source of nonces, 96 bits each. One key must not encrypt more than 2³² values.
 * @throws {RangeError} Without a key, for a duplicate id, or for a key that does not have 256 bits.
 */
export function createValueCipher(keys: readonly EncryptionKey[], random: Random): ValueCipher {
  const [first, ...others] = keys;
  const derived = new Map(keys.map(({ id, bytes }) => [id, deriveKeys(bytes)]));
  if (first === undefined || derived.size < keys.length)
    throw new RangeError('at least one encryption key is required, and ids must be unique');
  const currentKeys = deriveKeys(first.bytes);
  const nextNonce = createNonces(random);
  return {
    keyIds: [first.id, ...others.map(({ id }) => id)],
    encrypt: (text, associatedData) => {
      const nonce = nextNonce();
      const cipher = createCipheriv(ALGORITHM, currentKeys.values, nonce, GCM);
      cipher.setAAD(Buffer.from(associatedData));
      const encrypted = cipher.update(text, 'utf8');
      // Returns no bytes, since GCM is a stream mode.
      cipher.final();
      const bytes = Buffer.allocUnsafe(NONCE_BYTES + encrypted.length + TAG_BYTES);
      bytes.set(nonce, 0);
      bytes.set(encrypted, NONCE_BYTES);
      bytes.set(cipher.getAuthTag(), NONCE_BYTES + encrypted.length);
      return bytes.toString('base64url');
    },
    decrypt: (keyId, encrypted, associatedData) => {
      const key = derived.get(keyId);
      const bytes = Buffer.from(encrypted, 'base64url');
      if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(ALGORITHM, key.values, nonce, GCM);
      decipher.setAAD(Buffer.from(associatedData)).setAuthTag(bytes.subarray(-TAG_BYTES));
      // Decoded as a whole: decoding each part takes longer.
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      try {
        decipher.final();
      } catch {
        return undefined;
      }
      return text.toString('utf8');
    },
    fingerprint: (keyId, text, associatedData) => {
      const key = derived.get(keyId);
      if (key === undefined) throw new RangeError(`unknown encryption key ${keyId}`);
      return createHmac('sha256', key.fingerprints)
        .update(JSON.stringify([associatedData, text]))
        .digest('base64url');
    },
  };
}

/** Returns a source of nonces, each returned once. */
function createNonces(random: Random): () => Uint8Array {
  let bytes: Uint8Array = new Uint8Array();
  return () => {
    if (bytes.length === 0) bytes = random.bytes(NONCE_BYTES * NONCES_PER_CALL);
    const nonce = bytes.subarray(0, NONCE_BYTES);
    bytes = bytes.subarray(NONCE_BYTES);
    return nonce;
  };
}

function deriveKeys(bytes: Uint8Array): DerivedKeys {
  if (bytes.length !== KEY_BYTES)
    throw new RangeError(`an encryption key must have ${KEY_BYTES} bytes, got ${bytes.length}`);
  const derive = (purpose: string) =>
    createSecretKey(new Uint8Array(hkdfSync('sha256', bytes, NO_SALT, `proviso ${purpose} 1`, KEY_BYTES)));
  return { values: derive('values'), fingerprints: derive('fingerprints') };
}
