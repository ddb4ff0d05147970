/** `proviso bench`: measures the speed of a query on given credentials. */

import type { Command } from 'commander';
import type { ClaimSet } from '../../index.js';
import { systemStopwatch } from '../../system/clock.js';
import { MS_PER_SECOND } from '../../util/time.js';
import { readPeople } from '../inputs/credentials.js';
import { addEvaluationArguments, type EvaluationOptions, readEvaluation } from '../inputs/evaluation.js';
import { compileQueryInput, QUERY_ARGUMENT, withQueryProblems } from '../inputs/query.js';
import { CommandError, EXIT, printMessage, printOutput } from '../output.js';

interface BenchOptions extends EvaluationOptions {
  readonly seconds: string;
  readonly json?: boolean;
}

/** The measures, with their descriptions. */
const MEASURES = {
  compile: 'from JSON to a compiled query',
  test: 'pass or fail, without evidence',
  evaluate: 'the full result, as objects',
  evaluateToJson: 'the full result, as JSON text',
} as const;

type Measure = keyof typeof MEASURES;

/** Adds the command. */
export function addBench(program: Command): void {
  const command = program.command('bench').description('measure the speed of a query on your credentials');
  addEvaluationArguments(command, QUERY_ARGUMENT, [
    '[credentials]',
    'file with an array of credentials or an object of claims, or an array of such arrays, one per person',
  ])
    .option('--seconds <number>', 'duration of each measurement', '1')
    .option('--json', 'print JSON, in nanoseconds')
    .addHelpText(
      'after',
      `
Runs on one thread, cycling through the people; prints the median and the quartiles of many batches. Exits with 0, or with 2 for
invalid input.

Example:
  proviso bench query.json people.json --scope "identity:read kyc:read"`,
    )
    .action(benchFiles);
}

async function benchFiles(
  first: string | undefined,
  second: string | undefined,
  options: BenchOptions,
): Promise<void> {
  const seconds = Number(options.seconds);
  if (!(seconds > 0 && seconds <= 60)) {
    throw new CommandError(
      `--seconds must be greater than 0 and at most 60 (got \`${options.seconds}\`)`,
      EXIT.usage,
    );
  }
  const input = await readEvaluation(first, second, options, compileQueryInput);
  const { query, compiled, catalogue, scopes, now } = input;
  const people = (await readPeople(input.credentials, { now, catalogue })).map(({ claims }) => claims);
  const claimsOf = (run: number) => people[run % people.length] as ClaimSet;
  const measured = { milliseconds: seconds * MS_PER_SECOND, stopwatch: systemStopwatch };
  const work: Readonly<Record<Measure, (run: number) => unknown>> = {
    compile: () => catalogue.engine.compile(query.json),
    test: (run) => compiled.test(claimsOf(run)),
    evaluate: (run) => compiled.evaluate(claimsOf(run), { now, scopes }),
    evaluateToJson: (run) => compiled.evaluateToJson(claimsOf(run), { now, scopes }),
  };
  const speeds: [Measure, Speed][] = [];
  for (const measure of Object.keys(MEASURES) as Measure[]) {
    // Projections neither pass nor fail.
    if (measure === 'test' && 'projections' in compiled.query) continue;
    if (process.stderr.isTTY) printMessage(`measuring ${measure} for ${seconds} s …`);
    const measureOne = () => measureSpeed(work[measure], measured);
    speeds.push([measure, withQueryProblems(query.name, query.json, measureOne)]);
  }
  const lines = speeds.map(([measure, speed]) => speedLine(measure, speed));
  const heading = `${people.length} ${people.length === 1 ? 'person' : 'people'}, ${seconds} s each`;
  printOutput(
    options,
    { people: people.length, ...Object.fromEntries(speeds) },
    [heading, ...lines].join('\n'),
  );
}

function speedLine(measure: Measure, { median, lowerQuartile, upperQuartile }: Speed): string {
  const perSecond = Math.round(1e9 / median).toLocaleString('en');
  const spread = `(${duration(lowerQuartile)} to ${duration(upperQuartile)})`;
  return `${measure.padEnd(15)}${duration(median).padStart(9)}  ${spread.padEnd(24)}${perSecond.padStart(12)}/s  ${MEASURES[measure]}`;
}

function duration(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${nanoseconds.toFixed(0)} ns`;
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toFixed(1)} µs`;
  return `${(nanoseconds / 1e6).toFixed(1)} ms`;
}

/** Nanoseconds for one run of the work. */
export interface Speed {
  readonly median: number;
  /** A quarter of the batches were faster. */
  readonly lowerQuartile: number;
  /** A quarter of the batches were slower. */
  readonly upperQuartile: number;
  readonly runs: number;
}

export interface SpeedOptions {
  /** Minimum duration; at least five batches are run. */
  readonly milliseconds: number;
  /** Monotonic clock, in milliseconds. */
  readonly stopwatch: () => number;
}

const MIN_BATCHES = 5;
const BATCH_MS = 4;
const NS_PER_MS = 1_000_000;

/**
 * Measures the duration of a function, in batches, so that the time to read the clock is negligible.
 *
 * @param work - Called with the number of the run, starting at 0. Must return its result, so that it is not optimized away.
 */
export function measureSpeed(
  work: (run: number) => unknown,
  { milliseconds, stopwatch }: SpeedOptions,
): Speed {
  let runs = 0;
  let kept: unknown;
  const batch = (size: number): number => {
    const startedAt = stopwatch();
    for (let index = 0; index < size; index += 1) {
      kept = work(runs);
      runs += 1;
    }
    return stopwatch() - startedAt;
  };
  // The first runs warm up, and determine the size of a batch.
  let size = 1;
  while (batch(size) < BATCH_MS) size *= 2;
  const startedAt = stopwatch();
  const samples: number[] = [];
  while (samples.length < MIN_BATCHES || stopwatch() - startedAt < milliseconds) {
    samples.push((batch(size) * NS_PER_MS) / size);
  }
  if (kept === work) throw new TypeError('the measured function must not return itself');
  const sorted = samples.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), lowerQuartile: at(0.25), upperQuartile: at(0.75), runs };
}
