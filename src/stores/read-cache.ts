/** The reads of every query: how they reach an engine, and a cache of them that is good until the next commit (V11, V12, S148). */
import type { CompiledQuery, Kysely } from 'kysely';
import type { Schema } from './schema.js';

/** Runs statements that change nothing; each sees what is committed when it begins. */
export interface RowReader {
  /** Returns the first row; `undefined` where there is none. */
  row<Row>(statement: CompiledQuery<Row>): Promise<Row | undefined>;
  rows<Row>(statement: CompiledQuery<Row>): Promise<readonly Row[]>;
  /** Absent where detecting a commit costs as much as reading. */
  readonly revision?: Revision;
  /** Absent where the store's own connections are used. */
  close?(): void;
}

/** Reads over the connections that everything else uses. */
export function createRowReader(database: Kysely<Schema>): RowReader {
  return {
    row: async (statement) => (await database.executeQuery(statement)).rows[0],
    rows: async (statement) => (await database.executeQuery(statement)).rows,
  };
}

/** A value that was read, and about how many characters it keeps alive. */
export interface WeightedValue<Value> {
  readonly value: Value;
  readonly weight: number;
}

/** Reads a value, which is the same object each time until something is committed: nobody may change it. */
type ReadValue<Value> = (key: string) => Promise<Value>;

/**
 * Makes a read that is repeated only after a commit, or where its value was dropped to make room.
 *
 * @param detect - How each call detects a commit: `check` before a request's first read, `recall` for one that may follow it.
 */
export type Memoize = <Value>(
  read: (key: string) => Promise<WeightedValue<Value>>,
  detect: 'check' | 'recall',
) => ReadValue<Value>;

const DEFAULT_CAPACITY = 32 * 1_048_576;

/** What an entry takes in addition to its key and its value. */
const ENTRY_WEIGHT = 256;

/** Caches nothing. */
export const withoutCache: Memoize = (read) => async (key) => (await read(key)).value;

/**
 * Creates a cache. A value is never older than the call that returns it: once a revocation is acknowledged, no read returns what was before.
 *
 * @param capacity - In characters, for all reads together. Where it is full, everything is dropped.
 */
export function createReadCache(revision: Revision, capacity: number = DEFAULT_CAPACITY): Memoize {
  const caches: Map<string, unknown>[] = [];
  let known = Number.NaN;
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
      if (current !== known) clear();
      known = current;
      const cached = values.get(key);
      if (cached !== undefined) return cached;
      const { value, weight: size } = await read(key);
      // The value may be newer than the call, never older. After another commit it is not kept as of that one.
      if (current !== known || value === undefined) return value;
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

/** A number that is another after each commit by anybody. */
export interface Revision {
  /** Reads it, and keeps it until the end of the turn. */
  check(): number;
  /** Returns what was checked last in this turn, once; reads it otherwise. */
  recall(): number;
  /** Drops what was checked. */
  expire(): void;
}

/**
 * Lets the second read of a request use the check of the first.
 *
 * @param nextTick - Calls back before the process receives anything else. Whatever recalls a check in the same turn was received before it.
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
