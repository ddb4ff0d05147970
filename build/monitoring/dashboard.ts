/** The Grafana dashboard. */
import { countRate, matcher, quantile, rate, select, shareOf, sumBy } from './promql.js';

type Unit = 'reqps' | 'ops' | 's' | 'percentunit' | 'bytes' | 'short';

interface Query {
  readonly expr: string;
  /** With labels as `{{label}}`. */
  readonly legend: string;
}

interface Panel {
  readonly title: string;
  readonly description?: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
}

interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const WINDOW = '$__rate_interval';
const JOB = 'job=~"$job"';
const REQUESTS = 'proviso_http_request_seconds';
const OPERATIONS = 'proviso_store_operation_seconds';
const SERVER_ERROR = matcher(REQUESTS, 'status', '=~', '5..');
/** Columns of a Grafana dashboard, and the size of a panel. */
const COLUMNS = 24;
const WIDTH = 8;
const HEIGHT = 8;

const QUANTILES = [0.5, 0.95, 0.99] as const;

const ROWS: readonly Row[] = [
  {
    title: 'Requests',
    panels: [
      {
        title: 'Requests by operation',
        unit: 'reqps',
        queries: [{ expr: sumBy(['operation'], countRate(REQUESTS, WINDOW, JOB)), legend: '{{operation}}' }],
      },
      {
        title: 'Share of server errors',
        description: 'Responses with a status of 500 or above.',
        unit: 'percentunit',
        queries: [
          {
            expr: `${sumBy([], countRate(REQUESTS, WINDOW, JOB, SERVER_ERROR))} / ${sumBy([], countRate(REQUESTS, WINDOW, JOB))}`,
            legend: 'errors',
          },
        ],
      },
      {
        title: 'Duration of requests',
        unit: 's',
        queries: QUANTILES.map((share) => ({
          expr: quantile(share, REQUESTS, WINDOW, { by: [], matchers: [JOB] }),
          legend: `p${share * 100}`,
        })),
      },
      {
        title: 'Duration by operation (p99)',
        unit: 's',
        queries: [
          {
            expr: quantile(0.99, REQUESTS, WINDOW, { by: ['operation'], matchers: [JOB] }),
            legend: '{{operation}}',
          },
        ],
      },
      {
        title: 'Rejections by reason',
        unit: 'reqps',
        queries: [
          { expr: sumBy(['reason'], rate('proviso_refusals_total', WINDOW, JOB)), legend: '{{reason}}' },
        ],
      },
      {
        title: 'Dropped connections by limit',
        unit: 'ops',
        queries: [
          {
            expr: sumBy(['reason'], rate('proviso_connections_dropped_total', WINDOW, JOB)),
            legend: '{{reason}}',
          },
        ],
      },
    ],
  },
  {
    title: 'Tokens and grants',
    panels: [
      {
        title: 'Issued access tokens',
        unit: 'ops',
        queries: [
          {
            expr: sumBy(['grant_type'], rate('proviso_tokens_issued_total', WINDOW, JOB)),
            legend: '{{grant_type}}',
          },
        ],
      },
      {
        title: 'Revoked tokens',
        unit: 'ops',
        queries: [
          {
            expr: sumBy(['token_type'], rate('proviso_tokens_revoked_total', WINDOW, JOB)),
            legend: '{{token_type}}',
          },
        ],
      },
      {
        title: 'Grants',
        unit: 'ops',
        queries: [
          { expr: sumBy([], rate('proviso_grants_created_total', WINDOW, JOB)), legend: 'created' },
          { expr: sumBy(['cause'], rate('proviso_grants_ended_total', WINDOW, JOB)), legend: '{{cause}}' },
          { expr: sumBy([], rate('proviso_grants_restored_total', WINDOW, JOB)), legend: 'restored' },
        ],
      },
    ],
  },
  {
    title: 'Store',
    panels: [
      {
        title: 'Operations on the database',
        unit: 'ops',
        queries: [
          { expr: sumBy(['operation'], countRate(OPERATIONS, WINDOW, JOB)), legend: '{{operation}}' },
        ],
      },
      {
        title: 'Duration by operation (p99)',
        unit: 's',
        queries: [
          {
            expr: quantile(0.99, OPERATIONS, WINDOW, { by: ['operation'], matchers: [JOB] }),
            legend: '{{operation}}',
          },
        ],
      },
      {
        title: 'Failed operations',
        unit: 'ops',
        queries: [
          {
            expr: sumBy(['operation'], rate('proviso_store_failures_total', WINDOW, JOB)),
            legend: '{{operation}}',
          },
        ],
      },
      {
        title: 'Removed records',
        unit: 'ops',
        queries: [
          { expr: sumBy(['kind'], rate('proviso_sweeper_removed_total', WINDOW, JOB)), legend: '{{kind}}' },
        ],
      },
      {
        title: 'Time since the last step of the sweeper',
        description: 'A step of the sweeper takes place every minute on each instance.',
        unit: 's',
        queries: [
          {
            expr: `time() - max(${select('proviso_sweeper_last_success_timestamp_seconds', JOB)} > 0)`,
            legend: 'time',
          },
        ],
      },
      {
        title: 'Sweeper: backlog and failures',
        unit: 'short',
        queries: [
          { expr: `max(${select('proviso_sweeper_backlog', JOB)})`, legend: 'backlog' },
          {
            expr: sumBy([], rate('proviso_sweeper_failures_total', WINDOW, JOB)),
            legend: 'failures per second',
          },
        ],
      },
    ],
  },
  {
    title: 'Caches',
    panels: [
      {
        title: 'Hit ratios',
        description: 'The read cache is used on SQLite only.',
        unit: 'percentunit',
        queries: [
          {
            expr: shareOf('proviso_query_cache_hits_total', 'proviso_query_cache_misses_total', WINDOW, JOB),
            legend: 'compiled queries',
          },
          {
            expr: shareOf('proviso_read_cache_hits_total', 'proviso_read_cache_misses_total', WINDOW, JOB),
            legend: 'reads',
          },
        ],
      },
      {
        title: 'Evictions',
        unit: 'ops',
        queries: [
          {
            expr: sumBy([], rate('proviso_query_cache_evictions_total', WINDOW, JOB)),
            legend: 'compiled queries',
          },
          { expr: sumBy([], rate('proviso_read_cache_evictions_total', WINDOW, JOB)), legend: 'reads' },
        ],
      },
      {
        title: 'Size',
        unit: 'bytes',
        queries: [
          { expr: sumBy([], select('proviso_query_cache_bytes', JOB)), legend: 'compiled queries' },
          { expr: sumBy([], select('proviso_read_cache_bytes', JOB)), legend: 'reads of the store' },
        ],
      },
      {
        title: 'Cached queries',
        unit: 'short',
        queries: [{ expr: sumBy([], select('proviso_query_cache_queries', JOB)), legend: 'queries' }],
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'Processor time',
        unit: 'percentunit',
        queries: [
          {
            expr: sumBy(['instance', 'process'], rate('proviso_process_cpu_seconds_total', WINDOW, JOB)),
            legend: '{{instance}} {{process}}',
          },
        ],
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: [
          {
            expr: sumBy(['instance', 'process'], select('proviso_process_resident_memory_bytes', JOB)),
            legend: '{{instance}} {{process}} resident',
          },
          {
            expr: sumBy(['instance', 'process'], select('proviso_nodejs_heap_size_used_bytes', JOB)),
            legend: '{{instance}} {{process}} heap',
          },
        ],
      },
      {
        title: 'Delay of the event loop (p99)',
        unit: 's',
        queries: [
          {
            expr: `max by (instance, process) (${select('proviso_nodejs_eventloop_lag_p99_seconds', JOB)})`,
            legend: '{{instance}} {{process}}',
          },
        ],
      },
      {
        title: 'Processes',
        description: 'Has data only for instances with several processes.',
        unit: 'short',
        queries: [
          { expr: sumBy(['instance'], select('proviso_processes', JOB)), legend: '{{instance}}' },
          {
            expr: sumBy(['instance'], rate('proviso_process_crashes_total', WINDOW, JOB)),
            legend: '{{instance}} crashes per second',
          },
        ],
      },
    ],
  },
];

// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/** Returns the dashboard as a file to import into Grafana. */
export function dashboardFile(): string {
  return `${JSON.stringify(dashboard(), null, 2)}\n`;
}

function dashboard() {
  const panels: object[] = [];
  let y = 0;
  for (const { title, panels: inRow } of ROWS) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
      panels: [],
    });
    y += 1;
    for (const [index, panel] of inRow.entries()) {
      const x = (index * WIDTH) % COLUMNS;
      panels.push(toPanel(panel, panels.length + 1, { x, y, w: WIDTH, h: HEIGHT }));
      if (x + WIDTH === COLUMNS || index === inRow.length - 1) y += HEIGHT;
    }
  }
  return {
    uid: 'proviso',
    title: 'Proviso',
    description: 'Written by `npm run generate` from the list of metrics.',
    tags: ['proviso'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        {
          name: 'job',
          label: 'Job',
          type: 'query',
          datasource: DATASOURCE,
          query: `label_values(${select('proviso_process_start_time_seconds')}, job)`,
          refresh: 2,
          includeAll: true,
          multi: true,
          allValue: '.+',
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels,
  };
}

function toPanel({ title, description = '', unit, queries }: Panel, id: number, gridPos: object) {
  return {
    id,
    type: 'timeseries',
    title,
    description,
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: {
      defaults: { unit, min: 0, custom: { fillOpacity: 10, showPoints: 'never' } },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull'] },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}
