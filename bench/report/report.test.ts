/** Checks the report of a run: verdicts, rows that were not timed, charts, and the page on performance. */
import { describe, expect, it } from 'vitest';
import type { PredicateRow, PredicatesFigure } from '../figures/predicates.js';
import { barChart, growthChart } from './charts.js';
import { judge } from './goals.js';
import { measuredPage, readPage } from './page.js';
import type { EvaluationResults } from './results.js';
import { toReport } from './table.js';

const level = (median: number) => ({ q1: median, median, q3: median });

function row(name: string, kind: PredicateRow['kind'], ratio: number): PredicateRow {
  return { name, kind, version: '1.0.0', mode: 'sync', ratio: level(ratio), nanoseconds: level(ratio * 10) };
}

const rows: readonly PredicateRow[] = [
  row('hand-written', 'limit', 1),
  row('Proviso test()', 'ours', 1.2),
  row('Proviso evaluate()', 'ours', 15.1),
  row('Proviso query → bytes', 'ours', 50),
  row('JSON.stringify of the result', 'limit', 100),
  row('json-logic-engine, compiled', 'peer', 1.8),
  row('a & slow <peer>', 'peer', 30),
  { name: 'limited', kind: 'peer', version: '1.0.0', notTimed: 'it has no lists' },
];

const predicates = (['one', 'six', 'fifty'] as const).map(
  (workload): PredicatesFigure => ({ workload, shape: 'uniform', people: 10, passed: 5, rows }),
);

const results: EvaluationResults = {
  conditions: {
    cpu: 'some processor',
    cores: 2,
    platform: 'linux x64',
    node: '20.20.2',
    v8: '11',
    commit: '0000000',
    date: '2026-01-01T00:00:00.000Z',
  },
  settings: { rounds: 1, sliceMs: 1 },
  processes: 1,
  predicates,
  compiling: [{ workload: 'six', rows: [row('Proviso test()', 'ours', 600), row('other', 'peer', 599)] }],
  claimSets: [{ name: 'ClaimSet.at', ratio: level(10), nanoseconds: level(100) }],
  growth: [
    { axis: 'list', title: 'entries', series: [{ name: 'test()', points: [{ x: 1, ratio: level(2) }] }] },
  ],
};

describe('the verdicts on goals', () => {
  const holds = Object.fromEntries(judge(results).map((verdict) => [verdict.goal, verdict.holds]));

  it('are positive up to the bound, and negative beyond it', () => {
    expect(holds).toMatchObject({
      'test() on six': true,
      'test() faster than the fastest peer on six': true,
      'evaluate() faster than peers on six': true,
      'evaluate() on six': false,
      'query → bytes faster than stringify on fifty': true,
      'compile of six': true,
      'compile of six faster than peers': false,
    });
  });

  it('are negative for goals that were not measured', () => {
    const unmeasured = judge({ ...results, predicates: [], compiling: [] });
    expect(unmeasured.map((verdict) => verdict.holds)).not.toContain(true);
  });
});

describe('the report', () => {
  const report = toReport(results);

  it('starts with the verdicts on goals', () => {
    expect(report.split('\n').slice(0, 4).join('\n')).toMatch(/^Goals .*\n\nholds .*test\(\) on one/s);
  });

  it('has a dash and the reason for a contender that was not timed', () => {
    expect(report).toMatch(/limited 1\.0\.0 +– +– +– +it has no lists/);
  });
});

describe('the charts', () => {
  const charts = [
    ...predicates.map((figure) => barChart(figure, 'a <title>', 'source')),
    ...results.growth.map((figure) => growthChart(figure, 'source')),
  ];

  it('escape their texts, and support light and dark mode', () => {
    for (const chart of charts) {
      expect(chart).toMatch(/^<svg [^>]*>[\s\S]*prefers-color-scheme: dark[\s\S]*<\/svg>\n$/);
      expect(chart).not.toMatch(/NaN|Infinity|<title>|<peer>/);
    }
  });
});

it('the page on performance matches the results', () => {
  expect(readPage()).toBe(measuredPage(readPage()));
});
