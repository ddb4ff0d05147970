/** Generates the measured part of `docs/explanation/capacity.md` from the results of `npm run check -- scale`. */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  type Figure,
  hasGrown,
  type IndexSize,
  MAX_RATIO,
  type ScaleReport,
  type StoreSize,
} from '../scale/results.js';
import { describeConditions } from './conditions.js';
import { number, replaceMeasured, table } from './markdown.js';
import { isMeasured, readResults } from './result-files.js';

const PAGE = new URL('../../docs/explanation/capacity.md', import.meta.url);
const ENGINES = ['sqlite', 'postgres'] as const;
const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;
/** The sizes that the model extrapolates to. */
const MODELED = [10_000_000, 100_000_000];
const BYTES_PER_GB = 1e9;
const ROUNDING_ERROR = 1e-9;

/** Rewrites the measured part of the page. */
export function updateCapacityPage(): void {
  writeFileSync(PAGE, capacityPage(readCapacityPage()));
}

/** Reads the current page. */
export function readCapacityPage(): string {
  return readFileSync(PAGE, 'utf8');
}

/** Returns the page with its measured part generated from the last results. */
export function capacityPage(page: string): string {
  const reports = ENGINES.filter((engine) => isMeasured(`scale-${engine}`)).map((engine) =>
    readResults<ScaleReport>(`scale-${engine}`),
  );
  return replaceMeasured(page, 'docs/explanation/capacity.md', capacityPart(reports));
}

/** Renders all tables. */
function capacityPart(reports: readonly ScaleReport[]): string {
  return [
    ...reports.flatMap((report) => [...operationsPart(report), ...growthPart(report)]),
    '### Commands, start and memory',
    ...reports.flatMap(processPart),
    '### Bytes per person',
    spacePart(reports),
    '### Heights of indexes',
    heightPart(reports),
    ...reports.flatMap(partitionPart),
  ].join('\n\n');
}

function operationsPart(report: ScaleReport): readonly string[] {
  const { engine, conditions, connections, rounds, audit, ledger, sizes, operations } = report;
  const last = sizes.length - 1;
  const rows = Object.entries(operations).map(([name, figures]) => {
    const figure = figures[last] ?? null;
    if (figure === null) return [name, '–', '–', '–', '–', '–'];
    const { perSecond, p50, p99, serviceCpuUs, databaseCpuUs, cpuRatio, ratio } = figure;
    const isCompared = (figures[0] ?? null) !== null;
    return [
      name,
      number(perSecond),
      `${number(p50)} / ${number(p99)}`,
      engine === 'sqlite' ? number(serviceCpuUs) : `${number(serviceCpuUs)} + ${number(databaseCpuUs)}`,
      isCompared ? `${number(ratio)} / ${number(cpuRatio)}` : '–',
      verdict(engine, figure, isCompared),
    ];
  });
  return [
    `### ${NAMES[engine]}: operations at ${people(sizes[last])} people`,
    `${describeConditions(conditions)}; ${connections} connections, ${rounds} rounds, \`PROVISO_AUDIT=${audit}\`, \`PROVISO_LEDGER=${ledger}\`.`,
    table(
      [
        'operation',
        'per second',
        'ms: median / p99',
        engine === 'sqlite' ? 'CPU µs' : 'CPU µs: service + database',
        `ratio to ${people(sizes[0])} people: median ms / CPU`,
        `goal ≤ ${MAX_RATIO[engine]}`,
      ],
      rows,
    ),
  ];
}

/** Compares the growth of each operation with that in an earlier version. */
function growthPart({ engine, sizes, operations }: ScaleReport): readonly string[] {
  if (!isMeasured(`scale-${engine}-before`)) return [];
  const before = readResults<ScaleReport>(`scale-${engine}-before`);
  const medians = (figures: ScaleReport['operations'][string] = []) =>
    sizes.map((_, index) => (figures[index] ? number(figures[index].p50) : '–'));
  const columns = sizes.map(people);
  return [
    `### ${NAMES[engine]}: growth, before and now`,
    `Median time of a request in milliseconds, by the number of people. Before: ${describeConditions(before.conditions)}. \
The two versions were measured at different times, so compare the growth from left to right. –: the request failed.`,
    table(
      [
        'operation',
        ...columns.map((column) => `before: ${column}`),
        ...columns.map((column) => `now: ${column}`),
      ],
      Object.entries(operations).map(([name, figures]) => [
        name,
        ...medians(before.operations[name]),
        ...medians(figures),
      ]),
    ),
  ];
}

