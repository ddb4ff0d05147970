/** Ports that verify credentials, assertions and DPoP proofs. */
import type { JsonObject } from '../../engine/index.js';

/** Credential format identifiers of OpenID4VCI. */
export type CredentialFormat = 'jwt_vc_json' | 'dc+sd-jwt';

/** Maps members of credentials of one type to claims. */
export interface ClaimMapping {
  /** The `vct` of an SD-JWT VC, or a member of a W3C credential's `type`. */
  readonly type: string;
  /** Claim paths by JSON Pointer (RFC 6901) into the credential's content. */
  readonly claims: Readonly<Record<string, string>>;
}

/** A public JSON Web Key (RFC 7517). */
export interface PublicJwk {
  readonly kty: string;
  readonly kid?: string;
  readonly alg?: string;
  readonly use?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly n?: string;
  readonly e?: string;
}

/** A trusted issuer and its signing keys. */
export interface TrustedIssuer {
  /** The value of `iss` or `issuer`, compared by code unit. */
  readonly issuer: string;
  /** The name of the issuer in evidence. */
  readonly source: string;
  readonly keys: readonly PublicJwk[];
  readonly mappings: readonly ClaimMapping[];
  /** Whether a JWT VC without `typ` is accepted. Rejected by default, since it could be another kind of JWT of the issuer. */
  readonly acceptMissingTyp?: boolean;
  /**
   * How possession of the key in `cnf` is established: `proof` (default) by a key-binding JWT, or `external` by the caller who ingests the
   * credential.
   */
  readonly holderBinding?: 'proof' | 'external';
  /**
   * Whether a credential must have a subject that is not selectively disclosable, or be bound to its holder's key. By default `required` for an
   * SD-JWT VC and `optional` for a JWT VC.
   */
  readonly subject?: 'required' | 'optional';
}

/** The challenge for a holder who presents an SD-JWT (RFC 9901 §7.3). */
export interface KeyBindingChallenge {
  readonly audience: string;
  readonly nonce: string;
}

/** Expected contents of a credential. */
export interface CredentialExpectations {
  /** The issuer URL of this service, which `aud` must contain if a credential has one. If absent, every credential with an `aud` is rejected. */
  readonly audience?: string;
  /** The challenge of the key-binding JWT, which is then required. */
  readonly keyBinding?: KeyBindingChallenge;
}

/** A verified credential. Instants are epoch milliseconds. */
export interface VerifiedCredential {
  readonly issuer: TrustedIssuer;
  readonly types: readonly string[];
  /** `jti`, or the `id` of a W3C credential; absent if the signed payload has none. */
  readonly id?: string;
  /** `sub`, or the `id` of `credentialSubject`. */
  readonly subject?: string;
  /** Signed header and payload, independent of the signature and of the choice of disclosures. */
  readonly signedContent: string;
  /** The latest of the stated starts of validity. */
  readonly issuedAt: number;
  /** The earliest of the stated ends of validity. */
  readonly expiresAt?: number;
  /**
   * `credentialSubject`, or the payload with disclosures inserted and without registered members. An undisclosed array element is a hole, so that
   * other elements keep their signed index.
   */
  readonly content: JsonObject;
}

export type CredentialRejectionReason =
  | 'too_large'
  | 'malformed'
  | 'media_type'
  | 'algorithm'
  | 'critical_header'
  | 'issuer_unknown'
  | 'issuer_mismatch'
  | 'key_unknown'
  | 'signature'
  | 'audience'
  | 'disclosure'
  | 'key_binding'
  | 'subject_missing'
  | 'not_yet_valid'
  | 'expired'
  | 'type_unknown';

/** The message of a rejection names the fault and contains nothing of the credential. */
export type VerificationOutcome =
  | { readonly accepted: true; readonly credential: VerifiedCredential }
  | { readonly accepted: false; readonly reason: CredentialRejectionReason; readonly message: string };

