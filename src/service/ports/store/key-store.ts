/** Signing keys and secrets of the service itself (V10). */
import type { SigningKey } from '../../keys/signing-key.js';

/** Keeps what the service signs and derives with. */
export interface KeyStore {
  /** Every signing key, the one published first before the others. */
  listSigningKeys(): Promise<readonly SigningKey[]>;

  addSigningKey(key: SigningKey): Promise<void>;

  /** The secret kept under a name; of several that offer one at once, exactly one is kept and all get it. */
  keepSecret(name: string, offered: string): Promise<string>;
}
