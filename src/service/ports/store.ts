/** The port of the store: what the service keeps, in the domain's words (V12). */
import type { Credential, PolicyItem } from '../../engine/index.js';
import type { AuditEntry, AuditQuery, AuditRecord } from '../audit/audit-entry.js';
import type { Authorization, AuthorizationStatus } from '../authorization/authorization.js';
import type { Application } from '../clients/application.js';
import type { SigningKey } from '../keys/signing-key.js';
import type { User } from '../users/user.js';

/** That a store was asked what it holds now, as the store itself marks it; it says nothing to anybody else. */
export type AskedMark = object;

/** An access token as a bearer presents it: the token's life and the grant that it stems from, in one look-up. */
export interface PresentedToken {
  readonly issuedAt: number;
  /** Epoch milliseconds; the first instant at which it is no longer good. */
  readonly expiresAt: number;
  /** Whether the token, its grant or its application has been revoked. */
  readonly revoked: boolean;
  readonly authorizationId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly organizationId: string;
  /** What the token is good for: the grant's scopes or fewer. */
  readonly grantedScopes: readonly string[];
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
}

/** An access token to be recorded. Instants in epoch milliseconds. */
export interface NewAccessToken {
  /** SHA-256 of the token, base64url (V7). */
  readonly tokenHash: string;
  readonly scopes: readonly string[];
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A refresh token to be recorded, with the family that it begins. */
export interface NewRefreshToken {
  readonly tokenHash: string;
  readonly familyId: string;
  readonly issuedAt: number;
  /** The end of the family. */
  readonly expiresAt: number;
}

/** A grant that was made without a browser, with the one access token that comes of it. */
export interface DirectGrant {
  readonly authorizationId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly token: NewAccessToken;
}

/** What somebody agreed to. */
export interface Approval {
  readonly authorizationId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly codeHash: string;
  readonly codeExpiresAt: number;
  /** When the person had shown who they are; absent where they showed it by agreeing. */
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
  readonly at: number;
}

export interface Rotation {
  readonly tokenHash: string;
  readonly clientId: string;
  readonly nextTokenHash: string;
  readonly accessToken: NewAccessToken;
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

/** What was revoked. */
export interface RevocationOutcome {
  /** For each hash, in order: what it was; `undefined` where it is none, is another client's, or was not in force. */
  readonly tokens: readonly (RevokedToken | undefined)[];
  /** Whether the authorization that was named is this client's and was in force. */
  readonly authorization: boolean;
}

/** A credential with what the store knows of it beside. */
export interface CredentialRecord {
  readonly credential: Credential;
  /** Whose it is. */
  readonly userId: string;
  /** When it was recorded or revoked; epoch milliseconds. */
  readonly updatedAt: number;
}

/** Which grants are asked for, in the order of their last change. */
export interface GrantQuery {
  readonly clientId: string;
  /** Of this person only. */
  readonly userId?: string;
  readonly status?: GrantStatus;
  /** Changed at this instant or later. */
  readonly updatedSince?: number;
  /** After this grant. */
  readonly after?: { readonly updatedAt: number; readonly authorizationId: string };
  /** How many at most. */
  readonly limit: number;
  /** The instant that it is: a code whose lifetime is over has taken its grant with it (V3). */
  readonly at: number;
}

/** Whether what somebody agreed to is in force. */
export type GrantStatus = 'active' | 'revoked';

/** What somebody agreed to, as its application may see it. */
export interface GrantRecord {
  readonly authorizationId: string;
  readonly userId: string;
  readonly status: GrantStatus;
  readonly updatedAt: number;
}

/** Whose grants to an application are asked for. */
export interface GrantHolderQuery {
  readonly clientId: string;
  /** The instant that it is. */
  readonly at: number;
  /** After this person. */
  readonly after?: string;
  /** How many people at most. */
  readonly limit: number;
}

/** A person, and the scopes of each of their grants that is in force. */
export interface GrantedScopes {
  readonly userId: string;
  readonly grants: readonly (readonly string[])[];
}

/** Who of some people satisfies a query. */
export interface AudienceQuestion {
  /** In canonical form. */
  readonly query: PolicyItem;
  readonly among: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
  /** Claims that are worked out from others, and not kept. */
  readonly derived: readonly string[];
}

export interface AudienceAnswer {
  /** In no order. Nobody else among those who were asked about satisfies the query. */
  readonly userIds: readonly string[];
  /** Whether each of them does; otherwise the store could not tell. */
  readonly exact: boolean;
}

/** All that one person agreed to towards one application. */
export interface Holding {
  readonly userId: string;
  readonly clientId: string;
}

/** What a person agreed to, as they see it themselves. Instants in epoch milliseconds. */
export interface PersonGrant {
  readonly authorizationId: string;
  readonly application: Application;
  readonly status: GrantStatus;
  readonly scopes: readonly string[];
  readonly approvedAt: number;
  /** The last change: for a grant that has ended, its end, or earlier where it ended by itself. */
  readonly updatedAt: number;
  readonly lastTokenIssuedAt?: number;
  /** Present where the person ended it: the first instant at which they can no longer take that back. */
  readonly withdrawnUntil?: number;
}

/** How a transition came out: `done`, or the state in which it was not allowed. */
export type TransitionOutcome =
  | { readonly done: true }
  | { readonly done: false; readonly status: AuthorizationStatus };

/** What no two people share. */
export type UserColumn = 'id' | 'name' | 'email' | 'evmAddress';

/** What a caller asked for, by an id that tells nothing of the caller. */
export interface SharedUse {
  readonly id: string;
  /** By how much later their bucket will be empty. */
  readonly ms: number;
}

/** What the store is filled with, whole or not at all. */
export interface Seed {
  readonly applications: readonly Application[];
  readonly people: readonly { readonly user: User; readonly credentials: readonly Credential[] }[];
}

/**
 * Every method is atomic: it happens whole or not at all, and of two that contend for one authorization, code or token exactly one
 * wins. What a method has returned from is durable: it survives the end of the process and of the machine (V12). Methods reject with
 * {@link StoreUnavailable} when the store cannot be reached, has no room, or cannot tell whether it did what it was asked; they never
 * reject for an answer of the domain. One that encrypts its values rejects, too, where what it reads is not what was written there. Nothing is cached between calls (V11).
 *
 * A store that was opened to keep an audit log records whatever changes grants, tokens, applications, credentials and keys in the same step: neither is
 * there without the other. Entries are added and never changed.
 */
export interface Store {
  /** Records a request for authorization, in `pending_admin`. */
  createAuthorization(authorization: Authorization): Promise<void>;

