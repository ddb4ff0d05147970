/**
 * Measures what writes, the audit log and the ledger cost queries, and what a second process gains: ratios of requests per second. The two sides of a
 * comparison alternate in one run.
 *
 *   npm run check -- bench-service [--quick] [--only writes,audit-sqlite,audit-postgres,ledger-sqlite,ledger-postgres,processes-sqlite,processes-postgres]
 *
 * - `writes`: queries on SQLite while an application creates and approves authorizations, 50 commits per second, and without these.
 * - `audit-sqlite`, `audit-postgres`: queries with `PROVISO_AUDIT=all` and with `changes`, on 32 connections.
 * - `ledger-sqlite`, `ledger-postgres`: the same with `PROVISO_LEDGER=on` and with `off`; each answer repeats an earlier one, as most do.
 * - `processes-sqlite`, `processes-postgres`: queries with two processes and with one. The sender needs a processor itself, and PostgreSQL another
 *   one, so the goal applies to a ratio that is computed from the CPU time per request: of two processes on two processors to one process on one.
 */
import { parseArgs } from 'node:util';
import { authorizationQuery } from '../../test/support/oauth-client.js';
import { createPostgresCluster } from '../../test/support/postgres-cluster.js';
import { describeConditions, readConditions } from '../report/conditions.js';
import { type Processes, type Target, withProcesses } from './processes.js';
import { alternate, describeSide, formatSpread, type SideResult } from './slices.js';

const WRITES_PER_SECOND = 50;
/** Creating an authorization and approving it. */
const COMMITS_PER_AUTHORIZATION = 2;
const MS_PER_SECOND = 1_000;
/** In the comparison of writes. */
const READ_CONNECTIONS = 16;
/** In comparisons of settings and of processes. */
const CONNECTIONS = 32;
const WARM_UP_MS = 5_000;

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const [rounds, sliceMs] = values.quick === true ? [5, 500] : [25, 1_000];

/** A comparison, and the minimum ratio of its second side to the first. */
interface Comparison {
  readonly goal: number;
  run(): Promise<readonly SideResult[]>;
  /** Computes the ratio from the result of the second side. Default: the ratio of requests per second. */
  readonly ratioOf?: (side: SideResult) => number;
}

/** A setting, and the two values that are compared. */
interface ComparedSetting {
  readonly variable: string;
  readonly values: readonly [string, string];
}

const AUDIT: ComparedSetting = { variable: 'PROVISO_AUDIT', values: ['changes', 'all'] };
const LEDGER: ComparedSetting = { variable: 'PROVISO_LEDGER', values: ['off', 'on'] };

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  writes: { goal: 0.85, run: () => withProcesses(compareWrites) },
  'audit-sqlite': {
    goal: 0.75,
    run: () => withProcesses((processes) => compareSetting(AUDIT, processes, () => ({}))),
  },
  'audit-postgres': { goal: 0.75, run: () => onPostgres((...args) => compareSetting(AUDIT, ...args)) },
  'ledger-sqlite': {
    goal: 0.9,
    run: () => withProcesses((processes) => compareSetting(LEDGER, processes, () => ({}))),
  },
  'ledger-postgres': { goal: 0.9, run: () => onPostgres((...args) => compareSetting(LEDGER, ...args)) },
  'processes-sqlite': {
    goal: 1.6,
    run: () => withProcesses((processes) => compareProcesses(processes, () => ({}))),
    ratioOf: modelTwoProcessors,
  },
  'processes-postgres': { goal: 1.6, run: () => onPostgres(compareProcesses), ratioOf: modelTwoProcessors },
};

const names = values.only?.split(',') ?? Object.keys(COMPARISONS);
process.stdout.write(`${describeConditions(readConditions())}; ${rounds} rounds of ${sliceMs} ms\n`);
for (const name of names) {
  const comparison = COMPARISONS[name];
  if (comparison === undefined) throw new Error(`unknown comparison \`${name}\``);
  const results = await comparison.run();
  const { goal, ratioOf = ({ ratio }: SideResult) => ratio.median } = comparison;
  const ratio = results[1] === undefined ? Number.NaN : ratioOf(results[1]);
  if (!(ratio >= goal)) process.exitCode = 1;
  process.stdout.write(
    `\n${name}: ${ratio.toFixed(2)}, goal ≥ ${goal} ${ratio >= goal ? 'holds' : 'DOES NOT HOLD'}\n${results.map(describeSide).join('\n')}\n`,
  );
}

