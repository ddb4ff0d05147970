/** Making and rotating the keys that sign ID tokens (V10, S179). */
import { ID_TOKEN_ALGORITHMS } from '../clients/application.js';
import type { Ports } from '../ports/ports.js';
import { JWKS_CACHE_SECONDS, type SigningKey } from './signing-key.js';

type KeyPorts = Pick<Ports, 'store' | 'signer' | 'clock'>;

const MS_PER_SECOND = 1_000;

/** Makes the first key of each algorithm that has none; it signs at once. */
export async function keepSigningKeys({ store, signer, clock }: KeyPorts): Promise<void> {
  const existing = await store.listSigningKeys();
  for (const algorithm of ID_TOKEN_ALGORITHMS) {
    if (existing.some((key) => key.algorithm === algorithm)) continue;
    const at = clock.now();
    await store.addSigningKey({ ...(await signer.createKey(algorithm)), publishedAt: at, signsFrom: at });
  }
}

/**
 * Makes a new key of each algorithm. It is published now, and signs once every reader of the old JWKS has let go of it.
 *
 * @returns The new keys.
 */
export async function rotateSigningKeys({ store, signer, clock }: KeyPorts): Promise<readonly SigningKey[]> {
  const rotated: SigningKey[] = [];
  for (const algorithm of ID_TOKEN_ALGORITHMS) {
    const publishedAt = clock.now();
    const signsFrom = publishedAt + JWKS_CACHE_SECONDS * MS_PER_SECOND;
    const key = { ...(await signer.createKey(algorithm)), publishedAt, signsFrom };
    await store.addSigningKey(key);
    rotated.push(key);
  }
  return rotated;
}
