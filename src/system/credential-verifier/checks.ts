/** Checks shared by all credential formats: signature, audience, subject, validity. */
import { compactVerify, errors, importJWK, type JWK } from 'jose';
import { isInstant, parseInstant } from '../../engine/claims/instant.js';
import type {
  CredentialExpectations,
  CredentialRejectionReason,
  PublicJwk,
  TrustedIssuer,
} from '../../service/index.js';
import { isPlainObject } from '../../util/is-plain-object.js';
import { type CompactJws, decodeCompactJws, type Members, mediaTypeOf } from '../jws.js';

/** Key type and curve of each accepted algorithm, all asymmetric. */
const ALGORITHMS: ReadonlyMap<unknown, { readonly kty: string; readonly crv?: string }> = new Map([
  ['ES256', { kty: 'EC', crv: 'P-256' }],
  ['ES384', { kty: 'EC', crv: 'P-384' }],
  ['RS256', { kty: 'RSA' }],
  ['PS256', { kty: 'RSA' }],
  ['EdDSA', { kty: 'OKP', crv: 'Ed25519' }],
]);

/**
 * Decodes a JWS and checks its header. Does not verify the signature.
 *
 * @param mediaTypes - The accepted values of `typ`, in lower case without `application/`; `undefined` for a header without `typ`.
 * @throws {MalformedJws}
 * @throws {CredentialRejection}
 */
export function decodeSignedText(text: string, mediaTypes: readonly unknown[]): CompactJws {
  const jws = decodeCompactJws(text);
  const { header } = jws;
  if (!ALGORITHMS.has(header.alg)) {
    throw new CredentialRejection('algorithm', `alg must be one of ${[...ALGORITHMS.keys()].join(', ')}.`);
  }
  if (header.crit !== undefined)
    throw new CredentialRejection('critical_header', 'crit must be absent: no extension is supported.');
  if (!mediaTypes.includes(mediaTypeOf(header))) {
    const named = mediaTypes.filter((type) => type !== undefined).join(', ');
    throw new CredentialRejection('media_type', `typ must be one of ${named}.`);
  }
  return jws;
}

/**
 * Verifies the signature with a configured key of the issuer, ignoring keys in the header.
 *
 * @throws {CredentialRejection} `key_unknown`, `signature`
 */
export async function verifySignature(
  { text, header }: Pick<CompactJws, 'text' | 'header'>,
  issuer: Pick<TrustedIssuer, 'issuer' | 'keys'>,
): Promise<void> {
  const alg = header.alg as string;
  const key = chooseKey(header, issuer);
  try {
    await compactVerify(text, await importJWK(key as JWK, alg), { algorithms: [alg] });
  } catch (error) {
    if (error instanceof errors.JOSEError)
      throw new CredentialRejection('signature', 'The signature does not verify with the configured key.');
    throw new CredentialRejection(
      'key_unknown',
      'The configured key of the issuer must be valid, and an RSA key must have at least 2,048 bits.',
    );
  }
}

/** Finds a configured issuer. @throws {CredentialRejection} `issuer_unknown` */
export function findIssuer(name: unknown, issuers: readonly TrustedIssuer[]): TrustedIssuer {
  const issuer = issuers.find((candidate) => candidate.issuer === name);
  if (issuer === undefined) throw new CredentialRejection('issuer_unknown', 'The issuer is not configured.');
  return issuer;
}

/**
 * Returns the configured key that `kid` names. If none has that `kid`, returns the only configured key without a `kid` for the algorithm. If the
 * header has no `kid`, returns the only configured key for the algorithm.
 *
 * @throws {CredentialRejection} `key_unknown` if no key or several keys match.
 */
function chooseKey(
  { alg, kid }: Members,
  { issuer, keys }: Pick<TrustedIssuer, 'issuer' | 'keys'>,
): PublicJwk {
  const candidates = keys.filter((key) => fits(key, alg));
  const isNamed = (key: PublicJwk): boolean =>
    key.kid !== undefined && [key.kid, `#${key.kid}`, `${issuer}#${key.kid}`].includes(kid as string);
  const named = kid === undefined ? candidates : candidates.filter(isNamed);
  const chosen = named.length > 0 ? named : candidates.filter((key) => key.kid === undefined);
  if (chosen.length !== 1) {
    throw new CredentialRejection(
      'key_unknown',
      'kid and alg must name exactly one configured key of the issuer.',
    );
  }
  return chosen[0] as PublicJwk;
}

