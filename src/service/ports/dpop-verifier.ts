/** The port of DPoP proofs: a client shows that it holds a private key by signing each request with it (RFC 9449 §4). */

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
