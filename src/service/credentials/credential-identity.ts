/** Which credential is which: what identifies one that an issuer signed, and whose its subject is (V18). */
import type { ServiceContext } from '../context.js';
import type { VerifiedCredential } from '../ports/verifiers.js';

type IdentityContext = Pick<ServiceContext, 'digest' | 'credentialKey'>;

/** What identifies a credential that an issuer signed. */
export interface SignedIdentity {
  readonly id: string;
  /** A keyed hash of the issuer and its subject; absent where the credential states none. */
  readonly subject?: string;
}

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
 */
export function signedIdentity(
  { id, issuer, subject, signedContent }: VerifiedCredential,
  { digest, credentialKey }: IdentityContext,
): SignedIdentity {
  const keyed = (kind: string, value: string) =>
    digest.hmacSha256(credentialKey, JSON.stringify([kind, issuer.issuer, value]));
  return {
    id:
      id === undefined
        ? `jws_${keyed('signed-content', signedContent)}`
        : `jti_${digest.sha256(JSON.stringify([issuer.issuer, id]))}`,
    ...(subject === undefined ? {} : { subject: keyed('subject', subject) }),
  };
}
