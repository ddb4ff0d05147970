/** Clients that disconnect, are slow, or are too many: no partial changes, and no effect on other clients (S16, S17). */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { BlockList, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { call } from '../support/call.js';
import { approve, begin, postJson, redemption } from '../support/oauth-client.js';
import { sendRaw } from '../support/raw-request.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

afterEach(() => started.stop());

/** Sends the first `length` bytes of a request and resets the connection. */
function sendAndReset(port: number, text: string, length: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (length === 0) socket.resetAndDestroy();
      else socket.write(text.slice(0, length), () => socket.resetAndDestroy());
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}

describe('a client that disconnects', () => {
  // S17
  it('at any byte of a token request leaves the code unused or used, with no state in between', async () => {
    started = await startService();
    const pending = await begin(started);
    const body = JSON.stringify(redemption(pending, await approve(started, pending)));
    const head = `POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const text = head + body;
    for (let length = 0; length < text.length; length += 1) await sendAndReset(started.port, text, length);
    const { authorizationId } = pending;
    const statusOf = async () =>
      (await started.service.authorizations.get(authorizationId)).authorization.status;
    // An incomplete request has no effect.
    expect(await statusOf()).toBe('approved');
    // A client that disconnects during the response has redeemed the code.
    await sendRaw(started.port, text, (received) => received !== '');
    expect(await statusOf()).toBe('consumed');
    // No failure was logged, and concurrent requests are still answered.
    const responses = await Promise.all(Array.from({ length: 50 }, () => call(started, '/ready')));
    expect([started.failures, responses.every(({ status }) => status === 200)]).toEqual([[], true]);
  });

  // S1, S17
  it('after a request for a tunnel ends only its own connection', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    started = await startService({
      wrap: (store) => ({
        ...store,
        findAccessToken: async (hash) => {
          await gate;
          return await store.findAccessToken(hash);
        },
      }),
    });
    const client = connect(started.port, '127.0.0.1').on('error', () => undefined);
    client.write(
      `GET /v2/userinfo HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${'x'.repeat(43)}\r\n\r\nCONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    );
    const [{ socket }] = (await once(started.server, 'connect')) as [IncomingMessage];
    const closed = new Promise((resolve) => socket.once('close', resolve));
    client.resetAndDestroy();
    await closed;
    release();
    expect((await call(started, '/ready')).status).toBe(200);
    expect(started.failures).toEqual([]);
  });
});

