/** Signing keys of ID tokens: creates and rotates them, and selects the signing key and the published keys at an instant (V10, S179). */
import { MS_PER_SECOND } from '../../util/time.js';
import { ID_TOKEN_ALGORITHMS, type IdTokenAlgorithm } from '../clients/application.js';
import type { Ports } from '../ports/ports.js';

/** Instants are epoch milliseconds. */
export interface SigningKey {
  readonly kid: string;
  readonly algorithm: IdTokenAlgorithm;
  /** The private key as a JSON Web Key text (RFC 7517). Never shown. */
  readonly privateJwk: string;
  /** The instant at which it was created; the JWKS contains it from then on. */
  readonly publishedAt: number;
  /** The instant from which it signs: for a rotated key, one cache lifetime after `publishedAt`, so that verifiers have fetched it. */
  readonly signsFrom: number;
}

/** Cache lifetime of the JWKS. A new key is published this long before it signs. */
export const JWKS_CACHE_SECONDS = 300;

/** Lifetime of ID tokens. A replaced key stays published until its last token has expired, plus one cache lifetime of the JWKS. */
export const ID_TOKEN_LIFETIME_SECONDS = 3_600;

/**
 * Returns the newest key of an algorithm that signs at an instant; if none does, the first that will sign, which `publishedKeysAt` lists as well;
 * `undefined` without a key. No key signs yet if the clock is behind that of the instance that created the keys, or after a rotation in a new store.
 */
export function signingKeyAt<Key extends Pick<SigningKey, 'algorithm' | 'signsFrom'>>(
  keys: readonly Key[],
  algorithm: IdTokenAlgorithm,
  at: number,
): Key | undefined {
  const candidates = keys
    .filter((key) => key.algorithm === algorithm)
    .sort((left, right) => left.signsFrom - right.signsFrom);
  return candidates.findLast((key) => key.signsFrom <= at) ?? candidates[0];
}

/** Returns the keys in the JWKS at an instant: keys that sign, will sign, or signed tokens that are still valid. */
export function publishedKeysAt(keys: readonly SigningKey[], at: number): readonly SigningKey[] {
  return keys.filter((key) => !hasEnded(key, keys, at));
}

/** Whether a key was replaced, and its last token expired at least one cache lifetime ago. */
function hasEnded(key: SigningKey, keys: readonly SigningKey[], at: number): boolean {
  const successors = keys.filter(
    (other) => other.algorithm === key.algorithm && other.signsFrom > key.signsFrom,
  );
  const replacedAt = Math.min(...successors.map(({ signsFrom }) => signsFrom));
  return replacedAt + (ID_TOKEN_LIFETIME_SECONDS + JWKS_CACHE_SECONDS) * MS_PER_SECOND <= at;
}

/** How long keys are cached for signing: shorter than the time from a key's publication until it signs. */
const SIGNING_CACHE_MS = 60_000;

/** Creates a function that lists the keys of the store, cached for a minute; an empty list is not cached. Select the signing key with {@link signingKeyAt}. */
export function createSigningKeyCache({
  store,
  clock,
}: Pick<Ports, 'store' | 'clock'>): () => Promise<readonly SigningKey[]> {
  let keys: readonly SigningKey[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const age = clock.now() - readAt;
    if (age >= 0 && age < SIGNING_CACHE_MS && keys.length > 0) return keys;
    const at = clock.now();
    keys = await store.listSigningKeys();
    readAt = at;
    return keys;
  };
}

type KeyPorts = Pick<Ports, 'store' | 'signer' | 'clock'>;

/** Creates a key for each algorithm that has none; it signs at once. */
export async function ensureSigningKeys({ store, signer, clock }: KeyPorts): Promise<void> {
  const isMissing = async (algorithm: IdTokenAlgorithm) =>
    (await store.listSigningKeys()).every((key) => key.algorithm !== algorithm);
  for (const algorithm of ID_TOKEN_ALGORITHMS) {
    if (!(await isMissing(algorithm))) continue;
    const key = await signer.createKey(algorithm);
    // Creating an RSA key takes up to a second, in which another instance may have added one, and served it as the only key.
    if (!(await isMissing(algorithm))) continue;
    const at = clock.now();
    await store.addSigningKey({ ...key, publishedAt: at, signsFrom: at });
  }
}

/**
 * Creates a new key for each algorithm. It is published at once and signs after the cache lifetime of the JWKS.
 *
 * @returns The new keys.
 */
export async function rotateSigningKeys({ store, signer, clock }: KeyPorts): Promise<readonly SigningKey[]> {
  const rotated: SigningKey[] = [];
  for (const algorithm of ID_TOKEN_ALGORITHMS) {
    const created = await signer.createKey(algorithm);
    const publishedAt = clock.now();
    const signsFrom = publishedAt + JWKS_CACHE_SECONDS * MS_PER_SECOND;
    const key = { ...created, publishedAt, signsFrom };
    await store.addSigningKey(key);
    rotated.push(key);
  }
  return rotated;
}
