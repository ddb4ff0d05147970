/** Cache of the reads that every query needs: each value is valid until a commit changes its subject (V11, V12, S148). */
import type { CompiledQuery, Kysely } from 'kysely';
import type { ReadCacheStatistics } from '../service/ports/store/store-observer.js';
import type { Schema } from './schema.js';

/** Runs read-only statements on committed data. */
export interface RowReader {
  /** Returns the first row; `undefined` without rows. */
  row<Row>(statement: CompiledQuery<Row>): Promise<Row | undefined>;
  rows<Row>(statement: CompiledQuery<Row>): Promise<readonly Row[]>;
  /** Caches reads; absent if a read costs no more than detecting commits. */
  readonly memoize?: Memoize;
  /** Absent if the reader uses the store's connections. */
  close?(): void;
}

/** Creates a reader over the store's connections. */
export function createRowReader(database: Kysely<Schema>): RowReader {
  return {
    row: async (statement) => (await database.executeQuery(statement)).rows[0],
    rows: async (statement) => (await database.executeQuery(statement)).rows,
  };
}

/** A value that can be cached. */
export interface CacheableValue<Value> {
  readonly value: Value;
  /** Approximate size in characters. */
  readonly weight: number;
  /** What the value is about. Every commit that changes the value reports this subject. */
  readonly subject: string;
}

/** Reads a value. Returns the same object until a commit changes it, so it must not be modified. */
type ReadValue<Value> = (key: string) => Promise<Value>;

/**
 * Wraps a read with the cache.
 *
 * @param detect - How each call detects a commit: `check` for a request's first read, `recall` for a read that may follow it.
 */
export type Memoize = <Value>(
  read: (key: string) => Promise<CacheableValue<Value>>,
  detect: 'check' | 'recall',
) => ReadValue<Value>;

/** In bytes. */
export const DEFAULT_READ_CACHE_BYTES = 64 * 1_048_576;

/** Overhead of an entry. */
const ENTRY_BYTES = 512;
const BYTES_PER_CHARACTER = 2;

/** Reads without a cache. */
export const withoutCache: Memoize = (read) => async (key) => (await read(key)).value;

/** A cached value. */
interface Entry extends Pick<CacheableValue<unknown>, 'value' | 'subject'> {
  /** Approximate size. */
  readonly bytes: number;
  readonly values: Map<string, Entry>;
  readonly key: string;
  /** The entry of the same subject that was added before; entries of a subject are only evicted together. */
  readonly previous: Entry | undefined;
}

/**
 * Creates a cache. A value is never older than the request that reads it: after an acknowledged revocation, no new request reads an earlier
 * state.
 *
 * @param capacity - In bytes, for all reads together. A full cache is cleared.
 * @param statistics - Updated with each read.
 */
