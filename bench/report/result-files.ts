/** The files with the results of runs, and their charts. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const FOLDER = new URL('../results/', import.meta.url);
const CHARTS = new URL('../charts/', import.meta.url);

/** Writes a run's results, in place of the last ones. */
export function writeResults(name: string, results: object): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(new URL(`${name}.json`, FOLDER), `${JSON.stringify(roundNumbers(results), null, 1)}\n`);
}

/** Writes a chart. */
export function writeChart(name: string, svg: string): void {
  mkdirSync(CHARTS, { recursive: true });
  writeFileSync(new URL(`${name}.svg`, CHARTS), svg);
}

/** Whether there are results of a run. */
export function isMeasured(name: string): boolean {
  return existsSync(new URL(`${name}.json`, FOLDER));
}

/** Reads the last run's results. */
export function readResults<Results>(name: string): Results {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Results;
}

/** Rounds fractions to four significant digits; keeps integers. */
function roundNumbers(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(4));
  if (Array.isArray(value)) return value.map(roundNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, roundNumbers(member)]));
}
