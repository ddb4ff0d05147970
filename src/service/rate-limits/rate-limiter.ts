/**
 * Rate limits (S124, S190, S197): one leaky bucket per caller, represented by the instant at which it is empty (GCRA).
 *
 * Requests are counted in memory; significant counts are synchronized through the store, so that instances share limits. While the store is
 * unavailable, each instance uses its own counts.
 */
import { MS_PER_MINUTE, MS_PER_SECOND } from '../../util/time.js';
import type { Clock, Digest, Timer } from '../ports/ports.js';
import { type BucketUsage, MAX_CONTENT_MS, type Store } from '../ports/store/store.js';
import { repeat } from '../repeat.js';

export const RATE_LIMIT_NAMES = [
  'address',
  'client',
  'token',
  'failures',
  'authorizations',
  'misses',
] as const;

/**
 * Limits: requests of an address, a client or a token; wrong secrets (`failures`); authorization requests of an address (`authorizations`);
 * requests of a client to `client/user-token` for which no grant was found, or whose selectors do not all identify the same person (`misses`).
 */
export type RateLimitName = (typeof RATE_LIMIT_NAMES)[number];

/** The status of a caller under a limit. */
export interface RateLimitStatus {
  readonly name: RateLimitName;
  /** Requests per minute. */
  readonly limit: number;
  /** Requests that may be made now. */
  readonly remaining: number;
  /** Seconds until the full limit is available. */
  readonly resetSeconds: number;
  /** When the full limit is available, epoch milliseconds. */
  readonly resetAt: number;
  /** Seconds until the next request may be made; 0 for now. */
  readonly retrySeconds: number;
  /** Whether the request exceeds the limit. */
  readonly exceeded: boolean;
}

export interface RateLimiter {
  /**
   * Counts a request unless it exceeds the limit. Returns `undefined` without such a limit. Never throws.
   *
   * @param units - Cost of the request. Default: 1. At most a full bucket is charged.
   */
  consume(name: RateLimitName, key: string, units?: number): RateLimitStatus | undefined;
  /**
   * Counts units even above the limit; a negative number returns units. The debt of a bucket is at most its capacity. Returns the status for the
   * next request. Never throws.
   */
  charge(name: RateLimitName, key: string, units: number): RateLimitStatus | undefined;
  /**
   * Counts one request in the store: of concurrent calls on all instances, exactly as many succeed as the limit allows. Rejects with
   * `StoreUnavailable`.
   */
  reserve(name: RateLimitName, key: string): Promise<RateLimitStatus | undefined>;
  /**
   * Returns a unit that {@link RateLimiter.reserve} counted; while the store is unavailable, with the next {@link RateLimiter.synchronize}. Never
   * rejects.
   */
  release(name: RateLimitName, key: string): Promise<void>;
  /**
   * Returns the status without counting. Never throws.
   *
   * @param units - Cost to check for. Default: 1. With 0, only an overdrawn bucket exceeds the limit.
   */
  peek(name: RateLimitName, key: string, units?: number): RateLimitStatus | undefined;
  /** Synchronizes significant counts with other instances. Rejects with `StoreUnavailable`; counts are kept. */
  synchronize(): Promise<void>;
}

export interface RateLimiterPorts {
  readonly store: Pick<Store, 'addUsage' | 'reserveUsage'>;
  readonly clock: Clock;
  readonly digest: Digest;
}

/** A caller's bucket. */
interface Bucket {
  /** When the bucket will be empty, epoch milliseconds. */
  emptyAt: number;
  /** Units counted in memory but not in the store. */
  unsynchronized: number;
}

interface Limit {
  readonly name: RateLimitName;
  readonly perMinute: number;
  /** Milliseconds that one request adds to its bucket. */
  readonly cost: number;
  readonly buckets: Map<string, Bucket>;
  /** Buckets to synchronize. */
  readonly dirty: Map<string, Bucket>;
}

/** Counts below this fraction of a limit (1/20) are not synchronized. */
const SYNC_FRACTION = 20;
/** Maximum number of buckets per limit; above it, the oldest is evicted. */
const MAX_BUCKETS = 100_000;
const BUCKETS_PER_STATEMENT = 200;
/** Longer keys are hashed, to bound memory. */
const MAX_KEY_CODE_UNITS = 64;

/**
 * @param perMinute - Requests per minute; 0 for no limit.
 * @param macKey - Key of the hashes by which the store identifies callers, so that it contains no address or token.
 */
