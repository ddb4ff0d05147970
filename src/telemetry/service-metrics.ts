/** What is measured, for Prometheus: requests by operation and status, refusals by reason, and the process itself. */
import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Answered } from '../http/index.js';

export interface ServiceMetrics {
  answered(answered: Answered): void;
  /** Everything so far, as Prometheus reads it. */
  read(): Promise<{ readonly type: string; readonly text: string }>;
}

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MS_PER_SECOND = 1_000;
const PATH = '/metrics';

export function createServiceMetrics(): ServiceMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'proviso_' });
  const requests = new Histogram({
    name: 'proviso_http_request_seconds',
    help: 'Requests by operation and status, with the time that each took.',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'proviso_refusals_total',
    help: 'Refused requests by reason.',
    labelNames: ['reason'],
    registers: [registry],
  });
  // Finding a child by its labels costs more than counting.
  const children = new Map<string, Map<number, { observe(seconds: number): void }>>();
  return {
    answered: ({ operation = 'none', status, subcode, durationMs }) => {
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
      if (subcode !== undefined) refusals.labels(subcode).inc();
    },
    read: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}

/** A server that answers nothing but the metrics, to whoever reaches it: its address is what protects it. */
export function createMetricsServer(metrics: ServiceMetrics): Server {
  return createServer((request, response) => {
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
