/** The keys that sign ID tokens, and which of them signs and shows at an instant (V10, S179). */
import type { IdTokenAlgorithm } from '../clients/application.js';

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

const MS_PER_SECOND = 1_000;

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