export function createRateLimiter(
  perMinute: Readonly<Record<RateLimitName, number>>,
  macKey: string,
  { store, clock, digest }: RateLimiterPorts,
): RateLimiter {
  const limits = new Map(RATE_LIMIT_NAMES.map((name) => [name, createLimit(name, perMinute[name])]));
  /** Finds a limit and the caller's bucket; `undefined` without a limit. */
  const find = (name: RateLimitName, key: string) => {
    const limit = limits.get(name);
    if (limit === undefined || limit.perMinute === 0) return undefined;
    const caller = key.length > MAX_KEY_CODE_UNITS ? digest.sha256(key) : key;
    const now = clock.now();
    const bucket = limit.buckets.get(caller);
    // If the clock jumps back, callers are locked out no longer than by the greatest debt.
    if (bucket !== undefined) bucket.emptyAt = Math.min(bucket.emptyAt, now + MAX_CONTENT_MS);
    return { limit, caller, now, emptyAt: Math.max(bucket?.emptyAt ?? now, now) };
  };
  const idOf = ({ name }: Limit, caller: string) => digest.hmacSha256(macKey, `${name}:${caller}`);
  return {
    consume: (name, key, units = 1) => {
      const found = find(name, key);
      if (found === undefined) return undefined;
      const { limit, caller, now, emptyAt } = found;
      const cost = Math.min(units, limit.perMinute);
      const missing = missingMs(limit, emptyAt, now, cost);
      if (missing > slackOf(limit)) return statusOf(limit, emptyAt, now, missing);
      add(limit, caller, now, cost);
      return statusOf(limit, emptyAt + cost * limit.cost, now, missing);
    },
    peek: (name, key, units = 1) => {
      const found = find(name, key);
      if (found === undefined) return undefined;
      const { limit, now, emptyAt } = found;
      const status = statusFor(limit, emptyAt, now, Math.max(1, units));
      if (units > 0 || !status.exceeded) return status;
      return { ...status, exceeded: missingMs(limit, emptyAt, now, units) > slackOf(limit) };
    },
    charge: (name, key, units) => {
      const found = find(name, key);
      if (found === undefined) return undefined;
      const { limit, caller, now } = found;
      const bucket = add(limit, caller, now, units);
      bucket.emptyAt = Math.min(bucket.emptyAt, now + MAX_CONTENT_MS);
      return statusFor(limit, bucket.emptyAt, now, 1);
    },
    reserve: async (name, key) => {
      const found = find(name, key);
      if (found === undefined) return undefined;
      const { limit, caller, now } = found;
      const ms = storedCost(limit);
      const { reserved, emptyAt } = await store.reserveUsage(
        { id: idOf(limit, caller), ms },
        ms * limit.perMinute,
        now,
      );
      const bucket = bucketOf(limit, caller, now);
      bucket.emptyAt = Math.max(bucket.emptyAt, emptyAt + bucket.unsynchronized * limit.cost);
      const status = statusFor(limit, emptyAt, now, 1);
      if (reserved) return { ...status, exceeded: false, retrySeconds: 0 };
      return { ...status, exceeded: true, retrySeconds: Math.max(1, status.retrySeconds) };
    },
    release: async (name, key) => {
      const found = find(name, key);
      if (found === undefined) return;
      const { limit, caller, now } = found;
      const bucket = bucketOf(limit, caller, now);
      const id = idOf(limit, caller);
      try {
        const shared = await store.addUsage([{ id, ms: -storedCost(limit) }], now);
        bucket.emptyAt = (shared.get(id) ?? now) + bucket.unsynchronized * limit.cost;
      } catch {
        // The next synchronization returns it, and reports that the store is unavailable.
        bucket.emptyAt -= limit.cost;
        bucket.unsynchronized -= 1;
        limit.dirty.set(caller, bucket);
      }
    },
    synchronize: async () => {
      const now = clock.now();
      for (const limit of limits.values()) {
        deleteEmptyBuckets(limit, now);
        const dirty = [...limit.dirty];
        limit.dirty.clear();
        for (let from = 0; from < dirty.length; from += BUCKETS_PER_STATEMENT) {
          const batch = dirty
            .slice(from, from + BUCKETS_PER_STATEMENT)
            .map(([caller, bucket]) => ({ id: idOf(limit, caller), bucket }));
          try {
            await synchronizeBuckets(limit, batch, now, store);
          } catch (error) {
            for (const [caller, bucket] of dirty.slice(from)) limit.dirty.set(caller, bucket);
            throw error;
          }
        }
      }
    },
  };
}

function createLimit(name: RateLimitName, perMinute: number): Limit {
  return { name, perMinute, cost: MS_PER_MINUTE / perMinute, buckets: new Map(), dirty: new Map() };
}

/** Cost of one request in the store, in whole milliseconds. */
function storedCost({ cost }: Limit): number {
  return Math.max(1, Math.round(cost));
}

