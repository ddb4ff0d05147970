/** Draws all charts of a run from its results. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { WORKLOADS } from '../scenarios/workloads.js';
import { barChart, growthChart } from './charts.js';
import { describeConditions, type EvaluationResults } from './results.js';

const FOLDER = new URL('../charts/', import.meta.url);

/** Writes `<workload>-<shape>.svg` and `growth-<axis>.svg`. */
export function drawCharts({ conditions, predicates, growth }: EvaluationResults): void {
  mkdirSync(FOLDER, { recursive: true });
  const source = describeConditions(conditions);
  for (const figure of predicates) {
    const title = `${WORKLOADS[figure.workload].title}, ${figure.shape} people`;
    writeFileSync(new URL(`${figure.workload}-${figure.shape}.svg`, FOLDER), barChart(figure, title, source));
  }
  for (const figure of growth) {
    writeFileSync(new URL(`growth-${figure.axis}.svg`, FOLDER), growthChart(figure, source));
  }
}
