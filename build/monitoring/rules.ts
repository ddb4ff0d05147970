/** The alert rules for Prometheus. */
import { stringify } from 'yaml';
import { countRate, increase, matcher, quantile, rate, select, sumBy } from './promql.js';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  /** What it means, and what to do. */
  readonly description: string;
}

const NOTE = '# Written by `npm run generate` from the list of metrics; not to be edited.\n';
const WINDOW = '5m';
const BY_JOB = ['job'];
const REQUESTS = 'proviso_http_request_seconds';
const SERVER_ERROR = matcher(REQUESTS, 'status', '=~', '5..');
const LAST_SWEEP = 'proviso_sweeper_last_success_timestamp_seconds';

const ALERTS: readonly Alert[] = [
  {
    alert: 'ProvisoDown',
    expr: `absent(${select('proviso_process_start_time_seconds')})`,
    for: '5m',
    severity: 'critical',
    summary: 'No instance of Proviso reports metrics',
    description: 'Every instance is down, or Prometheus cannot reach the metrics port.',
  },
  {
    alert: 'ProvisoServerErrors',
    expr: `${sumBy(BY_JOB, countRate(REQUESTS, WINDOW, SERVER_ERROR))} / ${sumBy(BY_JOB, countRate(REQUESTS, WINDOW))} > 0.01`,
    for: '5m',
    severity: 'critical',
    summary: 'More than 1 % of the requests fail with a status of 500 or above',
    description: 'See ProvisoStoreFailing, and `failed` events in the log.',
  },
  {
    alert: 'ProvisoSlow',
    expr: `${quantile(0.99, REQUESTS, WINDOW, { by: BY_JOB })} > 1`,
    for: '10m',
    severity: 'warning',
    summary: 'One of a hundred requests takes longer than a second',
    description:
      'Compare the durations of store operations, the delay of the event loop and the use of processors.',
  },
  {
    alert: 'ProvisoStoreFailing',
    expr: `${sumBy(BY_JOB, increase('proviso_store_failures_total', WINDOW))} > 0`,
    for: '2m',
    severity: 'critical',
    summary: 'Operations on the database fail',
    description: 'The database cannot be reached, its disk is full, or stored values cannot be decrypted.',
  },
  {
    alert: 'ProvisoStoreSlow',
    expr: `${quantile(0.99, 'proviso_store_operation_seconds', WINDOW, { by: BY_JOB })} > 0.5`,
    for: '10m',
    severity: 'warning',
    summary: 'One of a hundred operations on the database takes longer than half a second',
    description: 'The database waits for its disk, for locks, or for connections.',
  },
  {
    alert: 'ProvisoSweeperFailing',
    expr: `${sumBy(BY_JOB, increase('proviso_sweeper_failures_total', '15m'))} > 3`,
    for: '15m',
    severity: 'warning',
    summary: 'Expired records are not removed',
    description: 'Steps of the sweeper fail; the log has the reason (`sweeping`).',
  },
  {
    alert: 'ProvisoSweeperStopped',
    // The metric is 0 before the first step: if no instance has completed one, the time since the oldest start counts.
    expr: `time() - (max by (job) (${select(LAST_SWEEP)} > 0) or min by (job) (${select('proviso_process_start_time_seconds')})) > 900`,
    for: '5m',
    severity: 'warning',
    summary: 'No instance has completed a step of the sweeper for 15 minutes',
    description: 'A step of the sweeper takes place every minute. The database fails or blocks it.',
  },
  {
    alert: 'ProvisoSweeperBacklog',
    expr: `min by (job) (${select('proviso_sweeper_backlog')}) > 0`,
    for: '6h',
    severity: 'warning',
    summary: 'Expired records arrive faster than they are removed',
    description:
      'The store grows. Look for a caller that creates many records, and at the durations of `sweep…` operations.',
  },
  {
    alert: 'ProvisoGuessing',
    expr: `${sumBy(BY_JOB, increase('proviso_refusals_total', '10m', matcher('proviso_refusals_total', 'reason', '=', 'invalid_client')))} > 100`,
    for: '5m',
    severity: 'warning',
    summary: 'Many requests fail client authentication',
    description:
      'A client has a wrong or revoked secret, or secrets are guessed: see `authentication_failed` in the log.',
  },
  {
    alert: 'ProvisoReplay',
    expr: `${sumBy(BY_JOB, increase('proviso_refusals_total', '10m', matcher('proviso_refusals_total', 'reason', '=', 'invalid_grant')))} > 50`,
    for: '5m',
    severity: 'warning',
    summary: 'Many codes or refresh tokens are rejected',
    description: 'A client repeats codes or tokens, or stolen ones are used: see `grant_refused` in the log.',
  },
  {
    alert: 'ProvisoConnectionsDropped',
    expr: `${sumBy(['job', 'reason'], increase('proviso_connections_dropped_total', WINDOW))} > 100`,
    for: '5m',
    severity: 'warning',
    summary: 'Connections are closed by the limit {{ $labels.reason }}',
    description: 'An address opens too many connections, or the proxy is missing in `trustedProxies`.',
  },
  {
    alert: 'ProvisoEventLoopDelayed',
    expr: `max by (job) (${select('proviso_nodejs_eventloop_lag_p99_seconds')}) > 0.25`,
    for: '10m',
    severity: 'warning',
    summary: 'A process is busy for longer than 250 ms at a time',
    description: 'Add processes or instances, or lower the limits of queries.',
  },
  {
    alert: 'ProvisoProcessCrashes',
    expr: `${sumBy(BY_JOB, increase('proviso_process_crashes_total', '15m'))} > 0`,
    for: '0m',
    severity: 'warning',
    summary: 'A process of an instance has crashed',
    description: 'It is replaced; the log of the supervisor has the exit code (`process crashed`).',
  },
  {
    alert: 'ProvisoQueryCacheTooSmall',
    expr: `${sumBy(BY_JOB, rate('proviso_query_cache_evictions_total', '15m'))} > 1`,
    for: '30m',
    severity: 'warning',
    summary: 'Compiled queries are evicted all the time',
    description:
      'Increase `PROVISO_QUERY_CACHE_BYTES`: compiling a query takes several times as long as evaluating it.',
  },
];

/** Returns the rules as a file for `rule_files` of Prometheus. */
export function ruleFile(): string {
  const rules = ALERTS.map(({ alert, expr, for: duration, severity, summary, description }) => ({
    alert,
    expr,
    for: duration,
    labels: { severity },
    annotations: { summary, description },
  }));
  return NOTE + stringify({ groups: [{ name: 'proviso', rules }] }, { lineWidth: 0 });
}
