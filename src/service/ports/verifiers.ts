/** Ports that verify signed texts: credentials, assertions, DPoP proofs. */
import type { JsonObject } from '../../engine/index.js';

/** How an issuer's credential is written, as OpenID4VCI names it. */
export type CredentialFormat = 'jwt_vc_json' | 'dc+sd-jwt';

/** Which of a credential's types, and how its members become claims. */
export interface ClaimMapping {
  /** The `vct` of an SD-JWT VC, or one of a W3C credential's `type`. */
  readonly type: string;
  /** From a JSON Pointer (RFC 6901) into the credential's content to the claim path that its value is kept under. */
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

/** An issuer whose credentials are taken, with the keys that it signs with. */
export interface TrustedIssuer {
  /** As `iss` or `issuer` says it, compared by code unit. */
  readonly issuer: string;
  /** As evidence names it. */
  readonly source: string;
  readonly keys: readonly PublicJwk[];
  readonly mappings: readonly ClaimMapping[];
  /** Whether a JWT VC without `typ` is accepted. By default it is rejected: nothing would tell it from another JWT of the issuer. */
  readonly acceptMissingTyp?: boolean;
  /**
   * How possession of the key in `cnf` is established: by a key-binding JWT that is verified here, or `external`, by the program that
   * hands the credential in. `proof` by default.
   */
  readonly holderBinding?: 'proof' | 'external';
  /**
   * Whether a credential must have a subject in the clear or be bound to its holder's key. By default `required` for an SD-JWT VC, whose
   * holder can withhold a subject in a disclosure, and `optional` for a JWT VC.
   */
  readonly subject?: 'required' | 'optional';
}

/** What a holder was asked to sign when presenting an SD-JWT (RFC 9901 §7.3). */
export interface KeyBindingChallenge {
  readonly audience: string;
  readonly nonce: string;
}

/** What a credential must say beyond being genuine. */
export interface CredentialExpectations {
  /** The issuer URL of this service. A credential with `aud` must name it; without an audience here, any `aud` is rejected. */
  readonly audience?: string;
  /** The challenge that a key-binding JWT must answer. Where present, the JWT must be present as well. */
  readonly keyBinding?: KeyBindingChallenge;
}

/** What a signed text says, once it is known to be genuine. Instants are epoch milliseconds. */
export interface VerifiedCredential {
  readonly issuer: TrustedIssuer;
  readonly types: readonly string[];
  /** `jti`, or the `id` of a W3C credential, where the signed payload contains it. */
  readonly id?: string;
  /** `sub`, or the `id` of `credentialSubject`. */
  readonly subject?: string;
  /** Header and payload as the issuer signed them: the same for every signature and every choice of disclosures. */
  readonly signedContent: string;
  /** The latest of the instants from which the issuer says that it holds. */
  readonly issuedAt: number;
  /** The earliest of the instants at which the issuer says that it ends. */
  readonly expiresAt?: number;
  /**
   * `credentialSubject`; or the payload with its disclosures inserted, without the registered members. An array element that was not
   * disclosed is a hole: the others keep the index at which they were signed.
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

/** A refusal's message says what would be right, and repeats nothing of the credential. */
export type VerificationOutcome =
  | { readonly accepted: true; readonly credential: VerifiedCredential }
  | { readonly accepted: false; readonly reason: CredentialRejectionReason; readonly message: string };

export interface CredentialVerifier {
  /**
   * Verifies a credential at an instant (epoch ms). Looks nothing up: no `did:`, no key by URL, and no status or
   * revocation list, so that a credential that its issuer has suspended is still accepted.
   *
   * @returns A refusal for any bad text; never rejects for one.
   */
  verify(
    text: string,
    format: CredentialFormat,
    issuers: readonly TrustedIssuer[],
    now: number,
    expected?: CredentialExpectations,
  ): Promise<VerificationOutcome>;
}

/** What an assertion says, once it is known to be genuine, for us, and in its time. */
export interface Assertion {
  /** Its `jti`: used once. */
  readonly id: string;
  /** Its `sub`. */
  readonly subject: string;
  /** What ties it to the browser that asked. */
  readonly nonce?: string;
  readonly email?: string;
  /** Its `auth_time`: when the person signed in there, epoch milliseconds; absent where the login does not say. */
  readonly authenticatedAt?: number;
  /** Whether its `amr` names `palm` (RFC 8176). */
  readonly palmVerified: boolean;
  /** From when on it is worth nothing, epoch milliseconds. */
  readonly expiresAt: number;
}

/** What a client's assertion says of it (RFC 7523 §3). */
export interface ClientAssertion {
  /** Its `jti`: used once. */
  readonly id: string;
  /** From when on it is worth nothing, epoch milliseconds. */
  readonly expiresAt: number;
}

export interface ClientAssertionVerifier {
  /**
   * Reads what a client signed to show who it is.
   *
   * @param clientId - Who it has to be of: its `iss` and its `sub`.
   * @param keys - The client's own.
   * @param audience - The issuer URL of this service, which must be its only `aud`. The URL of an endpoint is not accepted: a server
   *   that a client was led to could replay the assertion here (audience injection, draft-ietf-oauth-rfc7523bis).
   * @returns `undefined` for whatever is not one. Never rejects.
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
   * Reads a signed assertion.
   *
   * @param audience - Whom it has to be for.
   * @param now - Epoch milliseconds.
   * @returns `undefined` for whatever is not one, with no reason: nobody but an attacker would need it. Never rejects.
   */
  verify(text: string, audience: string, now: number): Promise<Assertion | undefined>;
}

/** A login that is not ours. */
export interface ExternalSignIn {
  /** Where a browser is sent. */
  readonly url: string;
  readonly assertions: AssertionVerifier;
}

/** The request that a proof must be made for. */
export interface ExpectedProof {
  readonly method: string;
  /** The URL of the request; its query and fragment are ignored. */
  readonly url: string;
  /** SHA-256 of the access token that the request presents, base64url; absent at the token endpoint. */
  readonly accessTokenHash?: string;
}

/** A proof whose signature verifies, made for the expected request and in time, or what is wrong with it. */
export type ProofOutcome =
  | {
      readonly accepted: true;
      /** SHA-256 thumbprint of the key that signed it (RFC 7638), base64url. */
      readonly jkt: string;
      /** Its `jti`: used once with this key. */
      readonly id: string;
      /** Its `nonce`, which is not verified yet. */
      readonly nonce?: string;
      /** From when on no instance accepts it any more, epoch milliseconds. */
      readonly expiresAt: number;
    }
  | {
      readonly accepted: false;
      /** What the proof must be: printable ASCII without `"` and `\`, and nothing of the proof. */
      readonly fault: string;
    };

export interface DpopVerifier {
  /** The algorithms by which a proof may be signed (RFC 7518), all asymmetric. */
  readonly algorithms: readonly string[];

  /**
   * Verifies a proof (RFC 9449 §4.3), except for its nonce and for whether it was used before.
   *
   * @param now - Epoch milliseconds.
   * @returns The first fault of a proof that is not accepted. Never rejects for a proof.
   */
  verify(text: string, expected: ExpectedProof, now: number): Promise<ProofOutcome>;
}
