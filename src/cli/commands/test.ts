/** `proviso test`: runs policies on cases with expected verdicts, and generates such cases. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandError, EXIT, printMessage, printResult, toPrintableLines } from '../output.js';
import { paintFor, plain } from '../paint.js';
import { findStats } from '../policy-tests/find-stats.js';
import { type FoundFiles, findTestFiles } from '../policy-tests/find-test-files.js';
import { formatTextReport, isCovered, type TestReport, toReport } from '../policy-tests/report.js';
import { formatJunitReport } from '../policy-tests/report-junit.js';
import { formatTapReport } from '../policy-tests/report-tap.js';
import { runTestFile } from '../policy-tests/run-test-file.js';
import { type WatchedFiles, watchFiles } from '../policy-tests/watch-files.js';
import { writeFileInFolder } from '../policy-tests/write-file.js';
import { writeGeneratedTest } from '../policy-tests/write-generated.js';

const REPORTERS = ['text', 'tap', 'junit'] as const;

interface TestCommandOptions {
  readonly coverage?: number;
  readonly reporter: (typeof REPORTERS)[number];
  readonly output?: string;
  readonly watch?: boolean;
  /** A query file. */
  readonly generate?: string;
  /** A catalogue file, or `none`; with `generate` only. */
  readonly catalogue?: string;
}

/** Adds the command. */
export function addTest(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('test')
    .description('run policies on cases with expected verdicts, and report which checks the cases cover')
    .argument(
      '[paths...]',
      'test files, and folders to search for *.policy-test.{json,yaml,yml} (default: .)',
    )
    .option(
      '--coverage <percent>',
      'fail when less is covered: each check counts twice, passing and failing',
      parsePercent,
    )
    .addOption(new Option('--reporter <name>', 'format of the report').choices(REPORTERS).default('text'))
    .option(
      '--output <file>',
      'write the report to a file, and print it as text; with --generate: write the test file',
    )
    .option('--watch', 'run again when a test, a query or a catalogue changes')
    .option('--generate <query>', 'print a test file with boundary cases for a query file')
    .option('--catalogue <file>', 'with --generate: catalogue file, or `none` to accept any claim')
    .addHelpText(
      'after',
      `
A test file names a query (inline, or the path of its file) and cases: a title, claims or credentials, and whether the
policy passes. The JSON Schema is printed by \`proviso schema --tests\`.
A check is covered when it decides the verdict of one case by passing, and of another by failing.
Exits with 0 when all cases are as expected, 1 when a case is not or the coverage is too low, 2 for invalid files.

Examples:
  proviso test
  proviso test policies --coverage 100 --reporter junit --output report.xml
  proviso test --generate policies/age-gate.json --output policies/age-gate.policy-test.yaml`,
    )
    .action(async (paths: string[], options: TestCommandOptions) => {
      assertOptionsFit(paths, options);
      const { generate } = options;
      if (generate !== undefined) writeGeneratedTest(generate, options);
      else process.exitCode = await testFiles(paths.length === 0 ? ['.'] : paths, options, variables);
    });
}

/** @throws {CommandError} If options contradict each other. */
function assertOptionsFit(
  paths: readonly string[],
  { generate, catalogue, coverage, watch }: TestCommandOptions,
): void {
  if (generate === undefined && catalogue !== undefined)
    throw new CommandError(
      '--catalogue requires --generate; a test file names its own catalogue',
      EXIT.usage,
    );
  if (generate === undefined) return;
  if (paths.length > 0)
    throw new CommandError('--generate takes one query file, and no test files', EXIT.usage);
  if (coverage !== undefined || watch === true)
    throw new CommandError('--generate must not be combined with --coverage or --watch', EXIT.usage);
}

/**
 * @returns The exit code.
 * @throws {CommandError} If a path is wrong, no test files are found, or the report cannot be written; while watching, only in the first run.
 */
async function testFiles(
  paths: readonly string[],
  options: TestCommandOptions,
  variables: NodeJS.ProcessEnv,
): Promise<number> {
  if (options.watch !== true) return runFiles(findTestFiles(paths), options, variables).exitCode;
  let exitCode: number = EXIT.ok;
  let watched: WatchedFiles | undefined;
  const runOnce = (): WatchedFiles => {
    try {
      const found = findTestFiles(paths);
      const run = runFiles(found, options, variables);
      exitCode = run.exitCode;
      watched = { files: run.involved, folders: found.folders };
    } catch (error) {
      // An error ends only this run: there may be no test file for a moment, or a test may read the file of `--output`.
      if (watched === undefined || !(error instanceof CommandError)) throw error;
      exitCode = error.exitCode;
      printMessage(toPrintableLines(error.message));
    }
    return watched;
  };
  await watchFiles(runOnce, ({ files }) =>
    printMessage(`Watching ${files.length} ${files.length === 1 ? 'file' : 'files'}; press Ctrl-C to stop.`),
  );
  return exitCode;
}

function runFiles(
  { files }: FoundFiles,
  { coverage, reporter, output }: TestCommandOptions,
  variables: NodeJS.ProcessEnv,
): { readonly exitCode: number; readonly involved: readonly string[] } {
  const results = files.map(runTestFile);
  const involved = [...new Set(results.flatMap((result) => result.involved))];
  if (output !== undefined && involved.some((path) => isSameFile(path, output)))
    throw new CommandError(
      `--output must not be a file that the tests read (got ${output}): the report would replace it`,
      EXIT.usage,
    );
  const report = toReport(results, coverage);
  if (output !== undefined) writeFileInFolder(output, `${formatReport(reporter, report)}\n`);
  printResult(
    output === undefined && reporter !== 'text'
      ? formatReport(reporter, report)
      : formatTextReport(report, paintFor(process.stdout, variables)),
  );
  return { exitCode: exitCodeOf(report), involved };
}

/** Returns whether two paths are the same file, also through links. */
function isSameFile(one: string, other: string): boolean {
  // A path that cannot be followed, such as through a file, is reported when it is read or written.
  const [first, second] = [one, other].map(findStats);
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

function exitCodeOf(report: TestReport): number {
  if (report.invalidFiles > 0) return EXIT.usage;
  return report.failedCases === 0 && isCovered(report) ? EXIT.ok : EXIT.failed;
}

function formatReport(reporter: TestCommandOptions['reporter'], report: TestReport): string {
  switch (reporter) {
    case 'text':
      return formatTextReport(report, plain);
    case 'tap':
      return formatTapReport(report);
    case 'junit':
      return formatJunitReport(report);
  }
}

function parsePercent(text: string): number {
  const percent = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (percent === 0 || (percent >= 1 && percent <= 100)) return percent;
  throw new InvalidArgumentError('It must be a percentage, 0 or from 1 to 100, such as 90.');
}
