/**
 * Fills stores with people, runs every operation of the service on them over HTTP, and prints the time of each: rounds alternate between the
 * stores, so that other work on the machine affects all sizes alike.
 *
 *   npm run check -- scale [--people 1000,100000] [--store sqlite|postgres] [--rounds 3] [--seconds 1]
 *     [--audit all|changes|off] [--ledger off|on] [--only evaluate,refresh] [--checkout DIRECTORY] [--json FILE] [--write]
 *
 * With `--ledger on`, the stores do different work: in a small store, every answer is soon a repetition, which is not recorded.
 *
 * A million people take about 4 GB of disk. `--checkout` measures another checkout of the project, which must be built. `--write` replaces the
 * results from which docs/explanation/capacity.md is generated; with `--checkout`, the earlier results with which that page compares them.
 *
 * The exit code is 1 if an operation fails on the smallest or the largest store, or if its median time on the largest is more than twice that on
 * the smallest (three times on SQLite). CPU times depend less than these times on other work on the machine.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createSeededChoice } from '../../test/faults/seeded-choice.js';
import {
  parseChoice,
  parseCount,
  parsePositiveNumber,
  rejectOptions,
} from '../../test/support/check-options.js';
import {
  createPostgresCluster,
  type PostgresCluster,
  runStatement,
} from '../../test/support/postgres-cluster.js';
import { reportProgress } from '../figures/progress.js';
import { updateCapacityPage } from '../report/capacity-page.js';
import { describeConditions, readConditions } from '../report/conditions.js';
import { writeResults } from '../report/result-files.js';
import { createClient, runFor, type Slice } from './client.js';
import { fillPostgres, fillSqlite, waitUntilSealed } from './filled-store.js';
import { COMMANDS, CONNECTIONS, OPERATIONS, type Operation, type Target } from './operations.js';
import { measurePartitions } from './partitions.js';
import { readCpuMsWithChildren } from './process-usage.js';
import {
  type Engine,
  type Figure,
  hasGrown,
  renderReport,
  type ScaleReport,
  type StoreSize,
} from './results.js';
import { createDeployment, type ServiceProcess } from './service-process.js';
import { measurePostgres, measureSqlite } from './store-size.js';

const STARTS = 3;
const COMMAND_RUNS = 3;
const MS_PER_SECOND = 1_000;
const US_PER_MS = 1_000;
/** The size of the store with partitioned tables: enough people that PostgreSQL chooses the query plans of a large store. */
const PARTITIONED_PEOPLE = 100_000;
/** Settings of a server with a few gigabytes of memory, as in docs/explanation/capacity.md. */
const POSTGRES_SETTINGS = {
  shared_buffers: '1500MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
};
const ENGINES = ['sqlite', 'postgres'] as const;
const THIS_CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000,100000' },
    store: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    audit: { type: 'string', default: 'all' },
    ledger: { type: 'string', default: 'off' },
    only: { type: 'string' },
    checkout: { type: 'string', default: THIS_CHECKOUT },
    json: { type: 'string' },
    write: { type: 'boolean' },
  },
});
const sizes = values.people
  .split(',')
  .map((size) => parseCount('people', size))
  .sort((left, right) => left - right);
const engines = values.store === undefined ? ENGINES : [parseChoice('store', values.store, ENGINES)];
const rounds = parseCount('rounds', values.rounds);
const seconds = parsePositiveNumber('seconds', values.seconds);
const audit = parseChoice('audit', values.audit, ['all', 'changes', 'off']);
const ledger = parseChoice('ledger', values.ledger, ['off', 'on']);
const operations = values.only === undefined ? OPERATIONS : selectOperations(values.only.split(','));

