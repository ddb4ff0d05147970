/** Access and refresh tokens, by their hashes (V7, V9). */
import type { Authorization } from '../../authorization/authorization.js';
import type { AskedMark } from './asked-mark.js';
import type { SubjectIndex } from './grant-store.js';

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
  /** For what the same request reads next. */
  readonly asked?: AskedMark;
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
  revoke(revocation: Revocation): Promise<RevocationOutcome>;
}