function verdict(engine: ScaleReport['engine'], figure: Figure, isCompared: boolean): string {
  if (!isCompared) return '**not measured**';
  return hasGrown(engine, figure) ? '**does not hold**' : 'holds';
}

function processPart({ engine, sizes, commands, startMs, memoryMiB }: ScaleReport): readonly string[] {
  const milliseconds = (times: readonly number[]) => times.map((ms) => `${number(ms)} ms`);
  return [
    table(
      [NAMES[engine], ...sizes.map((size) => `${people(size)} people`)],
      [
        ...Object.entries(commands).map(([name, times]) => [`\`${name}\``, ...milliseconds(times)]),
        ['start of the service', ...milliseconds(startMs)],
        ['memory of the service, peak', ...memoryMiB.map(({ peak }) => `${number(peak)} MiB`)],
      ],
    ),
  ];
}

function spacePart(reports: readonly ScaleReport[]): string {
  const stores = reports.map(({ engine, sizes, stores: own }) => {
    const count = sizes.at(-1) ?? Number.NaN;
    return { engine, count, store: own.at(-1) ?? EMPTY };
  });
  const tables = [...new Set(stores.flatMap(({ store }) => store.tables.map(({ table: name }) => name)))];
  return table(
    [
      '',
      ...stores.map(({ engine, count }) => `${NAMES[engine]}, measured at ${people(count)}: table + indexes`),
    ],
    [
      ...tables.map((name) => [
        `\`${name}\``,
        ...stores.map(({ store, count }) => {
          const size = store.tables.find((one) => one.table === name);
          return size === undefined
            ? '–'
            : `${number(size.tableBytes / count)} + ${number(size.indexBytes / count)}`;
        }),
      ]),
      ['all', ...stores.map(({ store, count }) => number(store.bytes / count))],
      ...MODELED.map((modeled) => [
        `model: ${people(modeled)} people`,
        ...stores.map(({ store, count }) => `${number(((store.bytes / count) * modeled) / BYTES_PER_GB)} GB`),
      ]),
    ],
  );
}

/**
 * Models the height of a B-tree with more entries than a measured one of at least two levels. Assumes the smallest fan-out with which the
 * measured pages have the measured height, so it does not underestimate.
 *
 * @param factor - The number of entries, as a multiple of those of the measured tree.
 */
export function modelHeight({ pages, height }: IndexSize, factor: number): number {
  const fanOut = pages ** (1 / (height - 1));
  return 1 + Math.ceil(Math.log(pages * factor) / Math.log(fanOut) - ROUNDING_ERROR);
}

function heightPart(reports: readonly ScaleReport[]): string {
  const rows = reports.flatMap(({ engine, sizes, stores }) =>
    (stores.at(-1)?.indexes ?? []).map((largest) => [
      `${NAMES[engine]}: ${largest.index}`,
      ...stores.map((store) =>
        String(store.indexes.find(({ index }) => index === largest.index)?.height ?? '–'),
      ),
      ...MODELED.map((modeled) => `≤ ${modelHeight(largest, modeled / (sizes.at(-1) ?? 1))}`),
    ]),
  );
  const [first] = reports;
  return table(
    [
      'levels, including leaves',
      ...(first?.sizes ?? []).map(people),
      ...MODELED.map((modeled) => `model: ${people(modeled)}`),
    ],
    rows,
  );
}

function partitionPart({ partitions }: ScaleReport): readonly string[] {
  if (partitions === undefined) return [];
  const { people: count, partitions: parts, keys, lookups } = partitions;
  const tables = Object.keys(keys);
  return [
    '### Partitions that lookups read',
    `A copy of a PostgreSQL store of ${people(count)} people, each of these tables in ${parts} partitions by the hash of the column in brackets.`,
    table(
      ['lookup', ...tables.map((name) => `\`${name}\` (\`${keys[name]}\`)`)],
      lookups.map(({ lookup, read }) => [
        lookup,
        ...tables.map((name) => (read[name] === undefined ? '' : `${read[name]} of ${parts}`)),
      ]),
    ),
  ];
}

const EMPTY: StoreSize = { bytes: Number.NaN, tables: [], indexes: [] };

function people(count: number | undefined): string {
  return count === undefined ? '–' : count.toLocaleString('en');
}
