/** Which credential is which: what identifies one that an issuer signed, and whose its subject is (V18). */
import type { ServiceContext } from '../context.js';
import type { VerifiedCredential } from '../ports/credential-verifier.js';
import type { SignedIdentity } from '../ports/store/credential-store.js';

type IdentityContext = Pick<ServiceContext, 'digest' | 'credentialKey'>;

/** The ids that are derived here; no credential of our own JSON may have one. */
const DERIVED_ID = /^(?:jti|jws)_[A-Za-z0-9_-]{43}$/;

/** Whether an id is one that {@link signedIdentity} may derive. */
export function isDerivedId(id: string): boolean {
  return DERIVED_ID.test(id);
}

/**
 * Identifies a signed credential: by issuer and `jti`, or where the issuer gave none by issuer and signed content. Neither changes with
 * the signature, the choice or the order of disclosures, and no issuer can take an id of another.
 *
 * `jti_` is followed by the SHA-256 of the JSON array `[issuer, jti]`, which an administrator can compute as well. `jws_` is keyed:
 * the signed content may contain claims, which a plain hash would let a reader of the store guess.
 *
 * @param text - As it was sent: earlier versions identified a credential without `jti` by it.
 */
export function signedIdentity(
  { id, issuer, subject, signedContent }: VerifiedCredential,
  text: string,
  { digest, credentialKey }: IdentityContext,
): SignedIdentity & { readonly id: string } {
  const keyed = (kind: string, value: string) =>
    digest.hmacSha256(credentialKey, JSON.stringify([kind, issuer.issuer, value]));
  return {
    id:
      id === undefined
        ? `jws_${keyed('signed-content', signedContent)}`
        : `jti_${digest.sha256(JSON.stringify([issuer.issuer, id]))}`,
    formerIds: [id ?? digest.sha256(text)],
    ...(subject === undefined ? {} : { subject: keyed('subject', subject) }),
  };
}
