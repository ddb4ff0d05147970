/** Prometheus metrics of a process: those of `metrics.ts`, and those of Node. */

import { createServer, type Server, type ServerOptions } from 'node:http';
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { DropReason, RequestLogEntry } from '../http/index.js';
import type { QueryCacheStatistics, StoreObserver, SweepStep } from '../service/index.js';
import { MS_PER_SECOND } from '../util/time.js';
import { createCounter, createGauge, createHistogram } from './metrics.js';
import { createStoreMetrics } from './store-metrics.js';

/** Renders metrics in the Prometheus format. */
export interface MetricsReader {
  read(): Promise<RenderedMetrics>;
}

export interface ServiceMetrics extends MetricsReader {
  recordRequest(entry: RequestLogEntry): void;
  /** Counts a connection that was closed without a response. */
  recordDrop(reason: DropReason): void;
  /** @param read - Returns the statistics of the cache of compiled queries. Called whenever metrics are read. */
  watchQueryCache(read: () => QueryCacheStatistics): void;
  /** Observes the store. */
  readonly store: StoreObserver;
  /** Records a completed step of the expiry sweeper. */
  recordSweep(step: SweepStep): void;
  /** Counts a failed step of the expiry sweeper. */
  recordSweepFailure(): void;
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

const PATH = '/metrics';
const EMPTY_CACHE: QueryCacheStatistics = { queries: 0, bytes: 0, hits: 0, misses: 0, evictions: 0 };

/**
 * @param stopwatch - Monotonic clock, in milliseconds.
 * @param process - The number of this process, if the instance has several processes.
 */
export function createServiceMetrics(stopwatch: () => number, process?: number): ServiceMetrics {
  const registry = new Registry();
  if (process !== undefined) registry.setDefaultLabels({ process: String(process) });
  collectDefaultMetrics({ register: registry, prefix: 'proviso_' });
  const requests = createHistogram(registry, 'proviso_http_request_seconds');
  const rejections = createCounter(registry, 'proviso_refusals_total');
  const dropped = createCounter(registry, 'proviso_connections_dropped_total');
  // Cached, since looking up a child by its labels costs more than observing.
  const children = new Map<string, Map<number, { observe(seconds: number): void }>>();
  let queryCache = () => EMPTY_CACHE;
  createGauge(registry, 'proviso_query_cache_queries', () => queryCache().queries);
  createGauge(registry, 'proviso_query_cache_bytes', () => queryCache().bytes);
  createCounter(registry, 'proviso_query_cache_hits_total', () => queryCache().hits);
  createCounter(registry, 'proviso_query_cache_misses_total', () => queryCache().misses);
  createCounter(registry, 'proviso_query_cache_evictions_total', () => queryCache().evictions);
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
      queryCache = read;
    },
    store: createStoreMetrics(registry, stopwatch),
    ...createSweeperMetrics(registry),
    read: () => render(registry),
    readAsJson: () => registry.getMetricsAsJSON(),
  };
}

function createSweeperMetrics(
  registry: Registry,
): Pick<ServiceMetrics, 'recordSweep' | 'recordSweepFailure'> {
  const removedRecords = createCounter(registry, 'proviso_sweeper_removed_total');
  const failures = createCounter(registry, 'proviso_sweeper_failures_total');
  let lastStep = { isBacklog: false, at: 0 };
  createGauge(registry, 'proviso_sweeper_backlog', () => Number(lastStep.isBacklog));
  createGauge(registry, 'proviso_sweeper_last_success_timestamp_seconds', () => lastStep.at / MS_PER_SECOND);
  return {
    recordSweep: ({ removed, isBacklog, at }) => {
      for (const [kind, count] of Object.entries(removed)) removedRecords.inc({ kind }, count);
      lastStep = { isBacklog, at };
    },
    recordSweepFailure: () => failures.inc(),
  };
}

/** Renders the metrics of several processes. The label `process` distinguishes their series. */
export function mergeMetrics(metrics: readonly ProcessMetrics[]): Promise<RenderedMetrics> {
  // `sum` keeps series with different labels; the default aggregator of some metrics would keep only one of them.
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
  createGauge(registry, 'proviso_processes', countReady);
  const crashes = createCounter(registry, 'proviso_process_crashes_total');
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
