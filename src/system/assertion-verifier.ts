/**
 * Verifies assertions of the login page and of clients with jose: asymmetric signatures only, with configured keys only (S180).
 *
 * `jku`, `x5u` and `jwk` in a header are ignored: the key is found by `kid` and algorithm among the given keys.
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
import { isPublicJwk, PUBLIC_JWK_FORM } from '../service/keys/public-jwk.js';
import { MS_PER_SECOND } from '../util/time.js';
import { decodeCompactJws, isIdentifier, MalformedJws, mediaTypeOf } from './jws.js';

type Claims = JWTPayload & { readonly jti: string; readonly exp: number };

const ALGORITHMS = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA'];
/** A specific type, so that other tokens of the login page, such as ID tokens, are not accepted (RFC 8725 §3.11). */
const TYPES = ['sign-in+jwt'];
/** `typ` of client assertions is optional (RFC 7523, draft-ietf-oauth-rfc7523bis). */
const CLIENT_TYPES = [undefined, 'jwt', 'client-authentication+jwt'];
const MAX_CODE_UNITS = 4_096;
const MAX_AGE_SECONDS = 300;
const CLOCK_TOLERANCE_SECONDS = 5;
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;

/**
 * Creates a verifier of the login page's assertions.
 *
 * @param keys - A JWK Set of public keys (RFC 7517).
 * @throws {TypeError} If the set is malformed or empty, or contains a key that is not a public EC, OKP or RSA key with the members of its type.
 */
export function createAssertionVerifier(keys: unknown): AssertionVerifier {
  const getKey = createLocalJWKSet(publicKeys(keys));
  return {
    verify: async (text, audience, now) => {
      const claims = await verifyJwt(text, getKey, TYPES, { audience, maxTokenAge: MAX_AGE_SECONDS }, now);
      if (claims === undefined) return undefined;
      const { sub, nonce, email, amr, auth_time: authTime } = claims;
      if (!isIdentifier(sub)) return undefined;
      if (authTime !== undefined && !isPastInstant(authTime, now)) return undefined;
      return {
        ...identityOf(claims),
        subject: sub,
        ...(typeof nonce === 'string' ? { nonce } : {}),
        ...(isIdentifier(email) ? { email } : {}),
        // Limited to now, in case the login page's clock is ahead.
        ...(authTime === undefined
          ? {}
          : { authenticatedAt: Math.min(Math.floor(authTime * MS_PER_SECOND), now) }),
        palmVerified: Array.isArray(amr) && amr.includes('palm'),
      };
    },
  };
}

/** Verifies client assertions (RFC 7523): `private_key_jwt` of OpenID Connect Core §9. */
export const systemClientAssertions: ClientAssertionVerifier = Object.freeze({
  verify: async (text, clientId, keys, audience, now) => {
    const getKey = createLocalJWKSet({ keys: [...keys] });
    const expected = { audience, issuer: clientId, subject: clientId };
    const claims = await verifyJwt(text, getKey, CLIENT_TYPES, expected, now);
    // The lifetime is limited, since used assertions are stored until they expire.
    const isShortLived =
      claims !== undefined && claims.exp * MS_PER_SECOND <= now + MAX_AGE_SECONDS * MS_PER_SECOND;
    return isShortLived ? identityOf(claims) : undefined;
  },
} satisfies ClientAssertionVerifier);

/** Verifies type, signature, audience and lifetime. Returns the claims, or `undefined` if the JWT is rejected. */
async function verifyJwt(
  text: string,
  getKey: ReturnType<typeof createLocalJWKSet>,
  types: readonly unknown[],
  expected: JWTVerifyOptions,
  now: number,
): Promise<Claims | undefined> {
  if (text.length > MAX_CODE_UNITS) return undefined;
  try {
    // Decoded strictly first, since jose accepts duplicate members and non-canonical base64url.
    const { header } = decodeCompactJws(text);
    if (!types.includes(mediaTypeOf(header))) return undefined;
    const { payload } = await jwtVerify(text, getKey, {
      algorithms: ALGORITHMS,
      currentDate: new Date(now),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['jti', 'sub', 'exp', 'aud'],
      ...expected,
    });
    const { jti, exp, aud } = payload;
    if (!isIdentifier(jti) || exp === undefined || exp > LAST_SECOND || Array.isArray(aud)) return undefined;
    return { ...payload, jti, exp };
  } catch (error) {
    // A `DOMException` and some `TypeError`s are due to a malformed key.
    const isRejection = [errors.JOSEError, MalformedJws, TypeError, DOMException].some(
      (type) => error instanceof type,
    );
    if (isRejection) return undefined;
    throw error;
  }
}

function identityOf({ jti, exp }: Claims): { readonly id: string; readonly expiresAt: number } {
  // Includes the clock tolerance. A NumericDate may have a fraction, which is rounded up.
  return { id: jti, expiresAt: Math.ceil((exp + CLOCK_TOLERANCE_SECONDS) * MS_PER_SECOND) };
}

/** Whether a value is a NumericDate (RFC 7519 §2) that is not in the future, within the clock tolerance. */
function isPastInstant(value: unknown, now: number): value is number {
  return (
    typeof value === 'number' &&
    value >= 0 &&
    value * MS_PER_SECOND <= now + CLOCK_TOLERANCE_SECONDS * MS_PER_SECOND
  );
}

function publicKeys(set: unknown): JSONWebKeySet {
  const keys = typeof set === 'object' && set !== null && 'keys' in set ? set.keys : undefined;
  const isValid = Array.isArray(keys) && keys.length > 0 && keys.every(isPublicJwk);
  if (!isValid) throw new TypeError(`a JWK Set must have one or more \`keys\`, each ${PUBLIC_JWK_FORM}`);
  return { keys };
}
