/** Rate limiting: leaky buckets, memory bounds, and synchronization of instances (S190, S197). */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it } from 'vitest';
import { type BucketUsage, type RateLimiter, StoreUnavailable } from '../../../src/service/index.js';
import { createRateLimiter } from '../../../src/service/rate-limits/rate-limiter.js';
import { systemDigest } from '../../../src/system/node-ports.js';
import { createFixedClock, type FixedClock } from '../../support/fixed-clock.js';

const NOW = 1_000_000;
const NONE = { address: 0, client: 0, token: 0, failures: 0, authorizations: 0, misses: 0 };

let clock: FixedClock;
let shared: Map<string, number>;
let storeIsDown: boolean;

beforeEach(() => {
  clock = createFixedClock(NOW);
  shared = new Map();
  storeIsDown = false;
});

/** Returns a function that collects garbage at once. */
function exposeGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** Creates the rate limiter of an instance; all instances share one store. */
function createInstance(perMinute: Partial<typeof NONE>): RateLimiter {
  const addUsage = async (uses: readonly BucketUsage[], now: number) => {
    if (storeIsDown) throw new StoreUnavailable('store is down');
    for (const { id, ms } of uses) shared.set(id, Math.max(shared.get(id) ?? 0, now) + ms);
    return new Map(uses.map(({ id }) => [id, shared.get(id) ?? 0]));
  };
  const reserveUsage = async (use: BucketUsage, capacityMs: number, now: number) => {
    const content = Math.max((shared.get(use.id) ?? 0) - now, 0);
    const reserved = content + use.ms <= capacityMs;
    if (reserved) await addUsage([use], now);
    return { reserved, emptyAt: shared.get(use.id) ?? now };
  };
  return createRateLimiter({ ...NONE, ...perMinute }, 'key', {
    store: { addUsage, reserveUsage },
    clock,
    digest: systemDigest,
  });
}

describe('a rate limit', () => {
  it('allows a burst of the limit, then requests at an even rate', () => {
    const limiter = createInstance({ token: 3 });
    const remaining = [1, 2, 3].map(() => limiter.consume('token', 't')?.remaining);
    expect(remaining).toEqual([2, 1, 0]);
    expect(limiter.consume('token', 't')).toMatchObject({
      exceeded: true,
      retrySeconds: 20,
      resetSeconds: 60,
    });
    clock.moveTo(NOW + 19_999);
    expect(limiter.consume('token', 't')?.exceeded).toBe(true);
    clock.moveTo(NOW + 20_000);
    expect(limiter.consume('token', 't')?.exceeded).toBe(false);
    expect(limiter.consume('token', 't')?.exceeded).toBe(true);
    clock.moveTo(NOW + 90_000);
    expect(limiter.consume('token', 't')?.remaining).toBe(2);
  });

  it('counts each caller separately, and nothing without a limit', () => {
    const limiter = createInstance({ token: 1 });
    expect(['a', 'b', 'a'].map((key) => limiter.consume('token', key)?.exceeded)).toEqual([
      false,
      false,
      true,
    ]);
    expect(limiter.consume('client', 'a')).toBeUndefined();
  });

  it('can be read without counting', () => {
    const limiter = createInstance({ failures: 1 });
    expect([limiter.peek('failures', 'a')?.exceeded, limiter.peek('failures', 'a')?.exceeded]).toEqual([
      false,
      false,
    ]);
    limiter.consume('failures', 'a');
    expect(limiter.peek('failures', 'a')?.exceeded).toBe(true);
  });

  it('is not reset if the clock is set back, and then rejects requests at most until the maximum debt is paid off', () => {
    const limiter = createInstance({ token: 2 });
    limiter.consume('token', 't');
    limiter.consume('token', 't');
    clock.moveTo(NOW - 3_600_000);
    expect(limiter.consume('token', 't')?.retrySeconds).toBe(90);
    clock.moveTo(NOW - 3_510_000);
    expect(limiter.consume('token', 't')?.exceeded).toBe(false);
  });

  it('stores long keys as hashes, so that callers cannot control memory use', () => {
    const limiter = createInstance({ failures: 10, token: 10 });
    const collect = exposeGarbageCollector();
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 1_000; index += 1) {
      const key = `${'k'.repeat(65_536)}${index}`;
      limiter.consume('token', key);
      limiter.consume('token', key);
    }
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 * 1_048_576);
    expect(limiter.peek('token', `${'k'.repeat(65_536)}0`)?.remaining).toBe(8);
    expect(limiter.peek('token', `${'k'.repeat(65_536)}none`)?.remaining).toBe(10);
  });

  it('consumes at most a full bucket for a request of many units', () => {
    const limiter = createInstance({ client: 5 });
    expect(limiter.consume('client', 'c', 3)).toMatchObject({ exceeded: false, remaining: 2 });
    expect(limiter.consume('client', 'c', 3)).toMatchObject({
      exceeded: true,
      remaining: 2,
      retrySeconds: 12,
    });
    clock.moveTo(NOW + 60_000);
    expect(limiter.consume('client', 'c', 100)).toMatchObject({ exceeded: false, remaining: 0 });
  });

  it('charges units above the limit up to a debt of a full bucket, and returns unused units', () => {
    const limiter = createInstance({ token: 10 });
    expect(limiter.charge('token', 't', 4)).toMatchObject({ exceeded: false, remaining: 6 });
    expect(limiter.charge('token', 't', 40)).toMatchObject({ exceeded: true, resetSeconds: 120 });
    expect(limiter.charge('token', 't', -12)).toMatchObject({ exceeded: false, remaining: 2 });
  });

  it('lets a caller spend over time no more than the refill rate, whatever each request costs', () => {
    const limiter = createInstance({ token: 10 });
    let spent = 0;
    for (let second = 0; second < 600; second += 1) {
      clock.moveTo(NOW + second * 1_000);
      if (limiter.consume('token', 't')?.exceeded !== false) continue;
      limiter.charge('token', 't', 4);
      spent += 5;
    }
    // A full bucket of 10, 10 for each of ten minutes, and one more request.
    expect(spent).toBeLessThanOrEqual(10 + 100 + 5);
    expect(spent).toBeGreaterThan(95);
  });

  it('shares a debt with the other instances', async () => {
    const [one, other] = [createInstance({ token: 10 }), createInstance({ token: 10 })];
    one.charge('token', 't', 20);
    await one.synchronize();
    other.charge('token', 't', 1);
    await other.synchronize();
    clock.moveTo(NOW + 60_000);
    expect([one, other].map((limiter) => limiter.peek('token', 't')?.exceeded)).toEqual([true, true]);
  });

  // S197
  it('tracks at most 100,000 callers', async () => {
    const limiter = createInstance({ address: 1_000 });
    for (let index = 0; index <= 100_000; index += 1) limiter.consume('address', `a${index}`);
    expect(limiter.peek('address', 'a0')?.remaining).toBe(1_000);
    expect(limiter.peek('address', 'a1')?.remaining).toBe(999);
    expect(limiter.peek('address', 'a100000')?.remaining).toBe(999);
  });
});

