/**
 * How many requests each caller may make (S124, S190, S197): a bucket a caller, which empties evenly and is told in one number.
 *
 * Counting happens in memory, at the cost of one look-up; what weighs is then added up in the store, so that several instances count
 * together. Where the store is away, each goes on by its own count.
 */
import type { Clock } from '../ports/clock.js';
import type { Digest } from '../ports/digest.js';
import type { Store } from '../ports/store/store.js';
import type { SharedUse } from '../ports/store/use-store.js';

export const RATE_LIMIT_NAMES = ['address', 'client', 'token', 'failures'] as const;

/** Whose requests are counted; `failures` counts secrets that were wrong. */
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
  /** Counts one. `undefined` where there is no such limit. Never throws. */
  take(name: RateLimitName, key: string): Standing | undefined;
  /** Tells without counting whether there is one too many already. Never throws. */
  look(name: RateLimitName, key: string): Standing | undefined;
  /** Adds up what weighs with the other instances. Rejects with `StoreUnavailable`; what was counted stays counted. */
  share(): Promise<void>;
}

export interface RateLimiterPorts {
  readonly store: Pick<Store, 'addUse'>;
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

const MINUTE_MS = 60_000;
const MS_PER_SECOND = 1_000;
/** What is not shared may stay uncounted by others: a twentieth of a limit an instance. */
const SHARED_FRACTION = 20;
/** Of each limit. Beyond it, whoever was first seen longest ago is forgotten: memory is bounded whoever asks. */
const MAX_BUCKETS = 100_000;
/** In one statement. */
const MAX_SHARED_AT_ONCE = 200;

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
  const stand = (name: RateLimitName, caller: string, count: boolean): Standing | undefined => {
    const limit = limits.get(name);
    if (limit === undefined || limit.perMinute === 0) return undefined;
    const now = clock.now();
    const bucket = limit.buckets.get(caller);
    // A clock that jumped back locks nobody out for longer than a full bucket does.
    if (bucket !== undefined && bucket.emptyAt > now + MINUTE_MS) bucket.emptyAt = now + MINUTE_MS;
    const standing = standingOf(limit, bucket?.emptyAt ?? now, now, count);
    if (count && !standing.exceeded) add(limit, caller, bucket, now);
    return standing;
  };
  return {
    take: (name, caller) => stand(name, caller, true),
    look: (name, caller) => stand(name, caller, false),
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
            named.map(([caller, bucket]) => ({
              id: digest.hmacSha256(key, `${limit.name}:${caller}`),
              caller,
              bucket,
            })),
            now,
            store,
          );
        }
      }
    },
  };
}

function createLimit(name: RateLimitName, perMinute: number): Limit {
  return { name, perMinute, cost: MINUTE_MS / perMinute, buckets: new Map(), heavy: new Map() };
}

/** @param taking - Whether the request is about to be counted, so that what remains is what remains after it. */
function standingOf(
  { name, perMinute, cost }: Limit,
  emptyAt: number,
  now: number,
  taking: boolean,
): Standing {
  const content = Math.max(0, emptyAt - now);
  // Sums of thirds of milliseconds are not exact.
  const slack = Math.min(0.5, cost / 1_000);
  const exceeded = content + cost > MINUTE_MS + slack;
  const after = exceeded || !taking ? content : content + cost;
  return {
    name,
    limit: perMinute,
    remaining: Math.max(0, Math.floor((MINUTE_MS + slack - after) / cost)),
    resetSeconds: Math.ceil(after / MS_PER_SECOND),
    resetAt: now + after,
    retrySeconds: exceeded ? Math.max(1, Math.ceil((content + cost - MINUTE_MS) / MS_PER_SECOND)) : 0,
    exceeded,
  };
}

function add(limit: Limit, caller: string, bucket: Bucket | undefined, now: number): void {
  const { buckets, heavy, cost, perMinute } = limit;
  if (bucket === undefined) {
    if (buckets.size >= MAX_BUCKETS) forgetFirst(limit);
    const created = { emptyAt: now + cost, unshared: 1 };
    buckets.set(caller, created);
    if (SHARED_FRACTION >= perMinute) heavy.set(caller, created);
    return;
  }
  bucket.emptyAt = Math.max(bucket.emptyAt, now) + cost;
  bucket.unshared += 1;
  if (bucket.unshared * SHARED_FRACTION >= perMinute) heavy.set(caller, bucket);
}

function forgetFirst({ buckets, heavy }: Limit): void {
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
