/**
 * Fills stores with people, runs every operation of the service on them over HTTP, and prints the time of each: rounds alternate between the
 * stores, so that other work on the machine affects all sizes alike.
 *
 *   npm run check -- scale [--people 1000,100000] [--store sqlite|postgres] [--rounds 3] [--seconds 1]
 *     [--audit all|changes|off] [--only evaluate,refresh] [--checkout DIRECTORY] [--json FILE]
 *
 * A million people take about 4 GB of disk. `--checkout` measures another, built checkout of the project. The exit code is 1 if the median
 * time of an operation at the largest store is more than twice that at the smallest (on SQLite three times).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createSeededChoice } from '../../test/faults/seeded-choice.js';
import { createPostgresCluster, runStatement } from '../../test/support/postgres-cluster.js';
import { reportProgress } from '../figures/progress.js';
import { describeConditions, readConditions } from '../report/results.js';
import { createClient, runFor, type Slice } from './client.js';
import { fillPostgres, fillSqlite } from './filled-store.js';
import { COMMANDS, CONNECTIONS, OPERATIONS, type Operation, type Target } from './operations.js';
import { createDeployment, type ServiceProcess } from './service-process.js';

const MAX_RATIO: Readonly<Record<Engine, number>> = { sqlite: 3, postgres: 2 };
const STARTS = 3;
const COMMAND_RUNS = 3;
const MS_PER_SECOND = 1_000;
/** Settings of a server with a few gigabytes of memory, as in docs/reference/capacity.md. */
const POSTGRES_SETTINGS = {
  shared_buffers: '1500MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
};

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000,100000' },
    store: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    audit: { type: 'string', default: 'all' },
    only: { type: 'string' },
    checkout: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
    json: { type: 'string' },
  },
});
type Engine = 'sqlite' | 'postgres';
const sizes = values.people.split(',').map(Number);
const engines = (['sqlite', 'postgres'] as const).filter(
  (engine) => values.store === undefined || values.store === engine,
);
if (sizes.some((size) => !Number.isInteger(size) || size < 1) || engines.length === 0) {
  process.stderr.write('scale: --people must be positive integers, --store must be sqlite or postgres\n');
  process.exit(2);
}
const operations = OPERATIONS.filter(
  ({ name }) => values.only === undefined || values.only.split(',').some((one) => name.includes(one)),
);

/** The figures of an operation in one store. `p50` and `p99` in milliseconds. */
interface Figure {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
  /** The median of the rounds' ratios of the median time to that of the smallest store. */
  readonly ratio: number;
}

interface Report {
  readonly conditions: ReturnType<typeof readConditions>;
  readonly engine: Engine;
  readonly sizes: readonly number[];
  readonly operations: Readonly<Record<string, readonly (Figure | undefined)[]>>;
  /** Milliseconds. */
  readonly commands: Readonly<Record<string, readonly number[]>>;
  readonly startMs: readonly number[];
  readonly memoryMiB: readonly {
    readonly start: number;
    readonly end: number;
    readonly peak: number;
  }[];
}

