/** Requests that arrive while the service starts: after its port is open, and before its listener exists (S200). */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createServer, holdRequests, requestListener } from '../../src/http/index.js';
import { type StartedService, startService } from '../support/start-service.js';

const OPTIONS = { createRequestId: () => 'id', onFailure: () => undefined };
const BODY = JSON.stringify({ grant_type: 'refresh_token', client_id: 'sandbox-public', refresh_token: 'x' });

let started: StartedService;
/** Another server of the same service, which listens but has no listener of requests yet. */
let server: ReturnType<typeof createServer>;
let port: number;
/** Adds the listener to `server`, which then also handles the held requests. */
let handleRequests: () => void;

beforeEach(async () => {
  started = await startService();
  server = createServer(OPTIONS);
  const handle = holdRequests(server);
  handleRequests = () => handle(requestListener(started.service, OPTIONS));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await started.stop();
});

// S200
it('requests that arrive during the start are answered once the listener exists, with their bodies', async () => {
  const url = `http://127.0.0.1:${port}/v2`;
  const probe = fetch(`${url}/health`);
  await once(server, 'request');
  const posted = fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Host: new URL(started.url).host },
    body: BODY,
  });
  await once(server, 'request');
  handleRequests();
  expect((await probe).status).toBe(200);
  expect(await (await posted).json()).toMatchObject({ error: 'invalid_grant' });
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

// S200
it('requests that arrive during the start are answered up to the limit of pipelined requests; the next one gets 503, and the connection is closed', async () => {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const held = new Promise<void>((resolve) => {
    let count = 0;
    server.on('request', () => {
      count += 1;
      if (count === 18) resolve();
    });
  });
  socket.write('GET /v2/health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(18));
  await held;
  handleRequests();
  await once(socket, 'close');
  expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    ...Array.from({ length: 16 }, () => '200'),
    '503',
  ]);
});