describe('the limit', () => {
  // S16
  it('on the time to send a head or a whole request closes the connection with 408, without effect on other clients', async () => {
    started = await startService({
      listener: { limits: { headTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 50 } },
    });
    const slowHead = sendRaw(started.port, 'GET /v2/presets HTTP/1.1\r\nHost: localhost\r\n');
    const slowBody = sendRaw(
      started.port,
      'POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    expect((await call(started, '/presets')).status).toBe(200);
    for (const received of [await slowHead, await slowBody]) {
      expect(received).toMatch(
        /^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*Connection: close[\s\S]*"error_code":"E4000"/,
      );
    }
  });

  // S16
  it('on concurrent requests answers 503, except for readiness probes', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    started = await startService({
      listener: { limits: { concurrentRequests: 2 } },
      wrap: (store) => ({
        ...store,
        findAccessToken: async (hash) => {
          await gate;
          return await store.findAccessToken(hash);
        },
      }),
    });
    const waiting = [1, 2].map(() => call(started, '/userinfo', 'x'.repeat(43)));
    await expect.poll(async () => (await call(started, '/presets')).status, { interval: 5 }).toBe(503);
    const refused = await call(started, '/presets');
    expect([refused.body.error_code, refused.headers.get('retry-after')]).toEqual(['E5003', '1']);
    const fromBrowser = await fetch(`${started.url}/presets`, { headers: { Origin: 'https://any.example' } });
    expect([fromBrowser.status, fromBrowser.headers.get('access-control-allow-origin')]).toEqual([
      503,
      'https://any.example',
    ]);
    expect((await call(started, '/ready')).status).toBe(200);
    release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([401, 401]);
    expect((await call(started, '/presets')).status).toBe(200);
  });

  // S16
  it('on concurrent requests does not count requests whose body is still being received', async () => {
    started = await startService({ listener: { limits: { concurrentRequests: 2 } } });
    const head =
      'POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';
    const sockets = Array.from({ length: 10 }, () =>
      connect(started.port, '127.0.0.1').on('error', () => undefined),
    );
    await Promise.all(
      sockets.map((socket) => new Promise<void>((resolve) => socket.write(head, () => resolve()))),
    );
    const statuses = [];
    for (let count = 0; count < 20; count += 1) statuses.push((await call(started, '/presets')).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    for (const socket of sockets) socket.destroy();
  });

  // S11, S12
  it('on headers, URLs and bodies is configurable', async () => {
    started = await startService({ listener: { limits: { headers: 20, urlLength: 40, bodyBytes: 100 } } });
    const many = Array.from({ length: 20 }, (_, index) => `X-${index}: y\r\n`).join('');
    const received = await sendRaw(
      started.port,
      `GET /v2/presets HTTP/1.1\r\nHost: localhost\r\n${many}\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 431 /);
    expect((await call(started, `/presets?${'x'.repeat(40)}`)).status).toBe(414);
    expect((await postJson(started, '/oauth/token', { grant_type: 'x'.repeat(100) })).status).toBe(413);
  });

  it('on connections closes every further connection', async () => {
    const dropped: string[] = [];
    started = await startService({
      listener: { limits: { connections: 1 }, onDropped: (reason) => dropped.push(reason) },
    });
    const first = connect(started.port, '127.0.0.1');
    await new Promise((resolve) => first.on('connect', resolve));
    const received = await sendRaw(
      started.port,
      'GET /v2/presets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(received).toBe('');
    expect(dropped).toEqual(['connections']);
    first.destroy();
    await expect
      .poll(
        () =>
          sendRaw(started.port, 'GET /v2/presets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
        {
          interval: 5,
        },
      )
      .toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a connection that its client does not close', () => {
  const GET = 'GET /v2/presets HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const UNFINISHED_BODY =
    'POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';
  const SHORT = {
    headTimeoutMs: 100,
    requestTimeoutMs: 200,
    keepAliveMs: 100,
    sendTimeoutMs: 100,
    checkIntervalMs: 50,
  };

  /** Connects without ever closing the client's half, and returns both ends. */
  async function connectHalfOpen(
    bytes: string,
  ): Promise<{ readonly client: Socket; readonly atServer: Socket }> {
    const accepted = once(started.server, 'connection');
    const client = connect({ port: started.port, host: '127.0.0.1', allowHalfOpen: true });
    client.on('error', () => undefined);
    client.write(bytes);
    const [atServer] = (await accepted) as [Socket];
    return { client, atServer };
  }

  // S16
  it.each([
    ['sends nothing', '', '408'],
    ['stops in a head', 'GET /v2/presets HTTP/1.1\r\nHost: localhost\r\nX: a', '408'],
    ['stops in a body', UNFINISHED_BODY, '408'],
    ['stops in a second head', `${GET}GET /v2/pre`, '200,408', { keepAliveMs: 60_000 }],
    ['sends a malformed request', 'no request\r\n\r\n', '400'],
    ['sends too large a head', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`, '431'],
    ['announces too large a body', UNFINISHED_BODY.replace('9', '99999999'), '413'],
    ['sends no second request', GET, '200'],
    [
      'sends `Connection: close`, and does not close',
      GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
      '200',
    ],
  ])(
    'is destroyed after its response if the client %s',
    async (_what, bytes, statuses, limits: Partial<typeof SHORT> = {}) => {
      const logged: number[] = [];
      started = await startService({
        listener: { limits: { ...SHORT, ...limits }, onResponse: ({ status }) => logged.push(status) },
      });
      const { client, atServer } = await connectHalfOpen(bytes);
      let received = '';
      client.setEncoding('latin1').on('data', (chunk: string) => {
        received += chunk;
      });
      const ended = new Promise((resolve) => client.once('end', resolve).once('close', resolve));
      await Promise.all([ended, once(atServer, 'close')]);
      expect(received.match(/(?<=HTTP\/1\.1 )\d+/g)?.join()).toBe(statuses);
      // Each response is logged, and nothing else.
      expect(logged.join()).toBe(statuses);
      client.destroy();
    },
  );

  // S16
  it('is destroyed if the client reads no response, even if it continues to send', async () => {
    const dropped: string[] = [];
    started = await startService({
      listener: {
        limits: { ...SHORT, pipelinedRequests: 1_000 },
        onDropped: (reason) => dropped.push(reason),
      },
    });
    // More than the socket buffers of both ends can hold.
    const { client, atServer } = await connectHalfOpen(GET.replace('presets', 'openapi.json').repeat(150));
    const interval = setInterval(() => client.write('\r\n'), 50);
    await once(atServer, 'close');
    expect(dropped).toEqual(['unread']);
    clearInterval(interval);
    client.destroy();
  });

  // S16
  it('is destroyed if the client sends line breaks and no further request', async () => {
    const dropped: string[] = [];
    started = await startService({
      listener: { limits: { ...SHORT, keepAliveMs: 3_000 }, onDropped: (reason) => dropped.push(reason) },
    });
    const { client, atServer } = await connectHalfOpen(GET);
    client.resume();
    // Each line break makes `node:http` wait for another keep-alive timeout.
    const interval = setInterval(() => client.write('\r\n'), 20);
    await once(atServer, 'close');
    expect(dropped).toEqual(['idle']);
    clearInterval(interval);
    client.destroy();
  });

  // S16
  it('is refused beyond the limit for its address, until another one of that address is closed', async () => {
    const dropped: string[] = [];
    started = await startService({
      listener: { limits: { connectionsPerAddress: 2 }, onDropped: (reason) => dropped.push(reason) },
    });
    const connections = [await connectHalfOpen(''), await connectHalfOpen('')];
    expect(await sendRaw(started.port, GET)).toBe('');
    expect(dropped).toEqual(['connections_per_address']);
    const fromOtherAddress = connect({ port: started.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    fromOtherAddress.write(GET);
    expect(String((await once(fromOtherAddress, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
    const [first] = connections;
    first?.client.destroy();
    if (first !== undefined) await once(first.atServer, 'close');
    expect(await sendRaw(started.port, GET, (received) => received !== '')).toMatch(/^HTTP\/1\.1 200 /);
    for (const { client } of connections) client.destroy();
    fromOtherAddress.destroy();
  });

  // S16, S24
  it('is not limited by address for trusted proxies, or if the limit is disabled', async () => {
    const trustedProxies = new BlockList();
    trustedProxies.addAddress('127.0.0.1');
    for (const listener of [
      { limits: { connectionsPerAddress: 1 }, trustedProxies },
      { limits: { connectionsPerAddress: 0 } },
    ]) {
      started = await startService({ listener });
      const connections = [await connectHalfOpen(''), await connectHalfOpen('')];
      expect(await sendRaw(started.port, GET, (received) => received !== '')).toMatch(/^HTTP\/1\.1 200 /);
      for (const { client } of connections) client.destroy();
      if (trustedProxies === listener.trustedProxies) await started.stop();
    }
  });
});