/** Returns by how many milliseconds a request exceeds the limit; zero or less if it is within. @param units - Cost of the request. */
function missingMs({ cost }: Limit, emptyAt: number, now: number, units: number): number {
  return Math.max(0, emptyAt - now) + units * cost - MS_PER_MINUTE;
}

/** @param units - Cost of the next request. */
function statusFor(limit: Limit, emptyAt: number, now: number, units: number): RateLimitStatus {
  return statusOf(limit, emptyAt, now, missingMs(limit, emptyAt, now, units));
}

/** @param missing - By how many milliseconds the request exceeds the limit. */
function statusOf(limit: Limit, emptyAt: number, now: number, missing: number): RateLimitStatus {
  const content = Math.max(0, emptyAt - now);
  const slack = slackOf(limit);
  const exceeded = missing > slack;
  return {
    name: limit.name,
    limit: limit.perMinute,
    remaining: Math.max(0, Math.floor((MS_PER_MINUTE + slack - content) / limit.cost)),
    resetSeconds: Math.ceil(content / MS_PER_SECOND),
    resetAt: now + content,
    retrySeconds: exceeded ? Math.max(1, Math.ceil(missing / MS_PER_SECOND)) : 0,
    exceeded,
  };
}

/** Tolerance for floating-point sums. */
function slackOf({ cost }: Limit): number {
  return Math.min(0.5, cost / 1_000);
}

function bucketOf({ buckets, dirty }: Limit, caller: string, now: number): Bucket {
  const found = buckets.get(caller);
  if (found !== undefined) return found;
  if (buckets.size >= MAX_BUCKETS) deleteOldestBucket({ buckets, dirty });
  const created = { emptyAt: now, unsynchronized: 0 };
  buckets.set(caller, created);
  return created;
}

function add(limit: Limit, caller: string, now: number, units: number): Bucket {
  const bucket = bucketOf(limit, caller, now);
  bucket.emptyAt = Math.max(bucket.emptyAt, now) + units * limit.cost;
  bucket.unsynchronized += units;
  // Returned units must be returned in the store as well.
  const isDirty = bucket.unsynchronized < 0 || bucket.unsynchronized * SYNC_FRACTION >= limit.perMinute;
  if (isDirty) limit.dirty.set(caller, bucket);
  return bucket;
}

function deleteOldestBucket({ buckets, dirty }: Pick<Limit, 'buckets' | 'dirty'>): void {
  const [first] = buckets.keys();
  if (first === undefined) return;
  buckets.delete(first);
  dirty.delete(first);
}

function deleteEmptyBuckets({ buckets, dirty }: Limit, now: number): void {
  for (const [caller, { emptyAt, unsynchronized }] of buckets) {
    // Returned units must still be returned in the store.
    if (emptyAt > now || unsynchronized < 0) continue;
    buckets.delete(caller);
    dirty.delete(caller);
  }
}

/**
 * Adds the unsynchronized units of buckets to the store, and takes over its counts. Units that are counted during the call stay unsynchronized, and are
 * added to the counts of the store. After a failure, all units stay unsynchronized.
 *
 * @throws What `addUsage` throws.
 */
async function synchronizeBuckets(
  { cost }: Limit,
  batch: readonly { readonly id: string; readonly bucket: Bucket }[],
  now: number,
  store: Pick<Store, 'addUsage'>,
): Promise<void> {
  const uses: BucketUsage[] = batch.map(({ id, bucket }) => ({
    id,
    ms: Math.round(bucket.unsynchronized * cost),
  }));
  const counts = batch.map(({ bucket }) => bucket.unsynchronized);
  for (const { bucket } of batch) bucket.unsynchronized = 0;
  try {
    const emptyAt = await store.addUsage(uses, now);
    for (const { id, bucket } of batch) {
      bucket.emptyAt = Math.max(bucket.emptyAt, (emptyAt.get(id) ?? 0) + bucket.unsynchronized * cost);
    }
  } catch (error) {
    for (const [index, { bucket }] of batch.entries()) bucket.unsynchronized += counts[index] ?? 0;
    throw error;
  }
}

const SYNC_INTERVAL_MS = 1_000;

/** Ports of the synchronization. */
export interface RateLimitSyncPorts {
  readonly timer: Timer;
  /** Called with the error of a failed round. The synchronization continues. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Starts to synchronize, once a second.
 *
 * @returns A function that stops the synchronization after the current round.
 */
export function startRateLimitSync(
  limiter: RateLimiter,
  { timer, onFailure }: RateLimitSyncPorts,
): () => Promise<void> {
  return repeat(timer, SYNC_INTERVAL_MS, async () => {
    await limiter.synchronize().catch(onFailure);
    return SYNC_INTERVAL_MS;
  });
}
