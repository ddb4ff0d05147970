/**
 * Mixed load at 70 % of capacity for a given time, with faults: clients that are killed or slow, and restarts of stores. Each answer is
 * held against what is true (F18, F20).
 *
 * npm run check -- soak --minutes 15 [--store sqlite|postgres|both] [--seed N] [--people 48]
 *
 * Half of the time is SQLite's, whose store is restarted with the service, by SIGTERM and by SIGKILL, in the first third of it: after that
 * the process is left alone, so that its memory can be judged. The other half is PostgreSQL's, a throw-away cluster that is restarted all
 * along. Exit code 0: no wrong answer, no request without an end, the error budget kept, memory flat.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { truthsOfPeople } from './soak/verdicts.js';
import { type FaultStore, ownPostgres, sqliteIn } from './stores.js';

const LOAD_SHARE = 0.7;
const WARM_UP_SECONDS = 4;
const MEASURE_SECONDS = 10;
const CHECKPOINT_MS = 15_000;
const MINUTE_MS = 60_000;
/** Once the store is there again. */
const MAX_RECOVERY_MS = 5_000;
/** Slow bodies would have a service that ends wait for them. */
const GRACE_SECONDS = '3';
const RESTARTS_OF_SQLITE = 3;
const RESTART_EVERY_MS = 45_000;
/** In which part of the time SQLite's service is restarted. */
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
  process.stderr.write('soak: --minutes and --people are numbers, --store is sqlite, postgres or both\n');
  process.exit(2);
}
const seed = seedOf(values.seed);
const violations: string[] = [];
let memoryJudged = true;
for (const store of stores) violations.push(...(await soak(store, (minutes / stores.length) * MINUTE_MS)));
report(
  `zero wrong answers, error budget kept${memoryJudged ? ', memory flat' : ' (too short to judge memory)'}`,
  violations,
);

/** The current process of the service under load. */
interface Soaked {
  service: WatchedService;
  requests: Requests;
}

async function soak(kind: string, forMs: number): Promise<readonly string[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-soak-'));
  const cluster = kind === 'postgres' ? await ownPostgres() : undefined;
  const store: FaultStore = cluster ?? sqliteIn(cwd);
  const env = {
    PROVISO_DATABASE_URL: store.databaseUrl,
    PROVISO_DRAIN_SECONDS: '0',
    PROVISO_GRACE_SECONDS: GRACE_SECONDS,
    PROVISO_LOG_LEVEL: 'error',
  };
  const service = await startWatched(cwd, env);
  const soaked: Soaked = { service, requests: openRequests(service.port) };
  const choice = createSeededChoice(seed, kind);
  const load = loadOf(soaked, choice);
  const found: string[] = [];
  try {
    const before = createTally();
    await measureLimit(load, before, WARM_UP_SECONDS);
    const limit = await measureLimit(load, before, MEASURE_SECONDS);
    found.push(...before.summary('measuring').violations);
    const rate = limit * LOAD_SHARE;
    process.stdout.write(
      `${kind}: the limit is ${limit.toFixed(0)} deeds a second; ${rate.toFixed(0)} from now on\n`,
    );
    const restart = (round: number) =>
      cluster === undefined
        ? restartService(soaked, cwd, env, round % 2 === 0 ? 'SIGTERM' : 'SIGKILL')
        : restartCluster(cluster.cluster, soaked, choice, round);
    found.push(...(await underLoad({ kind, forMs, rate, load, soaked, choice, restart })));
    found.push(...(await auditRows(store.readRows)));
    const outcome = await soaked.service.stop('SIGTERM');
    if (outcome !== 0)
      found.push(`the service ended with ${outcome}: ${soaked.service.stderr().slice(-400)}`);
  } finally {
    soaked.requests.close();
    await soaked.service.stop('SIGKILL');
    await store.remove();
    rmSync(cwd, { recursive: true, force: true });
  }
  return found.map((what) => `${kind}: ${what}`);
}

function loadOf(soaked: Soaked, choice: SeededChoice): Load {
  const truths = [...truthsOfPeople(Date.now())];
  const people = Array.from({ length: Number(values.people) }, (_, index) => {
    const [name = '', own = { verdicts: [], presets: '' }] = truths[index % truths.length] ?? [];
    return createPerson(name, own);
  });
  return { people, choice, requests: () => soaked.requests };
}

