/** Cache of the reads that every query needs, valid until the next commit (V11, V12, S148). */
import type { CompiledQuery, Kysely } from 'kysely';
import type { Schema } from './schema.js';

/** Runs read-only statements on committed data. */
export interface RowReader {
  /** Returns the first row; `undefined` without rows. */
  row<Row>(statement: CompiledQuery<Row>): Promise<Row | undefined>;
  rows<Row>(statement: CompiledQuery<Row>): Promise<readonly Row[]>;
  /** Detects commits; absent if detection costs as much as reading. */
  readonly revision?: Revision;
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

/** A value and its approximate size in characters. */
export interface WeightedValue<Value> {
  readonly value: Value;
  readonly weight: number;
}

/** Reads a value. Returns the same object until the next commit, so it must not be modified. */
type ReadValue<Value> = (key: string) => Promise<Value>;

/**
 * Wraps a read with the cache.
 *
 * @param detect - How each call detects a commit: `check` for a request's first read, `recall` for a read that may follow it.
 */
export type Memoize = <Value>(
  read: (key: string) => Promise<WeightedValue<Value>>,
  detect: 'check' | 'recall',
) => ReadValue<Value>;

const DEFAULT_CAPACITY = 32 * 1_048_576;

/** Overhead of an entry, in characters. */
const ENTRY_WEIGHT = 256;

/** Reads without a cache. */
export const withoutCache: Memoize = (read) => async (key) => (await read(key)).value;

/**
 * Creates a cache. A value is never older than the call that returns it: after an acknowledged revocation, no read returns an earlier state.
 *
 * @param capacity - In characters, for all reads together. A full cache is cleared.
 */
export function createReadCache(revision: Revision, capacity: number = DEFAULT_CAPACITY): Memoize {
  const caches: Map<string, unknown>[] = [];
  let cachedRevision = Number.NaN;
  let weight = 0;
  const clear = () => {
    for (const values of caches) values.clear();
    weight = 0;
  };
  return <Value>(
    read: (key: string) => Promise<WeightedValue<Value>>,
    detect: 'check' | 'recall',
  ): ReadValue<Value> => {
    const values = new Map<string, Value>();
    caches.push(values);
    return async (key) => {
      const current = revision[detect]();
      if (current !== cachedRevision) clear();
      cachedRevision = current;
      const cached = values.get(key);
      if (cached !== undefined) return cached;
      const { value, weight: size } = await read(key);
      // The value may be newer than the call, but not older. It is not cached if another commit happened meanwhile.
      if (current !== cachedRevision || value === undefined) return value;
      const added = ENTRY_WEIGHT + key.length + size;
      if (weight + added > capacity) clear();
      if (added <= capacity && !values.has(key)) {
        values.set(key, value);
        weight += added;
      }
      return value;
    };
  };
}

/** A revision number that changes with each commit of any connection. */
export interface Revision {
  /** Reads the revision and caches it until the end of the turn. */
  check(): number;
  /** Returns the revision checked last in this turn, once; otherwise reads it. */
  recall(): number;
  /** Drops the cached revision. */
  expire(): void;
}

/**
 * Creates a revision whose check is shared by the two reads of a request.
 *
 * @param nextTick - Schedules a callback before the process receives further input, so that every recall in the same turn belongs to a request
 *   received before the check.
 */
export function createRevision(read: () => number, nextTick: (callback: () => void) => void): Revision {
  let checked: number | undefined;
  const expire = () => {
    checked = undefined;
  };
  return {
    check: () => {
      if (checked === undefined) nextTick(expire);
      checked = read();
      return checked;
    },
    recall: () => {
      const recalled = checked ?? read();
      expire();
      return recalled;
    },
    expire,
  };
}
