/**
 * How many requests each caller may make (S124, S190, S197): a bucket a caller, which empties evenly and is told in one number.
 *
 * Counting happens in memory, at the cost of one look-up; what weighs is then added up in the store, so that several instances count
 * together. Where the store is away, each goes on by its own count.
 */
import { MS_PER_MINUTE, MS_PER_SECOND } from '../../util/time.js';
import type { Clock, Digest, Timer } from '../ports/ports.js';
import type { BucketUsage, Store } from '../ports/store/store.js';

export const RATE_LIMIT_NAMES = [
  'address',
  'client',
  'token',
  'failures',
  'authorizations',
  'misses',
] as const;

/**
 * What is counted: requests of an address, a client or a token; wrong secrets (`failures`); authorization requests of an address
 * (`authorizations`); user-token requests of a client that found no grant (`misses`).
 */
export type RateLimitName = (typeof RATE_LIMIT_NAMES)[number];

/** How a caller stands with a limit. */
export interface RateLimitStatus {
  readonly name: RateLimitName;
  /** A minute. */
  readonly limit: number;
  /** How many may come at once now. */
  readonly remaining: number;
  /** Until the whole limit is there again. */
  readonly resetSeconds: number;
  /** The same as an instant, epoch milliseconds. */
  readonly resetAt: number;
  /** Until the next one may come; 0 where it may come now. */
  readonly retrySeconds: number;
  /** The request is one too many. */
  readonly exceeded: boolean;
}

export interface RateLimiter {
  /**
   * Counts a request, unless there is no room for it. `undefined` where there is no such limit. Never throws.
   *
   * @param units - What the request costs; 1 where absent. At most a whole bucket is charged.
   */
  consume(name: RateLimitName, key: string, units?: number): RateLimitStatus | undefined;
  /**
   * Counts what has already been spent, room or not; a negative number gives back what was taken. A bucket carries a debt of at most its
   * own capacity. The standing is that for the next request. Never throws.
   */
  charge(name: RateLimitName, key: string, units: number): RateLimitStatus | undefined;
  /**
   * Counts one in the store, in one statement: of concurrent calls on any number of instances, exactly as many have room as the limit
   * allows. Rejects with `StoreUnavailable`.
   */
  reserve(name: RateLimitName, key: string): Promise<RateLimitStatus | undefined>;
  /** Gives back what {@link RateLimiter.reserve} counted. Where the store is away, the next {@link RateLimiter.synchronize} does. Never rejects. */
  release(name: RateLimitName, key: string): Promise<void>;
  /**
   * Tells without counting whether there is room. Never throws.
   *
   * @param units - For how much; 1 where absent. With 0, only an overdrawn bucket has no room.
   */
  peek(name: RateLimitName, key: string, units?: number): RateLimitStatus | undefined;
  /** Adds up what weighs with the other instances. Rejects with `StoreUnavailable`; what was counted stays counted. */
  synchronize(): Promise<void>;
}

export interface RateLimiterPorts {
  readonly store: Pick<Store, 'addUsage' | 'reserveUsage'>;
  readonly clock: Clock;
  readonly digest: Digest;
}

/** A caller's bucket. */
interface Bucket {
  /** When it will be empty, epoch milliseconds; what is still in it is what was asked for beyond the even pace. */
  emptyAt: number;
  /** Counted here, and not in the store yet. */
  unsynchronized: number;
}

interface Limit {
  readonly name: RateLimitName;
  readonly perMinute: number;
  /** What one request adds to its bucket, in milliseconds. */
  readonly cost: number;
  readonly buckets: Map<string, Bucket>;
  /** Buckets with a count that the store should know. */
  readonly dirty: Map<string, Bucket>;
}

/** A full bucket, and a debt of as much again: what was spent beyond that is forgiven, so that no caller is refused for longer. */
const MAX_CONTENT_MS = 2 * MS_PER_MINUTE;
/** What is not shared may stay uncounted by others: a twentieth of a limit an instance. */
const SYNC_FRACTION = 20;
/** Of each limit. Beyond it, whoever was first seen longest ago is forgotten: memory is bounded whoever asks. */
const MAX_BUCKETS = 100_000;
/** In one statement. */
const BUCKETS_PER_STATEMENT = 200;
/** Longer keys are hashed, so that memory is bounded whatever callers send. */
const MAX_KEY_CODE_UNITS = 64;

/**
 * @param perMinute - 0 for no limit.
 * @param key - Under which callers are named in the store, which holds no address and no token of theirs.
 */
