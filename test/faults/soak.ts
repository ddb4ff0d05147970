/**
 * Sends mixed load at 70 % of capacity for a given time, with faults: clients that are killed or slow, and restarts of stores. Compares each
 * response with the expected one.
 *
 * npm run check -- soak [--minutes 15] [--store sqlite|postgres|both] [--seed N] [--people 48]
 *
 * Settings in the environment apply to the service: `PROVISO_PROCESSES=2 npm run check -- soak` tests two processes on one port, without
 * their memory.
 *
 * The first half tests SQLite, whose store restarts with the service: by SIGTERM and SIGKILL in the first third of that time, then not at
 * all, so that the memory of the process can be assessed. The second half tests PostgreSQL, a temporary cluster that is restarted throughout.
 * Exit code 0: no wrong response, no hanging request, the error budget kept, constant memory.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createMemoryTrend } from '../support/memory-trend.js';
import { startWatched, type WatchedService } from '../support/watched-service.js';
import { auditRows, report } from './grants.js';
import { createSeededChoice, type SeededChoice, seedOf } from './seeded-choice.js';
import { startDisturbances } from './soak/disturbances.js';
import { type Load, measureLimit, sustain } from './soak/load.js';
import { createPerson } from './soak/people.js';
import { openRequests, type Requests } from './soak/requests.js';
import { createTally, type Tally } from './soak/tally.js';
import { expectedResultsByPerson } from './soak/verdicts.js';
import { type FaultStore, ownPostgres, type PostgresFaultStore, sqliteIn } from './stores.js';

const LOAD_SHARE = 0.7;
const WARM_UP_SECONDS = 4;
const MEASURE_SECONDS = 10;
const CHECKPOINT_MS = 15_000;
const MINUTE_MS = 60_000;
/** From the restart of the store to the first response. */
const MAX_RECOVERY_MS = 5_000;
/** Short, since a service that stops waits for slow bodies. */
const GRACE_SECONDS = '3';
/** Small, so that the cache is filled and cleared many times before the memory is assessed: the default takes longer than the check to fill. */
const PROVISO_READ_CACHE_BYTES = String(2 * 1_048_576);
const RESTARTS_OF_SQLITE = 3;
const RESTART_EVERY_MS = 45_000;
/** The part of the time in which SQLite's service is restarted. */
const RESTART_SHARE = 1 / 3;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    store: { type: 'string', default: 'both' },
    seed: { type: 'string' },
    people: { type: 'string', default: '48' },
  },
});
const minutes = Number(values.minutes);
const stores = values.store === 'both' ? ['sqlite', 'postgres'] : [values.store];
if (
  !(minutes > 0) ||
  !(Number(values.people) > 0) ||
  stores.some((one) => !['sqlite', 'postgres'].includes(one))
) {
  process.stderr.write(
    'soak: --minutes and --people must be positive numbers, --store must be sqlite, postgres or both\n',
  );
  process.exit(2);
}
const seed = seedOf(values.seed);
const violations: string[] = [];
/** The service reports the memory of its first process, which handles no requests if there are others. */
const isOneProcess = (process.env['PROVISO_PROCESSES'] ?? '1') === '1';
let memoryAssessed = true;
for (const store of stores) violations.push(...(await soak(store, (minutes / stores.length) * MINUTE_MS)));
const notAssessed = isOneProcess ? 'too short to assess memory' : 'memory is assessed with one process only';
report(
  `no wrong response, error budget kept${memoryAssessed ? ', memory constant' : ` (${notAssessed})`}`,
  violations,
);

/** The current process of the service under load. */
interface SoakTarget {
  service: WatchedService;
  requests: Requests;
}

async function soak(kind: string, forMs: number): Promise<readonly string[]> {
  const cluster = kind === 'postgres' ? await ownPostgres() : undefined;
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-soak-'));
  const store: FaultStore = cluster ?? sqliteIn(cwd);
  try {
    return await soakStore(kind, forMs, { cwd, store, cluster });
  } finally {
    await store.remove();
    rmSync(cwd, { recursive: true, force: true });
  }
}

interface SoakedStore {
  /** The working directory of the service. */
  readonly cwd: string;
  readonly store: FaultStore;
  /** The store if it is PostgreSQL. */
  readonly cluster: PostgresFaultStore | undefined;
}

async function soakStore(
  kind: string,
  forMs: number,
  { cwd, store, cluster }: SoakedStore,
): Promise<readonly string[]> {
  const env = {
    PROVISO_DATABASE_URL: store.databaseUrl,
    PROVISO_DRAIN_SECONDS: '0',
    PROVISO_GRACE_SECONDS: GRACE_SECONDS,
    PROVISO_LOG_LEVEL: 'error',
    PROVISO_READ_CACHE_BYTES,
  };
  const service = await startWatched(cwd, env);
  const target: SoakTarget = { service, requests: openRequests(service.port) };
  const choice = createSeededChoice(seed, kind);
  const load = createLoad(target, choice);
  const foundViolations: string[] = [];
  try {
    const before = createTally();
    await measureLimit(load, before, WARM_UP_SECONDS);
    const limit = await measureLimit(load, before, MEASURE_SECONDS);
    foundViolations.push(...before.summary('measuring').violations);
    const rate = limit * LOAD_SHARE;
    process.stdout.write(
      `${kind}: the limit is ${limit.toFixed(0)} actions per second; ${rate.toFixed(0)} from now on\n`,
    );
    const restart = (round: number) =>
      cluster === undefined
        ? restartService(target, cwd, env, round % 2 === 0 ? 'SIGTERM' : 'SIGKILL')
        : restartCluster(cluster.cluster, target, choice, round);
    foundViolations.push(...(await runUnderLoad({ kind, forMs, rate, load, target, choice, restart })));
    foundViolations.push(...(await auditRows(store.runSql)));
    const outcome = await target.service.stop('SIGTERM');
    if (outcome !== 0)
      foundViolations.push(`the service exited with ${outcome}: ${target.service.stderr().slice(-400)}`);
  } finally {
    target.requests.close();
    await target.service.stop('SIGKILL');
  }
  return foundViolations.map((violation) => `${kind}: ${violation}`);
}

