/** The report of a run of policy tests as JUnit XML, as CI systems read it. */
import { describeFailure, formatCheck, formatCoverage, isCovered, type TestReport } from './report.js';
import type { TestFileResult } from './run-test-file.js';

/** A suite: its name, its counts and its cases. */
interface Suite {
  readonly name: string;
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  /** The suite's test cases as XML. */
  readonly cases: readonly string[];
}

/** Formats the report as JUnit XML: one suite for each file, and one for the required coverage. */
export function formatJunitReport(report: TestReport): string {
  const suites = [...report.files.map(toSuite), ...coverageSuites(report)];
  const sum = (name: 'tests' | 'failures' | 'errors') => suites.reduce((total, one) => total + one[name], 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="proviso" tests="${sum('tests')}" failures="${sum('failures')}" errors="${sum('errors')}">`,
    ...suites.flatMap(({ name, tests, failures, errors, cases }) => [
      `  <testsuite name="${escapeXml(name)}" tests="${tests}" failures="${failures}" errors="${errors}">`,
      ...cases.map((one) => `    ${one}`),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ].join('\n');
}

function toSuite(file: TestFileResult): Suite {
  const name = file.file;
  if (file.kind === 'invalid') {
    const error = element('error', 'invalid', file.message.split('\n')[0] ?? '', file.message);
    return {
      name,
      tests: 1,
      failures: 0,
      errors: 1,
      cases: [testCase(name, 'is a valid policy test', error)],
    };
  }
  const { cases } = file.result;
  return {
    name,
    tests: cases.length,
    failures: cases.filter(({ ok }) => !ok).length,
    errors: 0,
    cases: cases.map((one) => {
      if (one.ok) return testCase(name, one.title);
      const [expected, actual] = describeFailure(one);
      const message = `expected: ${expected}; actual: ${actual}`;
      return testCase(
        name,
        one.title,
        element('failure', 'verdict', message, one.failing.map(formatCheck).join('\n')),
      );
    }),
  };
}

function coverageSuites(report: TestReport): readonly Suite[] {
  if (report.threshold === undefined) return [];
  const covered = isCovered(report);
  const text = report.uncovered.map(
    ({ queryFile, pointer, message }) => `${queryFile} ${pointer} ${message}`,
  );
  const failure = covered
    ? undefined
    : element('failure', 'coverage', formatCoverage(report), text.join('\n'));
  const one = testCase('coverage', `at least ${report.threshold} %`, failure);
  return [{ name: 'coverage', tests: 1, failures: covered ? 0 : 1, errors: 0, cases: [one] }];
}

function testCase(suite: string, title: string, content?: string): string {
  const start = `<testcase classname="${escapeXml(suite)}" name="${escapeXml(title)}"`;
  return content === undefined ? `${start} />` : `${start}>${content}</testcase>`;
}

function element(name: 'error' | 'failure', type: string, message: string, text: string): string {
  return `<${name} type="${type}" message="${escapeXml(message)}">${escapeXml(text)}</${name}>`;
}

/** Characters that XML 1.0 cannot contain, not even escaped. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes text for an element or an attribute. */
function escapeXml(text: string): string {
  return text.replaceAll(NOT_IN_XML, '\uFFFD').replaceAll(/[&<>"\t\n\r]/g, (one) => ESCAPES[one] ?? one);
}
