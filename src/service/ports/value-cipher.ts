/** The port of encryption at rest: what a store keeps of people, so that a copy of it tells nothing without the keys. */

/** A key of 256 bits, under a name by which values tell what encrypted them. */
export interface EncryptionKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

export interface ValueCipher {
  /** The first writes; all of them read. */
  readonly keyIds: readonly [string, ...string[]];
  /**
   * Encrypts a text under the first key.
   *
   * @param bound - What it belongs to: under anything else it cannot be decrypted.
   * @returns Nonce, ciphertext and tag, in base64url.
   */
  encrypt(text: string, bound: string): string;
  /** @returns `undefined` for what is not genuine, or not under a key of this name. Never throws. */
  decrypt(keyId: string, encrypted: string, bound: string): string | undefined;
  /** A text that stands for another wherever equal ones have to be found, and tells nothing of it without the key. */
  fingerprint(keyId: string, text: string, bound: string): string;
}
