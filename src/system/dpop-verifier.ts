/** Verifies DPoP proofs with jose: asymmetric signatures by the key in the proof's header (RFC 9449 §4.3, S270–S273). */

import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWK, jwtVerify } from 'jose';
import type { DpopVerifier, ExpectedProof } from '../service/index.js';
import { isPublicJwk } from '../service/keys/public-jwk.js';
import { isPlainObject } from '../util/is-plain-object.js';
import { MS_PER_SECOND } from '../util/time.js';
import { decodeCompactJws, isIdentifier, MalformedJws, type Members, mediaTypeOf } from './jws.js';

/** Accepted algorithms. `EdDSA` is the earlier name of `Ed25519` (RFC 9864). */
const ALGORITHMS = Object.freeze(['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA', 'Ed25519']);
const MAX_CODE_UNITS = 4_096;
/** Maximum difference between `iat` and now, in either direction. */
const WINDOW_SECONDS = 60;
/** Allowed clock difference between instances. */
const CLOCK_TOLERANCE_SECONDS = 5;
/** Minimum length of `n` (2,048 bits, which jose requires) in base64url. */
const MIN_RSA_N = 342;
/** Maximum lengths of `n` (4,096 bits) and `e` (32 bits) in base64url. Bounds the time of verification. */
const MAX_RSA = { n: 683, e: 6 };

export const systemDpopProofs: DpopVerifier = Object.freeze({
  algorithms: ALGORITHMS,
  verify: async (text, expected, now) => {
    if (text.length > MAX_CODE_UNITS) return rejected(`must have at most ${MAX_CODE_UNITS} characters`);
    const decoded = decode(text);
    if (decoded === undefined) return rejected('must be one compact JWT without repeated members');
    const { header, payload } = decoded;
    const fault = headerFault(header) ?? payloadFault(payload, expected, now);
    if (fault !== undefined) return rejected(fault);
    // `headerFault` and `payloadFault` checked these types.
    const { jwk } = header as { readonly jwk: JWK };
    const {
      jti: id,
      iat,
      nonce,
    } = payload as { readonly jti: string; readonly iat: number; nonce?: unknown };
    const verified = await verifyJwt(text, jwk, now);
    if ('fault' in verified) return rejected(verified.fault);
    const expiresAt = Math.ceil((iat + WINDOW_SECONDS + CLOCK_TOLERANCE_SECONDS) * MS_PER_SECOND);
    return {
      accepted: true,
      jkt: verified.jkt,
      id,
      expiresAt,
      ...(typeof nonce === 'string' ? { nonce } : {}),
    };
  },
} satisfies DpopVerifier);

function rejected(fault: string): { readonly accepted: false; readonly fault: string } {
  return { accepted: false, fault: `the DPoP proof ${fault}` };
}

function decode(text: string): { readonly header: Members; readonly payload: Members } | undefined {
  try {
    return decodeCompactJws(text);
  } catch (error) {
    if (error instanceof MalformedJws) return undefined;
    throw error;
  }
}

function headerFault(header: Members): string | undefined {
  const { alg, jwk } = header;
  if (mediaTypeOf(header) !== 'dpop+jwt') return 'must have the typ dpop+jwt';
  if (typeof alg !== 'string' || !ALGORITHMS.includes(alg))
    return `must have an alg of ${ALGORITHMS.join(', ')}`;
  if (!isPlainObject(jwk) || !isPublicJwk(jwk))
    return 'must have a public key in jwk, with the members of its type and without private ones';
  const { kty, n, e } = jwk;
  const size = String(n).length;
  const isAllowed = size >= MIN_RSA_N && size <= MAX_RSA.n && String(e).length <= MAX_RSA.e;
  return kty === 'RSA' && !isAllowed ? 'must have an RSA key of 2048 to 4096 bits' : undefined;
}

function payloadFault(
  { jti, htm, htu, iat, ath }: Members,
  { method, url, accessTokenHash }: ExpectedProof,
  now: number,
): string | undefined {
  if (!isIdentifier(jti)) return 'must have a jti of 1 to 256 characters';
  if (htm !== method) return 'must have the method of the request as htm';
  if (normalizeUrl(htu) !== normalizeUrl(url)) return 'must have the URL of the request as htu';
  const isInTime = typeof iat === 'number' && Math.abs(iat - now / MS_PER_SECOND) <= WINDOW_SECONDS;
  if (!isInTime) return `must have an iat within ${WINDOW_SECONDS} seconds of the time of the server`;
  if (accessTokenHash !== undefined && ath !== accessTokenHash)
    return 'must have the SHA-256 of the access token as ath';
  return undefined;
}

/** Verifies the signature, `exp` and `nbf`. Returns the thumbprint of the key, or the fault, for every error, since the sender controls the key. */
async function verifyJwt(
  text: string,
  jwk: JWK,
  now: number,
): Promise<{ readonly jkt: string } | { readonly fault: string }> {
  try {
    const currentDate = new Date(now);
    await jwtVerify(text, EmbeddedJWK, {
      algorithms: [...ALGORITHMS],
      currentDate,
      clockTolerance: WINDOW_SECONDS,
    });
    return { jkt: await calculateJwkThumbprint(jwk) };
  } catch (error) {
    // Checked after the signature.
    const isUntimely = error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed;
    return {
      fault: isUntimely
        ? 'must have an exp in the future and an nbf in the past, as numbers, if it has these members'
        : 'must have a signature that verifies with the key in jwk',
    };
  }
}

/** Normalizes a URL (RFC 3986 §6.2.2, §6.2.3) and removes its query and fragment; `undefined` for an invalid URL or one with credentials. */
function normalizeUrl(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { origin, pathname, username, password } = new URL(url);
  if (username !== '' || password !== '') return undefined;
  const path = pathname.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded.toUpperCase();
  });
  return `${origin}${path}`;
}
