/** The results of `npm run check -- scale`, from which docs/explanation/capacity.md is generated. */
import type { Conditions } from '../report/conditions.js';

export type Engine = 'sqlite' | 'postgres';

/** The maximum ratio of an operation's median time in a store to that in the smallest store. */
export const MAX_RATIO: Readonly<Record<Engine, number>> = { sqlite: 3, postgres: 2 };

/** The figures of an operation in one store. */
export interface Figure {
  /** Median and 99th percentile of the time of a request, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Requests per second. */
  readonly perSecond: number;
  /** The ratio of the median time to that in the smallest store: the median of the rounds. */
  readonly ratio: number;
  /** CPU time of a request, in microseconds: the median of the rounds. */
  readonly serviceCpuUs: number;
  /** CPU time of the database server per request, in microseconds. 0 on SQLite, which runs in the service's process. */
  readonly databaseCpuUs: number;
  /** The ratio of the CPU time to that in the smallest store: the median of the rounds. */
  readonly cpuRatio: number;
}

/** The space of a table with its indexes. */
export interface TableSize {
  readonly table: string;
  readonly tableBytes: number;
  readonly indexBytes: number;
}

/** A B-tree. */
export interface IndexSize {
  readonly index: string;
  readonly pages: number;
  /** Number of levels, including the leaves; a lookup reads one page of each. */
  readonly height: number;
}

/** The space of a store on disk. */
export interface StoreSize {
  readonly bytes: number;
  /** Tables that grow with people. */
  readonly tables: readonly TableSize[];
  /** The indexes that requests use most. */
  readonly indexes: readonly IndexSize[];
}

/** Which partitions a lookup reads in a store whose large tables are partitioned. */
export interface PartitionedLookup {
  readonly lookup: string;
  /** Partitions that the lookup reads, by table. */
  readonly read: Readonly<Record<string, number>>;
}

/** Lookups of the service in a copy of a store with partitioned tables. */
export interface PartitionResults {
  readonly people: number;
  readonly partitions: number;
  /** The partitioned tables and the column that determines the partition. */
  readonly keys: Readonly<Record<string, string>>;
  readonly lookups: readonly PartitionedLookup[];
}

export interface ScaleReport {
  readonly conditions: Conditions;
  readonly engine: Engine;
  readonly audit: string;
  readonly ledger: string;
  readonly connections: number;
  readonly rounds: number;
  readonly sizes: readonly number[];
  /** By name of the operation: its figures in each store; `null` where the operation failed or is not supported. */
  readonly operations: Readonly<Record<string, readonly (Figure | null)[]>>;
  /** By command: its time in each store, in milliseconds. */
  readonly commands: Readonly<Record<string, readonly number[]>>;
  readonly startMs: readonly number[];
  readonly memoryMiB: readonly { readonly start: number; readonly end: number; readonly peak: number }[];
  readonly stores: readonly StoreSize[];
  /** Only on PostgreSQL. */
  readonly partitions?: PartitionResults;
}

/** Whether the ratio of an operation exceeds the maximum, or is not a number, since the smallest store lacks samples. */
export function hasGrown(engine: Engine, { ratio }: Figure): boolean {
  return !(ratio <= MAX_RATIO[engine]);
}

/** Renders a report as text. */
export function renderReport(report: ScaleReport): string {
  const { engine, sizes, operations, commands, startMs, memoryMiB, stores } = report;
  const row = (name: string, cells: readonly string[]) =>
    `${name.padEnd(26)}${cells.map((cell) => cell.padStart(52)).join('')}`;
  return [
    row(
      '',
      sizes.map((size) => `${size.toLocaleString('en')} people`),
    ),
    ...Object.entries(operations).map(([name, figures]) =>
      row(
        name,
        figures.map((figure) => renderFigure(figure, engine)),
      ),
    ),
    ...Object.entries(commands).map(([name, times]) =>
      row(
        `\`${name}\``,
        times.map((ms) => `${ms.toFixed(0)} ms`),
      ),
    ),
    row(
      'start',
      startMs.map((ms) => `${ms.toFixed(0)} ms`),
    ),
    row(
      'memory',
      memoryMiB.map(
        ({ start, end, peak }) => `${start.toFixed(0)} → ${end.toFixed(0)}, peak ${peak.toFixed(0)} MiB`,
      ),
    ),
    row(
      'bytes per person',
      stores.map(({ bytes }, index) => (bytes / (sizes[index] ?? Number.NaN)).toFixed(0)),
    ),
    ...(report.partitions?.lookups ?? []).map(
      ({ lookup, read }) =>
        `partitions of ${report.partitions?.partitions} read by ${lookup}: ${JSON.stringify(read)}`,
    ),
  ].join('\n');
}

function renderFigure(figure: Figure | null, engine: Engine): string {
  if (figure === null) return '–';
  const { p50, p99, perSecond, ratio, serviceCpuUs, databaseCpuUs, cpuRatio } = figure;
  const cpu = `${serviceCpuUs.toFixed(0)}+${databaseCpuUs.toFixed(0)} µs ×${cpuRatio.toFixed(2)}`;
  return `${perSecond.toFixed(0)} (${p50.toFixed(1)} / ${p99.toFixed(1)}; ×${ratio.toFixed(2)}${hasGrown(engine, figure) ? ' GROWS' : ''}; CPU ${cpu})`;
}
