/** Opaque random tokens and ids (V7). */
import type { Digest, Random } from '../ports/ports.js';

const TOKEN_BYTES = 32;
const ID_BYTES = 16;

/** `A-Z a-z 0-9 - _`: 43 characters for 256 bits. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A token and the hash under which it is stored. */
export interface OpaqueToken {
  readonly token: string;
  readonly tokenHash: string;
}

/** Creates a token of 256 bits and its SHA-256, which is stored (V7). */
export function createOpaqueToken(random: Random, digest: Digest): OpaqueToken {
  const token = toBase64Url(random.bytes(TOKEN_BYTES));
  return { token, tokenHash: digest.sha256(token) };
}

/** Creates an unguessable id of 128 bits (S69). */
export function createOpaqueId(random: Random): string {
  return toBase64Url(random.bytes(ID_BYTES));
}

/** Whether a string has the form of a token, checked before store look-ups. Never throws. */
export function isTokenShaped(text: string): boolean {
  return TOKEN.test(text);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Encodes bytes as base64url without padding (RFC 4648 §5). Implemented here because the service does not depend on Node. */
function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  let pending = 0;
  let bits = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      text += ALPHABET[(pending >> bits) & 63];
    }
    pending &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(pending << (6 - bits)) & 63] : text;
}
