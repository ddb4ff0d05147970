/** The keys that sign ID tokens: creating and rotating them, and which of them signs and is published at an instant (V10, S179). */
import { MS_PER_SECOND } from '../../util/time.js';
import { ID_TOKEN_ALGORITHMS, type IdTokenAlgorithm } from '../clients/application.js';
import type { Ports } from '../ports/ports.js';

/** Instants are epoch milliseconds. */
export interface SigningKey {
  readonly kid: string;
  readonly algorithm: IdTokenAlgorithm;
  /** The private key as a JSON Web Key text (RFC 7517). Never shown. */
  readonly privateJwk: string;
  /** From when the JWKS shows it. */
  readonly publishedAt: number;
  /** From when it signs: a cache's lifetime later, so that whoever verifies has seen it. */
  readonly signsFrom: number;
}

/** How long a reader may keep the JWKS; a new key is published so much before it signs. */
export const JWKS_CACHE_SECONDS = 300;

/** How long an ID token is good: an old key is shown until its last token has ended. */
export const ID_TOKEN_LIFETIME_SECONDS = 3_600;

/** The key that signs at an instant: of those that sign already, the newest. */
export function signingKeyAt(
  keys: readonly SigningKey[],
  algorithm: IdTokenAlgorithm,
  at: number,
): SigningKey | undefined {
  return keys
    .filter((key) => key.algorithm === algorithm && key.signsFrom <= at)
    .sort((left, right) => left.signsFrom - right.signsFrom)
    .at(-1);
}

/** The keys that the JWKS shows at an instant: those that sign, will sign, or have signed what is still good. */
export function publishedKeysAt(keys: readonly SigningKey[], at: number): readonly SigningKey[] {
  return keys.filter((key) => key.publishedAt <= at && !hasEnded(key, keys, at));
}

/** Whether a newer key took over so long ago that nothing that this one signed is good any more. */
function hasEnded(key: SigningKey, keys: readonly SigningKey[], at: number): boolean {
  const successors = keys.filter(
    (other) => other.algorithm === key.algorithm && other.signsFrom > key.signsFrom,
  );
  const replacedAt = Math.min(...successors.map(({ signsFrom }) => signsFrom));
  return replacedAt + (ID_TOKEN_LIFETIME_SECONDS + JWKS_CACHE_SECONDS) * MS_PER_SECOND <= at;
}

type KeyPorts = Pick<Ports, 'store' | 'signer' | 'clock'>;

/** Makes the first key of each algorithm that has none; it signs at once. */
export async function ensureSigningKeys({ store, signer, clock }: KeyPorts): Promise<void> {
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
