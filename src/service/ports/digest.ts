/** The port of digests: what is stored and shown in place of what must not be (V5, V7). */

export interface Digest {
  /** SHA-256 of a text's UTF-8, in base64url without padding. */
  sha256(text: string): string;
  /** HMAC-SHA-256 of a text's UTF-8 under a key, in base64url without padding. */
  hmacSha256(key: string, text: string): string;
}