interface UnderLoad {
  readonly kind: string;
  readonly forMs: number;
  readonly rate: number;
  readonly load: Load;
  readonly soaked: Soaked;
  readonly choice: SeededChoice;
  /** @returns Milliseconds until the service answered again, from when it could. */
  readonly restart: (round: number) => Promise<number>;
}

async function underLoad(given: UnderLoad): Promise<readonly string[]> {
  const { kind, forMs, rate, load, soaked, choice, restart } = given;
  const tally = createTally();
  const disturbances = startDisturbances(soaked.service.port, choice);
  const sustained = sustain(load, tally, rate);
  const from = performance.now();
  const restartUntil = from + forMs * (kind === 'sqlite' ? RESTART_SHARE : 1);
  const everyMs =
    kind === 'sqlite'
      ? (forMs * RESTART_SHARE) / (RESTARTS_OF_SQLITE + 1)
      : Math.min(RESTART_EVERY_MS, forMs / 4);
  let [restarts, slowestMs, restartedAt, checkedAt] = [0, 0, from, from];
  let trend = createMemoryTrend();
  const found: string[] = [];
  while (performance.now() - from < forMs) {
    await elapsed(200);
    const now = performance.now();
    if (soaked.service.ended() !== undefined) {
      found.push(`the service ended by itself: ${soaked.service.stderr().slice(-400)}`);
      break;
    }
    if (now - restartedAt >= everyMs && now + everyMs / 2 < restartUntil) {
      const { pid } = soaked.service;
      slowestMs = Math.max(slowestMs, await disturbed(tally, () => restart(restarts)));
      restarts += 1;
      restartedAt = performance.now();
      // Another process has another memory.
      if (soaked.service.pid !== pid) trend = createMemoryTrend();
    }
    if (now - checkedAt >= CHECKPOINT_MS) {
      checkedAt = now;
      trend.add(await soaked.service.memory(), now);
    }
  }
  await sustained.stop();
  disturbances.stop();
  const { text, violations: ofTally } = tally.summary(kind);
  const memory = trend.assess();
  process.stdout.write(
    `${text}\n  ${restarts} store restarts, slowest recovery ${Math.round(slowestMs)} ms; ${disturbances.killed()} clients killed amid a request, 20 slow bodies all along; ${sustained.notBegun()} deeds not begun since everybody waited\n  memory: ${memory.text}\n`,
  );
  if (slowestMs > MAX_RECOVERY_MS) found.push(`a recovery took ${Math.round(slowestMs)} ms`);
  memoryJudged &&= memory.isConclusive;
  if (memory.isGrowing) found.push(`memory grows: ${memory.text}`);
  return [...found, ...ofTally];
}

async function disturbed(tally: Tally, act: () => Promise<number>): Promise<number> {
  const over = tally.disturb();
  try {
    return await act();
  } finally {
    over();
  }
}

/** SQLite's store is in the service's own process. */
async function restartService(
  soaked: Soaked,
  cwd: string,
  env: Readonly<Record<string, string>>,
  signal: NodeJS.Signals,
): Promise<number> {
  const { port } = soaked.service;
  const outcome = await soaked.service.stop(signal);
  // 1: slow bodies had to be cut off.
  if (signal === 'SIGTERM' && outcome !== 0 && outcome !== 1)
    throw new Error(`ended with ${outcome}: ${soaked.service.stderr()}`);
  soaked.requests.close();
  soaked.service = await startWatched(cwd, env, port);
  soaked.requests = openRequests(port);
  return await recovery(soaked);
}

async function restartCluster(
  cluster: { stop(mode: 'fast' | 'immediate'): Promise<void>; start(): Promise<void> },
  soaked: Soaked,
  choice: SeededChoice,
  round: number,
): Promise<number> {
  await cluster.stop(round % 2 === 0 ? 'fast' : 'immediate');
  await elapsed(choice.between(500, 2_000));
  await cluster.start();
  return await recovery(soaked);
}

/** Until a request that needs the store is answered. */
async function recovery(soaked: Soaked): Promise<number> {
  const from = performance.now();
  while (performance.now() - from < 2 * MAX_RECOVERY_MS) {
    const headers = { Authorization: `Bearer ${'x'.repeat(43)}` };
    const answer = await soaked.requests.ask({ path: '/v2/userinfo', headers }).catch(() => undefined);
    if (answer?.status === 401) break;
    await elapsed(10);
  }
  return performance.now() - from;
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
