/** Verifies credentials with jose: asymmetric signatures only, with configured keys only, without network access. */

import type { JsonObject } from '../../engine/index.js';
import type {
  CredentialExpectations,
  CredentialFormat,
  CredentialVerifier,
  TrustedIssuer,
  VerifiedCredential,
} from '../../service/index.js';
import { isPlainObject } from '../../util/is-plain-object.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { MalformedJws } from '../jws.js';
import {
  assertAudience,
  assertNoKeyBinding,
  assertSubject,
  CredentialRejection,
  checkValidity,
  decodeSignedText,
  findIssuer,
  signedContentOf,
  verifySignature,
} from './checks.js';
import { verifySdJwtVc } from './sd-jwt-vc.js';

/** Maximum length in code units, which are bytes, since valid credentials are ASCII. */
const MAX_CODE_UNITS = 65_536;

type Verify = (
  text: string,
  issuers: readonly TrustedIssuer[],
  now: number,
  expected: CredentialExpectations,
) => Promise<VerifiedCredential>;

const FORMATS: Readonly<Record<CredentialFormat, Verify>> = {
  jwt_vc_json: verifyJwtVc,
  'dc+sd-jwt': verifySdJwtVc,
};

/** Accepts ES256, ES384, RS256, PS256 and EdDSA. Does not check status or revocation lists. */
export const systemCredentialVerifier: CredentialVerifier = Object.freeze({
  verify: async (text, format, issuers, now, expected = {}) => {
    try {
      if (text.length > MAX_CODE_UNITS) {
        throw new CredentialRejection('too_large', 'A credential must not be longer than 64 KiB.');
      }
      const credential = await FORMATS[format](text, issuers, now, expected);
      if (!credential.issuer.mappings.some(({ type }) => credential.types.includes(type))) {
        throw new CredentialRejection('type_unknown', "The type must be a type of the issuer's mappings.");
      }
      return { accepted: true, credential };
    } catch (error) {
      if (error instanceof CredentialRejection) {
        return { accepted: false, reason: error.reason, message: error.message };
      }
      if (error instanceof MalformedJws) {
        return { accepted: false, reason: 'malformed', message: error.message };
      }
      // Also catches stack overflows: `verify` never throws for an invalid credential.
      return { accepted: false, reason: 'malformed', message: 'The credential cannot be decoded.' };
    }
  },
} satisfies CredentialVerifier);

const MEDIA_TYPES = [undefined, 'jwt', 'vc+jwt', 'vc+ld+jwt', 'vc-ld+jwt'];
/** Required type of every W3C credential (VC Data Model §4.5). */
const BASE_TYPE = 'VerifiableCredential';

/**
 * Verifies a W3C credential.
 *
 * @throws {CredentialRejection}
 * @throws {MalformedJws}
 */
async function verifyJwtVc(
  text: string,
  issuers: readonly TrustedIssuer[],
  now: number,
  expected: CredentialExpectations,
): Promise<VerifiedCredential> {
  const signed = decodeSignedText(text, MEDIA_TYPES);
  const { header, payload } = signed;
  const document = isPlainObject(payload.vc) ? payload.vc : payload;
  const issuerId = isPlainObject(document.issuer) ? document.issuer.id : document.issuer;
  const issuer = findIssuer(payload.iss ?? issuerId, issuers);
  await verifySignature(signed, issuer);
  if (header.typ === undefined && issuer.acceptMissingTyp !== true) {
    throw new CredentialRejection(
      'media_type',
      'typ must be present (`vc+jwt` or `JWT`), or the issuer must have `"accept_missing_typ": true` in the file of issuers.',
    );
  }
  if (issuerId !== undefined && issuerId !== issuer.issuer) {
    throw new CredentialRejection('issuer_mismatch', 'iss and issuer must be the same.');
  }
  const types = [document.type].flat().filter((type) => typeof type === 'string');
  if (!types.includes(BASE_TYPE)) {
    throw new CredentialRejection('malformed', `type must contain ${BASE_TYPE}.`);
  }
  assertAudience(payload.aud, expected);
  if (expected.keyBinding !== undefined) {
    throw new CredentialRejection(
      'key_binding',
      '`audience` and `nonce` must be absent: a JWT VC has no key-binding JWT.',
    );
  }
  for (const confirmation of [payload.cnf, document.cnf])
    assertNoKeyBinding(
      confirmation,
      issuer,
      'A JWT VC must not have cnf, unless its issuer has `"holder_binding": "external"` in the file of issuers.',
    );
  const content = document.credentialSubject;
  if (!isPlainObject(content))
    throw new CredentialRejection('malformed', 'credentialSubject must be one object.');
  const starts = [payload.nbf, payload.iat, document.validFrom, document.issuanceDate];
  const ends = [payload.exp, document.validUntil, document.expirationDate];
  const id = sameString(payload.jti, document.id, 'jti and id must be the same string.');
  const subject = sameString(
    payload.sub,
    content.id,
    'sub and the id of credentialSubject must be the same string.',
  );
  if (issuer.subject === 'required') assertSubject(subject, payload.cnf ?? document.cnf);
  return {
    issuer,
    types,
    ...omitUndefined({ id, subject }),
    signedContent: signedContentOf(signed),
    ...checkValidity(starts, ends, now),
    content: content as JsonObject,
  };
}

function sameString(registered: unknown, member: unknown, message: string): string | undefined {
  const value = registered ?? member;
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || (member !== undefined && member !== value)) {
    throw new CredentialRejection('malformed', message);
  }
  return value;
}
