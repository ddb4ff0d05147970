/** Renders the results of a run as text: the verdicts, then all tables. */
import type { PredicateRow } from '../figures/predicates.js';
import type { WorkloadName } from '../scenarios/scenario.js';
import type { Spread } from '../timing/statistics.js';
import { describeConditions } from './conditions.js';
import { judge, type Verdict } from './goals.js';
import type { EvaluationResults } from './results.js';

/** Renders the report. */
export function toReport(results: EvaluationResults): string {
  const { rounds, sliceMs } = results.settings;
  return [
    'Goals (medians; all contenders warmed up by 200 other queries; uniform people)',
    toTable(results.predicates.length === 0 ? [] : judge(results).map(verdictCells)),
    `${describeConditions(results.conditions)}; ${rounds} rounds of ${sliceMs} ms; processes: ${results.processes}`,
    'Multiples of the time of the hand-written function in the same round; median, and quartiles in brackets. Lower is faster.',
    ...(['one', 'six', 'fifty'] as const).map((name) => workloadTable(results, name)),
    ...results.compiling.map(({ workload, rows }) =>
      [
        `Compile and first evaluation, ${workload}: times one hand-written evaluation`,
        toTable(compilingCells(rows)),
      ].join('\n'),
    ),
    'Claim sets: times one hand-written evaluation of six checks',
    toTable(
      results.claimSets.map(({ name, ratio, nanoseconds }) => [name, spread(ratio), time(nanoseconds)]),
    ),
    ...results.growth.flatMap(({ title, series }) => [
      `Growth: ${title}; times one hand-written evaluation of one check`,
      toTable([
        ['', ...(series[0]?.points ?? []).map(({ x }) => x.toLocaleString('en'))],
        ...series.map(({ name, points }) => [name, ...points.map(({ ratio }) => number(ratio.median))]),
      ]),
    ]),
  ].join('\n\n');
}

function verdictCells({ goal, measured, bound, direction, holds, against }: Verdict): readonly string[] {
  const sign = direction === 'at most' ? '≤' : '≥';
  const value = measured === undefined ? 'not measured' : `${number(measured)} ×`;
  return [holds ? 'holds' : 'DOES NOT HOLD', goal, value, `${sign} ${bound} ×`, `against ${against}`];
}

function workloadTable({ predicates }: EvaluationResults, name: WorkloadName): string {
  const [uniform, mixed] = (['uniform', 'mixed'] as const).map((shape) =>
    predicates.find((figure) => figure.workload === name && figure.shape === shape),
  );
  const rows = [...(uniform?.rows ?? [])].sort(byRatio).map((row) => {
    const other = mixed?.rows.find((one) => one.name === row.name);
    const note = [row.mode === 'async' ? 'async' : '', row.notTimed ?? row.note ?? '']
      .filter(Boolean)
      .join(': ');
    return [
      `${row.name} ${row.version}`,
      spread(row.ratio),
      spread(other?.ratio),
      time(row.nanoseconds),
      note,
    ];
  });
  const passed = `${uniform?.passed} and ${mixed?.passed} of ${uniform?.people} people pass`;
  return [
    `Workload ${name}: ${passed}`,
    toTable([['', 'uniform', 'mixed', 'time, uniform', ''], ...rows]),
  ].join('\n');
}

function compilingCells(rows: readonly PredicateRow[]): readonly (readonly string[])[] {
  return [...rows]
    .sort(byRatio)
    .map(({ name, ratio, nanoseconds }) => [name, spread(ratio), time(nanoseconds)]);
}

function byRatio(a: PredicateRow, b: PredicateRow): number {
  return (a.ratio?.median ?? Number.POSITIVE_INFINITY) - (b.ratio?.median ?? Number.POSITIVE_INFINITY);
}

function spread(values: Spread | undefined): string {
  return values === undefined ? '–' : `${number(values.median)} (${number(values.q1)}–${number(values.q3)})`;
}

function time(nanoseconds: Spread | undefined): string {
  if (nanoseconds === undefined) return '–';
  const { median } = nanoseconds;
  return median < 1_000 ? `${number(median)} ns` : `${number(median / 1_000)} µs`;
}

function number(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function toTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
