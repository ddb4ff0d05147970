/**
 * Limits attempts that may fail, such as guesses of a secret: a unit is taken before the outcome is known and given back on success, so
 * that concurrent attempts cannot fail more often than the limit allows (S124, S190).
 *
 * Attempts can be made at every instance, so the unit is reserved in the store, one attempt per bucket and instance at a time. A secret
 * that was right before, in the same bucket, costs no reservation as long as nothing has failed there: authentication stays as cheap as it
 * is without a limit. Without a secret, an attempt that succeeds leaves its unit to the next one, for as long as the unit counts. Where the
 * store is away, nothing that needs a reservation can be tried.
 */
import type { Clock, Digest } from '../ports/ports.js';
import type { RateLimiter, RateLimitName, RateLimitStatus } from './rate-limiter.js';

export interface Attempt {
  readonly limit: Extract<RateLimitName, 'failures' | 'misses'>;
  /** Names the bucket: the kind of caller first, so that no two kinds share one. */
  readonly bucket: readonly string[];
  /** What a caller may be guessing; absent for look-ups, whose outcome is not a matter of a secret. */
  readonly secret?: string | undefined;
  /** A wider bucket, which holds ten times as many failures: guesses spread over many names, each of which writes to the store. */
  readonly spread?: readonly string[];
  /** Whether an error means that the attempt failed. Any other outcome gives the unit back. */
  readonly isFailure: (error: unknown) => boolean;
  /** Called with the standing that leaves no room for the attempt. */
  readonly reject: (status: RateLimitStatus) => never;
}

export interface AttemptLimiterPorts {
  readonly digest: Digest;
  readonly clock: Clock;
}

export interface AttemptLimiter {
  /** Does the work of an attempt. Throws what `refuse` and the work throw, and `StoreUnavailable`. */
  attempt<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result>;
}

/** Attempts on one bucket, in flight or waiting. */
interface Gate {
  present: number;
  isBusy: boolean;
  waiting: (() => void)[];
}

/** How many buckets' worth of failures a wider bucket holds. */
const SPREAD = 10;
/** Beyond it, the oldest entry is forgotten, and its bucket reserves a unit again. */
const MAX_REMEMBERED = 10_000;

/** @param key - Under which secrets are kept in memory: hashes alone could be guessed offline from a memory dump. */
export function createAttemptLimiter(
  limiter: RateLimiter,
  key: string,
  { digest, clock }: AttemptLimiterPorts,
): AttemptLimiter {
  const gates = new Map<string, Gate>();
  /** The secret that was right last, for each bucket. */
  const verified = new Map<string, string>();
  /** For each bucket a unit that is reserved and not spent: the instant at which the bucket has drained it. */
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

      /**
       * Comparing with the verified secret is a guess, too. Only the first in an empty bucket is compared without a unit; where it differs,
       * it takes a unit before anything else is compared.
       */
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
      /** A write to the store for each bucket: the wider bucket, in memory, bounds how many an address can cause. */
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
        // All that wait are woken in their order, and line up again in it.
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
