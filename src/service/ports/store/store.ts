/** The store port: durable state of the service (V12). */
import type { Credential } from '../../../engine/index.js';
import { ProvisoError } from '../../../util/proviso-error.js';
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
import type { InferenceStore } from './inference-store.js';
import type { LedgerStore } from './ledger-store.js';
import type { ApplicationStore, CredentialStore, ErasureStore, PersonStore } from './registry-store.js';

/** Initial contents of a store. */
export interface Seed {
  readonly applications: readonly Application[];
  readonly people: readonly { readonly person: Person; readonly credentials: readonly Credential[] }[];
}

/**
 * Every method is atomic, and of concurrent calls on one authorization, code or token exactly one wins. When a method resolves, its changes are
 * durable (V12). Methods reject with {@link StoreUnavailable} when the store cannot be reached, is full, or cannot determine the outcome;
 * expected outcomes never reject. A store with encryption also rejects when a value fails to decrypt. Nothing is cached across commits (V11).
 *
 * A store with an audit log writes the entry of a change to grants, tokens, applications, credentials and keys in the transaction of the change.
 * Entries are only ever added.
 */
export interface Store
  extends AuthorizationStore,
    TokenStore,
    GrantStore,
    ApplicationStore,
    PersonStore,
    CredentialStore,
    ErasureStore,
    CandidateStore,
    InferenceStore,
    KeyStore,
    UsageStore,
    LedgerStore,
    AuditStore {
  /**
   * Fills the store unless it contains an application.
   *
   * @returns Whether this call filled it; true for exactly one of concurrent calls.
   */
  seedOnce(seed: Seed): Promise<boolean>;

  /**
   * Removes tokens that expired at `before` or earlier. Refresh tokens expire with their family, so that replays are detected until then (S194).
   *
   * @param limit - Maximum number of records of each kind.
   * @returns Number of removed records; 0 when none are left.
   */
  sweepTokens(before: number, limit: number): Promise<number>;

  /**
   * Removes records that unauthenticated callers can create, after they expired: authorization requests without approval, pushed requests,
   * rate-limit buckets and used assertions. Otherwise like {@link Store.sweepTokens}.
   */
  sweepTransient(before: number, limit: number): Promise<number>;

  /** Present for a store that was opened with encryption keys. */
  readonly encryption?: StoreEncryption;

  /** Closes the store, which must not be used afterwards. */
  close(): Promise<void>;
}

/** Rejection of a {@link Store} that failed, or cannot determine the outcome of a call (E5003). */
export class StoreUnavailable extends ProvisoError<'store_unavailable'> {
  override readonly name = 'StoreUnavailable';

  constructor(cause: unknown) {
    super('store_unavailable', 'the store cannot be reached or is full', { cause });
  }
}

/** Stores keys and secrets. */
export interface KeyStore {
  /** Lists all signing keys in the order of publication. */
  listSigningKeys(): Promise<readonly SigningKey[]>;

  addSigningKey(key: SigningKey): Promise<void>;

  /** Finds the secret with a name; `undefined` if there is none. */
  findSecret(name: string): Promise<string | undefined>;

  /** Returns the secret with a name; stores the offered one first if there is none. Concurrent calls all get the same secret. */
  getOrCreateSecret(name: string, offered: string): Promise<string>;
}

/**
 * The longest time until a rate-limit bucket is empty: a minute for a full bucket, and a minute for the usage above the limit (its debt). Bounds how
 * long a caller is rejected.
 */
export const MAX_CONTENT_MS = 120_000;

/** Usage to add to a rate-limit bucket. */
export interface BucketUsage {
  readonly id: string;
  /** Milliseconds by which the bucket empties later. */
  readonly ms: number;
}

/** The outcome of reserving usage. */
export interface UsageReservation {
  readonly reserved: boolean;
  /** When the bucket will be empty, epoch milliseconds. */
  readonly emptyAt: number;
}

/** Stores rate-limit buckets and used assertions. */
export interface UsageStore {
  /**
   * Adds usage to buckets that all instances share.
   *
   * @param uses - Each id once. A negative `ms` returns usage that was added or reserved before.
   * @returns When each bucket will be empty, epoch milliseconds.
   */
  addUsage(uses: readonly BucketUsage[], now: number): Promise<ReadonlyMap<string, number>>;

  /**
   * Adds usage if the bucket has capacity, in one statement: of concurrent reservations on all instances, exactly as many succeed as fit.
   *
   * @param capacityMs - Capacity of the bucket.
   */
  reserveUsage(use: BucketUsage, capacityMs: number, now: number): Promise<UsageReservation>;

  /** Marks an assertion as used; returns whether this was the first use. True for exactly one of concurrent calls. */
  consumeAssertion(id: string, expiresAt: number): Promise<boolean>;
}

/** Stores the audit log. */
export interface AuditStore {
  /** Appends entries, in order and atomically. An entry about a person who was erased meanwhile names no person. */
  recordAudit(entries: readonly AuditEntry[]): Promise<void>;

  /** Lists entries by instant, then in the order of writing. */
  listAudit(query: AuditQuery): Promise<readonly AuditRecord[]>;

  /**
   * Removes entries before an instant, the oldest first. The database rejects the removal of later entries.
   *
   * @param limit - Maximum number of entries.
   * @param mac - Recorded with the instant; proves that the removal was made with the audit key.
   * @returns Number of removed entries; 0 when none are left.
   */
  sweepAudit(before: number, limit: number, mac?: string): Promise<number>;

  /**
   * Lists entries in the form that seals cover, by position.
   *
   * @param ranges - Ascending and disjoint.
   */
  listAuditLines(ranges: readonly PositionRange[], limit: number): Promise<readonly AuditLine[]>;

  /** Finds the seal with the highest number. */
  findLastSeal(): Promise<AuditSeal | undefined>;

  /** Lists seals with a higher number, in order. */
  listSeals(after: number, limit: number): Promise<readonly AuditSeal[]>;

  /** Inserts a seal unless its number is taken; returns whether it was inserted. Seals are never changed. */
  addSeal(seal: AuditSeal): Promise<boolean>;

  /**
   * Removes seals up to a number and records the new start of the chain. Rejects if one of them covers an entry within the retention period.
   *
   * @param start - The `start` that {@link readAuditRetention} returns from now on.
   */
  pruneSeals(upTo: number, start: string): Promise<void>;

  /** Reads the record of removals, with its proofs. */
  readAuditRetention(): Promise<AuditRetention>;
}

/** Encryption of a store's values, and their re-encryption under a new key. */
export interface StoreEncryption {
  /** Id of the key that encrypts new values. */
  readonly keyId: string;
  /** Whether every value was encrypted, so that plaintext values are rejected. Determined when the store is opened. */
  readonly complete: boolean;
  /** Counts the values that are not encrypted under the current key. */
  countUnderOtherKeys(): Promise<number>;
  /**
   * Re-encrypts these values, each step in a transaction. Can be interrupted and resumed at any time. Steps are durable once `finish` resolves.
   *
   * @param limit - Maximum number of rows of a step.
   * @returns Number of values re-encrypted by each step; 0 for a step without such values, so that the caller can pause or stop after it as well.
   */
  encryptAll(limit: number): AsyncIterable<number>;
  /**
   * If every value is encrypted under the current key, forgets all other keys and purges old values from the file.
   *
   * @returns Whether every value was under the current key.
   */
  finish(): Promise<boolean>;
  /** Tables that an administrator must rewrite to purge old values; absent if `finish` purges them. */
  readonly tablesToRewrite?: readonly string[];
}
