/** The port of signed assertions: who somebody is, by the word of a deployment's own login (RFC 7519, RFC 8725). */

/** What an assertion says, once it is known to be genuine, for us, and in its time. */
export interface Assertion {
  /** Its `jti`: used once. */
  readonly id: string;
  /** Its `sub`. */
  readonly subject: string;
  /** What ties it to the browser that asked. */
  readonly nonce?: string;
  readonly email?: string;
  /** Whether its `amr` names `palm` (RFC 8176). */
  readonly palmVerified: boolean;
  /** From when on it is worth nothing, epoch milliseconds. */
  readonly expiresAt: number;
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
