/** Requests for authorization, and what becomes of each (V3, V8). */
import type { Authorization, AuthorizationStatus } from '../../authorization/authorization.js';
import type { SubjectIndex } from './grant-store.js';
import type { NewAccessToken, NewRefreshToken } from './token-store.js';

/** How a transition came out: `done`, or the state in which it was not allowed. */
export type TransitionOutcome =
  | { readonly done: true }
  | { readonly done: false; readonly status: AuthorizationStatus };

/** What somebody agreed to. */
export interface Approval {
  readonly authorizationId: string;
  readonly userId: string;
  /** By which the application finds this grant. */
  readonly subject: SubjectIndex;
  readonly scopes: readonly string[];
  readonly codeHash: string;
  readonly codeExpiresAt: number;
  /** When the person had signed in; absent where that is unknown. */
  readonly authenticatedAt?: number;
  readonly at: number;
}

/** A code, and the proof of who asked for it. */
export interface Redemption {
  readonly codeHash: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** S256 of the verifier that was shown (RFC 7636 §4.6). */
  readonly codeChallenge: string;
  /** The thumbprint of the key that was proven; a code that is bound to a key needs that one (RFC 9449 §10). Absent without a proof. */
  readonly jkt?: string;
  readonly at: number;
}

/** An authorization request that a client pushed (RFC 9126). */
export interface PushedRequest {
  /** SHA-256 of the random part of its `request_uri`. */
  readonly tokenHash: string;
  readonly clientId: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly expiresAt: number;
}

/** Keeps authorizations from the request to the end. */
export interface AuthorizationStore {
  /** Records a pushed authorization request. */
  createPushedRequest(request: PushedRequest): Promise<void>;

  /**
   * Deletes a pushed request of a client that has not expired, and returns its parameters; of several uses at once exactly one gets them.
   * `undefined`, without a change, where there is none: unknown, used, expired, or pushed by another client.
   */
  consumePushedRequest(
    tokenHash: string,
    clientId: string,
    at: number,
  ): Promise<ReadonlyMap<string, string> | undefined>;

  /** Records a request for authorization, in `pending_admin`. */
  createAuthorization(authorization: Authorization): Promise<void>;

  findAuthorization(authorizationId: string): Promise<Authorization | undefined>;

  /** `pending_admin` → `approved`, with a code; not after the request's lifetime (V3, V4). `undefined` where there is no such authorization. */
  approve(approval: Approval): Promise<TransitionOutcome | undefined>;

  /** `pending_admin` → `denied` (V3). `undefined` where there is no such authorization. */
  deny(authorizationId: string, at: number): Promise<TransitionOutcome | undefined>;

  /** Records whose palm was verified, and when, for a pending authorization (V6). */
  recordPalmVerification(authorizationId: string, userId: string, at: number): Promise<void>;

  /**
   * Clears the palm verifications of everyone but one person, for the pending authorizations that a browser began (V6).
   *
   * @param userId - The person who has just signed in there.
   */
  clearPalmVerifications(browserHash: string, userId: string): Promise<void>;

  /**
   * `approved` → `consumed`, with the tokens that come of it; of several redemptions of one code exactly one wins (V8).
   *
   * A second redemption that is right in everything revokes the authorization; one that is wrong in something changes nothing, but
   * the sixth such revokes an authorization whose code is not yet redeemed (D15, S80–S82).
   *
   * @param issue - What is recorded for the winner, given what was agreed to. Asked again where the store has to begin anew: what it
   *   gave last is what is recorded.
   * @returns The authorization as it was agreed to, for the winner alone.
   */
  redeemCode(
    redemption: Redemption,
    issue: (authorization: Authorization) => {
      readonly accessToken: NewAccessToken;
      readonly refreshToken: NewRefreshToken;
    },
  ): Promise<Authorization | undefined>;

  /**
   * Any state in force → `revoked`, and with it every token (V3). `undefined` where there is no such authorization.
   *
   * @param reason - For the audit log.
   */
  revokeAuthorization(
    authorizationId: string,
    at: number,
    reason?: string,
  ): Promise<TransitionOutcome | undefined>;
}
