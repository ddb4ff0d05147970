/** SD-JWT VC: a JWT with selectively disclosable members (RFC 9901, draft-ietf-oauth-sd-jwt-vc). */
import type { JsonObject } from '../../engine/index.js';
import type { TrustedIssuer, VerifiedCredential } from '../../service/index.js';
import { disclose } from './disclosures.js';
import { CredentialRefusal } from './refusal.js';
import { findIssuer, readSignedText, verifySignature } from './signed-text.js';
import { checkValidity } from './validity.js';

const MEDIA_TYPES = ['dc+sd-jwt', 'vc+sd-jwt'];

/** What says something of the credential rather than of its subject. */
const REGISTERED = new Set([
  'iss',
  'sub',
  'aud',
  'nbf',
  'iat',
  'exp',
  'jti',
  'cnf',
  'vct',
  'vct#integrity',
  'status',
]);

/**
 * Verifies an SD-JWT VC. One with a key-binding JWT at its end is refused: it was presented to somebody, and without
 * that verifier's nonce and audience (RFC 9901 §7.3) nobody else can check it. Throws a refusal for any other text.
 */
export async function verifySdJwtVc(
  text: string,
  issuers: readonly TrustedIssuer[],
  now: number,
): Promise<VerifiedCredential> {
  const parts = text.split('~');
  if (parts.length < 2) throw new CredentialRefusal('malformed', 'An SD-JWT ends in a tilde.');
  if (parts.at(-1) !== '') {
    throw new CredentialRefusal('key_binding', 'The text ends in a tilde, without a key-binding JWT.');
  }
  const signed = readSignedText(parts[0] as string, MEDIA_TYPES);
  const issuer = findIssuer(signed.payload.iss, issuers);
  await verifySignature(signed, issuer);
  const payload = await disclose(text, signed.payload);
  const { vct, sub, jti } = payload;
  if (typeof vct !== 'string') throw new CredentialRefusal('malformed', 'vct is a text.');
  const content = Object.entries(payload).filter(([name]) => !REGISTERED.has(name));
  return {
    issuer,
    types: [vct],
    ...(typeof jti === 'string' ? { id: jti } : {}),
    ...(typeof sub === 'string' ? { subject: sub } : {}),
    ...checkValidity([payload.nbf, payload.iat], [payload.exp], now),
    content: Object.fromEntries(content) as JsonObject,
  };
}
