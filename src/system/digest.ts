/** Digests by Node's own cryptography (V5, V7). */
import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Digest } from '../service/index.js';

export const systemDigest: Digest = Object.freeze({
  // In one call: a third of the time of a hash that could take more.
  sha256: (text: string) => hash('sha256', text, 'base64url'),
  sha256Prefix: (text: string, byteCount: number) =>
    createHash('sha256').update(text).digest().subarray(0, byteCount).toString('base64url'),
  hmacSha256: (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url'),
  equal: (left: string, right: string) => {
    // Hashes have one length, whatever was shown; timingSafeEqual wants that.
    const [one, other] = [left, right].map((text) => createHash('sha256').update(text).digest());
    return one !== undefined && other !== undefined && timingSafeEqual(one, other);
  },
});
