/** The results of `npm run check -- scale`, from which docs/explanation/capacity.md is generated. */
import type { Conditions } from '../report/conditions.js';

export type Engine = 'sqlite' | 'postgres';

/** The maximum ratio of an operation's median time at the largest store to that at the smallest. */
export const MAX_RATIO: Readonly<Record<Engine, number>> = { sqlite: 3, postgres: 2 };

/** The figures of an operation in one store. */
export interface Figure {
  /** Median and 99th percentile of the time of a request, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
  /** The median of the rounds' ratios of the median time to that of the smallest store. */
  readonly ratio: number;
  /** CPU time of a request, in microseconds: the median of the rounds. */
  readonly serviceCpuUs: number;
  /** 0 on SQLite, whose work is part of the service's. */
  readonly databaseCpuUs: number;
  /** The median of the rounds' ratios of CPU time to that of the smallest store. */
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
  /** Levels including the leaves, which is the number of pages that a lookup reads. */
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
  /** By store; `null` where the operation failed or is not supported. */
  readonly operations: Readonly<Record<string, readonly (Figure | null)[]>>;
  /** Milliseconds. */
  readonly commands: Readonly<Record<string, readonly number[]>>;
  readonly startMs: readonly number[];
  readonly memoryMiB: readonly { readonly start: number; readonly end: number; readonly peak: number }[];
  readonly stores: readonly StoreSize[];
  /** Only on PostgreSQL. */
  readonly partitions?: PartitionResults;
}

export function hasGrown(engine: Engine, { ratio }: Figure): boolean {
  return ratio > MAX_RATIO[engine];
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
