/** W3C credentials as JWT: VC-JOSE-COSE (`vc+jwt`), and the `vc` claim of VC Data Model 1.1 §6.3.1. */
import type { JsonObject } from '../../engine/index.js';
import type { TrustedIssuer, VerifiedCredential } from '../../service/index.js';
import { CredentialRefusal } from './refusal.js';
import { findIssuer, isObject, readSignedText, verifySignature } from './signed-text.js';
import { checkValidity } from './validity.js';

const MEDIA_TYPES = [undefined, 'jwt', 'vc+jwt', 'vc+ld+jwt', 'vc-ld+jwt'];

/** Verifies a W3C credential. Throws a refusal for any other text. */
export async function verifyJwtVc(
  text: string,
  issuers: readonly TrustedIssuer[],
  now: number,
): Promise<VerifiedCredential> {
  const signed = readSignedText(text, MEDIA_TYPES);
  const { payload } = signed;
  const document = isObject(payload.vc) ? payload.vc : payload;
  const named = isObject(document.issuer) ? document.issuer.id : document.issuer;
  const issuer = findIssuer(payload.iss ?? named, issuers);
  await verifySignature(signed, issuer);
  if (named !== undefined && named !== issuer.issuer) {
    throw new CredentialRefusal('issuer_mismatch', 'iss and issuer are the same.');
  }
  const content = document.credentialSubject;
  if (!isObject(content)) throw new CredentialRefusal('malformed', 'credentialSubject is one object.');
  const starts = [payload.nbf, payload.iat, document.validFrom, document.issuanceDate];
  const ends = [payload.exp, document.validUntil, document.expirationDate];
  const id = sameText(payload.jti, document.id, 'jti and id are the same.');
  const subject = sameText(payload.sub, content.id, 'sub and the id of credentialSubject are the same.');
  return {
    issuer,
    types: [document.type].flat().filter((type) => typeof type === 'string'),
    ...(id === undefined ? {} : { id }),
    ...(subject === undefined ? {} : { subject }),
    ...checkValidity(starts, ends, now),
    content: content as JsonObject,
  };
}

function sameText(registered: unknown, own: unknown, message: string): string | undefined {
  const said = registered ?? own;
  if (said === undefined) return undefined;
  if (typeof said !== 'string' || (own !== undefined && own !== said)) {
    throw new CredentialRefusal('malformed', message);
  }
  return said;
}