function createLoad(target: SoakTarget, choice: SeededChoice): Load {
  const expectations = [...expectedResultsByPerson(Date.now())];
  const people = Array.from({ length: Number(values.people) }, (_, index) => {
    const [name = '', expected = { queries: [], presets: '' }] =
      expectations[index % expectations.length] ?? [];
    return createPerson(name, expected);
  });
  return { people, choice, requests: () => target.requests };
}

interface LoadPhase {
  readonly kind: string;
  readonly forMs: number;
  readonly rate: number;
  readonly load: Load;
  readonly target: SoakTarget;
  readonly choice: SeededChoice;
  /** @returns Milliseconds until the service responded again after its store had restarted. */
  readonly restart: (round: number) => Promise<number>;
}

async function runUnderLoad({
  kind,
  forMs,
  rate,
  load,
  target,
  choice,
  restart,
}: LoadPhase): Promise<readonly string[]> {
  const tally = createTally();
  const disturbances = startDisturbances(target.service.port, choice);
  const sustained = sustain(load, tally, rate);
  const from = performance.now();
  const restartUntil = from + forMs * (kind === 'sqlite' ? RESTART_SHARE : 1);
  const everyMs =
    kind === 'sqlite'
      ? (forMs * RESTART_SHARE) / (RESTARTS_OF_SQLITE + 1)
      : Math.min(RESTART_EVERY_MS, forMs / 4);
  let [restarts, slowestMs, restartedAt, checkedAt] = [0, 0, from, from];
  let trend = createMemoryTrend();
  const foundViolations: string[] = [];
  while (performance.now() - from < forMs) {
    await delay(200);
    const now = performance.now();
    if (target.service.ended() !== undefined) {
      foundViolations.push(`the service exited by itself: ${target.service.stderr().slice(-400)}`);
      break;
    }
    if (now - restartedAt >= everyMs && now + everyMs / 2 < restartUntil) {
      const { pid } = target.service;
      slowestMs = Math.max(slowestMs, await duringFault(tally, () => restart(restarts)));
      restarts += 1;
      restartedAt = performance.now();
      // A new process starts with new memory.
      if (target.service.pid !== pid) trend = createMemoryTrend();
    }
    if (isOneProcess && now - checkedAt >= CHECKPOINT_MS) {
      checkedAt = now;
      trend.add(await target.service.memory(), now);
    }
  }
  await sustained.stop();
  disturbances.stop();
  const { text, violations: tallyViolations } = tally.summary(kind);
  const memory = trend.assess();
  process.stdout.write(
    `${text}\n  ${restarts} store restarts, slowest recovery ${Math.round(slowestMs)} ms; ${disturbances.killed()} clients killed during a request, 20 slow bodies throughout; ${sustained.notStarted()} actions not started since all people were waiting\n  memory: ${memory.text}\n`,
  );
  if (slowestMs > MAX_RECOVERY_MS) foundViolations.push(`a recovery took ${Math.round(slowestMs)} ms`);
  memoryAssessed &&= memory.isConclusive;
  if (memory.isGrowing) foundViolations.push(`memory grows: ${memory.text}`);
  return [...foundViolations, ...tallyViolations];
}

/** Runs a restart; the tally attributes failures during it to the fault. */
async function duringFault(tally: Tally, restart: () => Promise<number>): Promise<number> {
  const closeFaultWindow = tally.openFaultWindow();
  try {
    return await restart();
  } finally {
    closeFaultWindow();
  }
}

/** SQLite runs in the process of the service, so that its store restarts with it. */
async function restartService(
  target: SoakTarget,
  cwd: string,
  env: Readonly<Record<string, string>>,
  signal: NodeJS.Signals,
): Promise<number> {
  const { port } = target.service;
  const outcome = await target.service.stop(signal);
  // Exit code 1: slow bodies had to be cut off.
  if (signal === 'SIGTERM' && outcome !== 0 && outcome !== 1)
    throw new Error(`the service exited with ${outcome}: ${target.service.stderr()}`);
  target.requests.close();
  target.service = await startWatched(cwd, env, port);
  target.requests = openRequests(port);
  return await measureRecovery(target);
}

async function restartCluster(
  cluster: { stop(mode: 'fast' | 'immediate'): Promise<void>; start(): Promise<void> },
  target: SoakTarget,
  choice: SeededChoice,
  round: number,
): Promise<number> {
  await cluster.stop(round % 2 === 0 ? 'fast' : 'immediate');
  await delay(choice.between(500, 2_000));
  await cluster.start();
  return await measureRecovery(target);
}

/** Milliseconds until a request that needs the store is answered. */
async function measureRecovery(target: SoakTarget): Promise<number> {
  const from = performance.now();
  while (performance.now() - from < 2 * MAX_RECOVERY_MS) {
    const headers = { Authorization: `Bearer ${'x'.repeat(43)}` };
    const response = await target.requests.send({ path: '/v2/userinfo', headers }).catch(() => undefined);
    if (response?.status === 401) break;
    await delay(10);
  }
  return performance.now() - from;
}