  findAuthorization(authorizationId: string): Promise<Authorization | undefined>;

  /** `pending_admin` → `approved`, with a code; not after the request's lifetime (V3, V4). `undefined` where there is no such authorization. */
  approve(approval: Approval): Promise<TransitionOutcome | undefined>;

  /** `pending_admin` → `denied` (V3). `undefined` where there is no such authorization. */
  deny(authorizationId: string, at: number): Promise<TransitionOutcome | undefined>;

  /** Records that the person proved to be present, for a pending authorization (V6). */
  recordPalmVerification(authorizationId: string, at: number): Promise<void>;

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

  findRefreshToken(tokenHash: string): Promise<PresentedRefreshToken | undefined>;

  /**
   * Replaces a refresh token by the next of its family; of several rotations of one token exactly one wins (V9).
   *
   * A token that was rotated before revokes its authorization when its own client presents it.
   *
   * @returns Whether this rotation won.
   */
  rotateRefreshToken(rotation: Rotation): Promise<boolean>;

  /** The token with this hash and its grant, as they are now. */
  findPresentedToken(tokenHash: string): Promise<PresentedToken | undefined>;

  /** Revokes a client's own tokens, a refresh token with its family, and its own authorization with all of its tokens. */
  revoke(revocation: Revocation): Promise<RevocationOutcome>;

  /** Any state in force → `revoked`, and with it every token (V3). `undefined` where there is no such authorization. */
  revokeAuthorization(authorizationId: string, at: number): Promise<TransitionOutcome | undefined>;

  /** The authorization in force between a person and an application that was agreed to last. */
  findLivingGrant(clientId: string, userId: string): Promise<Authorization | undefined>;

  /** Records one more access token of an authorization, if it is in force; tells whether it was. */
  recordAccessToken(authorizationId: string, token: NewAccessToken): Promise<boolean>;

  /** Records a grant that is in force at once, and its access token. */
  recordDirectGrant(grant: DirectGrant): Promise<void>;

  /**
   * Records an application, or changes what is known of it; when it was registered stays, and one that is revoked stays so.
   */
  recordApplication(application: Application): Promise<void>;

  /** Records an application unless one of its id is known, in force or revoked; tells whether it was. Of several at once, one is. */
  registerApplication(application: Application): Promise<boolean>;

  /**
   * Records a person under their name unless one of that name is known, and gives the one that is. An e-mail or wallet address that
   * another person has stays theirs.
   */
  recordPerson(user: User): Promise<User>;

  findApplication(clientId: string): Promise<Application | undefined>;

  /** Every application, by client id in code-unit order. */
  listApplications(): Promise<readonly Application[]>;

  /** The person who has this id, name or address; letter case counts. */
  findUser(by: UserColumn, value: string): Promise<User | undefined>;

  /** Every person, by name in code-unit order. */
  listUsers(): Promise<readonly User[]>;

  /**
   * Every credential of a person, active or not, in no particular order; none for a person who is not known. The list may be the same
   * object as before where nothing has changed: nobody changes it.
   *
   * @param asked - Of the token that the same request showed: within one turn of the event loop one question, whether anything has
   *   changed, is enough for both.
   */
  readCredentials(userId: string, asked?: AskedMark): Promise<readonly Credential[]>;

  /** As {@link readCredentials}, with what the store knows of each, in the order of their last change, then by id. */
  listCredentials(userId: string): Promise<readonly CredentialRecord[]>;

  /** Records a person's credential; tells whether it did: an id that was ever taken stays so. */
  addCredential(userId: string, credential: Credential, at: number): Promise<boolean>;

