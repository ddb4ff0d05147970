/** Store ports of authorizations and their tokens (V3, V7–V9). */
import type { EvidenceLevel } from '../../../engine/index.js';
import type { Authorization, AuthorizationStatus } from '../../authorization/authorization.js';
import type { Application } from '../../clients/application.js';
import type { AuthorizationDetailsType, Condition } from '../../conditions/condition.js';
import type { SubjectIndex } from './grant-store.js';

/** The outcome of a transition: `done`, or the state that did not allow it. */
export type TransitionOutcome =
  | { readonly done: true }
  | { readonly done: false; readonly status: AuthorizationStatus };

/** An approval by a person. */
export interface Approval {
  readonly authorizationId: string;
  readonly userId: string;
  /** Index by which the application finds this grant. */
  readonly subject: SubjectIndex;
  readonly scopes: readonly string[];
  /** Default: none. */
  readonly conditions?: readonly Condition[];
  readonly codeHash: string;
  readonly codeExpiresAt: number;
  /** When the person authenticated; absent if unknown. */
  readonly authenticatedAt?: number;
  readonly at: number;
}

/** A code to redeem, the parameters that must match, and the tokens to issue. */
export interface Redemption {
  readonly codeHash: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** S256 of the presented code verifier (RFC 7636 §4.6). */
  readonly codeChallenge: string;
  /** Thumbprint of the proven key, which must match that of a bound code (RFC 9449 §10); absent without a proof. */
  readonly jkt?: string;
  readonly at: number;
  /** Recorded with the granted scopes that are among `allowedScopes`. */
  readonly accessToken: Omit<NewAccessToken, 'scopes'>;
  readonly refreshToken: NewRefreshToken;
  /** Scopes that the application may have. Default: all. */
  readonly allowedScopes?: readonly string[];
  /** Whether the application may have conditions. Default: false; the access token is then recorded without the granted conditions. */
  readonly allowsConditions?: boolean;
}

/** A redeemed code. */
export interface RedeemedCode {
  /** The authorization as granted. */
  readonly authorization: Authorization;
  /** Scopes of the access token. */
  readonly scopes: readonly string[];
  /** Conditions of the access token; absent if there are none. */
  readonly conditions?: readonly Condition[];
}

/** An authorization request that a client pushed (RFC 9126). */
export interface PushedRequest {
  /** SHA-256 of the random part of its `request_uri`. */
  readonly tokenHash: string;
  readonly clientId: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly expiresAt: number;
}

/** Stores authorizations. */
export interface AuthorizationStore {
  /** Records a pushed authorization request. */
  createPushedRequest(request: PushedRequest): Promise<void>;

  /**
   * Deletes a client's pushed request that has not expired, and returns its parameters; of concurrent calls exactly one gets them. Returns
   * `undefined` and changes nothing if it is unknown, used, expired or another client's.
   */
  consumePushedRequest(
    tokenHash: string,
    clientId: string,
    at: number,
  ): Promise<ReadonlyMap<string, string> | undefined>;

  /** Records a request for authorization, in `pending_admin`. */
  createAuthorization(authorization: Authorization): Promise<void>;

  findAuthorization(authorizationId: string): Promise<Authorization | undefined>;

  /** Finds an authorization with its application. */
  findAuthorizationDetail(
    authorizationId: string,
  ): Promise<{ readonly authorization: Authorization; readonly application: Application } | undefined>;

  /** `pending_admin` → `approved`, with a code; not after the request's lifetime (V3, V4). `undefined` for an unknown authorization. */
  approveAuthorization(approval: Approval): Promise<TransitionOutcome | undefined>;

  /** `pending_admin` → `denied` (V3). `undefined` for an unknown authorization. */
  denyAuthorization(authorizationId: string, at: number): Promise<TransitionOutcome | undefined>;

  /** Records a palm verification for a pending authorization (V6). */
  recordPalmVerification(authorizationId: string, userId: string, at: number): Promise<void>;

  /**
   * Clears the palm verifications of everyone except one person, for the pending authorizations of a browser (V6).
   *
   * @param userId - The person who has just signed in there.
   */
  clearPalmVerifications(browserHash: string, userId: string): Promise<void>;

  /**
   * `approved` → `consumed`, and records the tokens; of concurrent redemptions exactly one wins (V8).
   *
   * A second valid redemption revokes the authorization. An invalid one changes nothing, except that the fifth revokes an authorization whose
   * code is not redeemed yet (D15, S80–S82).
   *
   * @returns The recorded grant; `undefined` for an invalid or repeated redemption.
   */
  redeemCode(redemption: Redemption): Promise<RedeemedCode | undefined>;

  /**
   * In force, or withdrawn with a `restorableUntil`, even a past one → `revoked`, with every token (V3). `undefined` for an unknown authorization.
   *
   * @param reason - For the audit log.
   */
  revokeAuthorization(
    authorizationId: string,
    at: number,
    reason?: string,
  ): Promise<TransitionOutcome | undefined>;
}

