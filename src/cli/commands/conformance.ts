/** `proviso conformance`: checks an implementation of the query language, in any language, with the conformance suite. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../../system/clock.js';
import { DEVIATIONS, type Deviation } from '../../testing/deviations.js';
import { MS_PER_SECOND } from '../../util/time.js';
import { formatConformance, toConformanceJson } from '../conformance/report.js';
import type { ConformanceRun, RunOptions } from '../conformance/run-conformance.js';
import { CommandError, count, createStatusLine, EXIT, printOutput } from '../output.js';
import { paintFor } from '../paint.js';

interface ConformanceCommandOptions {
  readonly command: string;
  readonly runs: number;
  readonly seed?: number;
  readonly path?: string;
  /** `false` with `--no-vectors`. */
  readonly vectors: boolean;
  readonly vectorsOnly?: boolean;
  readonly codesOnly?: boolean;
  readonly without?: readonly Deviation[];
  readonly timeout: number;
  readonly json?: boolean;
}

const DEFAULT_RUNS = 10_000;
const DEFAULT_TIMEOUT_SECONDS = 10;
/** `setTimeout` does not support more than 2^31 - 1 milliseconds. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

/** Adds the command. */
export function addConformance(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('conformance')
    .description('check an implementation of the query language, in any programming language')
    .requiredOption(
      '--command <command>',
      'command that starts the implementation, run by the shell',
      parseCommand,
    )
    .option('--runs <n>', 'number of random scenarios', parseCount, DEFAULT_RUNS)
    .option('--seed <n>', 'seed of the random scenarios, as printed by an earlier run', parseSeed)
    .option('--path <path>', 'path of a counterexample, as printed by an earlier run', parsePath)
    .option('--vectors-only', 'run only the vectors')
    .option('--no-vectors', 'run only the random scenarios')
    .option('--codes-only', 'compare the codes of problems, but not their pointers')
    .addOption(
      new Option('--without <deviation...>', 'part of the language that the implementation lacks').choices(
        DEVIATIONS,
      ),
    )
    .option(
      '--timeout <seconds>',
      'how long to wait for a response, except the first of each process',
      parseSeconds,
      DEFAULT_TIMEOUT_SECONDS,
    )
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `
The implementation reads requests from standard input and writes responses to standard output, one JSON object per line;
docs/reference/conformance.md specifies the protocol. Its standard error is passed through.
Exits with 0 if the implementation conforms, 1 if it deviates, 2 if it could not be run to the end.

Examples:
  proviso conformance --command "python3 impl.py"
  proviso conformance --command ./impl --without patterns --runs 100000`,
    )
    .action(async (options: ConformanceCommandOptions) => {
      process.exitCode = await checkImplementation(options, variables);
    });
}

/** @returns The exit code. @throws {CommandError} If options contradict each other. */
async function checkImplementation(
  options: ConformanceCommandOptions,
  variables: NodeJS.ProcessEnv,
): Promise<number> {
  const {
    command,
    vectors,
    vectorsOnly = false,
    codesOnly = false,
    without = [],
    timeout,
    path,
    seed,
  } = options;
  if (vectorsOnly && !vectors)
    throw new CommandError('--vectors-only must not be combined with --no-vectors', EXIT.usage);
  if (path !== undefined && seed === undefined)
    throw new CommandError('--path requires the --seed of the same run', EXIT.usage);
  const { update, end } = createStatusLine(systemClock.now);
  const runs = vectorsOnly ? 0 : options.runs;
  const runOptions: RunOptions = {
    runs,
    codesOnly,
    without,
    ...(vectors ? {} : { vectors: [] }),
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
    onProgress: (progress) =>
      update(() =>
        progress.runs === 0
          ? `${count(progress.vectors)} of ${count(progress.vectorCount)} vectors`
          : `${count(progress.runs)} of ${count(runs)} random scenarios`,
      ),
  };
  // Loaded on demand: the help does not need the generators.
  const { runConformance } = await import('../conformance/run-conformance.js');
  const run = await runConformance({ command, timeoutMs: timeout * MS_PER_SECOND }, runOptions);
  end();
  const reportOptions = { command, without, codesOnly };
  printOutput(
    options,
    toConformanceJson(run, reportOptions),
    formatConformance(run, reportOptions, paintFor(process.stdout, variables)),
  );
  return exitCodeOf(run);
}

function exitCodeOf({ conforms, stopped }: ConformanceRun): number {
  if (conforms) return EXIT.ok;
  return stopped === undefined ? EXIT.failed : EXIT.usage;
}

function parseCommand(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

function parseCount(text: string): number {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text)) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('It must be a positive integer.');
}

function parseSeed(text: string): number {
  if (/^-?\d+$/.test(text) && Number(text) === Math.trunc(Number(text)) >> 0) return Number(text);
  throw new InvalidArgumentError('It must be a 32-bit integer.');
}

function parsePath(text: string): string {
  if (/^\d+(?::\d+)*$/.test(text)) return text;
  throw new InvalidArgumentError('It must be integers, separated by colons.');
}

function parseSeconds(text: string): number {
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS) return seconds;
  throw new InvalidArgumentError(`It must be a positive number of at most ${MAX_TIMEOUT_SECONDS}.`);
}