  /** Revokes a credential that is not revoked, and gives it as it is then; `undefined` where there is none. */
  revokeCredential(credentialId: string, at: number): Promise<CredentialRecord | undefined>;

  /** What people agreed to towards an application, in the order of its last change, then by id in code-unit order. */
  listGrants(query: GrantQuery): Promise<readonly GrantRecord[]>;

  /** People with grants to an application that are in force, in the store's own order of ids. */
  listGrantHolders(query: GrantHolderQuery): Promise<readonly GrantedScopes[]>;

  /** How many people there are. */
  countUsers(): Promise<number>;

  /** People's ids in the store's own order, from the first or after one of them. */
  listUserIds(after: string | undefined, limit: number): Promise<readonly string[]>;

  /** Of some people, those who satisfy a query on the credentials that are kept, or who may: see {@link AudienceAnswer}. */
  narrowAudience(question: AudienceQuestion): Promise<AudienceAnswer>;

  /** What a person agreed to, the latest first, at most so many. */
  listPersonGrants(userId: string, limit: number, at: number): Promise<readonly PersonGrant[]>;

  /**
   * Ends all that a person agreed to towards an application: it is revoked from then on, for everybody (V11). What had its code redeemed
   * can be taken back by {@link restoreGrants} before `until`, unless something else ends it meanwhile; the rest is revoked for good.
   *
   * @returns How many were in force.
   */
  withdrawGrants(withdrawal: Holding & { readonly until: number; readonly at: number }): Promise<number>;

  /**
   * Puts in force again what {@link withdrawGrants} ended, as long as the application is and the person has not agreed to anything else
   * towards it meanwhile. Tokens that were revoked by themselves or have expired stay so.
   *
   * @returns How many are in force again.
   */
  restoreGrants(holding: Holding, at: number): Promise<number>;

  /** Every signing key, the one published first before the others. */
  listSigningKeys(): Promise<readonly SigningKey[]>;

  addSigningKey(key: SigningKey): Promise<void>;

  /** The secret kept under a name; of several that offer one at once, exactly one is kept and all get it. */
  keepSecret(name: string, offered: string): Promise<string>;

  /**
   * Fills the store unless it holds an application already.
   *
   * @returns Whether it was filled now; of several who try at once, one is told so.
   */
  seedOnce(seed: Seed): Promise<boolean>;

  /**
   * Adds what callers asked for to what they asked for of other instances.
   *
   * @param uses - Each id once.
   * @returns When each one's bucket will be empty, epoch milliseconds.
   */
  addUse(uses: readonly SharedUse[], now: number): Promise<ReadonlyMap<string, number>>;

  /** Records that an assertion was used; tells whether this was the first time. Of several at once exactly one is told so. */
  useAssertion(id: string, expiresAt: number): Promise<boolean>;

  /**
   * Removes tokens whose lifetime, and a refresh token's family, ended at an instant or before, and requests that nobody agreed to and
   * that could be agreed to until then, counts of requests that no longer count, and uses of assertions that are over. What can still be replayed stays known (S194). Each kind is removed whole by itself.
   *
   * @param limit - Of each kind, at most so many at once.
   * @returns How many were removed; 0 when there is nothing left to remove.
   */
  sweep(before: number, limit: number): Promise<number>;

  /** Adds entries to the audit log, in order and all or none. */
  recordAudit(entries: readonly AuditEntry[]): Promise<void>;

  /** Entries of the audit log, in the order of their instants, and of those of one instant as they were written. */
  listAudit(query: AuditQuery): Promise<readonly AuditRecord[]>;

  /**
   * Removes entries of the audit log from before an instant, the oldest first. The log refuses to lose any other.
   *
   * @param limit - At most so many at once.
   * @returns How many were removed; 0 when there is nothing left to remove.
   */
  sweepAudit(before: number, limit: number): Promise<number>;

  /** Of a store that was opened with encryption keys. */
  readonly encryption?: StoreEncryption;

  /** Releases what the store holds; it is not used afterwards. */
  close(): Promise<void>;
}

/** The encryption of a store's values, and how they come under a new key, or under one at all. */
export interface StoreEncryption {
  /** Of the key that writes. */
  readonly keyId: string;
  /** Whether everything was encrypted once: a value in clear is then refused. As it was when the store was opened. */
  readonly whole: boolean;
  /** How many values are not under the key that writes. */
  countOthers(): Promise<number>;
  /**
   * Brings them there, each few in a step of their own; to be stopped and gone on with at any time.
   *
   * @param limit - Of each step.
   * @returns How many each step brought.
   */
  encryptAll(limit: number): AsyncIterable<number>;
  /**
   * Where nothing else is left: forgets every other key, and takes care that nothing of what values were remains in the file.
   *
   * @returns Whether that was so.
   */
  finish(): Promise<boolean>;
  /** The tables in which the engine keeps what rows were until it is told not to; absent where `finish` takes care of them. */
  readonly leftBehind?: string;
}

/** Rejected by a {@link Store} that could not do, or cannot tell whether it did, what it was asked (E5003). */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(cause: unknown) {
    super('the store cannot be reached or has no room', { cause });
  }
}
