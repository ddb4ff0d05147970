/** What Prometheus is told. */
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createMetricsServer, createServiceMetrics } from '../../../src/telemetry/service-metrics.js';

it('counts requests by operation and status, and refusals by reason, on a port of its own', async () => {
  const metrics = createServiceMetrics();
  const answered = { requestId: 'r', method: 'POST', address: 'a', durationMs: 3 };
  metrics.answered({ ...answered, operation: 'evaluateQuery', status: 200 });
  metrics.answered({ ...answered, operation: 'evaluateQuery', status: 200 });
  metrics.answered({ ...answered, status: 404, subcode: 'not_found' });
  const server = createMetricsServer(metrics);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const response = await fetch(`${origin}/metrics`);
  const text = await response.text();
  expect(response.headers.get('content-type')).toContain('text/plain');
  expect(text).toContain('proviso_http_request_seconds_count{operation="evaluateQuery",status="200"} 2');
  expect(text).toContain(
    'proviso_http_request_seconds_bucket{le="0.0025",operation="evaluateQuery",status="200"} 0',
  );
  expect(text).toContain('proviso_refusals_total{reason="not_found"} 1');
  expect(text).toContain('proviso_nodejs_eventloop_lag_seconds');
  expect((await fetch(`${origin}/v2/presets`)).status).toBe(404);
  await new Promise((resolve) => server.close(resolve));
});
