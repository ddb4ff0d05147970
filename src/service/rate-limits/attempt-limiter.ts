/**
 * Limits attempts that may fail, such as guesses of a secret: a unit is taken before the outcome is known and given back on success, so
 * that concurrent attempts cannot fail more often than the limit allows (S124, S190).
 *
 * A secret can be guessed at every instance, so its unit is reserved in the store, one attempt per bucket and instance at a time. A secret
 * that was right before, in the same bucket, costs no reservation as long as nothing has failed there: authentication stays as cheap as it
 * is without a limit. Where the store is away, secrets that are not known yet cannot be tried.
 *
 * Where there is nothing to guess, an attempt takes its unit in memory: attempts in flight count as if they had failed, and wait for each
 * other rather than being refused.
 */
import type { Digest } from '../ports/digest.js';
import type { RateLimiter, RateLimitName, Standing } from './rate-limiter.js';

export interface Attempt {
  readonly limit: Extract<RateLimitName, 'failures' | 'misses'>;
  /** Names the bucket: the kind of caller first, so that no two kinds share one. */
  readonly bucket: readonly string[];
  /** What a caller may be guessing; absent where there is nothing to guess. */
  readonly secret?: string | undefined;
  /** A wider bucket, which holds ten times as many failures: guesses spread over many names, each of which writes to the store. */
  readonly spread?: readonly string[];
  /** Whether an error means that the attempt failed. Any other outcome gives the unit back. */
  readonly isFailure: (error: unknown) => boolean;
  /** Called with the standing that leaves no room for the attempt. */
  readonly refuse: (standing: Standing) => never;
}

export interface AttemptLimiter {
  /** Does the work of an attempt. Throws what `refuse` and the work throw, and `StoreUnavailable`. */
  attempt<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result>;
}

/** Attempts on one bucket, in flight or waiting. */
interface Gate {
  present: number;
  running: number;
  waiting: (() => void)[];
}

/** How many buckets' worth of failures a wider bucket holds. */
const SPREAD = 10;
/** Beyond it, the secret that was verified longest ago is forgotten, and reserves a unit again. */
const MAX_VERIFIED = 10_000;

/** @param key - Under which secrets are kept in memory: hashes alone could be guessed offline from a memory dump. */
export function createAttemptLimiter(limiter: RateLimiter, key: string, digest: Digest): AttemptLimiter {
  const gates = new Map<string, Gate>();
  /** The secret that was right last, for each bucket. */
  const verified = new Map<string, string>();

  return {
    attempt: async (attempt, work) => {
      const { limit } = attempt;
      const assertWithin = (standing: Standing | undefined) => {
        if (standing?.exceeded === true) attempt.refuse(standing);
      };
      const bucket = digest.sha256(JSON.stringify(attempt.bucket));
      const standing = limiter.look(limit, bucket);
      if (standing === undefined) return await work();
      assertWithin(standing);
      const proof = attempt.secret === undefined ? undefined : digest.hmacSha256(key, attempt.secret);

      /**
       * Comparing with the verified secret is a guess, too. Only the first in an empty bucket is compared without a unit; where it differs,
       * it takes a unit before anything else is compared.
       */
      const isVerified = () => {
        const last = verified.get(bucket);
        const { remaining = 0, limit: all } = limiter.look(limit, bucket) ?? {};
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
      const runCounted = async () => {
        try {
          return await work();
        } catch (error) {
          if (attempt.isFailure(error)) limiter.take(limit, bucket);
          throw error;
        }
      };
      const runReserved = async () => {
        const spread = attempt.spread && digest.sha256(JSON.stringify(attempt.spread));
        if (spread !== undefined) assertWithin(limiter.take(limit, spread, 1 / SPREAD));
        const giveBack = async () => {
          if (spread !== undefined) limiter.charge(limit, spread, -1 / SPREAD);
          await limiter.release(limit, bucket);
        };
        assertWithin(await limiter.reserve(limit, bucket));
        try {
          const result = await work();
          await giveBack();
          if (proof !== undefined) keep(verified, bucket, proof);
          return result;
        } catch (error) {
          if (!attempt.isFailure(error)) await giveBack();
          throw error;
        }
      };

      if (!gates.has(bucket) && isVerified()) return await runVerified();
      const gate = gates.get(bucket) ?? { present: 0, running: 0, waiting: [] };
      gates.set(bucket, gate);
      gate.present += 1;
      try {
        await enter(gate, () => {
          const now = limiter.look(limit, bucket);
          assertWithin(now);
          return proof === undefined ? (now?.remaining ?? 1) : 1;
        });
        try {
          if (proof === undefined) return await runCounted();
          return isVerified() ? await runVerified() : await runReserved();
        } finally {
          gate.running -= 1;
          for (const wake of gate.waiting.splice(0)) wake();
        }
      } finally {
        gate.present -= 1;
        if (gate.present === 0) gates.delete(bucket);
      }
    },
  };
}

/** @param places - How many may run at once now; throws where the bucket is full. */
async function enter(gate: Gate, places: () => number): Promise<void> {
  // All that wait are woken in their order, and line up again in it.
  while (gate.running >= places() || gate.waiting.length > 0) {
    await new Promise<void>((resolve) => gate.waiting.push(resolve));
  }
  gate.running += 1;
}

function keep(entries: Map<string, string>, bucket: string, proof: string): void {
  entries.delete(bucket);
  entries.set(bucket, proof);
  if (entries.size <= MAX_VERIFIED) return;
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}
