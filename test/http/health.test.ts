/** `GET /health`: liveness. */
import { expect, it } from 'vitest';
import { requestListener } from '../../src/http/index.js';
import { STARTED_AT, startService } from '../support/start-service.js';

it('`GET /health` reports liveness and uptime, even if the store is closed', async () => {
  const started = await startService();
  await started.store.close();
  started.clock.moveTo(STARTED_AT + 61_500);
  const response = await fetch(`${started.url}/health`);
  expect([response.status, response.headers.get('cache-control'), await response.json()]).toEqual([
    200,
    'no-store',
    { status: 'ok', uptime: 61, timestamp: '2026-06-01T12:01:01.500Z' },
  ]);
  await started.stop();
});

it('`GET /health` reports an uptime of 0 seconds if the clock was set back', async () => {
  const started = await startService();
  started.clock.moveTo(STARTED_AT - 10_000);
  expect(await (await fetch(`${started.url}/health`)).json()).toMatchObject({ uptime: 0 });
  await started.stop();
});

it('`GET /health` reports the version if one is configured', async () => {
  const started = await startService();
  const options = { createRequestId: () => 'r', onFailure: () => undefined, version: '1.2.3' };
  started.server.removeAllListeners('request');
  started.server.on('request', requestListener(started.service, options));
  expect(await (await fetch(`${started.url}/health`)).json()).toMatchObject({ version: '1.2.3' });
  await started.stop();
});