/** A presented access token: its lifetime and its grant, in one look-up. */
export interface PresentedToken {
  readonly issuedAt: number;
  /** Epoch milliseconds; the first instant at which it is no longer valid. */
  readonly expiresAt: number;
  /** Whether the token, its grant or its application has been revoked. */
  readonly revoked: boolean;
  /** Determines until when a grant that was not revoked is in force: see `isInForce`. */
  readonly authorization: Pick<Authorization, 'status' | 'codeExpiresAt'>;
  readonly authorizationId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly organizationId: string;
  /** Scopes of the token as issued, including scopes that the application has lost since. */
  readonly grantedScopes: readonly string[];
  /** Conditions of the token as issued, even if the application may no longer have any; absent if there are none. */
  readonly grantedConditions?: readonly Condition[];
  /** Current scopes of the application. */
  readonly applicationScopes: readonly string[];
  /** The types of authorization details that the application may currently have; absent if there are none. */
  readonly applicationDetailsTypes?: readonly AuthorizationDetailsType[];
  /** The most evidence that results for the application contain; absent for `full`. */
  readonly maxEvidence?: EvidenceLevel;
  /** The thumbprint of the key that the token is bound to; absent for a bearer token (RFC 9449). */
  readonly jkt?: string;
}

/** A presented refresh token. */
export interface PresentedRefreshToken {
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Whether it can no longer be used: rotated, revoked, or its grant or application revoked. */
  readonly spent: boolean;
  /** Whether it was rotated: presenting it again is a replay. */
  readonly rotated: boolean;
  readonly authorization: Authorization;
  /** Thumbprint of the key that the token is bound to; absent for an unbound token. */
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

/** The first refresh token of a family, to be recorded. */
export interface NewRefreshToken {
  readonly tokenHash: string;
  readonly familyId: string;
  readonly issuedAt: number;
  /** The end of the family. */
  readonly expiresAt: number;
  /** The thumbprint of the key that it is bound to; absent for an unbound token. */
  readonly jkt?: string;
}

/** A grant without an authorization request, with one access token. */
export interface DirectGrant {
  readonly authorizationId: string;
  readonly clientId: string;
  readonly userId: string;
  /** Index by which the application finds this grant. */
  readonly subject: SubjectIndex;
  readonly scopes: readonly string[];
  readonly token: NewAccessToken;
}

/** Conditions that are among the granted conditions of an authorization. */
export interface ConditionsOfGrant {
  readonly authorizationId: string;
  readonly conditions: readonly Condition[];
}

/** A presented refresh token, and its successor. */
export interface Rotation {
  readonly tokenHash: string;
  readonly clientId: string;
  readonly nextTokenHash: string;
  readonly accessToken: NewAccessToken;
  /** The conditions of the access token. Default: none. */
  readonly conditions?: ConditionsOfGrant;
  /** The thumbprint of the key that the next refresh token is bound to. Default: the key of the current one. */
  readonly nextJkt?: string;
  readonly at: number;
}

/** A request to revoke tokens. For an authenticated client, tokens of other clients count as unknown. */
export interface Revocation {
  readonly tokenHashes: readonly string[];
  /** Requires an authenticated client, since knowing an id proves nothing. */
  readonly authorizationId?: string;
  /** The authenticated client; absent without authentication, when holding a token is enough to revoke that token. */
  readonly clientId?: string;
  /** Whether the authorization of each token is revoked as well. */
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

/** The tokens and authorizations that were revoked. */
export interface RevocationOutcome {
  /**
   * For each hash, in order, the revoked token; `undefined` if it is unknown, another client's, or was not in force. A token counts as in
   * force if it ends only because the same request revoked another token or the authorization.
   */
  readonly tokens: readonly (RevokedToken | undefined)[];
  /** The authorizations that were in force, each once: with `cascade`, those of the tokens; and the named one if it is this client's. */
  readonly authorizations: readonly RevokedAuthorization[];
}

/** Stores tokens. */
export interface TokenStore {
  /** Finds an access token by its hash, with the current state of its grant. */
  findAccessToken(tokenHash: string): Promise<PresentedToken | undefined>;

  findRefreshToken(tokenHash: string): Promise<PresentedRefreshToken | undefined>;

  /**
   * Replaces a refresh token by the next of its family; of several rotations of one token exactly one wins (V9).
   *
   * If its own client presents a rotated token again, the authorization is revoked.
   *
   * @returns Whether this rotation won.
   */
  rotateRefreshToken(rotation: Rotation): Promise<boolean>;

  /** Records an access token of an authorization that is in force; returns whether it was in force. */
  recordAccessToken(authorizationId: string, token: NewAccessToken): Promise<boolean>;

  /** Records a grant in force, with its access token. */
  recordDirectGrant(grant: DirectGrant): Promise<void>;

  /** Revokes tokens, a refresh token with its family, and an authorization with all of its tokens: see `Revocation`. */
  revokeTokens(revocation: Revocation): Promise<RevocationOutcome>;
}