async function compareWrites({ startService, measure }: Processes): Promise<readonly SideResult[]> {
  const target = await startService();
  const read = () => measure(target, sliceMs, READ_CONNECTIONS);
  const { result, writesPerSecond } = await countWrites(target, (withWrites) =>
    alternate(
      [
        { name: 'no writes', measure: read },
        { name: `${WRITES_PER_SECOND} writes per second`, measure: () => withWrites(read) },
      ],
      rounds,
    ),
  );
  process.stdout.write(`writes per second, measured: ${writesPerSecond.toFixed(0)}\n`);
  return result;
}

/** Calls `work` with a function that runs a measurement while authorizations are created and approved. Counts the writes during these measurements. */
async function countWrites<Result>(
  { url }: Target,
  work: (withWrites: <Measured>(run: () => Promise<Measured>) => Promise<Measured>) => Promise<Result>,
): Promise<{ readonly result: Result; readonly writesPerSecond: number }> {
  const base = url.replace('/queries/evaluate', '');
  let commits = 0;
  let ms = 0;
  const write = async () => {
    const { headers } = await fetch(`${base}/oauth/authorize?${authorizationQuery()}`, {
      redirect: 'manual',
    });
    const id = new URL(headers.get('location') ?? '', base).searchParams.get('authorization_id');
    const { status } = await fetch(`${base}/oauth/authorize/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ authorization_id: id }),
    });
    if (status !== 200) throw new Error(`approve: ${status}`);
    commits += COMMITS_PER_AUTHORIZATION;
  };
  const result = await work(async (run) => {
    const startedAt = performance.now();
    const pending: Promise<void>[] = [];
    const writeNext = () => {
      const written = write();
      // A failure is thrown at the end of the slice.
      written.catch(() => undefined);
      pending.push(written);
    };
    const timer = setInterval(writeNext, (MS_PER_SECOND / WRITES_PER_SECOND) * COMMITS_PER_AUTHORIZATION);
    try {
      return await run();
    } finally {
      clearInterval(timer);
      await Promise.all(pending);
      ms += performance.now() - startedAt;
    }
  });
  return { result, writesPerSecond: (commits * MS_PER_SECOND) / ms };
}

/** Returns the environment of a service with a new store. */
type CreateStore = () => Readonly<Record<string, string>>;

async function compareSetting(
  setting: ComparedSetting,
  { startService, measure }: Processes,
  createStore: CreateStore,
): Promise<readonly SideResult[]> {
  const sides = [];
  for (const value of setting.values) {
    const target = await startService(undefined, { ...createStore(), [setting.variable]: value });
    sides.push({
      name: `${setting.variable}=${value}, ${CONNECTIONS} connections`,
      measure: () => measure(target, sliceMs, CONNECTIONS),
    });
  }
  return await alternate(sides, rounds);
}

async function compareProcesses(
  { startService, measure }: Processes,
  createStore: CreateStore,
): Promise<readonly SideResult[]> {
  const sides = [];
  for (const count of ['1', '2']) {
    const target = await startService(undefined, { ...createStore(), PROVISO_PROCESSES: count });
    // Each process compiles its own code.
    await measure(target, WARM_UP_MS, CONNECTIONS);
    sides.push({
      name: `${count} process${count === '1' ? '' : 'es'}, ${CONNECTIONS} connections`,
      measure: () => measure(target, sliceMs, CONNECTIONS),
    });
  }
  const results = await alternate(sides, rounds);
  const sender = results.map(({ senderMicroseconds }) => formatSpread(senderMicroseconds, 0));
  process.stdout.write(`CPU time of the sender per request, in µs: ${sender.join('; ')}\n`);
  return results;
}

/** Computes the throughput of several processes on two processors, as a multiple of that of one process on one. */
function modelTwoProcessors({ perProcessor }: SideResult): number {
  return 2 * perProcessor.median;
}

/** Runs a comparison on PostgreSQL, with one server for each of the two sides. */
async function onPostgres(
  compare: (processes: Processes, createStore: CreateStore) => Promise<readonly SideResult[]>,
): Promise<readonly SideResult[]> {
  const clusters = [await createPostgresCluster(), await createPostgresCluster()];
  try {
    const urls = clusters.map(({ url }) => url);
    return await withProcesses((processes) =>
      compare(processes, () => ({ PROVISO_DATABASE_URL: urls.pop() ?? '' })),
    );
  } finally {
    for (const cluster of clusters) await cluster.remove();
  }
}
