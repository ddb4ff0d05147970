/**
 * How many requests each caller may make (S124, S190, S197): a bucket a caller, which empties evenly and is told in one number.
 *
 * Counting happens in memory, at the cost of one look-up; what weighs is then added up in the store, so that several instances count
 * together. Where the store is away, each goes on by its own count.
 */
import { MS_PER_MINUTE, MS_PER_SECOND } from '../../util/time.js';
import type { Clock, Digest, Timer } from '../ports/ports.js';
import type { SharedUse, Store } from '../ports/store/store.js';

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
export interface Standing {
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
  take(name: RateLimitName, key: string, units?: number): Standing | undefined;
  /**
   * Counts what has already been spent, room or not; a negative number gives back what was taken. A bucket carries a debt of at most its
   * own capacity. The standing is that for the next request. Never throws.
   */
  charge(name: RateLimitName, key: string, units: number): Standing | undefined;
  /**
   * Counts one in the store, in one statement: of concurrent calls on any number of instances, exactly as many have room as the limit
   * allows. Rejects with `StoreUnavailable`.
   */
  reserve(name: RateLimitName, key: string): Promise<Standing | undefined>;
  /** Gives back what {@link RateLimiter.reserve} counted. Where the store is away, the next {@link RateLimiter.share} does. Never rejects. */
  release(name: RateLimitName, key: string): Promise<void>;
  /**
   * Tells without counting whether there is room. Never throws.
   *
   * @param units - For how much; 1 where absent. With 0, only an overdrawn bucket has no room.
   */
  look(name: RateLimitName, key: string, units?: number): Standing | undefined;
  /** Adds up what weighs with the other instances. Rejects with `StoreUnavailable`; what was counted stays counted. */
  share(): Promise<void>;
}

export interface RateLimiterPorts {
  readonly store: Pick<Store, 'addUse' | 'reserveUse'>;
  readonly clock: Clock;
  readonly digest: Digest;
}

/** A caller's bucket. */
interface Bucket {
  /** When it will be empty, epoch milliseconds; what is still in it is what was asked for beyond the even pace. */
  emptyAt: number;
  /** Counted here, and not in the store yet. */
  unshared: number;
}

interface Limit {
  readonly name: RateLimitName;
  readonly perMinute: number;
  /** What one request adds to its bucket, in milliseconds. */
  readonly cost: number;
  readonly buckets: Map<string, Bucket>;
  /** Buckets with a count that the store should know. */
  readonly heavy: Map<string, Bucket>;
}