const reports: ScaleReport[] = [];
for (const engine of engines) reports.push(await measure(engine));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(reports, null, 1)}\n`);
if (values.write === true) {
  const suffix = values.checkout === THIS_CHECKOUT ? '' : '-before';
  for (const report of reports) writeResults(`scale-${report.engine}${suffix}`, report);
  updateCapacityPage();
}
/** Whether an operation failed on the smallest or the largest store, or its median time grows more than allowed. */
const isFailing = reports.some(({ engine, operations: figures }) =>
  Object.values(figures).some((own) => {
    const [smallest = null, largest = null] = [own[0], own.at(-1)];
    return smallest === null || largest === null || hasGrown(engine, largest);
  }),
);
process.exitCode = isFailing ? 1 : 0;

/** Returns the operations whose names contain one of the given parts. */
function selectOperations(parts: readonly string[]): readonly Operation[] {
  const unknown = parts.find((part) => part === '' || !OPERATIONS.some(({ name }) => name.includes(part)));
  if (unknown !== undefined) rejectOptions(`no operation contains "${unknown}", which --only names`);
  return OPERATIONS.filter(({ name }) => parts.some((part) => name.includes(part)));
}

/** A running service on a filled store. */
interface Running extends Target {
  readonly service: ServiceProcess;
  readonly startMs: number;
  readonly memoryAtStart: number;
  readonly size: StoreSize;
  /** CPU time of the database server so far, in milliseconds; 0 on SQLite. */
  readonly databaseCpuMs: () => number;
}

/** A slice with the CPU time that it took. */
interface MeasuredSlice extends Slice {
  readonly serviceCpuMs: number;
  readonly databaseCpuMs: number;
}

async function measure(engine: Engine): Promise<ScaleReport> {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-scale-'));
  const running: Running[] = [];
  const cluster = engine === 'postgres' ? await createPostgresCluster() : undefined;
  try {
    if (cluster !== undefined) {
      for (const [name, value] of Object.entries(POSTGRES_SETTINGS))
        await runStatement(cluster.url, `alter system set ${name} = '${value}'`);
      await cluster.stop('fast');
      await cluster.start();
    }
    for (const people of sizes) running.push(await open(mkdtempSync(join(folder, 'size-')), people, cluster));
    const measured = await measureAll(engine, running);
    // Partitions are opened by the code of this checkout, which requires its schema.
    const partitions =
      cluster === undefined || values.checkout !== THIS_CHECKOUT
        ? undefined
        : await measurePartitionedStore(cluster.url);
    const report = { ...measured, ...(partitions === undefined ? {} : { partitions }) };
    process.stdout.write(
      `${engine}, audit=${audit}, ledger=${ledger}, ${describeConditions(report.conditions)}
${CONNECTIONS} connections; requests per second (median / 99th percentile in ms; ratio of medians to the smallest store; CPU time of service + database)

${renderReport(report)}

