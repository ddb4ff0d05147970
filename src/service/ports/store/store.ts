/** The port of the store: what the service keeps, in the domain's words (V12). */
import type { Credential } from '../../../engine/index.js';
import type { Application } from '../../clients/application.js';
import type { User } from '../../users/user.js';
import type { ApplicationStore } from './application-store.js';
import type { AuditStore } from './audit-store.js';
import type { AuthorizationStore } from './authorization-store.js';
import type { CandidateStore } from './candidate-store.js';
import type { CredentialStore } from './credential-store.js';
import type { GrantStore } from './grant-store.js';
import type { KeyStore } from './key-store.js';
import type { StoreEncryption } from './store-encryption.js';
import type { TokenStore } from './token-store.js';
import type { UseStore } from './use-store.js';
import type { UserStore } from './user-store.js';

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
export interface Store
  extends AuthorizationStore,
    TokenStore,
    GrantStore,
    ApplicationStore,
    UserStore,
    CredentialStore,
    CandidateStore,
    KeyStore,
    UseStore,
    AuditStore {
  /**
   * Fills the store unless it holds an application already.
   *
   * @returns Whether it was filled now; of several who try at once, one is told so.
   */
  seedOnce(seed: Seed): Promise<boolean>;

  /**
   * Removes tokens whose lifetime, and a refresh token's family, ended at an instant or before. What can still be replayed stays known
   * (S194). Each kind is removed whole by itself.
   *
   * @param limit - Of each kind, at most so many at once.
   * @returns How many were removed; 0 when there is nothing left to remove.
   */
  sweep(before: number, limit: number): Promise<number>;

  /**
   * Removes what callers add without authentication, once it ended at an instant or before: authorization requests that nobody agreed to,
   * pushed requests, counts of rate limits, and used assertions. Like {@link Store.sweep} otherwise.
   */
  sweepTransient(before: number, limit: number): Promise<number>;

  /** Of a store that was opened with encryption keys. */
  readonly encryption?: StoreEncryption;

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
