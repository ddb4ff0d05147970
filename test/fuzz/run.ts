/**
 * Runs fuzz targets for a given time, and reports inputs, coverage and findings.
 *
 * npm run check -- fuzz --minutes 20 [--seed N] [--only http,queries] [--runs N]
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seedOf } from '../faults/seeded-choice.js';
import { createMemoryTrend, type MemoryTrend } from '../support/memory-trend.js';
import { createPostgresCluster } from '../support/postgres-cluster.js';
import { explore, type Found } from './explore.js';
import type { FuzzTarget, OpenTarget } from './fuzz-target.js';
import { writeRegression } from './regressions.js';
import { readSourceCoverage } from './source-coverage.js';
import { TARGETS } from './targets.js';
import { startWatchdog, stopWatchdog } from './watchdog.js';

const TURN_MS = 10_000;
const TELL_EVERY_MS = 30_000;
const MINUTE_MS = 60_000;
/** For one target of `--runs`, so that even that ends. */
const MAX_MINUTES_OF_RUNS = 60;
/** An in-memory directory if available: the crash tests cover durability, which is slow. */
const MEMORY_DISK = '/dev/shm';

const HELP = `Tries what nobody would send, and judges every answer.

  npm run check -- fuzz [options]

  --minutes N   how long, over all targets together (default 2)
  --runs N      instead: how many inputs for each target
  --seed N      where the inputs come from; printed, so that a run can be repeated (default: another each time)
  --only A,B    these targets alone
  --help        this

Targets:
${TARGETS.map(({ name, about }) => `  ${name.padEnd(12)}${about}`).join('\n')}

A failing input is made as small as it can be and written to test/fuzz/regressions, which the tests try again
each time. Exit code 0: nothing was found; 1: something was; 2: the options are not right.
`;

/** A target with what has come of it. */
interface Running {
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
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else {
  const options = readOptions();
  if (options === undefined) process.exitCode = 2;
  else process.exitCode = await fuzz(options, seedOf(values.seed));
}

function readOptions(): Options | undefined {
  const names = values.only?.split(',') ?? TARGETS.map(({ name }) => name);
  const unknown = names.filter((name) => !TARGETS.some((target) => target.name === name));
  const [minutes, runs, seed] = [values.minutes, values.runs ?? '1', values.seed ?? '0'].map(Number);
  const wrong =
    unknown.length > 0
      ? `no target ${unknown.join(', ')}`
      : [minutes, runs].some((one) => !(Number(one) > 0)) || !Number.isInteger(seed)
        ? '--minutes, --runs and --seed are numbers'
        : undefined;
  if (wrong !== undefined) {
    process.stderr.write(`${wrong}\n\n${HELP}`);
    return undefined;
  }
  return {
    minutes: Number(minutes),
    runs: values.runs === undefined ? undefined : Number(runs),
    targets: TARGETS.filter(({ name }) => names.includes(name)),
  };
}

async function fuzz({ minutes, runs, targets }: Options, seed: number): Promise<number> {
  // Directory of all temporary files, including those of PostgreSQL.
  if (existsSync(MEMORY_DISK)) process.env['TMPDIR'] = MEMORY_DISK;
  const folder = mkdtempSync(join(tmpdir(), 'proviso-fuzz-'));
  const coverageFolder = join(folder, 'coverage');
  mkdirSync(coverageFolder);
  const findings: string[] = [];
  const report = (target: string, found: Found) => {
    const file = writeRegression({ target, ...found });
    findings.push(`${target}: ${found.kind}`);
    process.stdout.write(`FOUND  ${target}: ${found.kind}\n       ${found.detail}\n       kept as ${file}\n`);
  };
  const running: Running[] = [];
  const cluster = await createPostgresCluster().catch(() => undefined);
  process.stdout.write(
    cluster === undefined
      ? 'no PostgreSQL here: all on SQLite\n'
      : 'the sandbox is on SQLite, production on PostgreSQL\n',
  );
  const ground = { coverageFolder, ...(cluster === undefined ? {} : { postgresUrl: cluster.url }) };
  for (const target of targets) {
    const open = await target.open({ ...ground, folder: join(folder, target.name) });
    running.push({ target, open, trend: createMemoryTrend(), tried: 0, turns: 0 });
  }
  startWatchdog();
  const from = performance.now();
  const known = new Set<string>();
  try {
    await takeTurns(running, {
      seed,
      known,
      runs,
      endsAt: from + (runs === undefined ? minutes : MAX_MINUTES_OF_RUNS) * MINUTE_MS,
      report,
    });
  } finally {
    await stopWatchdog();
  }
  const seconds = Math.round((performance.now() - from) / 1_000);
  process.stdout.write(`\nafter ${seconds} s, with seed ${seed}:\n`);
  for (const one of running) findings.push(...(await tell(one)));
  process.stdout.write(`${readSourceCoverage(coverageFolder)}\n`);
  await cluster?.remove();
  rmSync(folder, { recursive: true, force: true });
  const tried = running.reduce((sum, one) => sum + one.tried, 0);
  process.stdout.write(
    findings.length === 0
      ? `nothing found in ${tried} inputs: no 5xx, no crash, no hang, no undocumented answer, no secret told\n`
      : `${findings.length} found in ${tried} inputs:\n${findings.map((one) => `  ${one}\n`).join('')}`,
  );
  return findings.length === 0 ? 0 : 1;
}

interface Turns {
  readonly seed: number;
  readonly known: Set<string>;
  readonly runs: number | undefined;
  readonly endsAt: number;
  readonly report: (target: string, found: Found) => void;
}

/** One target after the other, round and round: what one leaves behind in its service, the time of the others does not hide. */
async function takeTurns(
  running: readonly Running[],
  { seed, known, runs, endsAt, report }: Turns,
): Promise<void> {
  let told = performance.now();
  const isOver = (one: Running) => runs !== undefined && one.tried >= runs;
  while (performance.now() < endsAt && !running.every(isOver)) {
    for (const one of running) {
      if (performance.now() >= endsAt || isOver(one)) continue;
      one.turns += 1;
      const turn = {
        // Another each turn, and the same again from the same seed.
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
      if (performance.now() - told < TELL_EVERY_MS) continue;
      told = performance.now();
      const left = runs === undefined ? `${Math.max(0, Math.round((endsAt - told) / 1_000))} s left; ` : '';
      process.stdout.write(
        `${left}${running.map((each) => `${each.target.name} ${each.tried}`).join(', ')}\n`,
      );
    }
  }
}

/** Reports the results of a target and closes it. @returns Findings at its end. */
async function tell({ target, open, trend, tried }: Running): Promise<readonly string[]> {
  const found: string[] = [];
  process.stdout.write(`  ${target.name}: ${tried} inputs; ${open.reached()}\n`);
  const missing = open.unreached?.() ?? [];
  if (missing.length > 0) process.stdout.write(`    not reached: ${missing.join(', ')}\n`);
  if (open.memory !== undefined) {
    const { text, isGrowing } = trend.assess();
    process.stdout.write(`    memory: ${text}\n`);
    if (isGrowing) found.push(`${target.name}: memory grows`);
  }
  const atTheEnd = await open.close();
  if (atTheEnd !== undefined) found.push(`${target.name}: ${atTheEnd.kind}: ${atTheEnd.detail}`);
  return found;
}
