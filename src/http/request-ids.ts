/** Ids for requests that bring none (S26): unguessable, and cheap, since randomness is fetched for many at once. */
import type { Random } from '../service/index.js';

const BYTES_PER_ID = 12;
const IDS_PER_BATCH = 256;

/** Makes ids from a source of randomness. */
export function createRequestIds(random: Random): () => string {
  let batch = '';
  let next = 0;
  const length = (BYTES_PER_ID / 3) * 4;
  return () => {
    if (next === batch.length) {
      batch = Buffer.from(random.bytes(BYTES_PER_ID * IDS_PER_BATCH)).toString('base64url');
      next = 0;
    }
    next += length;
    return batch.slice(next - length, next);
  };
}
