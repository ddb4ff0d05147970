/** SD-JWT VC: a JWT with selectively disclosable members (RFC 9901, draft-ietf-oauth-sd-jwt-vc). */
import type { JsonObject } from '../../engine/index.js';
import type { CredentialExpectations, TrustedIssuer, VerifiedCredential } from '../../service/index.js';
import { disclose, hashOf } from './disclosures.js';
import { assertAudience, assertNoKeyBinding, assertSubject, signedContentOf } from './identity.js';
import { verifyKeyBinding } from './key-binding.js';
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
 * Verifies an SD-JWT VC: the issuer's signature, the disclosures, and the proof of the holder's key where `cnf` names one.
 *
 * @throws {CredentialRefusal}
 * @throws {MalformedJws}
 */
export async function verifySdJwtVc(
  text: string,
  issuers: readonly TrustedIssuer[],
  now: number,
  expected: CredentialExpectations,
): Promise<VerifiedCredential> {
  const end = text.lastIndexOf('~') + 1;
  const [sdJwt, proof] = [text.slice(0, end), text.slice(end)];
  const signedText = sdJwt.split('~')[0];
  if (end === 0 || signedText === undefined)
    throw new CredentialRefusal('malformed', 'An SD-JWT must end in a tilde or a key-binding JWT.');
  const signed = readSignedText(signedText, MEDIA_TYPES);
  const issuer = findIssuer(signed.payload.iss, issuers);
  await verifySignature(signed, issuer);
  // `jti` and `iat` may be in a disclosure and count only in the clear: identity and issuance must not depend on the holder's choice.
  const { vct, sub, aud, jti, nbf, iat, exp } = signed.payload;
  const payload = disclose(sdJwt, signed.payload);
  if (typeof vct !== 'string') throw new CredentialRefusal('malformed', 'vct must be a string.');
  if (![sub, jti].every((name) => name === undefined || typeof name === 'string'))
    throw new CredentialRefusal('malformed', 'sub and jti must be strings.');
  assertAudience(aud, expected);
  const confirmation = signed.payload.cnf;
  if (proof !== '' || expected.keyBinding !== undefined) {
    const presented = { sdJwt, proof, confirmation, hash: hashOf(signed.payload) };
    await verifyKeyBinding(presented, expected.keyBinding, now);
  } else assertNoKeyBinding(confirmation, issuer);
  if (issuer.subject !== 'optional') assertSubject(sub, confirmation);
  const validity = checkValidity([nbf, iat], [exp], now);
  if (payload.iat !== undefined) checkValidity([payload.iat], [], now);
  const content = Object.entries(payload).filter(([name]) => !REGISTERED.has(name));
  return {
    issuer,
    types: [vct],
    ...(typeof jti === 'string' ? { id: jti } : {}),
    ...(typeof sub === 'string' ? { subject: sub } : {}),
    signedContent: signedContentOf(signed),
    ...validity,
    content: Object.fromEntries(content) as JsonObject,
  };
}
