/** The report of a run of policy tests as TAP (Test Anything Protocol), version 14. */
import {
  describeFailure,
  formatCheck,
  formatCoverage,
  isCovered,
  type TestReport,
  toOneLine,
} from './report.js';

/** One test point. */
interface TestPoint {
  readonly title: string;
  /** Diagnostics of a failure; absent where the test passed. */
  readonly failure?: Readonly<Record<string, unknown>>;
}

/** Formats the report as TAP: one test point for each case and each invalid file, and one for the coverage if one is required. */
export function formatTapReport(report: TestReport): string {
  const points = [...report.files.flatMap(filePoints), ...coveragePoints(report)];
  const lines = points.flatMap(({ title, failure }, index) => [
    `${failure === undefined ? 'ok' : 'not ok'} ${index + 1} - ${escapeTitle(title)}`,
    ...(failure === undefined ? [] : diagnosticLines(failure)),
  ]);
  const uncovered = report.uncovered.map(
    ({ queryFile, pointer, message }) => `# uncovered: ${toOneLine(`${queryFile} ${pointer} ${message}`)}`,
  );
  return [
    'TAP version 14',
    `1..${points.length}`,
    ...lines,
    ...uncovered,
    `# ${formatCoverage(report)}`,
  ].join('\n');
}

function filePoints(file: TestReport['files'][number]): readonly TestPoint[] {
  if (file.kind === 'invalid') return [{ title: file.file, failure: { message: file.message } }];
  return file.result.cases.map((one) => {
    const title = `${file.file} › ${one.title}`;
    if (one.ok) return { title };
    const [expected, actual] = describeFailure(one);
    return { title, failure: { expected, actual, failing: one.failing.map(formatCheck) } };
  });
}

function coveragePoints(report: TestReport): readonly TestPoint[] {
  if (report.threshold === undefined) return [];
  const title = `coverage of at least ${report.threshold} %`;
  return isCovered(report) ? [{ title }] : [{ title, failure: { message: formatCoverage(report) } }];
}

/** Formats diagnostics as YAML, of which JSON is a subset. */
function diagnosticLines(failure: Readonly<Record<string, unknown>>): readonly string[] {
  const members = Object.entries(failure).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`);
  return ['  ---', ...members, '  ...'];
}

/** Escapes what TAP would read as the start of a directive. */
function escapeTitle(title: string): string {
  return toOneLine(title).replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}
