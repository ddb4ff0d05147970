/** The limit of pipelined requests of a connection (S9, S11). */
import { Agent, get } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { sendRaw } from '../support/raw-request.js';
import { type StartedService, startService } from '../support/start-service.js';

const MAX = 16;
const REQUEST = 'GET /v2/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';

let started: StartedService;
let statuses: number[];
let failures: unknown[];

async function start(): Promise<void> {
  [statuses, failures] = [[], []];
  started = await startService({
    listener: {
      onResponse: ({ status }) => statuses.push(status),
      onFailure: (error) => failures.push(error),
    },
  });
}

afterEach(() => started.stop());

describe('a connection', () => {
  // S9
  it('with as many pipelined requests as the limit receives all responses, in order', async () => {
    await start();
    const requests = Array.from(
      { length: MAX },
      (_, index) =>
        `GET /v2/health HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: r-${index}\r\n${index === MAX - 1 ? 'Connection: close\r\n' : ''}\r\n`,
    );
    const received = await sendRaw(started.port, requests.join(''));
    expect(received.match(/^X-Request-Id: .*$/gim)).toEqual(
      requests.map((_, index) => `X-Request-Id: r-${index}`),
    );
    expect(statuses).toEqual(Array.from({ length: MAX }, () => 200));
  });

  // S9, S11
  it('with one pipelined request above the limit receives 503 for it after the other responses, and is closed', async () => {
    await start();
    const received = await sendRaw(started.port, REQUEST.replace('openapi.json', 'health').repeat(MAX + 1));
    expect(received.match(/HTTP\/1\.1 \d{3}/g)).toEqual([
      ...Array.from({ length: MAX }, () => 'HTTP/1.1 200'),
      'HTTP/1.1 503',
    ]);
    expect(received.match(/Connection: close|"E5003"/g)).toEqual(['Connection: close', '"E5003"']);
    // Any client can cause it.
    expect(failures).toEqual([]);
  });

  // `node:http` discards what follows such a request in the same chunk.
  it('with a request after one with `Upgrade` is closed after the response to the latter', async () => {
    await start();
    const upgrade =
      'GET /v2/health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    const startedAt = performance.now();
    const received = await sendRaw(started.port, upgrade + REQUEST);
    expect(received.match(/HTTP\/1\.1 \d{3}|Connection: .*/g)).toEqual(['HTTP/1.1 200', 'Connection: close']);
    // Far less than an idle connection is kept.
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('with a request after one with `Upgrade` does not process it, although `node:http` emits it', async () => {
    await start();
    const head = 'GET /v2/health HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\n\r\n';
    const received = await sendRaw(started.port, head + REQUEST);
    expect(received.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200']);
    expect(statuses).toEqual([200]);
  });

  // S11
  it('with 64 KiB of pipelined requests has no request processed beyond the limit', async () => {
    await start();
    await sendRaw(started.port, REQUEST.repeat(Math.floor(65_536 / REQUEST.length)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(MAX);
    expect(statuses.filter((status) => status !== 200)).toEqual([503]);
  });

  it('with many sequential requests, each sent after the previous response, is not limited', async () => {
    await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const clientPorts = new Set<number | undefined>();
    for (let index = 0; index < 3 * MAX; index += 1) {
      await new Promise<void>((resolve, reject) => {
        get(`${started.url}/health`, { agent }, (response) => {
          clientPorts.add(response.socket.localPort);
          response.resume().once('end', resolve);
        }).once('error', reject);
      });
    }
    agent.destroy();
    expect([...clientPorts]).toEqual([expect.any(Number)]);
    expect(statuses).toEqual(Array.from({ length: 3 * MAX }, () => 200));
  });
});
