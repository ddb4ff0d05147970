/** The port of digests: what is stored and shown in place of what must not be (V5, V7). */

export interface Digest {
  /** SHA-256 of a text's UTF-8, in base64url without padding. */
  sha256(text: string): string;
  /** The first bytes of a text's SHA-256, in base64url without padding. */
  sha256Prefix(text: string, byteCount: number): string;
  /** HMAC-SHA-256 of a text's UTF-8 under a key, in base64url without padding. */
  hmacSha256(key: string, text: string): string;
  /** Whether two texts are equal, in a time that does not tell where they differ (S133). */
  equal(left: string, right: string): boolean;
}
