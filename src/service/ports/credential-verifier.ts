/** The port of credentials: tells a genuine one from a forged one, by keys that were configured. */
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

export type CredentialRefusalReason =
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
  | { readonly accepted: false; readonly reason: CredentialRefusalReason; readonly message: string };

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
