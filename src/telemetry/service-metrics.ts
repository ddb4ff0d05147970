/** Prometheus metrics: requests by operation and status, rejections by reason, and process metrics. */

import { createServer, type Server, type ServerOptions } from 'node:http';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { DropReason, RequestLogEntry } from '../http/index.js';
import type { QueryCacheStatistics } from '../service/index.js';
import { MS_PER_SECOND } from '../util/time.js';

/** Renders metrics in the Prometheus format. */
export interface MetricsReader {
  read(): Promise<RenderedMetrics>;
}

export interface ServiceMetrics extends MetricsReader {
  recordRequest(entry: RequestLogEntry): void;
  /** Counts a connection that was closed without a response. */
  recordDrop(reason: DropReason): void;
  /** Adds the metrics of the cache of compiled queries. @param read - Called whenever metrics are read. */
  watchQueryCache(read: () => QueryCacheStatistics): void;
  /** Reads all metrics for {@link mergeMetrics}. */
  readAsJson(): Promise<ProcessMetrics>;
}

/** Metrics in the Prometheus format. */
export interface RenderedMetrics {
  readonly type: string;
  readonly text: string;
}

/** The metrics of one process, as JSON. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const PATH = '/metrics';
const QUERY_CACHE_GAUGES = {
  queries: 'Compiled queries in the cache.',
  bytes: 'Estimated size of the cached queries in bytes.',
} as const satisfies Partial<Record<keyof QueryCacheStatistics, string>>;
const QUERY_CACHE_COUNTERS = {
  hits: 'Queries found in the cache.',
  misses: 'Queries that were compiled.',
  evictions: 'Queries evicted from the full cache.',
} as const satisfies Partial<Record<keyof QueryCacheStatistics, string>>;

/** @param process - Number of the process, for an instance of several. */
export function createServiceMetrics(process?: number): ServiceMetrics {
  const registry = new Registry();
  if (process !== undefined) registry.setDefaultLabels({ process: String(process) });
  collectDefaultMetrics({ register: registry, prefix: 'proviso_' });
  const requests = new Histogram({
    name: 'proviso_http_request_seconds',
    help: 'Duration of requests in seconds, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const rejections = new Counter({
    name: 'proviso_refusals_total',
    help: 'Rejected requests by reason.',
    labelNames: ['reason'],
    registers: [registry],
  });
  const dropped = new Counter({
    name: 'proviso_connections_dropped_total',
    help: 'Connections closed without a response, by the exceeded limit.',
    labelNames: ['reason'],
    registers: [registry],
  });
  // Cached, since looking up a child by its labels costs more than observing.
  const children = new Map<string, Map<number, { observe(seconds: number): void }>>();
  return {
    recordRequest: ({ operation = 'none', status, subcode, durationMs }) => {
      let byStatus = children.get(operation);
      if (byStatus === undefined) {
        byStatus = new Map();
        children.set(operation, byStatus);
      }
      let child = byStatus.get(status);
      if (child === undefined) {
        child = requests.labels(operation, String(status));
        byStatus.set(status, child);
      }
      child.observe(durationMs / MS_PER_SECOND);
      if (subcode !== undefined) rejections.labels(subcode).inc();
    },
    recordDrop: (reason) => dropped.labels(reason).inc(),
    watchQueryCache: (read) => {
      for (const [member, help] of Object.entries(QUERY_CACHE_GAUGES)) {
        new Gauge({
          name: `proviso_query_cache_${member}`,
          help,
          registers: [registry],
          collect() {
            this.set(read()[member as keyof typeof QUERY_CACHE_GAUGES]);
          },
        });
      }
      for (const [member, help] of Object.entries(QUERY_CACHE_COUNTERS)) {
        new Counter({
          name: `proviso_query_cache_${member}_total`,
          help,
          registers: [registry],
          collect() {
            this.reset();
            this.inc(read()[member as keyof typeof QUERY_CACHE_COUNTERS]);
          },
        });
      }
    },
    read: () => render(registry),
    readAsJson: () => registry.getMetricsAsJSON(),
  };
}

/** Renders the metrics of several processes, which their labels distinguish. */
export function mergeMetrics(metrics: readonly ProcessMetrics[]): Promise<RenderedMetrics> {
  // `sum` keeps series with different labels; the default of some metrics would keep one of them only.
  const kept = metrics.map((own) => own.map((metric) => ({ ...metric, aggregator: 'sum' })));
  return render(AggregatorRegistry.aggregate(kept));
}

async function render(registry: Registry): Promise<RenderedMetrics> {
  return { type: registry.contentType, text: await registry.metrics() };
}

/** Metrics of the supervisor of several processes. */
export interface SupervisorMetrics {
  recordCrash(): void;
  readAsJson(): Promise<ProcessMetrics>;
}

/** @param countReady - Returns the number of processes that accept requests. */
export function createSupervisorMetrics(countReady: () => number): SupervisorMetrics {
  const registry = new Registry();
  new Gauge({
    name: 'proviso_processes',
    help: 'Processes that accept requests.',
    registers: [registry],
    collect() {
      this.set(countReady());
    },
  });
  const crashes = new Counter({
    name: 'proviso_process_crashes_total',
    help: 'Processes that ended unexpectedly.',
    registers: [registry],
  });
  return { recordCrash: () => crashes.inc(), readAsJson: () => registry.getMetricsAsJSON() };
}

/**
 * Creates a server for the metrics only. It has no authentication, so its address must be protected.
 *
 * @param isAllowedHost - Whether a `Host` header is accepted; prevents DNS rebinding.
 */
export function createMetricsServer(
  metrics: MetricsReader,
  isAllowedHost: (host: string) => boolean,
  options: ServerOptions = {},
): Server {
  return createServer(options, (request, response) => {
    if (!isAllowedHost(request.headers.host ?? '')) {
      response.writeHead(403).end();
      return;
    }
    if (request.method !== 'GET' || request.url !== PATH) {
      response.writeHead(404).end();
      return;
    }
    metrics.read().then(
      ({ type, text }) => response.writeHead(200, { 'Content-Type': type }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}
