/** Stop signals under load: accepted requests get their responses within the grace period, and the exit code is 0 (S200). */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServeProcess, startServe } from '../support/run-command.js';

const CONNECTIONS = 64;
const QUERY = '{"query":{"check":{"claim":"kyc.level","operator":"isDefined"}}}';

let cwd: string;
let serving: ServeProcess;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-shutdown-'));
});

afterEach(async () => {
  await serving.stop('SIGKILL');
  rmSync(cwd, { recursive: true });
});

function tokenOf({ curlLine }: ServeProcess): string {
  return /Bearer ([\w-]+)/.exec(curlLine)?.[1] ?? '';
}

/** Sends a query over a persistent connection. Rejects if the response is incomplete. */
function evaluate(url: string, token: string, agent: Agent): Promise<{ status: number; closing: boolean }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const sent = request(`${url}/queries/evaluate`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        JSON.parse(text);
        resolve({ status: response.statusCode ?? 0, closing: response.headers.connection === 'close' });
      });
    });
    sent.on('error', reject);
    sent.end(QUERY);
  });
}

describe('A stop signal under load', () => {
  // S200
  it.each(['SIGTERM', 'SIGHUP'] as const)(
    '%s loses no accepted request of a single process, and ends it with 0 within the grace period',
    async (signal) => {
      serving = await startServe({ cwd, env: { PROVISO_DRAIN_SECONDS: '1', PROVISO_GRACE_SECONDS: '10' } });
      const { url } = serving;
      const token = tokenOf(serving);
      let answered = 0;
      const lost: unknown[] = [];
      // A client reuses its connection until the service closes it, as a load balancer does.
      const clients = Array.from({ length: CONNECTIONS }, async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        for (let closing = false; !closing; ) {
          try {
            const response = await evaluate(url, token, agent);
            closing = response.closing;
            answered += 1;
            if (response.status !== 200) lost.push(response.status);
          } catch (error) {
            lost.push(error);
            closing = true;
          }
        }
        agent.destroy();
      });
      await expect.poll(() => answered, { interval: 5 }).toBeGreaterThan(CONNECTIONS * 4);
      const ended = serving.stop(signal);
      await Promise.all(clients);
      expect([await ended, lost]).toEqual([0, []]);
    },
  );

  // S200
  it('waits for a body that is still arriving', async () => {
    serving = await startServe({ cwd, env: { PROVISO_DRAIN_SECONDS: '0', PROVISO_GRACE_SECONDS: '10' } });
    const { port } = new URL(serving.url);
    const socket = connect(Number(port), '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk;
    });
    const closed = new Promise((resolve) => socket.on('close', resolve));
    const head = `POST /v2/queries/evaluate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokenOf(serving)}\r\nContent-Type: application/json\r\nContent-Length: ${QUERY.length}\r\n\r\n`;
    socket.write(head + QUERY.slice(0, 10));
    // Once this later request is answered, the service has accepted the one above.
    await fetch(`${serving.url}/health`);
    const ended = serving.stop('SIGTERM');
    await expect
      .poll(
        () =>
          fetch(`${serving.url}/health`).then(
            () => 'up',
            () => 'closed',
          ),
        { interval: 20 },
      )
      .toBe('closed');
    socket.write(QUERY.slice(10));
    await closed;
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ended).toBe(0);
  });

  // S200
  it('cuts off requests in flight after the grace period, and exits with 1', async () => {
    serving = await startServe({ cwd, env: { PROVISO_DRAIN_SECONDS: '0', PROVISO_GRACE_SECONDS: '1' } });
    const { port } = new URL(serving.url);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    socket.write(
      `POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    await fetch(`${serving.url}/health`);
    const stoppedAt = performance.now();
    expect(await serving.stop('SIGTERM')).toBe(1);
    expect(performance.now() - stoppedAt).toBeGreaterThanOrEqual(1_000);
  });

  // S16, S200
  it('does not wait for connections without an accepted request, and exits with 0', async () => {
    serving = await startServe({ cwd, env: { PROVISO_DRAIN_SECONDS: '0', PROVISO_GRACE_SECONDS: '20' } });
    const port = Number(new URL(serving.url).port);
    const sockets = ['', 'GET /v2/health HTTP/1.1\r\nHost: localhost\r\nX: a'].map((bytes) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined).resume();
      socket.write(bytes);
      return socket;
    });
    // Once another request is answered, these connections have been accepted.
    await fetch(`${serving.url}/health`);
    expect(await serving.stop('SIGTERM')).toBe(0);
    for (const socket of sockets) socket.destroy();
  });
});
