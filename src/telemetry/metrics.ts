/**
 * The list of metrics: the service's metrics, their reference, the Grafana dashboard and the alert rules are created from it (S388).
 *
 * Labels have values that the program defines. No label may contain caller input, claims or identifiers.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** The meaning of each label. */
  readonly labels: Readonly<Record<string, string>>;
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Fewer, since there is a series for each bucket of each of some dozens of operations. */
const STORE_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

const STORE_OPERATION = 'method of the store';

export const METRICS = {
  proviso_http_request_seconds: {
    type: 'histogram',
    help: 'Duration of requests in seconds, by operation and status.',
    labels: {
      operation: '`operationId` of the OpenAPI document, or `none` if no route matches',
      status: 'HTTP status',
    },
    buckets: REQUEST_BUCKETS,
  },
  proviso_refusals_total: {
    type: 'counter',
    help: 'Rejected requests by reason.',
    labels: { reason: '`error_subcode` of the response; `token_invalid` for a rejected sign-in form' },
  },
  proviso_connections_dropped_total: {
    type: 'counter',
    help: 'Connections that the service closed, by reason.',
    labels: {
      reason:
        '`connections` or `connections_per_address` (too many), `unread` (the peer reads nothing) or `idle` (only line breaks, or bytes that form no request)',
    },
  },
  proviso_tokens_issued_total: {
    type: 'counter',
    help: 'Access tokens issued, by grant type.',
    labels: { grant_type: '`authorization_code`, `refresh_token`, `client_user_token` or `sandbox`' },
  },
  proviso_tokens_revoked_total: {
    type: 'counter',
    help: 'Tokens revoked by requests, by type, without those that ended with their grant.',
    labels: { token_type: '`access_token` or `refresh_token`' },
  },
  proviso_grants_created_total: {
    type: 'counter',
    help: 'Grants created: approvals, and grants of sandbox tokens.',
    labels: {},
  },
  proviso_grants_ended_total: {
    type: 'counter',
    help: 'Grants ended by requests, by cause; without those ended by expiry, a replay, failed redemptions or the erasure of the person.',
    labels: {
      cause:
        '`revoked` (by a request of the application), `withdrawn` (by the person) or `scopes_withdrawn` (the application no longer has the granted scopes or conditions)',
    },
  },
  proviso_grants_restored_total: {
    type: 'counter',
    help: 'Withdrawn grants that the person restored.',
    labels: {},
  },
  proviso_store_operation_seconds: {
    type: 'histogram',
    help: 'Duration of operations on the database in seconds, until their commits are durable; without cached reads.',
    labels: { operation: STORE_OPERATION },
    buckets: STORE_BUCKETS,
  },
  proviso_store_failures_total: {
    type: 'counter',
    help: 'Failed operations on the database.',
    labels: { operation: STORE_OPERATION },
  },
  proviso_read_cache_hits_total: {
    type: 'counter',
    help: 'Reads of tokens and credentials that the read cache returned; 0 on PostgreSQL, which has no read cache.',
    labels: {},
  },
  proviso_read_cache_misses_total: {
    type: 'counter',
    help: 'Reads of tokens and credentials that were not in the read cache.',
    labels: {},
  },
  proviso_read_cache_evictions_total: {
    type: 'counter',
    help: 'Values evicted from the read cache, by commits that changed them or because it was full.',
    labels: {},
  },
  proviso_read_cache_bytes: {
    type: 'gauge',
    help: 'Approximate size of the values in the read cache in bytes.',
    labels: {},
  },
  proviso_query_cache_queries: { type: 'gauge', help: 'Compiled queries in the cache.', labels: {} },
  proviso_query_cache_bytes: {
    type: 'gauge',
    help: 'Estimated size of the cached queries in bytes.',
    labels: {},
  },
  proviso_query_cache_hits_total: { type: 'counter', help: 'Queries found in the cache.', labels: {} },
  proviso_query_cache_misses_total: { type: 'counter', help: 'Queries that were compiled.', labels: {} },
  proviso_query_cache_evictions_total: {
    type: 'counter',
    help: 'Queries evicted from the full cache.',
    labels: {},
  },
  proviso_sweeper_removed_total: {
    type: 'counter',
    help: 'Records that the sweeper removed, by kind. The sweeper deletes expired records in the background.',
    labels: {
      kind: '`tokens`, `transient` (requests, rate limits and used assertions), `learned` (entries of the ledger), `grants`, `credentials` or `audit`',
    },
  },
  proviso_sweeper_backlog: {
    type: 'gauge',
    help: '1 if the last step of the sweeper removed so many records that more may be left; otherwise 0.',
    labels: {},
  },
  proviso_sweeper_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'When the sweeper last completed a step, in seconds since 1970; 0 before the first.',
    labels: {},
  },
  proviso_sweeper_failures_total: { type: 'counter', help: 'Failed steps of the sweeper.', labels: {} },
  proviso_processes: {
    type: 'gauge',
    help: 'Processes that accept requests; only with several processes.',
    labels: {},
  },
  proviso_process_crashes_total: {
    type: 'counter',
    help: 'Processes that ended unexpectedly; only with several processes.',
    labels: {},
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof METRICS;

/** The process metrics of `prom-client` that the dashboard and the alert rules use. */
export const PROCESS_METRICS = [
  'proviso_process_start_time_seconds',
  'proviso_process_cpu_seconds_total',
  'proviso_process_resident_memory_bytes',
  'proviso_nodejs_eventloop_lag_p99_seconds',
  'proviso_nodejs_heap_size_used_bytes',
] as const;

export type ProcessMetricName = (typeof PROCESS_METRICS)[number];

/** Names of the metrics of a type. */
export type MetricsOf<Type extends MetricDefinition['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];

/** Names of a metric's labels. */
export type LabelOf<Name extends MetricName> = keyof (typeof METRICS)[Name]['labels'] & string;

/** Creates a counter. @param read - Returns its value, whenever metrics are read. Default: the caller increments the counter. */
export function createCounter<Name extends MetricsOf<'counter'>>(
  registry: Registry,
  name: Name,
  read?: () => number,
): Counter<LabelOf<Name>> {
  const collect = function (this: Counter) {
    this.reset();
    this.inc(read?.());
  };
  return new Counter<LabelOf<Name>>({
    ...optionsOf(registry, name),
    ...(read === undefined ? {} : { collect }),
  });
}

/** Creates a gauge. @param read - Returns its value, whenever metrics are read. */
export function createGauge<Name extends MetricsOf<'gauge'>>(
  registry: Registry,
  name: Name,
  read: () => number,
): void {
  new Gauge<LabelOf<Name>>({
    ...optionsOf(registry, name),
    collect() {
      this.set(read());
    },
  });
}

/** Creates a histogram with the labels and the buckets of its definition. */
export function createHistogram<Name extends MetricsOf<'histogram'>>(
  registry: Registry,
  name: Name,
): Histogram<LabelOf<Name>> {
  return new Histogram<LabelOf<Name>>({
    ...optionsOf(registry, name),
    buckets: [...METRICS[name].buckets],
  });
}

function optionsOf<Name extends MetricName>(registry: Registry, name: Name) {
  const { help, labels } = METRICS[name];
  // The labels of this metric are those of its definition.
  const labelNames = Object.keys(labels) as LabelOf<Name>[];
  return { name, help, labelNames, registers: [registry] };
}