let grown = false;
const reports: Report[] = [];
for (const engine of engines) reports.push(await measure(engine));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(reports, null, 1)}\n`);
process.exitCode = grown ? 1 : 0;

/** A running service on a filled store. */
interface Running extends Target {
  readonly service: ServiceProcess;
  readonly startMs: number;
  readonly memoryAtStart: number;
}

async function measure(engine: Engine): Promise<Report> {
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
    for (const people of sizes)
      running.push(await open(mkdtempSync(join(folder, 'size-')), people, cluster?.url));
    const report = await measureAll(engine, running);
    print(report);
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

/** Creates and fills a store, and starts its service. */
async function open(folder: string, people: number, clusterUrl: string | undefined): Promise<Running> {
  const path = join(folder, 'store.sqlite');
  const url = clusterUrl?.replace(/\/postgres$/, `/people_${people}`);
  if (clusterUrl !== undefined) await runStatement(clusterUrl, `create database people_${people}`);
  const deployment = await createDeployment(values.checkout, folder, {
    PROVISO_DATABASE_URL: url ?? `sqlite:${path}`,
    PROVISO_AUDIT: values.audit,
  });
  // Creates the tables.
  await (await deployment.start()).stop();
  reportProgress(`filling a store with ${people} people`);
  const startedAt = performance.now();
  await (url === undefined ? fillSqlite(path, people, Date.now()) : fillPostgres(url, people, Date.now()));
  reportProgress(`filled in ${((performance.now() - startedAt) / MS_PER_SECOND).toFixed(0)} s`);
  const starts: number[] = [];
  for (let start = 1; start < STARTS; start += 1) {
    const service = await deployment.start();
    starts.push(service.startMs);
    await service.stop();
  }
  const service = await deployment.start();
  starts.push(service.startMs);
  const memoryAtStart = service.memoryMiB();
  const choice = createSeededChoice(people, 'people');
  return {
    people,
    deployment,
    service,
    startMs: median(starts),
    memoryAtStart,
    client: createClient(service.port),
    pending: [],
    codes: [],
    refreshTokens: [],
    accessTokens: [],
    sessions: [],
    cursors: [],
    draw: () => choice.between(0, people - 1),
  };
}

async function measureAll(engine: Engine, running: readonly Running[]): Promise<Report> {
  const figures: Record<string, (Figure | undefined)[]> = {};
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
    conditions: readConditions(),
    engine,
    sizes,
    operations: figures,
    commands,
    startMs: running.map(({ startMs }) => startMs),
    memoryMiB,
  };
}

/** Returns the figures of each store; `undefined` where the service does not support the operation. */
async function measureOperation(
  operation: Operation,
  running: readonly Running[],
): Promise<(Figure | undefined)[]> {
  reportProgress(operation.name);
  const slices = running.map((): Slice[] => []);
  const failed = new Set<number>();
  // The first round warms up.
  for (let round = -1; round < Number(values.rounds); round += 1) {
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
  const medians = slices.map((own) => own.map(({ ms }) => median(ms)));
  return slices.map((own, index) => {
    const times = own.flatMap(({ ms }) => ms);
    if (failed.has(index) || times.length === 0) return undefined;
    return {
      p50: median(times),
      p99: quantile(times, 0.99),
      perSecond: median(own.map(({ ms, seconds }) => ms.length / seconds)),
      ratio: median((medians[index] ?? []).map((time, round) => time / (medians[0]?.[round] ?? Number.NaN))),
    };
  });
}

async function runSlice(
  { prepare, request, receive, connections = CONNECTIONS }: Operation,
  target: Target,
): Promise<Slice> {
  await prepare?.(target);
  return await runFor(Number(values.seconds) * MS_PER_SECOND, connections, async () => {
    const next = request(target);
    if (next === undefined) return false;
    const response = await target.client.send(next);
    if (response.status >= 400) throw new Error(`${response.status}: ${response.text}`);
    receive?.(response, target);
    return true;
  });
}

function print({ conditions, engine, operations: figures, commands, startMs, memoryMiB }: Report): void {
  const lines = [
    `${engine}, audit=${values.audit}, ${describeConditions(conditions)}`,
    `${CONNECTIONS} connections; requests per second (median / 99th percentile in ms; ratio of medians to the smallest store)`,
    '',
    row(
      '',
      sizes.map((size) => `${size.toLocaleString('en')} people`),
    ),
  ];
  for (const [name, cells] of Object.entries(figures))
    lines.push(
      row(
        name,
        cells.map((cell) => describe(cell, engine)),
      ),
    );
  for (const [name, times] of Object.entries(commands)) {
    lines.push(
      row(
        `\`${name}\``,
        times.map((ms) => `${ms.toFixed(0)} ms`),
      ),
    );
  }
  lines.push(
    row(
      'start',
      startMs.map((ms) => `${ms.toFixed(0)} ms`),
    ),
  );
  lines.push(
    row(
      'memory',
      memoryMiB.map(
        ({ start, end, peak }) => `${start.toFixed(0)} → ${end.toFixed(0)}, peak ${peak.toFixed(0)} MiB`,
      ),
    ),
  );
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

function row(name: string, cells: readonly string[]): string {
  return `${name.padEnd(26)}${cells.map((cell) => cell.padStart(36)).join('')}`;
}

function describe(figure: Figure | undefined, engine: Engine): string {
  if (figure === undefined) return '–';
  const { p50, p99, perSecond, ratio } = figure;
  const isGrown = ratio > MAX_RATIO[engine];
  grown ||= isGrown;
  return `${perSecond.toFixed(0)} (${p50.toFixed(1)} / ${p99.toFixed(1)}; ×${ratio.toFixed(2)}${isGrown ? ' GROWS' : ''})`;
}

function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
