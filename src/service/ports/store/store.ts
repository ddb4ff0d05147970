/** The port of the store: what the service keeps (V12). */
import type { Credential } from '../../../engine/index.js';
import type {
  AuditEntry,
  AuditLine,
  AuditQuery,
  AuditRecord,
  AuditRetention,
  AuditSeal,
  PositionRange,
} from '../../audit/audit-trail.js';
import type { Application } from '../../clients/application.js';
import type { SigningKey } from '../../keys/signing-keys.js';
import type { Person } from '../../people/people.js';
import type { AuthorizationStore, TokenStore } from './authorization-store.js';
import type { CandidateStore, GrantStore } from './grant-store.js';
import type { ApplicationStore, CredentialStore, PersonStore } from './registry-store.js';

/** What the store is filled with, whole or not at all. */
export interface Seed {
  readonly applications: readonly Application[];
  readonly people: readonly { readonly person: Person; readonly credentials: readonly Credential[] }[];
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
    PersonStore,
    CredentialStore,
    CandidateStore,
    KeyStore,
    UsageStore,
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
    super('the store cannot be reached or is full', { cause });
  }
}

/** Keeps what the service signs and derives with. */
export interface KeyStore {
  /** Every signing key, the one published first before the others. */
  listSigningKeys(): Promise<readonly SigningKey[]>;

  addSigningKey(key: SigningKey): Promise<void>;

  /** The secret kept under a name; of several that offer one at once, exactly one is kept and all get it. */
  getOrCreateSecret(name: string, offered: string): Promise<string>;
}

/** What a caller asked for, by an id that tells nothing of the caller. */
export interface BucketUsage {
  readonly id: string;
  /** By how much later their bucket will be empty. */
  readonly ms: number;
}

/** The outcome of a reservation. */
export interface UsageReservation {
  readonly reserved: boolean;
  /** When the bucket will be empty, epoch milliseconds. */
  readonly emptyAt: number;
}

/** Counts uses. */
export interface UsageStore {
  /**
   * Adds what callers asked for to what they asked for of other instances.
   *
   * @param uses - Each id once. A negative `ms` gives back what was added or reserved before.
   * @returns When each one's bucket will be empty, epoch milliseconds.
   */
  addUsage(uses: readonly BucketUsage[], now: number): Promise<ReadonlyMap<string, number>>;

  /**
   * Adds a use if its bucket has room for it, in one statement: of any number of concurrent reservations, over all instances, exactly as
   * many succeed as fit.
   *
   * @param capacityMs - The content of a full bucket.
   */
  reserveUsage(use: BucketUsage, capacityMs: number, now: number): Promise<UsageReservation>;

  /** Records that an assertion was used; tells whether this was the first time. Of several at once exactly one is told so. */
  consumeAssertion(id: string, expiresAt: number): Promise<boolean>;
}

/** Keeps the audit log. */
export interface AuditStore {
  /** Adds entries to the audit log, in order and all or none. */
  recordAudit(entries: readonly AuditEntry[]): Promise<void>;

  /** Entries of the audit log, in the order of their instants, and of those of one instant as they were written. */
  listAudit(query: AuditQuery): Promise<readonly AuditRecord[]>;

  /**
   * Removes entries of the audit log from before an instant, the oldest first. The log refuses to lose any other.
   *
   * @param limit - At most so many at once.
   * @param mac - Recorded with the instant: proof that whoever removed them has the audit key.
   * @returns How many were removed; 0 when there is nothing left to remove.
   */
  sweepAudit(before: number, limit: number, mac?: string): Promise<number>;

  /**
   * Lists entries as seals cover them, by position.
   *
   * @param ranges - Ascending and disjoint.
   */
  listAuditLines(ranges: readonly PositionRange[], limit: number): Promise<readonly AuditLine[]>;

  /** Finds the seal with the highest number. */
  findLastSeal(): Promise<AuditSeal | undefined>;

  /** Lists seals with a higher number, in order. */
  listSeals(after: number, limit: number): Promise<readonly AuditSeal[]>;

  /** Adds a seal unless there is one of its number; returns whether it was added. A seal is never changed. */
  addSeal(seal: AuditSeal): Promise<boolean>;

  /**
   * Removes seals up to a number, and records where the chain starts from now on. A seal that covers an entry that is kept is not removed: the
   * call then rejects.
   *
   * @param start - What {@link readAuditRetention} returns from now on.
   */
  pruneSeals(upTo: number, start: string): Promise<void>;

  /** Reads what was removed from the audit log, with its proofs. */
  readAuditRetention(): Promise<AuditRetention>;
}

/** The encryption of a store's values, and how they come under a new key, or under one at all. */
export interface StoreEncryption {
  /** Of the key that writes. */
  readonly keyId: string;
  /** Whether everything was encrypted once: a value in clear is then refused. As it was when the store was opened. */
  readonly complete: boolean;
  /** How many values are not under the key that writes. */
  countUnderOtherKeys(): Promise<number>;
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
  readonly tablesToVacuum?: string;
}