export function createRateLimiter(
  perMinute: Readonly<Record<RateLimitName, number>>,
  key: string,
  { store, clock, digest }: RateLimiterPorts,
): RateLimiter {
  const limits = new Map(RATE_LIMIT_NAMES.map((name) => [name, createLimit(name, perMinute[name])]));
  /** The limit of a name with its caller's bucket; `undefined` where there is no limit. */
  const find = (name: RateLimitName, key: string) => {
    const limit = limits.get(name);
    if (limit === undefined || limit.perMinute === 0) return undefined;
    const caller = key.length > MAX_KEY_CODE_UNITS ? digest.sha256(key) : key;
    const now = clock.now();
    const bucket = limit.buckets.get(caller);
    // A clock that jumped back locks no caller out for longer than the greatest debt does.
    if (bucket !== undefined) bucket.emptyAt = Math.min(bucket.emptyAt, now + MAX_CONTENT_MS);
    return { limit, caller, now, emptyAt: Math.max(bucket?.emptyAt ?? now, now) };
  };
  const idOf = ({ name }: Limit, caller: string) => digest.hmacSha256(key, `${name}:${caller}`);
  return {
    consume: (name, key, units = 1) => {
      const found = find(name, key);
      if (found === undefined) return undefined;
      const { limit, caller, now, emptyAt } = found;
      const cost = Math.min(units, limit.perMinute);
      const status = statusOf(limit, emptyAt, now, cost);
      if (status.exceeded) return status;
      add(limit, caller, now, cost);
      return { ...status, ...contentOf(limit, emptyAt + cost * limit.cost, now) };
    },
    peek: (name, key, units = 1) => {
      const found = find(name, key);
      if (found === undefined) return undefined;
      const { limit, now, emptyAt } = found;
      const status = statusOf(limit, emptyAt, now, Math.max(1, units));
      return units > 0 ? status : { ...status, exceeded: emptyAt - now - MS_PER_MINUTE > slackOf(limit) };
    },
    charge: (name, key, units) => {
      const found = find(name, key);
      if (found === undefined) return undefined;
      const { limit, caller, now } = found;
      const bucket = add(limit, caller, now, units);
      bucket.emptyAt = Math.min(bucket.emptyAt, now + MAX_CONTENT_MS);
      return statusOf(limit, bucket.emptyAt, now, 1);
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
      const status = statusOf(limit, emptyAt, now, 1);
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
        // The next round of sharing gives it back, and reports that the store is away.
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
          const named = dirty.slice(from, from + BUCKETS_PER_STATEMENT);
          await synchronizeBuckets(
            limit,
            named.map(([caller, bucket]) => ({ id: idOf(limit, caller), caller, bucket })),
            now,
            store,
          );
        }
      }
    },
  };
}

function createLimit(name: RateLimitName, perMinute: number): Limit {
  return { name, perMinute, cost: MS_PER_MINUTE / perMinute, buckets: new Map(), dirty: new Map() };
}

/** What the store counts for one request, in whole milliseconds. */
function storedCost({ cost }: Limit): number {
  return Math.max(1, Math.round(cost));
}

/** @param units - What the next request costs, by which it is decided whether there is room for it. */
function statusOf(limit: Limit, emptyAt: number, now: number, units: number): RateLimitStatus {
  const { name, perMinute, cost } = limit;
  const missing = Math.max(0, emptyAt - now) + units * cost - MS_PER_MINUTE;
  const exceeded = missing > slackOf(limit);
  return {
    name,
    limit: perMinute,
    ...contentOf(limit, emptyAt, now),
    retrySeconds: exceeded ? Math.max(1, Math.ceil(missing / MS_PER_SECOND)) : 0,
    exceeded,
  };
}

function contentOf(
  limit: Limit,
  emptyAt: number,
  now: number,
): Pick<RateLimitStatus, 'remaining' | 'resetSeconds' | 'resetAt'> {
  const content = Math.max(0, emptyAt - now);
  return {
    remaining: Math.max(0, Math.floor((MS_PER_MINUTE + slackOf(limit) - content) / limit.cost)),
    resetSeconds: Math.ceil(content / MS_PER_SECOND),
    resetAt: now + content,
  };
}

/** Sums of thirds of milliseconds are not exact. */
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
  // What was shared and is given back has to be given back in the store.
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
  for (const [caller, { emptyAt }] of buckets) {
    if (emptyAt > now) continue;
    buckets.delete(caller);
    dirty.delete(caller);
  }
}

/** What comes while the store is asked stays unshared, and is added to what the store says. */
async function synchronizeBuckets(
  { cost, dirty }: Limit,
  named: readonly { readonly id: string; readonly caller: string; readonly bucket: Bucket }[],
  now: number,
  store: Pick<Store, 'addUsage'>,
): Promise<void> {
  const uses: BucketUsage[] = named.map(({ id, bucket }) => ({
    id,
    ms: Math.round(bucket.unsynchronized * cost),
  }));
  const taken = named.map(({ bucket }) => bucket.unsynchronized);
  for (const { bucket } of named) bucket.unsynchronized = 0;
  try {
    const emptyAt = await store.addUsage(uses, now);
    for (const { id, bucket } of named) {
      bucket.emptyAt = Math.max(bucket.emptyAt, (emptyAt.get(id) ?? 0) + bucket.unsynchronized * cost);
    }
  } catch (error) {
    for (const [index, { caller, bucket }] of named.entries()) {
      bucket.unsynchronized += taken[index] ?? 0;
      dirty.set(caller, bucket);
    }
    throw error;
  }
}

const SYNC_INTERVAL_MS = 1_000;

/** What the sharing needs of the outside. */
export interface RateLimitSyncPorts {
  readonly timer: Timer;
  /** Told of a round that failed; the next is made all the same. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Begins to share, once a second.
 *
 * @returns What ends it, after the round that is being made.
 */
export function startRateLimitSync(
  limiter: RateLimiter,
  { timer, onFailure }: RateLimitSyncPorts,
): () => Promise<void> {
  let stopped = false;
  let round = Promise.resolve();
  let cancel = () => {};
  const wait = () => {
    cancel = timer.after(SYNC_INTERVAL_MS, () => {
      round = limiter
        .synchronize()
        .catch(onFailure)
        .then(() => {
          if (!stopped) wait();
        });
    });
  };
  wait();
  return async () => {
    stopped = true;
    cancel();
    await round;
  };
}