describe('several instances with rate limits', () => {
  // S190
  it('synchronize significant counts, under keyed hashes', async () => {
    const [one, other] = [createInstance({ failures: 10 }), createInstance({ failures: 10 })];
    for (let count = 0; count < 10; count += 1) one.consume('failures', 'client 192.0.2.7');
    await one.synchronize();
    expect(other.peek('failures', 'client 192.0.2.7')?.exceeded).toBe(false);
    other.consume('failures', 'client 192.0.2.7');
    await other.synchronize();
    expect(other.peek('failures', 'client 192.0.2.7')?.exceeded).toBe(true);
    expect([...shared.keys()].every((id) => /^[\w-]{43}$/.test(id))).toBe(true);
  });

  it('do not write to the store for few requests', async () => {
    const limiter = createInstance({ token: 300 });
    for (let count = 0; count < 14; count += 1) limiter.consume('token', 't');
    await limiter.synchronize();
    expect(shared.size).toBe(0);
    limiter.consume('token', 't');
    await limiter.synchronize();
    expect([...shared.values()]).toEqual([NOW + 15 * 200]);
  });

  // S190
  it('use their own counts while the store is unavailable, and synchronize later', async () => {
    const limiter = createInstance({ failures: 2 });
    limiter.consume('failures', 'a');
    storeIsDown = true;
    await expect(limiter.synchronize()).rejects.toThrow(StoreUnavailable);
    limiter.consume('failures', 'a');
    expect(limiter.peek('failures', 'a')?.exceeded).toBe(true);
    storeIsDown = false;
    await limiter.synchronize();
    expect([...shared.values()]).toEqual([NOW + 60_000]);
  });

  // S190
  it('return units to the store, also if the bucket is empty by then', async () => {
    const limiter = createInstance({ token: 10 });
    limiter.charge('token', 't', 10);
    await limiter.synchronize();
    limiter.charge('token', 't', -10);
    await limiter.synchronize();
    expect([...shared.values()]).toEqual([NOW]);
  });

  it('return a reserved unit at once while the store is unavailable, and to the store later', async () => {
    const limiter = createInstance({ failures: 1 });
    expect((await limiter.reserve('failures', 'c'))?.exceeded).toBe(false);
    storeIsDown = true;
    await limiter.release('failures', 'c');
    expect(limiter.peek('failures', 'c')?.exceeded).toBe(false);
    storeIsDown = false;
    await limiter.synchronize();
    expect([...shared.values()]).toEqual([NOW]);
  });

  it('synchronize every count after a failure, also those of batches that were not sent', async () => {
    const limiter = createInstance({ failures: 2 });
    for (let caller = 0; caller < 450; caller += 1) limiter.consume('failures', `caller ${caller}`);
    storeIsDown = true;
    await expect(limiter.synchronize()).rejects.toThrow(StoreUnavailable);
    storeIsDown = false;
    await limiter.synchronize();
    expect(shared.size).toBe(450);
  });
});