export function createReadCache(
  { revision, changedSubjects }: CommitDetector,
  capacity: number = DEFAULT_READ_CACHE_BYTES,
  statistics: MutableStatistics = createReadCacheStatistics(),
): Memoize {
  const caches: Map<string, Entry>[] = [];
  const lastOfSubject = new Map<string, Entry>();
  let cachedRevision = Number.NaN;
  /** Incremented when commits have changed any subject. */
  let changes = 0;
  const clear = () => {
    for (const values of caches) {
      statistics.evictions += values.size;
      values.clear();
    }
    lastOfSubject.clear();
    statistics.bytes = 0;
  };
  const evict = (subject: string) => {
    for (let entry = lastOfSubject.get(subject); entry !== undefined; entry = entry.previous) {
      entry.values.delete(entry.key);
      statistics.bytes -= entry.bytes;
      statistics.evictions += 1;
    }
    lastOfSubject.delete(subject);
  };
  /** Evicts what commits have changed since the last call. */
  const update = (current: number) => {
    const subjects = changedSubjects();
    if (subjects === undefined) clear();
    else for (const subject of subjects) evict(subject);
    if (subjects?.length !== 0) changes += 1;
    cachedRevision = current;
  };
  const add = (
    values: Map<string, Entry>,
    key: string,
    { value, weight, subject }: CacheableValue<unknown>,
  ) => {
    const bytes = ENTRY_BYTES + BYTES_PER_CHARACTER * (key.length + subject.length + weight);
    if (bytes > capacity || values.has(key)) return;
    if (statistics.bytes + bytes > capacity) clear();
    const entry = { values, key, value, bytes, subject, previous: lastOfSubject.get(subject) };
    values.set(key, entry);
    lastOfSubject.set(subject, entry);
    statistics.bytes += bytes;
  };
  return <Value>(
    read: (key: string) => Promise<CacheableValue<Value>>,
    detect: 'check' | 'recall',
  ): ReadValue<Value> => {
    const values = new Map<string, Entry>();
    caches.push(values);
    return async (key) => {
      const current = await revision[detect]();
      if (current !== cachedRevision) update(current);
      const cached = values.get(key);
      if (cached !== undefined) {
        statistics.hits += 1;
        // The entries of this map were read by this function.
        return cached.value as Value;
      }
      statistics.misses += 1;
      const changesBefore = changes;
      const cacheable = await read(key);
      // The value may be newer than the call, but not older. It is not cached if a commit changed anything meanwhile.
      if (changesBefore === changes && cacheable.value !== undefined) add(values, key, cacheable);
      return cacheable.value;
    };
  };
}

type MutableStatistics = { -readonly [Name in keyof ReadCacheStatistics]: ReadCacheStatistics[Name] };

/** Creates statistics of an empty cache. */
export function createReadCacheStatistics(): MutableStatistics {
  return { hits: 0, misses: 0, evictions: 0, bytes: 0 };
}

/** Detects commits of any connection, and what they changed. */
export interface CommitDetector {
  readonly revision: Revision;
  /** Returns the subjects that commits changed since the last call; `undefined` if they are unknown. */
  changedSubjects(): readonly string[] | undefined;
}

/** A revision number that changes with each commit of any connection. */
export interface Revision {
  /** Reads the revision at the end of the event-loop turn, once for about {@link CHECKS_PER_READ} checks of the turn. */
  check(): Promise<number>;
  /** Returns the revision of the last checks, once for each of them and until the end of the next turn; otherwise reads it. */
  recall(): number;
  /** Drops the cached revision. */
  expire(): void;
}

/** Number of checks after which the read does not wait for the end of the turn: waiting requests count against the limits of pending requests. */
const CHECKS_PER_READ = 16;

/**
 * Creates a revision. The requests that arrive in one event-loop turn, about {@link CHECKS_PER_READ} of them, share a check. It is made after the last of
 * them has arrived, so that the revision is not older than these requests. The second read of a request recalls the revision, if its body has arrived by then.
 *
 * A recall never returns a revision that was read before its request began. If the request made a check, the cached revision is that one or a
 * later one. If it made none, it has run statements, which expire the cached revision, so that it is read again.
 *
 * @param setImmediate - Schedules a callback after the current event-loop turn.
 */
export function createRevision(read: () => number, setImmediate: (callback: () => void) => void): Revision {
  let checked = Number.NaN;
  /** Number of recalls that may return the cached revision. */
  let recalls = 0;
  let pending: Promise<number> | undefined;
  /** Number of checks that wait. */
  let waiting = 0;
  let endTurn: (() => void) | undefined;
  const expire = () => {
    recalls = 0;
  };
  const checkAtEndOfTurn = async () => {
    await new Promise<void>((resolve) => {
      endTurn = resolve;
      setImmediate(resolve);
    });
    const checks = waiting;
    pending = undefined;
    waiting = 0;
    setImmediate(expire);
    checked = read();
    recalls = checks;
    return checked;
  };
  return {
    check: () => {
      pending ??= checkAtEndOfTurn();
      waiting += 1;
      if (waiting === CHECKS_PER_READ) endTurn?.();
      return pending;
    },
    recall: () => {
      if (recalls === 0) return read();
      recalls -= 1;
      return checked;
    },
    expire,
  };
}
