/** The port of signed assertions: who somebody is, by the word of a deployment's own login (RFC 7519, RFC 8725). */
import type { PublicJwk } from './credential-verifier.js';

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
export interface SignInElsewhere {
  /** Where a browser is sent. */
  readonly url: string;
  readonly assertions: AssertionVerifier;
}
