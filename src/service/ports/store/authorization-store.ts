/** Authorizations from the request to the end, and the tokens that are issued for them (V3, V7–V9). */
import type { Authorization, AuthorizationStatus } from '../../authorization/authorization.js';
import type { SubjectIndex } from './grant-store.js';

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

/** A code, the proof of who requested it, and the tokens to issue for it. */
export interface Redemption {
  readonly codeHash: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** S256 of the verifier that was shown (RFC 7636 §4.6). */
  readonly codeChallenge: string;
  /** The thumbprint of the key that was proven; a code that is bound to a key needs that one (RFC 9449 §10). Absent without a proof. */
  readonly jkt?: string;
  readonly at: number;
  /** Recorded with the granted scopes that are among `allowedScopes`. */
  readonly accessToken: Omit<NewAccessToken, 'scopes'>;
  readonly refreshToken: NewRefreshToken;
  /** The scopes that the application may have; all where absent. */
  readonly allowedScopes?: readonly string[];
}

/** A code that was redeemed. */
export interface RedeemedCode {
  /** As it was granted. */
  readonly authorization: Authorization;
  /** Those of the access token. */
  readonly scopes: readonly string[];
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
  approveAuthorization(approval: Approval): Promise<TransitionOutcome | undefined>;

  /** `pending_admin` → `denied` (V3). `undefined` where there is no such authorization. */
  denyAuthorization(authorizationId: string, at: number): Promise<TransitionOutcome | undefined>;

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
   * the fifth such revokes an authorization whose code is not yet redeemed (D15, S80–S82).
   *
   * @returns What was recorded, for the winner alone.
   */
  redeemCode(redemption: Redemption): Promise<RedeemedCode | undefined>;

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

/** An access token as a bearer presents it: the token's life and the grant that it stems from, in one look-up. */
export interface PresentedToken {
  readonly issuedAt: number;
  /** Epoch milliseconds; the first instant at which it is no longer good. */
  readonly expiresAt: number;
  /** Whether the token, its grant or its application has been revoked. */
  readonly revoked: boolean;
  /** Determines until when a grant that was not revoked is in force: see `isInForce`. */
  readonly authorization: Pick<Authorization, 'status' | 'codeExpiresAt'>;
  readonly authorizationId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly organizationId: string;
  /** The token's scopes as issued: the grant's or fewer. Those that the application lost since are among them. */
  readonly grantedScopes: readonly string[];
  /** The scopes for which the application is registered now. */
  readonly applicationScopes: readonly string[];
  /** The thumbprint of the key that the token is bound to; absent for a bearer token (RFC 9449). */
  readonly jkt?: string;
}

/** A refresh token as a client presents it. */
export interface PresentedRefreshToken {
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Whether it can no longer be used: rotated, revoked, or its grant or application revoked. */
  readonly spent: boolean;
  readonly authorization: Authorization;
  /** The thumbprint of the key that the token is bound to; absent where it is not. */
  readonly jkt?: string;
}

/** An access token to be recorded. Instants in epoch milliseconds. */
export interface NewAccessToken {
  /** SHA-256 of the token, base64url (V7). */
  readonly tokenHash: string;
  readonly scopes: readonly string[];
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The thumbprint of the key that it is bound to; absent for a bearer token. */
  readonly jkt?: string;
}

/** A refresh token to be recorded, with the family that it begins. */
export interface NewRefreshToken {
  readonly tokenHash: string;
  readonly familyId: string;
  readonly issuedAt: number;
  /** The end of the family. */
  readonly expiresAt: number;
  /** The thumbprint of the key that it is bound to; absent where it is not. */
  readonly jkt?: string;
}

/** A grant that was made without a browser, with the one access token that comes of it. */
export interface DirectGrant {
  readonly authorizationId: string;
  readonly clientId: string;
  readonly userId: string;
  /** By which the application finds this grant. */
  readonly subject: SubjectIndex;
  readonly scopes: readonly string[];
  readonly token: NewAccessToken;
}

/** A refresh token that a client presents, and the next of its family. */
export interface Rotation {
  readonly tokenHash: string;
  readonly clientId: string;
  readonly nextTokenHash: string;
  readonly accessToken: NewAccessToken;
  /** The thumbprint of the key that the next refresh token is bound to; where absent it is bound as this one is. */
  readonly nextJkt?: string;
  readonly at: number;
}

/** What is given back: where a client is known, what is another's counts as not there. */
export interface Revocation {
  readonly tokenHashes: readonly string[];
  /** Needs a known client: an id is no proof of anything. */
  readonly authorizationId?: string;
  /** Absent where nobody said who they are: holding a token is proof enough for that token. */
  readonly clientId?: string;
  /** Whether the whole authorization goes with a token. */
  readonly cascade: boolean;
  readonly at: number;
}

/** A token that was in force until now. */
export interface RevokedToken {
  readonly tokenType: 'access_token' | 'refresh_token';
  readonly authorizationId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly organizationId: string;
}

/** An authorization that was in force until now. */
export interface RevokedAuthorization {
  readonly authorizationId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly organizationId: string;
}

/** What was revoked. */
export interface RevocationOutcome {
  /**
   * For each hash, in order: what it was; `undefined` where it is none, is another client's, or was not in force. What another subject of
   * the same revocation ends counts as in force until then.
   */
  readonly tokens: readonly (RevokedToken | undefined)[];
  /** Those that were in force: of the tokens, with `cascade`, and the named one where it is this client's. Each once. */
  readonly authorizations: readonly RevokedAuthorization[];
}

/** Keeps tokens, and what each is good for. */
export interface TokenStore {
  /** The token with this hash and its grant, as they are now. */
  findPresentedToken(tokenHash: string): Promise<PresentedToken | undefined>;

  findRefreshToken(tokenHash: string): Promise<PresentedRefreshToken | undefined>;

  /**
   * Replaces a refresh token by the next of its family; of several rotations of one token exactly one wins (V9).
   *
   * A token that was rotated before revokes its authorization when its own client presents it.
   *
   * @returns Whether this rotation won.
   */
  rotateRefreshToken(rotation: Rotation): Promise<boolean>;

  /** Records one more access token of an authorization, if it is in force; tells whether it was. */
  recordAccessToken(authorizationId: string, token: NewAccessToken): Promise<boolean>;

  /** Records a grant that is in force at once, and its access token. */
  recordDirectGrant(grant: DirectGrant): Promise<void>;

  /** Revokes a client's own tokens, a refresh token with its family, and its own authorization with all of its tokens. */
  revokeTokens(revocation: Revocation): Promise<RevocationOutcome>;
}