/** A full bucket, and a debt of as much again: what was spent beyond that is forgiven, so that no caller is refused for longer. */
const MAX_CONTENT_MS = 2 * MS_PER_MINUTE;
/** What is not shared may stay uncounted by others: a twentieth of a limit an instance. */
const SHARED_FRACTION = 20;
/** Of each limit. Beyond it, whoever was first seen longest ago is forgotten: memory is bounded whoever asks. */
const MAX_BUCKETS = 100_000;
/** In one statement. */
const MAX_SHARED_AT_ONCE = 200;
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
    take: (name, key, units = 1) => {
      const found = find(name, key);
      if (found === undefined) return undefined;
      const { limit, caller, now, emptyAt } = found;
      const cost = Math.min(units, limit.perMinute);
      const standing = standingOf(limit, emptyAt, now, cost);
      if (standing.exceeded) return standing;
      add(limit, caller, now, cost);
      return { ...standing, ...contentOf(limit, emptyAt + cost * limit.cost, now) };
    },
    look: (name, key, units = 1) => {
      const found = find(name, key);
      if (found === undefined) return undefined;
      const { limit, now, emptyAt } = found;
      const standing = standingOf(limit, emptyAt, now, Math.max(1, units));
      return units > 0 ? standing : { ...standing, exceeded: emptyAt - now - MS_PER_MINUTE > slackOf(limit) };
    },
    charge: (name, key, units) => {
      const found = find(name, key);
      if (found === undefined) return undefined;
      const { limit, caller, now } = found;
      const bucket = add(limit, caller, now, units);
      bucket.emptyAt = Math.min(bucket.emptyAt, now + MAX_CONTENT_MS);
      return standingOf(limit, bucket.emptyAt, now, 1);
    },
    reserve: async (name, key) => {
      const found = find(name, key);
      if (found === undefined) return undefined;
      const { limit, caller, now } = found;
      const ms = sharedCost(limit);
      const { reserved, emptyAt } = await store.reserveUse(
        { id: idOf(limit, caller), ms },
        ms * limit.perMinute,
        now,
      );
      const bucket = bucketOf(limit, caller, now);
      bucket.emptyAt = Math.max(bucket.emptyAt, emptyAt + bucket.unshared * limit.cost);
      const standing = standingOf(limit, emptyAt, now, 1);
      if (reserved) return { ...standing, exceeded: false, retrySeconds: 0 };
      return { ...standing, exceeded: true, retrySeconds: Math.max(1, standing.retrySeconds) };
    },
    release: async (name, key) => {
      const found = find(name, key);
      if (found === undefined) return;
      const { limit, caller, now } = found;
      const bucket = bucketOf(limit, caller, now);
      const id = idOf(limit, caller);
      try {
        const shared = await store.addUse([{ id, ms: -sharedCost(limit) }], now);
        bucket.emptyAt = (shared.get(id) ?? now) + bucket.unshared * limit.cost;
      } catch {
        // The next round of sharing gives it back, and reports that the store is away.
        bucket.unshared -= 1;
        limit.heavy.set(caller, bucket);
      }
    },
    share: async () => {
      const now = clock.now();
      for (const limit of limits.values()) {
        forgetEmpty(limit, now);
        const heavy = [...limit.heavy];
        limit.heavy.clear();
        for (let from = 0; from < heavy.length; from += MAX_SHARED_AT_ONCE) {
          const named = heavy.slice(from, from + MAX_SHARED_AT_ONCE);
          await shareBuckets(
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
  return { name, perMinute, cost: MS_PER_MINUTE / perMinute, buckets: new Map(), heavy: new Map() };
}

/** What the store counts for one request, in whole milliseconds. */
function sharedCost({ cost }: Limit): number {
  return Math.max(1, Math.round(cost));
}

/** @param units - What the next request costs, by which it is decided whether there is room for it. */
function standingOf(limit: Limit, emptyAt: number, now: number, units: number): Standing {
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
): Pick<Standing, 'remaining' | 'resetSeconds' | 'resetAt'> {
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

function bucketOf({ buckets, heavy }: Limit, caller: string, now: number): Bucket {
  const found = buckets.get(caller);
  if (found !== undefined) return found;
  if (buckets.size >= MAX_BUCKETS) forgetFirst({ buckets, heavy });
  const created = { emptyAt: now, unshared: 0 };
  buckets.set(caller, created);
  return created;
}

function add(limit: Limit, caller: string, now: number, units: number): Bucket {
  const bucket = bucketOf(limit, caller, now);
  bucket.emptyAt = Math.max(bucket.emptyAt, now) + units * limit.cost;
  bucket.unshared += units;
  // What was shared and is given back has to be given back in the store.
  const weighs = bucket.unshared < 0 || bucket.unshared * SHARED_FRACTION >= limit.perMinute;
  if (weighs) limit.heavy.set(caller, bucket);
  return bucket;
}

function forgetFirst({ buckets, heavy }: Pick<Limit, 'buckets' | 'heavy'>): void {
  const [first] = buckets.keys();
  if (first === undefined) return;
  buckets.delete(first);
  heavy.delete(first);
}

function forgetEmpty({ buckets, heavy }: Limit, now: number): void {
  for (const [caller, { emptyAt }] of buckets) {
    if (emptyAt > now) continue;
    buckets.delete(caller);
    heavy.delete(caller);
  }
}

/** What comes while the store is asked stays unshared, and is added to what the store says. */
async function shareBuckets(
  { cost, heavy }: Limit,
  named: readonly { readonly id: string; readonly caller: string; readonly bucket: Bucket }[],
  now: number,
  store: Pick<Store, 'addUse'>,
): Promise<void> {
  const uses: SharedUse[] = named.map(({ id, bucket }) => ({ id, ms: Math.round(bucket.unshared * cost) }));
  const taken = named.map(({ bucket }) => bucket.unshared);
  for (const { bucket } of named) bucket.unshared = 0;
  try {
    const emptyAt = await store.addUse(uses, now);
    for (const { id, bucket } of named) {
      bucket.emptyAt = Math.max(bucket.emptyAt, (emptyAt.get(id) ?? 0) + bucket.unshared * cost);
    }
  } catch (error) {
    for (const [index, { caller, bucket }] of named.entries()) {
      bucket.unshared += taken[index] ?? 0;
      heavy.set(caller, bucket);
    }
    throw error;
  }
}

const BETWEEN_MS = 1_000;

/** What the sharing needs of the outside. */
export interface SharingPorts {
  readonly timer: Timer;
  /** Told of a round that failed; the next is made all the same. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Begins to share, once a second.
 *
 * @returns What ends it, after the round that is being made.
 */
export function keepShared(limiter: RateLimiter, { timer, onFailure }: SharingPorts): () => Promise<void> {
  let stopped = false;
  let round = Promise.resolve();
  let callOff = () => {};
  const wait = () => {
    callOff = timer.after(BETWEEN_MS, () => {
      round = limiter
        .share()
        .catch(onFailure)
        .then(() => {
          if (!stopped) wait();
        });
    });
  };
  wait();
  return async () => {
    stopped = true;
    callOff();
    await round;
  };
}
