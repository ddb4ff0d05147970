/**
 * Sends unusual and malformed inputs to fuzz targets for a given time, checks every response, and reports inputs, coverage and findings.
 *
 *   npm run check -- fuzz --minutes 20 [--seed N] [--only http,queries] [--runs N]
 *
 * `--runs` is the number of inputs for each target, in place of `--minutes`, the total time for all. The targets:
 *
 *   http         the interface, from its OpenAPI document: operations, parameters, bodies, methods, callers, logins step by step
 *   wire         requests byte by byte: invalid lines, headers, lengths and chunks, and pipelined requests
 *   bodies       bodies of JSON and forms, byte by byte: parsed as by the platform, or rejected
 *   tokens       JWT and SD-JWT: credentials, client assertions and sign-ins, mutated before and after signing
 *   queries      the query language: mutated vectors, on which engine and reference interpreter must agree
 *   store        the store: rows and pages damaged while the service runs and before it starts
 *
 * A failing input is shrunk and saved in test/fuzz/regressions, which the tests replay. Exit code 0: no findings; 1: findings,
 * or a probe threw; 2: invalid options.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seedOf } from '../faults/seeded-choice.js';
import { parseCount, parsePositiveNumber, selectNames } from '../support/check-options.js';
import { createMemoryTrend, type MemoryTrend } from '../support/memory-trend.js';
import { createPostgresCluster } from '../support/postgres-cluster.js';
import { explore, type ShrunkFinding } from './explore.js';
import type { FuzzTarget, OpenTarget } from './fuzz-target.js';
import { writeRegression } from './regressions.js';
import { readSourceCoverage } from './source-coverage.js';
import { TARGETS } from './targets.js';
import { startWatchdog, stopWatchdog } from './watchdog.js';

const TURN_MS = 10_000;
const PROGRESS_INTERVAL_MS = 30_000;
const MINUTE_MS = 60_000;
/** Time limit of a run with `--runs`. */
const MAX_MINUTES_OF_RUNS = 60;
/** An in-memory directory if available: the crash tests cover durability, which is slow. */
const MEMORY_DISK = '/dev/shm';

/** A started target and its results. */
interface RunningTarget {
  readonly target: FuzzTarget;
  readonly open: OpenTarget<unknown>;
  readonly trend: MemoryTrend;
  tried: number;
  turns: number;
}

interface Options {
  readonly minutes: number;
  readonly runs: number | undefined;
  readonly targets: readonly FuzzTarget[];
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    runs: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
});
const names = selectNames(
  'target',
  values.only,
  TARGETS.map(({ name }) => name),
);
const options: Options = {
  minutes: parsePositiveNumber('minutes', values.minutes),
  runs: values.runs === undefined ? undefined : parseCount('runs', values.runs),
  targets: TARGETS.filter(({ name }) => names.includes(name)),
};
process.exitCode = await fuzz(options, seedOf(values.seed));

