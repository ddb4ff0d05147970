/** Size of compressed text. */
import { gzipSync } from 'node:zlib';

/** By gzip, which every browser takes; others are smaller. */
export function compressedBytes(text: string): number {
  return gzipSync(text, { level: 9 }).byteLength;
}
