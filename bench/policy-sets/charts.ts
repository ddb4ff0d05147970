/** Draws the charts of policy sets from a run: milliseconds per person by the number of policies, the share that passes, and the checks per policy. */
import { growthChart } from '../report/charts.js';
import { describeConditions } from '../report/conditions.js';
import { writeChart } from '../report/result-files.js';
import type { PolicySetResults, SetFigure } from './results.js';

interface GrowthAxis {
  readonly name: string;
  readonly title: string;
  readonly figures: (results: PolicySetResults) => readonly SetFigure[];
  readonly x: (figure: SetFigure) => number;
}

/** The properties of a set that grow, each with a chart and a table. */
export const GROWTH_AXES: readonly GrowthAxis[] = [
  { name: 'policies', title: 'policies', figures: ({ policies }) => policies, x: ({ policies }) => policies },
  {
    name: 'passing',
    title: 'share of policies that pass, %',
    figures: ({ rates }) => rates,
    x: ({ scenario }) => scenario.passing * 100,
  },
  {
    name: 'checks',
    title: 'checks per policy',
    figures: ({ checks }) => checks,
    x: ({ scenario }) => scenario.checks?.[0] ?? 0,
  },
];

/** Writes `policy-set-<axis>.svg`. */
export function drawPolicySetCharts(results: PolicySetResults): void {
  const source = describeConditions(results.conditions);
  const unit = { label: ' ms', subtitle: 'milliseconds per person, both scales logarithmic' };
  for (const { name, title, figures, x } of GROWTH_AXES) {
    const measured = figures(results);
    const series = [
      { name: 'policy set', points: measured.map((each) => ({ x: x(each), ratio: each.matchMs })) },
      {
        name: 'one by one',
        points: measured.flatMap((each) =>
          each.compiled === undefined ? [] : [{ x: x(each), ratio: each.compiled.oneByOneMs }],
        ),
      },
    ];
    writeChart(`policy-set-${name}`, growthChart({ title, series }, source, unit));
  }
}
