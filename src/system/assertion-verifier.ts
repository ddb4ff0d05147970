/**
 * Assertions by jose: asymmetric signatures only, keys from the deployment's own set and no other place (S180).
 *
 * `jku`, `x5u` and `jwk` in a header are not looked at: the key is found by `kid` and algorithm in the set that was handed over.
 */
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import type { AssertionVerifier, ClientAssertionVerifier } from '../service/index.js';

type Claims = JWTPayload & { readonly jti: string; readonly exp: number };

const ALGORITHMS = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA'];
/** So that no other token of the same login, such as an ID token, is taken for an assertion (RFC 8725 §3.11). */
const TYPE = 'sign-in+jwt';
const MAX_CODE_UNITS = 4_096;
const MAX_AGE_SECONDS = 300;
const CLOCK_TOLERANCE_SECONDS = 5;
const MS_PER_SECOND = 1_000;
/** Of the year 9999: stores keep no number that is much larger. */
const LAST_SECOND = 253_402_300_799;
/** Members of a private key (RFC 7518 §6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];

/**
 * @param keys - A JWK Set of public keys (RFC 7517).
 * @throws {TypeError} When it is none, is empty, or holds what is private or symmetric.
 */
export function createAssertionVerifier(keys: unknown): AssertionVerifier {
  const find = createLocalJWKSet(publicKeys(keys));
  return {
    verify: async (text, audience, now) => {
      const claims = await readClaims(text, find, { audience, typ: TYPE, maxTokenAge: MAX_AGE_SECONDS }, now);
      if (claims === undefined) return undefined;
      const { sub, nonce, email, amr } = claims;
      if (!isName(sub)) return undefined;
      return {
        ...toUse(claims),
        subject: sub,
        ...(typeof nonce === 'string' ? { nonce } : {}),
        ...(isName(email) ? { email } : {}),
        palmVerified: Array.isArray(amr) && amr.includes('palm'),
      };
    },
  };
}

/** What clients sign to show who they are (RFC 7523): `private_key_jwt` of OpenID Connect Core §9. */
export const systemClientAssertions: ClientAssertionVerifier = Object.freeze({
  verify: async (text, clientId, keys, audiences, now) => {
    const find = createLocalJWKSet({ keys: [...keys] });
    const expected = { audience: [...audiences], issuer: clientId, subject: clientId };
    const claims = await readClaims(text, find, expected, now);
    // One that lives long would have to be remembered as long.
    const lives = claims !== undefined && claims.exp * MS_PER_SECOND <= now + MAX_AGE_SECONDS * MS_PER_SECOND;
    return lives ? toUse(claims) : undefined;
  },
} satisfies ClientAssertionVerifier);

/** What is signed, once it is known to be genuine, for one audience alone, and in its time. */
async function readClaims(
  text: string,
  find: ReturnType<typeof createLocalJWKSet>,
  expected: JWTVerifyOptions,
  now: number,
): Promise<Claims | undefined> {
  if (text.length > MAX_CODE_UNITS) return undefined;
  try {
    const { payload } = await jwtVerify(text, find, {
      algorithms: ALGORITHMS,
      currentDate: new Date(now),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['jti', 'sub', 'exp', 'aud'],
      ...expected,
    });
    const { jti, exp, aud } = payload;
    if (!isName(jti) || exp === undefined || exp > LAST_SECOND || Array.isArray(aud)) return undefined;
    return { ...payload, jti, exp };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function toUse({ jti, exp }: Claims): { readonly id: string; readonly expiresAt: number } {
  // A reader whose clock is behind may still take it that much later. A NumericDate may have a fraction, which no store keeps.
  return { id: jti, expiresAt: Math.ceil((exp + CLOCK_TOLERANCE_SECONDS) * MS_PER_SECOND) };
}

function isName(value: unknown): value is string {
  return (
    typeof value === 'string' && value !== '' && value.length <= 256 && !/\p{Cc}|\p{Surrogate}/u.test(value)
  );
}

function publicKeys(set: unknown): JSONWebKeySet {
  const keys = typeof set === 'object' && set !== null && 'keys' in set ? set.keys : undefined;
  const sound =
    Array.isArray(keys) &&
    keys.length > 0 &&
    keys.every(
      (key: unknown) =>
        typeof key === 'object' &&
        key !== null &&
        'kty' in key &&
        ['EC', 'RSA', 'OKP'].includes(String(key.kty)) &&
        !PRIVATE_MEMBERS.some((member) => member in key),
    );
  if (!sound)
    throw new TypeError('a JWK Set has one public key at least, and none that is private or symmetric');
  return { keys };
}
