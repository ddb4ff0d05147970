/**
 * Limits attempts that may fail, such as guesses of a secret. A unit is consumed before the attempt and returned on success, so that concurrent
 * attempts cannot fail more often than the limit allows (S124, S190).
 *
 * Units are reserved in the store, since attempts can be made at every instance; one attempt at a time per bucket and instance. The last verified
 * secret of a bucket needs no reservation while nothing has failed there, so that successful authentication stays cheap. A successful look-up
 * without a secret leaves its unit to the next one. Attempts that need a reservation fail while the store is unavailable.
 */
import type { Clock, Digest } from '../ports/ports.js';
import type { RateLimiter, RateLimitName, RateLimitStatus } from './rate-limiter.js';

export interface Attempt {
  readonly limit: Extract<RateLimitName, 'failures' | 'misses'>;
  /** Key of the bucket. The kind of caller comes first, so that kinds do not share buckets. */
  readonly bucket: readonly string[];
  /** The presented secret; absent for look-ups. */
  readonly secret?: string | undefined;
  /** Key of a wider bucket with ten times the capacity, against guesses spread over many names. */
  readonly spread?: readonly string[];
  /** Whether an error means that the attempt failed. Otherwise the unit is returned. */
  readonly isFailure: (error: unknown) => boolean;
  /** Called with the status when the limit is exceeded. */
  readonly reject: (status: RateLimitStatus) => never;
}

export interface AttemptLimiterPorts {
  readonly digest: Digest;
  readonly clock: Clock;
}

export interface AttemptLimiter {
  /** Runs an attempt. Throws what `reject` and `work` throw, and `StoreUnavailable`. */
  attempt<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result>;
}

/** Attempts on one bucket, running or waiting. */
interface Gate {
  present: number;
  isBusy: boolean;
  waiting: (() => void)[];
}

/** Capacity of a wider bucket, in buckets. */
const SPREAD = 10;
/** Above this, the oldest entry is evicted. */
const MAX_REMEMBERED = 10_000;

/** @param key - Keys the hashes of secrets in memory, which could otherwise be guessed from a memory dump. */
export function createAttemptLimiter(
  limiter: RateLimiter,
  key: string,
  { digest, clock }: AttemptLimiterPorts,
): AttemptLimiter {
  const gates = new Map<string, Gate>();
  /** The last verified secret of each bucket. */
  const verified = new Map<string, string>();
  /** The reserved but unused unit of each bucket, by the instant at which it has drained. */
  const unspent = new Map<string, number>();

  return {
    attempt: async (attempt, work) => {
      const { limit } = attempt;
      const assertWithin = (status: RateLimitStatus | undefined) => {
        if (status?.exceeded === true) attempt.reject(status);
      };
      const bucket = digest.sha256(JSON.stringify(attempt.bucket));
      if (limiter.peek(limit, bucket) === undefined) return await work();
      const proof = attempt.secret === undefined ? undefined : digest.hmacSha256(key, attempt.secret);

      /** Comparing with the verified secret is a guess as well: it is free only in an empty bucket, and a mismatch consumes a unit. */
      const isVerified = () => {
        const last = verified.get(bucket);
        const { remaining = 0, limit: all } = limiter.peek(limit, bucket) ?? {};
        return proof !== undefined && last !== undefined && remaining === all && digest.equal(proof, last);
      };
      const runVerified = async () => {
        try {
          return await work();
        } catch (error) {
          if (attempt.isFailure(error)) {
            verified.delete(bucket);
            limiter.charge(limit, bucket, 1);
          }
          throw error;
        }
      };
      const hasUnspent = () => proof === undefined && (unspent.get(bucket) ?? 0) > clock.now();
      /** The wider bucket, in memory, bounds the store writes that one address can cause. */
      const spread = attempt.spread && digest.sha256(JSON.stringify(attempt.spread));
      const reserve = async () => {
        if (spread !== undefined) assertWithin(limiter.consume(limit, spread, 1 / SPREAD));
        const reserved = await limiter.reserve(limit, bucket);
        assertWithin(reserved);
        return reserved;
      };
      const giveBackSpread = () => {
        if (spread !== undefined) limiter.charge(limit, spread, -1 / SPREAD);
      };
      const runLookUp = async () => {
        const reserved = hasUnspent() ? undefined : await reserve();
        const drainedAt = reserved?.resetAt ?? unspent.get(bucket) ?? 0;
        unspent.delete(bucket);
        const leave = () => {
          remember(unspent, bucket, drainedAt);
          if (reserved !== undefined) giveBackSpread();
        };
        try {
          const result = await work();
          leave();
          return result;
        } catch (error) {
          if (!attempt.isFailure(error)) leave();
          throw error;
        }
      };
      const runReserved = async () => {
        const giveBack = async () => {
          giveBackSpread();
          await limiter.release(limit, bucket);
        };
        await reserve();
        try {
          const result = await work();
          await giveBack();
          if (proof !== undefined) remember(verified, bucket, proof);
          return result;
        } catch (error) {
          if (!attempt.isFailure(error)) await giveBack();
          throw error;
        }
      };

      if (!gates.has(bucket) && isVerified()) return await runVerified();
      const gate = gates.get(bucket) ?? { present: 0, isBusy: false, waiting: [] };
      gates.set(bucket, gate);
      gate.present += 1;
      try {
        // Waiting attempts are woken in order.
        while (gate.isBusy || gate.waiting.length > 0) {
          await new Promise<void>((resolve) => gate.waiting.push(resolve));
        }
        gate.isBusy = true;
        try {
          if (!hasUnspent()) assertWithin(limiter.peek(limit, bucket));
          if (proof === undefined) return await runLookUp();
          return isVerified() ? await runVerified() : await runReserved();
        } finally {
          gate.isBusy = false;
          for (const wake of gate.waiting.splice(0)) wake();
        }
      } finally {
        gate.present -= 1;
        if (gate.present === 0) gates.delete(bucket);
      }
    },
  };
}

function remember<Value>(entries: Map<string, Value>, bucket: string, value: Value): void {
  entries.delete(bucket);
  entries.set(bucket, value);
  if (entries.size <= MAX_REMEMBERED) return;
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}
