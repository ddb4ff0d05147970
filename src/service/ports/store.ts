/** The port of the store: what the service keeps, in the domain's words (V12). */
import type { Credential } from '../../engine/index.js';
import type { Application } from '../clients/application.js';
import type { User } from '../users/user.js';

/** An access token as a bearer presents it: the token's life and the grant that it stems from, in one look-up. */
export interface PresentedToken {
  /** Epoch milliseconds; the first instant at which it is no longer good. */
  readonly expiresAt: number;
  /** Whether the token, its grant or its application has been revoked. */
  readonly revoked: boolean;
  readonly authorizationId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly organizationId: string;
  readonly grantedScopes: readonly string[];
}

/** A grant that was made without a browser, with the one access token that comes of it. Instants in epoch milliseconds. */
export interface DirectGrant {
  readonly authorizationId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  /** SHA-256 of the access token, base64url (V7). */
  readonly tokenHash: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** What a store is filled with, whole or not at all. */
export interface Seed {
  readonly applications: readonly Application[];
  readonly people: readonly { readonly user: User; readonly credentials: readonly Credential[] }[];
}

/**
 * Every method is atomic: it happens whole or not at all. What a method has returned from is durable: it survives the end of the
 * process and of the machine (V12). Methods reject with {@link StoreUnavailable} when the store cannot be reached, has no room, or
 * cannot tell whether it did what it was asked; they never reject for an answer of the domain.
 */
export interface Store {
  /** The token with this hash and its grant, as they are now; nothing is cached between calls (V11). */
  findPresentedToken(tokenHash: string): Promise<PresentedToken | undefined>;

  /** Every credential of a person, active or not, in no particular order; none for a person who is not known. */
  readCredentials(userId: string): Promise<readonly Credential[]>;

  /** Every person, by name in code-unit order. */
  listUsers(): Promise<readonly User[]>;

  /** Every application, by client id in code-unit order. */
  listApplications(): Promise<readonly Application[]>;

  /** Records a grant that is in force at once, and its access token. */
  recordDirectGrant(grant: DirectGrant): Promise<void>;

  /** The secret kept under a name; of several that offer one at once, exactly one is kept and all get it. */
  keepSecret(name: string, offered: string): Promise<string>;

  /**
   * Fills the store unless it holds an application already.
   *
   * @returns Whether it was filled now; of several who try at once, one is told so.
   */
  seedOnce(seed: Seed): Promise<boolean>;

  /** Releases what the store holds; it is not used afterwards. */
  close(): Promise<void>;
}

/** Rejected by a {@link Store} that could not do, or cannot tell whether it did, what it was asked (E5003). */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(cause: unknown) {
    super('the store cannot be reached or has no room', { cause });
  }
}
