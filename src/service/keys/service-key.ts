/** The secret key of the service, from which a separate key is derived for each purpose. */
import type { Digest } from '../ports/ports.js';

export type KeyPurpose =
  | 'cursors'
  | 'rate-limits'
  | 'verified-secrets'
  | 'client-assertions'
  | 'sign-in-assertions'
  | 'sign-in-providers'
  | 'dpop-proofs'
  | 'dpop-nonces'
  | 'ledger';

export interface ServiceKey {
  /** Returns the key for a purpose; the same at every instance of the service. Secret. */
  derive(purpose: KeyPurpose): string;
}

/** @param secret - 256 bits, shared by all instances of the service. */
export function createServiceKey(digest: Digest, secret: string): ServiceKey {
  const keys = new Map<KeyPurpose, string>();
  return {
    derive: (purpose) => {
      const key = keys.get(purpose) ?? digest.hmacSha256(secret, purpose);
      keys.set(purpose, key);
      return key;
    },
  };
}
