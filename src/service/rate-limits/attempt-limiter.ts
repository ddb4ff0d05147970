/**
 * Limits attempts that may fail, such as guesses of a secret. A unit is consumed before the attempt and returned on success, so that concurrent
 * attempts cannot fail more often than the limit allows (S124, S190).
 *
 * Units are reserved in the store, which all instances share; each instance runs one attempt per bucket at a time, except attempts with the bucket's
 * last verified secret. These need no reservation while no attempt has failed, so that successful authentication is cheap. A look-up (an attempt
 * without a secret) that does not fail leaves its unit to the next look-up of the bucket. While the store is unavailable, attempts that need a
 * reservation reject with `StoreUnavailable` and do not run.
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
  count: number;
  isBusy: boolean;
  waiting: (() => void)[];
}

/** A wider bucket has this many times the capacity of a bucket. */
const SPREAD = 10;
/** Above this, the oldest entry is evicted. */
const MAX_REMEMBERED = 10_000;

/** @param key - The HMAC key for the hashes of verified secrets in memory: plain hashes would allow guessing weak secrets. */
export function createAttemptLimiter(
  limiter: RateLimiter,
  key: string,
  { digest, clock }: AttemptLimiterPorts,
): AttemptLimiter {
  const gates = new Map<string, Gate>();
  /** The last verified secret of each bucket. */
  const verified = new Map<string, string>();
  /** When the reserved but unused unit of each bucket drains, epoch milliseconds. */
  const unspent = new Map<string, number>();

  return {
    attempt: async (attempt, work) => {
      const { limit } = attempt;
      const assertWithin = (status: RateLimitStatus | undefined) => {
        if (status?.exceeded === true) attempt.reject(status);
      };
      const bucket = digest.sha256(JSON.stringify(attempt.bucket));
      if (limiter.peek(limit, bucket) === undefined) return await work();
      const secretHash = attempt.secret === undefined ? undefined : digest.hmacSha256(key, attempt.secret);

      /**
       * Whether the secret equals the last verified one. Compares only while no unit is in use, since each comparison is a free guess: after a wrong
       * one, the attempt reserves a unit, so that no second guess is free.
       */
      const isVerified = () => {
        const last = verified.get(bucket);
        const { remaining = 0, limit: full } = limiter.peek(limit, bucket) ?? {};
        return (
          secretHash !== undefined &&
          last !== undefined &&
          remaining === full &&
          digest.equal(secretHash, last)
        );
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
      const hasUnspent = () => secretHash === undefined && (unspent.get(bucket) ?? 0) > clock.now();
      /** The wider bucket, in memory, bounds the store writes that one address can cause. */
      const spread = attempt.spread && digest.sha256(JSON.stringify(attempt.spread));
      const releaseSpread = () => {
        if (spread !== undefined) limiter.charge(limit, spread, -1 / SPREAD);
      };
      const reserve = async () => {
        if (spread !== undefined) assertWithin(limiter.consume(limit, spread, 1 / SPREAD));
        const reserved = await limiter.reserve(limit, bucket).catch((error: unknown) => {
          releaseSpread();
          throw error;
        });
        assertWithin(reserved);
        return reserved;
      };
      const runLookUp = async () => {
        const reserved = hasUnspent() ? undefined : await reserve();
        const drainedAt = reserved?.resetAt ?? unspent.get(bucket) ?? 0;
        unspent.delete(bucket);
        const keepUnit = () => {
          remember(unspent, bucket, drainedAt);
          if (reserved !== undefined) releaseSpread();
        };
        try {
          const result = await work();
          keepUnit();
          return result;
        } catch (error) {
          if (!attempt.isFailure(error)) keepUnit();
          throw error;
        }
      };
      const runReserved = async () => {
        const release = async () => {
          releaseSpread();
          await limiter.release(limit, bucket);
        };
        await reserve();
        try {
          const result = await work();
          await release();
          if (secretHash !== undefined) remember(verified, bucket, secretHash);
          return result;
        } catch (error) {
          if (!attempt.isFailure(error)) await release();
          throw error;
        }
      };

      if (!gates.has(bucket) && isVerified()) return await runVerified();
      const gate = gates.get(bucket) ?? { count: 0, isBusy: false, waiting: [] };
      gates.set(bucket, gate);
      gate.count += 1;
      try {
        // Waiting attempts are woken in order.
        while (gate.isBusy || gate.waiting.length > 0) {
          await new Promise<void>((resolve) => gate.waiting.push(resolve));
        }
        gate.isBusy = true;
        try {
          if (!hasUnspent()) assertWithin(limiter.peek(limit, bucket));
          if (secretHash === undefined) return await runLookUp();
          return isVerified() ? await runVerified() : await runReserved();
        } finally {
          gate.isBusy = false;
          for (const wake of gate.waiting.splice(0)) wake();
        }
      } finally {
        gate.count -= 1;
        if (gate.count === 0) gates.delete(bucket);
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