function fits(key: PublicJwk, alg: unknown): boolean {
  const required = ALGORITHMS.get(alg);
  return (
    key.kty === required?.kty &&
    (required?.crv === undefined || key.crv === required.crv) &&
    (key.alg === undefined || key.alg === alg) &&
    (key.use === undefined || key.use === 'sig')
  );
}

/** Thrown within this folder for a rejected credential; the verifier converts it to a result. */
export class CredentialRejection extends Error {
  constructor(
    readonly reason: CredentialRejectionReason,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Returns the signing input of RFC 7515 §5.1. It identifies a credential that has neither `jti` nor the `id` of a W3C credential. Excludes the
 * signature, which does not identify the credential: from an ECDSA signature `(r, s)` anyone can compute `(r, n - s)`, which verifies as well.
 */
export function signedContentOf({ text }: CompactJws): string {
  return text.slice(0, text.lastIndexOf('.'));
}

/** Rejects a JWT for another audience (RFC 7519 §4.1.3). @throws {CredentialRejection} `audience` */
export function assertAudience(aud: unknown, { audience }: CredentialExpectations): void {
  if (aud === undefined) return;
  if (audience !== undefined && [aud].flat().includes(audience)) return;
  throw new CredentialRejection('audience', 'aud must be absent or name the issuer URL of this service.');
}

/**
 * Rejects a credential that is bound to its holder's key, unless its issuer has the holder binding `external`. Called if there is no proof of
 * possession.
 *
 * @param confirmation - `cnf` (RFC 7800) of the signed payload.
 * @param message - States what is required of this type of credential.
 * @throws {CredentialRejection} `key_binding`
 */
export function assertNoKeyBinding(
  confirmation: unknown,
  { holderBinding }: TrustedIssuer,
  message: string,
): void {
  if (confirmation === undefined || holderBinding === 'external') return;
  throw new CredentialRejection('key_binding', message);
}

/**
 * Rejects a credential without a subject and without key binding, which anyone with a copy could present.
 *
 * @param subject - `sub`, or the `id` of `credentialSubject`, if the issuer signed it without selective disclosure.
 * @param confirmation - `cnf` of the signed payload. The caller has verified the proof of possession, unless the holder binding is `external`.
 * @throws {CredentialRejection} `subject_missing`
 */
export function assertSubject(subject: unknown, confirmation: unknown): void {
  if (subject !== undefined || isPlainObject(confirmation)) return;
  throw new CredentialRejection(
    'subject_missing',
    'A credential must have cnf or a subject that is not selectively disclosable; or its issuer must have `"subject": "optional"` in the file of issuers.',
  );
}

/** Allowed clock difference of an issuer. The expiry has no tolerance. */
const CLOCK_TOLERANCE_MS = 60_000;

export interface Validity {
  readonly issuedAt: number;
  readonly expiresAt?: number;
}

/**
 * Returns the latest start and the earliest end, in epoch milliseconds. Numbers are NumericDate (RFC 7519), strings are RFC 3339 date-times;
 * `undefined` is skipped.
 *
 * @throws {CredentialRejection} `not_yet_valid`, `expired`; `malformed` without a start, or for a value that is not an instant.
 */
export function checkValidity(starts: readonly unknown[], ends: readonly unknown[], now: number): Validity {
  const from = starts.filter((start) => start !== undefined).map(toInstant);
  const until = ends.filter((end) => end !== undefined).map(toInstant);
  // The credential issued last takes precedence (L11), so an instant of issue is required.
  if (from.length === 0)
    throw new CredentialRejection('malformed', 'iat, nbf, validFrom or issuanceDate is required.');
  const issuedAt = Math.max(...from);
  if (issuedAt > now + CLOCK_TOLERANCE_MS) {
    throw new CredentialRejection(
      'not_yet_valid',
      'iat, nbf, validFrom and issuanceDate must not be in the future.',
    );
  }
  if (until.length === 0) return { issuedAt };
  const expiresAt = Math.min(...until);
  if (now >= expiresAt)
    throw new CredentialRejection(
      'expired',
      'The credential has expired: exp, validUntil and expirationDate must be in the future.',
    );
  return { issuedAt, expiresAt };
}

function toInstant(value: unknown): number {
  let instant: number | undefined;
  if (typeof value === 'number') instant = Math.trunc(value * 1_000);
  // Excludes dates without a time.
  if (typeof value === 'string' && value.includes(':')) instant = parseInstant(value);
  if (!isInstant(instant)) {
    const message = 'Instants must be NumericDate or RFC 3339 date-times, of the years 0000 to 9999.';
    throw new CredentialRejection('malformed', message);
  }
  return instant;
}
