/** A deterministic random generator, so that failures are reproducible. */
import { createHash } from 'node:crypto';
import type { Random } from '../../src/service/index.js';

export function createSeededRandom(seed: string): Random {
  let block = 0;
  return {
    bytes: (count) => {
      const blocks: Buffer[] = [];
      for (let length = 0; length < count; length += 32) {
        block += 1;
        blocks.push(createHash('sha256').update(`${seed}:${block}`).digest());
      }
      return Buffer.concat(blocks).subarray(0, count);
    },
  };
}
