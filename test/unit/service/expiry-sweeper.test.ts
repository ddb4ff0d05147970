/** The expiry sweeper: timing of its steps, and the records that it removes (S194). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createAuditChain,
  type Store,
  type SweepStep,
  startExpirySweeper,
} from '../../../src/service/index.js';
import { openSqliteStore } from '../../../src/stores/sqlite/index.js';
import { systemDigest } from '../../../src/system/node-ports.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { createManualTimer } from '../../support/manual-timer.js';

const DAY_MS = 86_400_000;
const EXPIRED_AT = 2_000;

const auditChain = createAuditChain('key', systemDigest);

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proviso-sweep-'));
  store = await openSqliteStore(join(folder, 'store.sqlite'));
  const application = { clientId: 'c', name: 'C', organizationId: 'o', redirectUris: [], scopes: [] };
  await store.seedOnce({
    applications: [{ ...application, idTokenAlgorithm: 'ES256', createdAt: 1 }],
    people: [{ person: { id: 'p', name: 'p', about: '' }, credentials: [] }],
  });
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function grant(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const tokenHash = `t${index}`.padEnd(43, '_');
    const token = { tokenHash, scopes: [], issuedAt: 1, expiresAt: EXPIRED_AT };
    await store.recordDirectGrant({
      authorizationId: `a${index}`,
      clientId: 'c',
      userId: 'p',
      subject: { sector: 's', hash: 'h' },
      scopes: [],
      token,
    });
  }
}

const unexpected = (error: unknown) => expect.unreachable(String(error));

const exists = async (index: number) =>
  (await store.findAccessToken(`t${index}`.padEnd(43, '_'))) !== undefined;

// S194
it('the expiry sweeper removes records step by step, and then waits a minute', async () => {
  await grant(201);
  const { timer, pending: waiting, fire } = createManualTimer();
  const clock = createFixedClock(EXPIRED_AT + DAY_MS - 1);
  const stop = startExpirySweeper({ store, clock, timer, onFailure: unexpected, auditChain });
  fire();
  await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([60_000]);
  expect(await exists(0)).toBe(true);
  clock.moveTo(EXPIRED_AT + DAY_MS);
  fire();
  await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([10]);
  fire();
  await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([100]);
  expect([await exists(0), await exists(200)]).toEqual([false, false]);
  fire();
  await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([60_000]);
  await stop();
});

it('the expiry sweeper reports the records that each step removed, and whether more are left', async () => {
  await grant(201);
  const { timer, fire } = createManualTimer();
  const clock = createFixedClock(EXPIRED_AT + DAY_MS);
  const steps: SweepStep[] = [];
  const onStep = (step: SweepStep) => steps.push(step);
  const stop = startExpirySweeper({ store, clock, timer, onStep, onFailure: unexpected, auditChain });
  for (const count of [1, 2]) {
    fire();
    await expect.poll(() => steps.length).toBe(count);
  }
  await stop();
  const none = { transient: 0, learned: 0, grants: 0, credentials: 0, audit: 0 };
  const at = clock.now();
  expect(steps).toEqual([
    { removed: { ...none, tokens: 200 }, isBacklog: true, at },
    { removed: { ...none, tokens: 1 }, isBacklog: false, at },
  ]);
});

/** Runs the sweeper on a backlog of tokens, each of which takes `msPerRow` to remove. Returns the removed rows and the following pause of each step. */
async function sweepBacklog(rows: number, msPerRow: number): Promise<readonly (readonly [number, number])[]> {
  const { timer, pending: waiting, fire } = createManualTimer();
  const clock = createFixedClock(DAY_MS);
  let left = rows;
  const steps: [number, number][] = [];
  const slowStore = {
    ...store,
    sweepTokens: async (_before: number, limit: number) => {
      const removed = Math.min(left, limit);
      left -= removed;
      clock.moveTo(clock.now() + Math.ceil(removed * msPerRow));
      steps.push([removed, Number.NaN]);
      return removed;
    },
  };
  const stop = startExpirySweeper({ store: slowStore, clock, timer, onFailure: unexpected, auditChain });
  for (let step = 0; left > 0; step += 1) {
    fire();
    await expect.poll(() => waiting.length).toBe(1);
    const last = steps[step];
    if (last !== undefined) last[1] = waiting[0]?.ms ?? Number.NaN;
  }
  await stop();
  return steps;
}

// S194
it('the expiry sweeper removes more rows per step during a backlog, so that 50,000 rows take few steps', async () => {
  const steps = await sweepBacklog(50_000, 0.001);
  expect(steps.map(([removed]) => removed).slice(0, 6)).toEqual([200, 400, 800, 1_600, 3_200, 5_000]);
  expect(steps.length).toBeLessThan(15);
});