`,
    );
    return report;
  } finally {
    for (const { service, client } of running) {
      client.close();
      await service.stop();
    }
    await cluster?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills another store, partitions its tables, and returns which partitions each lookup reads. */
async function measurePartitionedStore(clusterUrl: string) {
  reportProgress('partitioned tables');
  const folder = mkdtempSync(join(tmpdir(), 'proviso-partitions-'));
  try {
    const url = await createDatabase(clusterUrl, 'partitioned');
    const deployment = await createDeployment(values.checkout, folder, { PROVISO_DATABASE_URL: url });
    await (await deployment.start()).stop();
    await fillPostgres(url, PARTITIONED_PEOPLE, Date.now());
    return await measurePartitions(url, PARTITIONED_PEOPLE);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createDatabase(clusterUrl: string, name: string): Promise<string> {
  await runStatement(clusterUrl, `create database ${name}`);
  return clusterUrl.replace(/\/postgres$/, `/${name}`);
}

/** Creates and fills a store, and starts its service. */
async function open(folder: string, people: number, cluster: PostgresCluster | undefined): Promise<Running> {
  const path = join(folder, 'store.sqlite');
  const url = cluster === undefined ? undefined : await createDatabase(cluster.url, `people_${people}`);
  const deployment = await createDeployment(values.checkout, folder, {
    PROVISO_DATABASE_URL: url ?? `sqlite:${path}`,
    PROVISO_AUDIT: audit,
    PROVISO_LEDGER: ledger,
  });
  // Creates the tables.
  await (await deployment.start()).stop();
  reportProgress(`filling a store with ${people} people`);
  const startedAt = performance.now();
  await (url === undefined ? fillSqlite(path, people, Date.now()) : fillPostgres(url, people, Date.now()));
  reportProgress(`filled in ${((performance.now() - startedAt) / MS_PER_SECOND).toFixed(0)} s`);
  const size = url === undefined ? measureSqlite(path) : await measurePostgres(url);
  const starts: number[] = [];
  for (let start = 1; start < STARTS; start += 1) {
    const service = await deployment.start();
    starts.push(service.startMs);
    await service.stop();
  }
  const service = await deployment.start();
  starts.push(service.startMs);
  if (audit !== 'off') {
    reportProgress('waiting until the audit log is sealed');
    await waitUntilSealed(url ?? path);
  }
  const memoryAtStart = service.memoryMiB();
  const choice = createSeededChoice(people, 'people');
  return {
    people,
    deployment,
    service,
    startMs: median(starts),
    memoryAtStart,
    size,
    databaseCpuMs: () => (cluster === undefined ? 0 : readCpuMsWithChildren(cluster.serverPid())),
    client: createClient(service.port),
    pending: [],
    codes: [],
    refreshTokens: [],
    accessTokens: [],
    sessions: [],
    cursors: [],
    draw: () => choice.between(0, people),
  };
}

async function measureAll(engine: Engine, running: readonly Running[]): Promise<ScaleReport> {
  const figures: Record<string, (Figure | null)[]> = {};
  for (const operation of operations) figures[operation.name] = await measureOperation(operation, running);
  const memoryMiB = running.map(({ service, memoryAtStart }) => ({
    start: memoryAtStart,
    end: service.memoryMiB(),
    peak: service.peakMemoryMiB(),
  }));
  const commands: Record<string, number[]> = {};
  for (const [name, args] of Object.entries(COMMANDS)) {
    reportProgress(name);
    commands[name] = [];
    for (const { deployment } of running) {
      const times: number[] = [];
      for (let run = 0; run < COMMAND_RUNS; run += 1) times.push(await deployment.run(args));
      commands[name]?.push(median(times));
    }
  }
  return {
    conditions: readConditions(values.checkout),
    engine,
    audit,
    ledger,
    connections: CONNECTIONS,
    rounds,
    sizes,
    operations: figures,
    commands,
    startMs: running.map(({ startMs }) => startMs),
    memoryMiB,
    stores: running.map(({ size }) => size),
  };
}

/** Returns the figures of each store; `null` where the operation failed or sent no request. */
async function measureOperation(
  operation: Operation,
  running: readonly Running[],
): Promise<(Figure | null)[]> {
  reportProgress(operation.name);
  const slices = running.map((): MeasuredSlice[] => []);
  const failed = new Set<number>();
  // The first round warms up.
  for (let round = -1; round < rounds; round += 1) {
    for (let turn = 0; turn < running.length; turn += 1) {
      const index = (turn + round + 1) % running.length;
      const target = running[index];
      if (target === undefined || failed.has(index)) continue;
      try {
        const slice = await runSlice(operation, target);
        if (round >= 0) slices[index]?.push(slice);
      } catch (error) {
        failed.add(index);
        reportProgress(`${operation.name}, ${target.people} people: ${String(error).slice(0, 300)}`);
      }
    }
  }
  return slices.map((own, index) =>
    failed.has(index) || own.every(({ ms }) => ms.length === 0) ? null : figureOf(own, slices[0] ?? []),
  );
}

/** Returns the figures of a store. @param smallest - The slices of the smallest store, in the same rounds. */
function figureOf(own: readonly MeasuredSlice[], smallest: readonly MeasuredSlice[]): Figure {
  const times = own.flatMap(({ ms }) => ms);
  const ratioOf = (measure: (slice: MeasuredSlice) => number) =>
    median(own.map((slice, round) => measure(slice) / measure(smallest[round] ?? slice)));
  const perRequest = (cpuMs: number, { ms }: MeasuredSlice) => (cpuMs * US_PER_MS) / ms.length;
  return {
    p50: median(times),
    p99: quantile(times, 0.99),
    perSecond: median(own.map(({ ms, seconds }) => ms.length / seconds)),
    ratio: ratioOf(({ ms }) => median(ms)),
    serviceCpuUs: median(own.map((slice) => perRequest(slice.serviceCpuMs, slice))),
    databaseCpuUs: median(own.map((slice) => perRequest(slice.databaseCpuMs, slice))),
    cpuRatio: ratioOf((slice) => perRequest(slice.serviceCpuMs + slice.databaseCpuMs, slice)),
  };
}

async function runSlice(
  { prepare, request, receive, connections = CONNECTIONS }: Operation,
  target: Running,
): Promise<MeasuredSlice> {
  await prepare?.(target);
  const [service, database] = [target.service.cpuMs(), target.databaseCpuMs()];
  const slice = await runFor(seconds * MS_PER_SECOND, connections, async () => {
    const next = request(target);
    if (next === undefined) return false;
    const response = await target.client.send(next);
    if (response.status >= 400) throw new Error(`${response.status}: ${response.text}`);
    receive?.(response, target);
    return true;
  });
  return {
    ...slice,
    serviceCpuMs: target.service.cpuMs() - service,
    databaseCpuMs: target.databaseCpuMs() - database,
  };
}

function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
