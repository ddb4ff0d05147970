/** Clients that disconnect, are slow, or are too many: no partial changes, and no effect on other clients (S16, S17). */
import { once } from 'node:events';
import { BlockList, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { call } from '../support/call.js';
import { approve, begin, postJson, redemption } from '../support/oauth-client.js';
import { sendRaw } from '../support/raw-request.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

afterEach(() => started.stop());

/** Sends so many bytes of a request and resets the connection. */
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

describe('a client that goes away', () => {
  // S17
  it('at any byte of a token request leaves its code as it was, or used, and nothing between', async () => {
    started = await startService();
    const begun = await begin(started);
    const body = JSON.stringify(redemption(begun, await approve(started, begun)));
    const head = `POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const text = head + body;
    for (let length = 0; length < text.length; length += 1) await sendAndReset(started.port, text, length);
    const { authorizationId } = begun;
    const statusOf = async () =>
      (await started.service.authorizations.get(authorizationId)).authorization.status;
    // What never arrived whole was never done.
    expect(await statusOf()).toBe('approved');
    // One that goes away in the midst of its answer has been answered whole.
    await sendRaw(started.port, text, (received) => received !== '');
    expect(await statusOf()).toBe('consumed');
    // Nothing of ours failed, and as many as ever are answered at once.
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(started, '/ready')));
    expect([started.failures, answers.every(({ status }) => status === 200)]).toEqual([[], true]);
  });
});

describe('limits', () => {
  // S16
  it('on a head and on a whole request end the connection with 408, and harm nobody else', async () => {
    started = await startService({ listener: { limits: { headTimeoutMs: 100, requestTimeoutMs: 200 } } });
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
  it('on requests under way answer the next one with 503, but not who watches over us', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    started = await startService({
      listener: { limits: { concurrentRequests: 2 } },
      wrap: (store) => ({
        ...store,
        findPresentedToken: async (hash) => {
          await held;
          return await store.findPresentedToken(hash);
        },
      }),
    });
    const waiting = [1, 2].map(() => call(started, '/userinfo', 'x'.repeat(43)));
    await expect.poll(async () => (await call(started, '/presets')).status, { interval: 5 }).toBe(503);
    const refused = await call(started, '/presets');
    expect([refused.body.error_code, refused.headers.get('retry-after')]).toEqual(['E5003', '1']);
    expect((await call(started, '/ready')).status).toBe(200);
    release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([401, 401]);
    expect((await call(started, '/presets')).status).toBe(200);
  });

  // S16
  it('do not count who is slow to send a body among the requests under way', async () => {
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
  it('on headers, URLs and bodies are those of the configuration', async () => {
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

  it('on connections close the one that is too many', async () => {
    const dropped: string[] = [];
    started = await startService({
      listener: { limits: { connections: 1 }, onDropped: (reason) => dropped.push(reason) },
    });
    const first = connect(started.port, '127.0.0.1');
    await new Promise((resolve) => first.on('connect', resolve));
    const answered = await sendRaw(
      started.port,
      'GET /v2/presets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(answered).toBe('');
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

describe('a connection that its client keeps open', () => {
  const GET = 'GET /v2/presets HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const UNFINISHED_BODY =
    'POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';
  const SHORT = { headTimeoutMs: 100, requestTimeoutMs: 200, keepAliveMs: 100, sendTimeoutMs: 100 };

  /** Connects without ever closing its own half, and resolves with both ends. */
  async function hold(bytes: string): Promise<{ readonly client: Socket; readonly atServer: Socket }> {
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
    ['sends what is no request', 'no request\r\n\r\n', '400'],
    ['sends too large a head', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`, '431'],
    ['announces too large a body', UNFINISHED_BODY.replace('9', '99999999'), '413'],
    ['sends no second request', GET, '200'],
    ['asks to close, and does not', GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), '200'],
  ])(
    'is destroyed once it has its answer: one that %s',
    async (_what, bytes, statuses, limits: Partial<typeof SHORT> = {}) => {
      const answered: number[] = [];
      started = await startService({
        listener: { limits: { ...SHORT, ...limits }, onResponse: ({ status }) => answered.push(status) },
      });
      const { client, atServer } = await hold(bytes);
      let received = '';
      client.setEncoding('latin1').on('data', (chunk: string) => {
        received += chunk;
      });
      const ended = new Promise((resolve) => client.once('end', resolve).once('close', resolve));
      await Promise.all([ended, once(atServer, 'close')]);
      expect(received.match(/(?<=HTTP\/1\.1 )\d+/g)?.join()).toBe(statuses);
      // Each answer is logged, and nothing else.
      expect(answered.join()).toBe(statuses);
      client.destroy();
    },
  );

  // S16
  it('is destroyed when the client reads none of its answers, however much it goes on to send', async () => {
    const dropped: string[] = [];
    started = await startService({
      listener: {
        limits: { ...SHORT, pipelinedRequests: 1_000 },
        onDropped: (reason) => dropped.push(reason),
      },
    });
    // More than the buffers of both kernels hold.
    const { client, atServer } = await hold(GET.replace('presets', 'openapi.json').repeat(150));
    const sending = setInterval(() => client.write('\r\n'), 50);
    await once(atServer, 'close');
    expect(dropped).toEqual(['unread']);
    clearInterval(sending);
    client.destroy();
  });

  // S16
  it('is destroyed when the client sends line breaks and no request', async () => {
    const dropped: string[] = [];
    started = await startService({
      listener: { limits: { ...SHORT, keepAliveMs: 3_000 }, onDropped: (reason) => dropped.push(reason) },
    });
    const { client, atServer } = await hold(GET);
    client.resume();
    // Each line break makes `node:http` wait for another keep-alive timeout.
    const sending = setInterval(() => client.write('\r\n'), 20);
    await once(atServer, 'close');
    expect(dropped).toEqual(['idle']);
    clearInterval(sending);
    client.destroy();
  });

  // S16
  it('is one of a limited number for each address, and makes room when it is closed', async () => {
    const dropped: string[] = [];
    started = await startService({
      listener: { limits: { connectionsPerAddress: 2 }, onDropped: (reason) => dropped.push(reason) },
    });
    const held = [await hold(''), await hold('')];
    expect(await sendRaw(started.port, GET)).toBe('');
    expect(dropped).toEqual(['connections_per_address']);
    const elsewhere = connect({ port: started.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    elsewhere.write(GET);
    expect(String((await once(elsewhere, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
    const [first] = held;
    first?.client.destroy();
    if (first !== undefined) await once(first.atServer, 'close');
    expect(await sendRaw(started.port, GET, (received) => received !== '')).toMatch(/^HTTP\/1\.1 200 /);
    for (const { client } of held) client.destroy();
    elsewhere.destroy();
  });

  // S16, S24
  it('is not counted by its address where that is a trusted proxy’s, or where there is no such limit', async () => {
    const trustedProxies = new BlockList();
    trustedProxies.addAddress('127.0.0.1');
    for (const listener of [
      { limits: { connectionsPerAddress: 1 }, trustedProxies },
      { limits: { connectionsPerAddress: 0 } },
    ]) {
      started = await startService({ listener });
      const held = [await hold(''), await hold('')];
      expect(await sendRaw(started.port, GET, (received) => received !== '')).toMatch(/^HTTP\/1\.1 200 /);
      for (const { client } of held) client.destroy();
      if (trustedProxies === listener.trustedProxies) await started.stop();
    }
  });
});