it('the expiry sweeper removes fewer rows per step if steps take long, and pauses as long as a step takes', async () => {
  const steps = await sweepBacklog(2_000, 0.2);
  expect(steps.slice(0, 4)).toEqual([
    [200, 40],
    [100, 20],
    [100, 20],
    [100, 20],
  ]);
});

it('the expiry sweeper removes authorization requests, rate-limit counts and used assertions five minutes after their expiry', async () => {
  const request = { clientId: 'c', status: 'pending_admin', redirectUri: 'r', requestedScopes: [] } as const;
  const codeChallenge = 'x'.repeat(43);
  await store.createAuthorization({
    ...{ ...request, id: 'a', codeChallenge, createdAt: 1, requestExpiresAt: EXPIRED_AT, updatedAt: 1 },
  });
  await store.addUsage([{ id: 'caller', ms: 1_000 }], EXPIRED_AT - 1_000);
  await store.consumeAssertion('assertion', EXPIRED_AT);
  const { timer, pending: waiting, fire } = createManualTimer();
  const clock = createFixedClock(EXPIRED_AT + 299_999);
  const counts: number[] = [];
  const onStep = ({ removed }: SweepStep) => counts.push(removed.transient);
  const stop = startExpirySweeper({ store, clock, timer, onStep, onFailure: unexpected, auditChain });
  fire();
  await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([60_000]);
  expect(await store.findAuthorization('a')).toBeDefined();
  clock.moveTo(EXPIRED_AT + 300_000);
  fire();
  await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([100]);
  expect(counts).toEqual([0, 3]);
  expect(await store.findAuthorization('a')).toBeUndefined();
  expect(await store.consumeAssertion('assertion', EXPIRED_AT)).toBe(true);
  await stop();
});

it('the expiry sweeper removes audit entries after the retention period, if there is one', async () => {
  await store.recordAudit(
    Array.from({ length: 201 }, (_, index) => ({ at: index === 200 ? 2 : 1, kind: 'client_refused' })),
  );
  const countEntries = async () => (await store.listAudit({ limit: 1_000 })).length;
  const { timer, pending: waiting, fire } = createManualTimer();
  const clock = createFixedClock(10_000 * DAY_MS);
  const stopWithoutRetention = startExpirySweeper({ store, clock, timer, onFailure: unexpected, auditChain });
  fire();
  await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([60_000]);
  await stopWithoutRetention();
  expect(await countEntries()).toBe(201);
  clock.moveTo(DAY_MS + 1);
  const stop = startExpirySweeper({
    store,
    clock,
    timer,
    auditRetentionMs: DAY_MS,
    onFailure: unexpected,
    auditChain,
  });
  fire();
  await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([60_000]);
  expect(await countEntries()).toBe(201);
  clock.moveTo(DAY_MS + 2);
  fire();
  await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([10]);
  fire();
  await expect.poll(() => waiting.length).toBe(1);
  expect(await countEntries()).toBe(1);
  await stop();
});

it('the expiry sweeper removes tokens if other expired records cannot be removed', async () => {
  await grant(1);
  const { timer, pending: waiting, fire } = createManualTimer();
  const failures: unknown[] = [];
  const steps: SweepStep[] = [];
  const error = new Error('damaged');
  const stop = startExpirySweeper({
    store: { ...store, sweepTransient: () => Promise.reject(error) },
    clock: createFixedClock(EXPIRED_AT + DAY_MS),
    timer,
    auditChain,
    onStep: (step) => steps.push(step),
    onFailure: (failure) => failures.push(failure),
  });
  fire();
  await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([100]);
  expect([failures, steps, await exists(0)]).toEqual([[error], [], false]);
  await stop();
});

it('the expiry sweeper reports a failed step and continues', async () => {
  const { timer, pending: waiting, fire } = createManualTimer();
  const failures: unknown[] = [];
  await store.close();
  const stop = startExpirySweeper({
    store,
    clock: createFixedClock(0),
    timer,
    auditChain,
    onFailure: (error) => failures.push(error),
  });
  fire();
  await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([60_000]);
  // One for tokens, and one for transient records. The other kinds have no retention period here, so they are not removed.
  expect(failures).toHaveLength(2);
  await stop();
});

it('the expiry sweeper leaves no timer when it is stopped, even during a step', async () => {
  const { timer, pending: waiting, fire } = createManualTimer();
  const clock = createFixedClock(0);
  await startExpirySweeper({ store, clock, timer, onFailure: unexpected, auditChain })();
  expect(waiting).toEqual([]);
  const stop = startExpirySweeper({ store, clock, timer, onFailure: unexpected, auditChain });
  fire();
  await stop();
  expect(waiting).toEqual([]);
});
