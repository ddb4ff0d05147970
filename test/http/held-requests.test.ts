/** Requests that arrive while the service starts: after its port is open, and before its listener exists. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createServer, holdRequests, requestListener } from '../../src/http/index.js';
import { startService } from '../support/start-service.js';

const BODY = JSON.stringify({ grant_type: 'refresh_token', client_id: 'sandbox-public', refresh_token: 'x' });

// S200
it('are answered once the listener exists, with their bodies', async () => {
  const { service, stop } = await startService();
  const options = { createRequestId: () => 'id', onFailure: () => undefined };
  const server = createServer(options);
  const handleRequests = holdRequests(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v2`;
  const probe = fetch(`${url}/health`);
  await once(server, 'request');
  const posted = fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Host: new URL(service.settings.issuer).host },
    body: BODY,
  });
  await once(server, 'request');
  handleRequests(requestListener(service, options));
  expect((await probe).status).toBe(200);
  expect(await (await posted).json()).toMatchObject({ error: 'invalid_grant' });
  expect((await fetch(`${url}/health`)).status).toBe(200);
  server.closeAllConnections();
  server.close();
  await stop();
});