async function fuzz({ minutes, runs, targets }: Options, seed: number): Promise<number> {
  // Directory of all temporary files, including those of PostgreSQL.
  if (existsSync(MEMORY_DISK)) process.env['TMPDIR'] = MEMORY_DISK;
  const folder = mkdtempSync(join(tmpdir(), 'proviso-fuzz-'));
  const coverageFolder = join(folder, 'coverage');
  mkdirSync(coverageFolder);
  const findings: string[] = [];
  const report = (target: string, found: ShrunkFinding) => {
    const file = writeRegression({ target, ...found });
    findings.push(`${target}: ${found.kind}`);
    process.stdout.write(
      `FOUND  ${target}: ${found.kind}\n       ${found.detail}\n       saved as ${file}\n`,
    );
  };
  const running: RunningTarget[] = [];
  const closed = new Set<RunningTarget>();
  const cluster = await createPostgresCluster().catch(() => undefined);
  try {
    process.stdout.write(
      cluster === undefined
        ? 'PostgreSQL is not available: all deployments use SQLite\n'
        : 'the sandbox uses SQLite, production PostgreSQL\n',
    );
    const context = { coverageFolder, ...(cluster === undefined ? {} : { postgresUrl: cluster.url }) };
    for (const target of targets) {
      const open = await target.open({ ...context, folder: join(folder, target.name) });
      running.push({ target, open, trend: createMemoryTrend(), tried: 0, turns: 0 });
    }
    startWatchdog();
    const from = performance.now();
    await takeTurns(running, {
      seed,
      known: new Set(),
      runs,
      endsAt: from + (runs === undefined ? minutes : MAX_MINUTES_OF_RUNS) * MINUTE_MS,
      report,
    });
    const seconds = Math.round((performance.now() - from) / 1_000);
    process.stdout.write(`\nafter ${seconds} s, with seed ${seed}:\n`);
    for (const one of running) {
      findings.push(...(await closeAndReport(one)));
      closed.add(one);
    }
    process.stdout.write(`${readSourceCoverage(coverageFolder)}\n`);
  } finally {
    await stopWatchdog();
    // After an error, the services of the other targets still run.
    const open = running.filter((one) => !closed.has(one));
    await Promise.allSettled(open.map((one) => one.open.close()));
    await cluster?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  const tried = running.reduce((sum, one) => sum + one.tried, 0);
  if (tried === 0) findings.push('no input was tried');
  process.stdout.write(
    findings.length === 0
      ? `no findings in ${tried} inputs: no 5xx, crash, hang, undocumented response or leaked secret\n`
      : `${findings.length} findings in ${tried} inputs:\n${findings.map((one) => `  ${one}\n`).join('')}`,
  );
  return findings.length === 0 ? 0 : 1;
}

interface Turns {
  readonly seed: number;
  readonly known: Set<string>;
  readonly runs: number | undefined;
  readonly endsAt: number;
  readonly report: (target: string, found: ShrunkFinding) => void;
}

/** Runs the targets in turns until the time is over or each has had its runs. */
async function takeTurns(
  running: readonly RunningTarget[],
  { seed, known, runs, endsAt, report }: Turns,
): Promise<void> {
  let reportedAt = performance.now();
  const isOver = (one: RunningTarget) => runs !== undefined && one.tried >= runs;
  while (performance.now() < endsAt && !running.every(isOver)) {
    for (const one of running) {
      if (performance.now() >= endsAt || isOver(one)) continue;
      one.turns += 1;
      const turn = {
        // Differs in each turn, and is reproducible from the seed.
        seed: seed + one.turns * 1_000_003,
        untilMs: Math.min(endsAt, runs === undefined ? performance.now() + TURN_MS : endsAt),
        maxRuns: runs === undefined ? 1_000_000 : runs - one.tried,
      };
      const found = await explore(one.target.name, one.open, turn, known, () => {
        one.tried += 1;
      });
      if (found !== undefined) {
        known.add(found.kind);
        report(one.target.name, found);
      }
      if (one.open.memory !== undefined) one.trend.add(await one.open.memory(), performance.now());
      if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) continue;
      reportedAt = performance.now();
      const left =
        runs === undefined ? `${Math.max(0, Math.round((endsAt - reportedAt) / 1_000))} s left; ` : '';
      process.stdout.write(
        `${left}${running.map((each) => `${each.target.name} ${each.tried}`).join(', ')}\n`,
      );
    }
  }
}

/** Reports the results of a target and closes it. @returns Findings at its end. */
async function closeAndReport({ target, open, trend, tried }: RunningTarget): Promise<readonly string[]> {
  const found: string[] = [];
  process.stdout.write(`  ${target.name}: ${tried} inputs; ${open.reached()}\n`);
  const missing = open.unreached?.() ?? [];
  if (missing.length > 0) process.stdout.write(`    not reached: ${missing.join(', ')}\n`);
  if (open.memory !== undefined) {
    const { text, isGrowing } = trend.assess();
    process.stdout.write(`    memory: ${text}\n`);
    if (isGrowing) found.push(`${target.name}: memory grows`);
  }
  const finalFinding = await open.close();
  if (finalFinding !== undefined) found.push(`${target.name}: ${finalFinding.kind}: ${finalFinding.detail}`);
  return found;
}
