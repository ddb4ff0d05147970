/**
 * Measures the re-encryption of a store under a new key: values per second, in rounds that alternate with another checkout, and the time of
 * requests that the service answers meanwhile.
 *
 *   npm run check -- bench-encryption [--people 5000] [--store sqlite|postgres] [--rounds 5] [--against DIRECTORY]
 *
 * `--against` is another, built checkout of the project.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseChoice, parseCount } from '../../test/support/check-options.js';
import {
  createPostgresCluster,
  type PostgresCluster,
  runStatement,
} from '../../test/support/postgres-cluster.js';
import { reportProgress } from '../figures/progress.js';
import { describeConditions, readConditions } from '../report/conditions.js';
import { type Spread, spreadOf } from '../timing/statistics.js';
import { type Checkout, encryptionKeys, loadCheckout, type OpenStore } from './encryption-checkout.js';
import { fillPostgres, fillSqlite } from './filled-store.js';
import { readCpuMsWithChildren } from './process-usage.js';
import { measureRequests } from './requests-meanwhile.js';
import type { Engine } from './results.js';

const MS_PER_SECOND = 1_000;
const US_PER_MS = 1_000;
/** Rows per step of the command `encrypt`: in this checkout, and in older ones. Small steps delay requests less, large steps finish sooner. */
const STEP_ROWS = 100;
const STEP_ROWS_OF_OTHER = 500;
const ENGINES = ['sqlite', 'postgres'] as const;
const THIS = fileURLToPath(new URL('../..', import.meta.url));

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '5000' },
    store: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    against: { type: 'string' },
  },
});
const people = parseCount('people', values.people);
const rounds = parseCount('rounds', values.rounds);
const engines = values.store === undefined ? ENGINES : [parseChoice('store', values.store, ENGINES)];

process.stdout.write(`${describeConditions(readConditions())}, ${people} people\n`);
for (const engine of engines) await measure(engine);

async function measure(engine: Engine): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-encryption-'));
  const cluster = engine === 'postgres' ? await createPostgresCluster() : undefined;
  try {
    const checkouts = [THIS, ...(values.against === undefined ? [] : [values.against])];
    const stores = [];
    for (const [index, checkout] of checkouts.entries())
      stores.push(await fill(await loadCheckout(checkout, engine), index, folder, cluster));
    const runs = stores.map((): Run[] => []);
    for (let round = 1; round <= rounds; round += 1) {
      reportProgress(`${engine}, round ${round}`);
      for (const [index, { checkout, location }] of stores.entries())
        runs[index]?.push(await reencrypt(checkout, location, { round, cluster, limit: limitOf(index) }));
    }
    const [own = [], other] = runs;
    printRuns(`${engine}: this checkout`, own);
    if (other !== undefined) {
      printRuns(`${engine}: the other checkout`, other);
      const ratioOf = (measureRun: (run: Run) => number) =>
        spreadOf(other.map((run, round) => measureRun(run) / measureRun(own[round] ?? run)));
      print(
        '  time of the other checkout / time of this one',
        ratioOf(({ us }) => us),
      );
      print(
        '  CPU time of the other checkout / CPU time of this one',
        ratioOf(({ cpuUs }) => cpuUs),
      );
    }
    const location = stores[0]?.location ?? '';
    await measureRequests({ checkout: THIS, folder, location, people, rounds, firstRound: rounds + 1 });
  } finally {
    await cluster?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates a store of a checkout, and encrypts it under the first key. */
async function fill(checkout: Checkout, index: number, folder: string, cluster: PostgresCluster | undefined) {
  const path = join(folder, `${index}.sqlite`);
  const location = cluster?.url.replace(/\/postgres$/, `/store_${index}`) ?? path;
  if (cluster !== undefined) await runStatement(cluster.url, `create database store_${index}`);
  await (await checkout.open(location)).close();
  await (cluster === undefined
    ? fillSqlite(path, people, Date.now())
    : fillPostgres(location, people, Date.now()));
  const store = await checkout.open(location, ...encryptionKeys(0));
  await runAll(store);
  await store.close();
  return { checkout, location };
}

/** The time of a re-encryption, in microseconds per value. */
interface Run {
  /** Elapsed time. */
  readonly us: number;
  /** CPU time of this process and the database. */
  readonly cpuUs: number;
}

interface Round {
  readonly round: number;
  readonly cluster: PostgresCluster | undefined;
  readonly limit: number;
}

function limitOf(index: number): number {
  return index === 0 ? STEP_ROWS : STEP_ROWS_OF_OTHER;
}

async function reencrypt(
  checkout: Checkout,
  location: string,
  { round, cluster, limit }: Round,
): Promise<Run> {
  const databaseCpuMs = () => (cluster === undefined ? 0 : readCpuMsWithChildren(cluster.serverPid()));
  const store = await checkout.open(location, ...encryptionKeys(round));
  const [startedAt, cpu, database] = [performance.now(), process.cpuUsage(), databaseCpuMs()];
  const count = await encryptAll(store, limit);
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  const cpuUs = user + system + (databaseCpuMs() - database) * US_PER_MS;
  await store.encryption?.finish();
  await store.close();
  return { us: (elapsedMs * US_PER_MS) / count, cpuUs: cpuUs / count };
}

async function runAll(store: OpenStore): Promise<void> {
  await encryptAll(store, STEP_ROWS_OF_OTHER);
  await store.encryption?.finish();
}

async function encryptAll({ encryption }: OpenStore, limit: number): Promise<number> {
  let total = 0;
  for await (const count of encryption?.encryptAll(limit) ?? []) total += count;
  return total;
}

function printRuns(name: string, runs: readonly Run[]): void {
  process.stdout.write(`${name}\n`);
  print('  values per second', spreadOf(runs.map(({ us }) => (MS_PER_SECOND * US_PER_MS) / us)));
  print('  CPU time of a value, µs', spreadOf(runs.map(({ cpuUs }) => cpuUs)));
}

function print(name: string, { q1, median, q3 }: Spread): void {
  const digits = median >= 100 ? 0 : 1;
  process.stdout.write(`${name}: ${median.toFixed(digits)} (${q1.toFixed(digits)}–${q3.toFixed(digits)})\n`);
}
