/** Size of compressed text. */
import { gzipSync } from 'node:zlib';

/** Returns the size with gzip, which every browser accepts. */
export function compressedBytes(text: string): number {
  return gzipSync(text, { level: 9 }).byteLength;
}
