/** What a credential says of itself beyond its claims: for whom it is, whose key it is bound to, and what identifies it. */
import type { CredentialExpectations, TrustedIssuer } from '../../service/index.js';
import { type CompactJws, isObject } from '../compact-jws.js';
import { CredentialRefusal } from './refusal.js';

/**
 * Returns the signing input of RFC 7515 §5.1. The signature is no part of it: of ECDSA `(r, s)` and `(r, n - s)` both verify, and
 * anyone can turn one into the other.
 */
export function signedContentOf({ text }: CompactJws): string {
  return text.slice(0, text.lastIndexOf('.'));
}

/** Rejects a JWT that its issuer made for somebody else (RFC 7519 §4.1.3). @throws {CredentialRefusal} `audience` */
export function assertAudience(aud: unknown, { audience }: CredentialExpectations): void {
  if (aud === undefined) return;
  if (audience !== undefined && [aud].flat().includes(audience)) return;
  throw new CredentialRefusal('audience', 'aud must be absent or name the issuer URL of this service.');
}

/**
 * Rejects a credential that is bound to its holder's key where nothing proved possession of it.
 *
 * @param confirmation - `cnf` (RFC 7800) of the signed payload.
 * @throws {CredentialRefusal} `key_binding`
 */
export function assertNoKeyBinding(confirmation: unknown, { holderBinding }: TrustedIssuer): void {
  if (confirmation === undefined || holderBinding === 'external') return;
  throw new CredentialRefusal(
    'key_binding',
    'A credential with cnf must end in a key-binding JWT, or its issuer must have `"holder_binding": "external"` in the file of issuers.',
  );
}

/**
 * Rejects a credential that anyone who has a copy could present as their own.
 *
 * @param subject - `sub`, or the `id` of `credentialSubject`, as the issuer signed it in the clear.
 * @param confirmation - `cnf` of the signed payload, after possession of its key was established.
 * @throws {CredentialRefusal} `subject_missing`
 */
export function assertSubject(subject: unknown, confirmation: unknown): void {
  if (subject !== undefined || isObject(confirmation)) return;
  throw new CredentialRefusal(
    'subject_missing',
    'A credential must have a subject that no holder can withhold, or cnf; or its issuer must have `"subject": "optional"` in the file of issuers.',
  );
}
