/** Prometheus metrics of the service. */
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { isDirectHost } from '../../../src/http/request-head.js';
import { createMetricsServer, createServiceMetrics } from '../../../src/telemetry/service-metrics.js';
import { sendRaw } from '../../support/raw-request.js';

it('the metrics server reports requests by operation and status, and errors by reason', async () => {
  const metrics = createServiceMetrics(() => 0);
  const entry = { requestId: 'r', method: 'POST', address: 'a', durationMs: 3 };
  metrics.recordRequest({ ...entry, operation: 'evaluateQuery', status: 200 });
  metrics.recordRequest({ ...entry, operation: 'evaluateQuery', status: 200 });
  metrics.recordRequest({ ...entry, status: 404, subcode: 'not_found' });
  metrics.recordDrop('connections_per_address');
  metrics.watchQueryCache(() => ({ queries: 2, bytes: 7_000, hits: 5, misses: 3, evictions: 1 }));
  const server = createMetricsServer(metrics, (host) => isDirectHost(host, '127.0.0.1'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const response = await fetch(`${origin}/metrics`);
  const text = await response.text();
  expect(response.headers.get('content-type')).toContain('text/plain');
  expect(text).toContain('proviso_http_request_seconds_count{operation="evaluateQuery",status="200"} 2');
  expect(text).toContain(
    'proviso_http_request_seconds_bucket{le="0.0025",operation="evaluateQuery",status="200"} 0',
  );
  expect(text).toContain('proviso_refusals_total{reason="not_found"} 1');
  expect(text).toContain('proviso_connections_dropped_total{reason="connections_per_address"} 1');
  expect(text.match(/^proviso_query_cache_\w+ \d+$/gm)).toEqual([
    'proviso_query_cache_queries 2',
    'proviso_query_cache_bytes 7000',
    'proviso_query_cache_hits_total 5',
    'proviso_query_cache_misses_total 3',
    'proviso_query_cache_evictions_total 1',
  ]);
  expect(text).toContain('proviso_nodejs_eventloop_lag_seconds');
  expect((await fetch(`${origin}/v2/presets`)).status).toBe(404);
});

// S10
it('the metrics server rejects a Host other than a loopback name, an IP address or the configured name', async () => {
  const metrics = createServiceMetrics(() => 0);
  const server = createMetricsServer(metrics, (host) => isDirectHost(host, 'Metrics.internal'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  const statusOf = async (host: string) =>
    /^HTTP\/1\.1 (\d+)/.exec(
      await sendRaw(port, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    )?.[1];
  for (const host of [
    'localhost',
    `LOCALHOST:${port}`,
    '127.0.0.1',
    '127.1.2.3:1',
    '[::1]:9464',
    '192.0.2.7:9464',
    '[2001:db8::7]',
    'metrics.INTERNAL:9464',
  ])
    expect([host, await statusOf(host)]).toEqual([host, '200']);
  for (const host of [
    '',
    'attacker.example',
    `attacker.example:${port}`,
    'localhost.attacker.example',
    'localhost:80@attacker.example',
    '127.0.0.1.attacker.example',
    'localhost.',
    '[::1].attacker.example',
    '[attacker.example]',
    'metrics.internal.attacker.example',
    '999.0.0.1',
    '2130706433',
  ])
    expect([host, await statusOf(host)]).toEqual([host, '403']);
  expect(await sendRaw(port, 'GET /metrics HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
});