export interface CredentialVerifier {
  /**
   * Verifies a credential at an instant (epoch milliseconds). Performs no look-ups: no `did:`, no key by URL, and no status or revocation list,
   * so credentials that their issuer suspended or revoked are accepted.
   *
   * @returns The credential, or why it is invalid. Never rejects.
   */
  verify(
    text: string,
    format: CredentialFormat,
    issuers: readonly TrustedIssuer[],
    now: number,
    expected?: CredentialExpectations,
  ): Promise<VerificationOutcome>;
}

/** A verified sign-in assertion. */
export interface Assertion {
  /** Its `jti`: used once. */
  readonly id: string;
  /** Its `sub`. */
  readonly subject: string;
  /** Binds the assertion to the browser that started the sign-in. */
  readonly nonce?: string;
  readonly email?: string;
  /** Its `auth_time`: when the person authenticated, epoch milliseconds; absent if not stated. */
  readonly authenticatedAt?: number;
  /** Whether its `amr` names `palm` (RFC 8176). */
  readonly palmVerified: boolean;
  /** When it expires, clock tolerance included; epoch milliseconds. */
  readonly expiresAt: number;
}

/** A verified client assertion (RFC 7523 §3). */
export interface ClientAssertion {
  /** Its `jti`: used once. */
  readonly id: string;
  /** When it expires, clock tolerance included; epoch milliseconds. */
  readonly expiresAt: number;
}

export interface ClientAssertionVerifier {
  /**
   * Verifies a client assertion.
   *
   * @param clientId - Required `iss` and `sub`.
   * @param keys - Keys of the client.
   * @param audience - The issuer URL of this service, which must be the only `aud`. Endpoint URLs are rejected to prevent audience injection
   *   (draft-ietf-oauth-rfc7523bis).
   * @returns `undefined` for an invalid assertion. Never rejects.
   */
  verify(
    text: string,
    clientId: string,
    keys: readonly PublicJwk[],
    audience: string,
    now: number,
  ): Promise<ClientAssertion | undefined>;
}

export interface AssertionVerifier {
  /**
   * Verifies a sign-in assertion.
   *
   * @param audience - Required `aud`.
   * @param now - Epoch milliseconds.
   * @returns `undefined` for an invalid assertion, without a reason, which would help only attackers. Never rejects.
   */
  verify(text: string, audience: string, now: number): Promise<Assertion | undefined>;
}

/** An external login of the deployment. */
export interface ExternalSignIn {
  /** URL to which browsers are sent. */
  readonly url: string;
  readonly assertions: AssertionVerifier;
}

/** The request that a DPoP proof must be for. */
export interface ExpectedProof {
  readonly method: string;
  /** The URL of the request; its query and fragment are ignored. */
  readonly url: string;
  /** SHA-256 of the access token that the request presents, base64url; absent for a request without one, such as a token request. */
  readonly accessTokenHash?: string;
}

/** A valid proof, or its fault. */
export type ProofOutcome =
  | {
      readonly accepted: true;
      /** SHA-256 thumbprint of the key that signed it (RFC 7638), base64url. */
      readonly jkt: string;
      /** Its `jti`: used once with this key. */
      readonly id: string;
      /** Its `nonce`, which is not verified yet. */
      readonly nonce?: string;
      /** The first instant at which no instance accepts it any more, epoch milliseconds. */
      readonly expiresAt: number;
    }
  | {
      readonly accepted: false;
      /** Describes the fault: printable ASCII without `"` and `\`, and nothing of the proof. */
      readonly fault: string;
    };

export interface DpopVerifier {
  /** Accepted signature algorithms (RFC 7518), all asymmetric. */
  readonly algorithms: readonly string[];

  /**
   * Verifies a proof (RFC 9449 §4.3), except for its nonce and replay.
   *
   * @param now - Epoch milliseconds.
   * @returns The result; the promise never rejects for an invalid proof.
   */
  verify(text: string, expected: ExpectedProof, now: number): Promise<ProofOutcome>;
}
