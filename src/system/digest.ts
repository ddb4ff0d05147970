/** Digests by Node's own cryptography (V5, V7). */
import { createHash, createHmac } from 'node:crypto';
import type { Digest } from '../service/index.js';

export const systemDigest: Digest = Object.freeze({
  sha256: (text: string) => createHash('sha256').update(text).digest('base64url'),
  hmacSha256: (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url'),
});
