/** Generates key pairs for tests. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const ENCODINGS = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;

/**
 * Generates a key pair, and parses it from PEM: Node 20 can deadlock where a generated key is exported as a JWK while the garbage collector
 * frees the job that generated it, since both acquire the lock of the key.
 */
export function createKeyPair(type: 'ed25519' | 'P-256' | 'P-384' | { readonly rsa: number }): KeyPair {
  // With encodings the keys are strings; the types of Node know that for literal options only.
  const pem = generate(type) as unknown as Readonly<Record<keyof KeyPair, string>>;
  return { publicKey: createPublicKey(pem.publicKey), privateKey: createPrivateKey(pem.privateKey) };
}

function generate(type: Parameters<typeof createKeyPair>[0]): object {
  if (typeof type === 'object') return generateKeyPairSync('rsa', { modulusLength: type.rsa, ...ENCODINGS });
  if (type === 'ed25519') return generateKeyPairSync('ed25519', ENCODINGS);
  return generateKeyPairSync('ec', { namedCurve: type, ...ENCODINGS });
}
