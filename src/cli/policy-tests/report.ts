/** The report of a run of policy tests as text; what all reporters have in common. */
import type { CheckResult } from '../../index.js';
import { type CoverageSummary, mergeCoverage, summarizeCoverage } from '../../policy-tests/coverage.js';
import { describeCheck } from '../../policy-tests/generate-cases.js';
import type { CaseResult } from '../../policy-tests/index.js';
import { toPrintable, toPrintableLines } from '../output.js';
import { formatValue, type Paint } from '../paint.js';
import type { TestFileResult } from './run-test-file.js';

/** The results of all test files. */
export interface TestReport {
  readonly files: readonly TestFileResult[];
  readonly passedCases: number;
  readonly failedCases: number;
  readonly invalidFiles: number;
  /** Coverage in the files that were run. */
  readonly coverage: CoverageSummary;
  readonly uncovered: readonly UncoveredCheck[];
  /** Required coverage in percent; absent where none is required. */
  readonly threshold?: number;
}

/** A check with an uncovered outcome: there is no case in which passing decides the verdict, or none in which failing does. */
export interface UncoveredCheck {
  readonly queryFile: string;
  readonly pointer: string;
  readonly message: string;
}

/** Summarizes the results of test files. */
export function toReport(files: readonly TestFileResult[], threshold: number | undefined): TestReport {
  const run = files.filter((file) => file.kind === 'run');
  const tests = mergeCoverage(run.map(({ queryFile, result }) => ({ queryFile, ...result })));
  const cases = run.flatMap(({ result }) => result.cases);
  const passedCases = cases.filter(({ ok }) => ok).length;
  return {
    files,
    passedCases,
    failedCases: cases.length - passedCases,
    invalidFiles: files.length - run.length,
    coverage: summarizeCoverage(tests),
    uncovered: tests.flatMap(({ queryFile, coverage }) =>
      coverage.flatMap(({ pointer, check, passing, failing }) => {
        if (passing && failing) return [];
        const outcomes = [...(passing ? [] : ['passes']), ...(failing ? [] : ['fails'])];
        const message = `${describeCheck(check)}: no case in which it ${outcomes.join(' or ')} and decides the verdict`;
        return [{ queryFile, pointer: pointer === '' ? '(root)' : pointer, message }];
      }),
    ),
    ...(threshold === undefined ? {} : { threshold }),
  };
}

/** Returns whether the coverage is at least the required one; `false` where a coverage is required and none was measured. */
export function isCovered({ coverage: { covered, total }, threshold = 0 }: TestReport): boolean {
  return threshold === 0 || (total > 0 && covered * 100 >= threshold * total);
}

/** Formats the coverage: each check counts twice. 100 % only if every check is covered. */
export function formatCoverage({ coverage: { covered, total }, threshold }: TestReport): string {
  if (total === 0) return 'coverage not measured';
  const percent = Math.floor((covered * 100) / total);
  const checks = total === 2 ? '1 check' : `each of ${total / 2} checks`;
  const required = threshold === undefined ? '' : `; at least ${threshold} % required`;
  return `coverage ${percent} % (${covered} of ${total}: ${checks}, passing and failing${required})`;
}

/** Formats a verdict. */
function formatVerdict(passes: boolean): string {
  return passes ? 'passes' : 'does not pass';
}

/** Formats a check with the actual value of its claim. */
export function formatCheck({ claim, operator, expectedValue, actualValue }: CheckResult): string {
  const operand = operator === 'isDefined' ? '' : ` ${formatValue(expectedValue)}`;
  return `${claim} ${operator}${operand}   ← ${formatValue(actualValue)}`;
}

/** Describes a failed case: expected and actual verdict or failing claims. */
export function describeFailure(result: CaseResult): readonly [expected: string, actual: string] {
  const { expected, actual, failing, expectedFailing = [] } = result;
  if (expected !== actual) return [formatVerdict(expected), formatVerdict(actual)];
  const claims = [...new Set(failing.map(({ claim }) => claim))];
  return [`${expectedFailing.join(', ')} failing`, `${claims.join(', ')} failing`];
}

/** Replaces control characters, which could end the line or start an escape sequence of the terminal, and those that reorder the text. */
export function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
}

/** Formats the report as text. */
export function formatTextReport(report: TestReport, paint: Paint): string {
  const lines = report.files.flatMap((file) => fileLines(file, paint));
  const uncovered =
    report.uncovered.length === 0
      ? []
      : [
          '',
          'Uncovered checks:',
          ...report.uncovered.map(({ queryFile, pointer, message }) =>
            toPrintable(`  ${queryFile} ${pointer} ${message}`),
          ),
        ];
  const counts = [
    `${report.passedCases} passed`,
    ...(report.failedCases === 0 ? [] : [paint('red', `${report.failedCases} failed`)]),
    ...(report.invalidFiles === 0 ? [] : [paint('red', `${report.invalidFiles} invalid`)]),
  ];
  const coverage = formatCoverage(report);
  const shownCoverage = isCovered(report) ? coverage : paint('red', coverage);
  return [...lines, ...uncovered, '', `${counts.join(', ')}; ${shownCoverage}`].join('\n');
}

function fileLines(file: TestFileResult, paint: Paint): readonly string[] {
  if (file.kind === 'invalid')
    return [
      `${paint('red', '✗')} ${file.file}`,
      ...toPrintableLines(file.message)
        .split('\n')
        .map((line) => `  ${line}`),
    ];
  const { cases } = file.result;
  const failed = cases.filter(({ ok }) => !ok);
  if (failed.length === 0)
    return [
      `${paint('green', '✓')} ${file.file} ${paint('gray', `(${cases.length} ${cases.length === 1 ? 'case' : 'cases'})`)}`,
    ];
  return [
    `${paint('red', '✗')} ${file.file} ${paint('gray', `(${failed.length} of ${cases.length} ${cases.length === 1 ? 'case' : 'cases'} failed)`)}`,
    ...failed.flatMap((one) => failedCaseLines(one, paint)),
  ];
}

function failedCaseLines(one: CaseResult, paint: Paint): readonly string[] {
  const [expected, actual] = describeFailure(one);
  return [
    `  ${paint('red', '✗')} ${toOneLine(one.title)}`,
    `    expected  ${paint('green', expected)}`,
    `    actual    ${paint('red', actual)}`,
    ...one.failing.map((check) => `      ${paint('red', '✗')} ${formatCheck(check)}`),
  ];
}
