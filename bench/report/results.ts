/** The results of a run, with the conditions under which it was measured. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { CompilingFigure } from '../figures/compiling.js';
import type { GrowthFigure } from '../figures/growth.js';
import type { MemoryGrowth } from '../figures/memory.js';
import type { PredicatesFigure } from '../figures/predicates.js';
import type { Timing, TimingSettings } from '../timing/interleave.js';
import type { Spread } from '../timing/statistics.js';

/** The conditions of a measurement; nothing that identifies the machine. */
export interface Conditions {
  readonly cpu: string;
  readonly cores: number;
  readonly platform: string;
  readonly node: string;
  readonly v8: string;
  /** Abbreviated; ends in `+` if the working tree had changes. */
  readonly commit: string;
  /** RFC 3339 UTC. */
  readonly date: string;
}

/** The results of `npm run bench`. */
export interface EvaluationResults {
  readonly conditions: Conditions;
  readonly settings: TimingSettings;
  readonly predicates: readonly PredicatesFigure[];
  readonly compiling: readonly CompilingFigure[];
  readonly claimSets: readonly Timing[];
  readonly growth: readonly GrowthFigure[];
}

/** The results of `npm run check -- bench-http`. */
export interface HttpResults {
  readonly conditions: Conditions;
  readonly rounds: number;
  /** Duration of a server's load in one round, in milliseconds. */
  readonly sliceMs: number;
  readonly bodyBytes: number;
  readonly proviso: HttpFigures;
  readonly limits: readonly HttpLimit[];
}

export interface HttpFigures {
  /** Requests per second. */
  readonly perSecond: Spread;
  /** CPU time of the server per request. */
  readonly cpuMicroseconds: Spread;
}

/** A server that sends a fixed body. */
export interface HttpLimit extends HttpFigures {
  readonly name: string;
  /** Proviso's requests per second as a share of this server's, in the same round. */
  readonly share: Spread;
  /** This server's CPU time per request as a share of Proviso's. */
  readonly cpuShare: Spread;
}

/** The results of `npm run check -- bench-memory`. */
export interface MemoryResults {
  readonly conditions: Conditions;
  readonly growths: readonly MemoryGrowth[];
}

const FOLDER = new URL('../results/', import.meta.url);
const CHARTS = new URL('../charts/', import.meta.url);

/** Reads the machine, the checkout and the clock. */
export function readConditions(): Conditions {
  const processors = cpus();
  const git = (...args: readonly string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  // Only sources: a run itself changes results and charts.
  const changed = git(
    'status',
    '--porcelain',
    '--',
    'src',
    'bench/contenders',
    'bench/scenarios',
    'bench/timing',
  );
  return {
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    v8: process.versions.v8,
    commit: git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : '+'),
    date: new Date().toISOString(),
  };
}

/** Formats the conditions in one line. */
export function describeConditions({ cpu, cores, platform, node, commit, date }: Conditions): string {
  return `${cpu}, ${cores} cores, ${platform}, Node ${node}, commit ${commit}, ${date.slice(0, 10)}`;
}

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

/** Reads the last run's results. */
export function readResults<Results>(name: string): Results {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Results;
}

/** Rounds to four significant digits. */
function roundNumbers(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(4));
  if (Array.isArray(value)) return value.map(roundNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, roundNumbers(member)]));
}
