/** Draws all charts of a run from its results. */
import { WORKLOADS } from '../scenarios/workloads.js';
import { barChart, growthChart } from './charts.js';
import { describeConditions } from './conditions.js';
import { writeChart } from './result-files.js';
import type { EvaluationResults } from './results.js';

/** Writes `<workload>-<shape>.svg` and `growth-<axis>.svg`. */
export function drawCharts({ conditions, predicates, growth }: EvaluationResults): void {
  const source = describeConditions(conditions);
  for (const figure of predicates) {
    const title = `${WORKLOADS[figure.workload].title}, ${figure.shape} people`;
    writeChart(`${figure.workload}-${figure.shape}`, barChart(figure, title, source));
  }
  for (const figure of growth) {
    writeChart(`growth-${figure.axis}`, growthChart(figure, source));
  }
}
