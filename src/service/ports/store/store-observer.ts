/** Observes a store, for metrics. */
import type { Store } from './store.js';

/** The methods of a store that run statements. */
export type StoreOperation = Exclude<keyof Store, 'encryption' | 'close'>;

/** Statistics of a read cache since its creation. */
export interface ReadCacheStatistics {
  readonly hits: number;
  readonly misses: number;
  /** Values that were removed, because a commit changed or may have changed them, or the cache was full. */
  readonly evictions: number;
  /** Approximate size of the values, in bytes. */
  readonly bytes: number;
}

export interface StoreObserver {
  /** Runs an operation on the database and returns its result, unchanged. Not called for reads that a cache returns. */
  observe<Result>(operation: StoreOperation, run: () => Promise<Result>): Promise<Result>;
  /** Called once by a store with a read cache. @param read - Returns the current statistics. */
  watchReadCache(read: () => ReadCacheStatistics): void;
}
