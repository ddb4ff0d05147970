/** Request targets, `Expect`, ambiguous framing, and disconnected clients (S4, S5, S7, S11, S14). */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../support/raw-request.js';
import { type StartedService, startService } from '../support/start-service.js';

const PATH = '/v2/queries/evaluate';
const QUERY = '{"query":{"check":{"claim":"kyc.level","operator":"isDefined"}}}';

let started: StartedService;
let authorization: string;

beforeAll(async () => {
  started = await startService();
  authorization = `Authorization: Bearer ${await started.token('ada', 'kyc:read')}`;
});

afterAll(() => started.stop());

/** Returns the head of a request. If `lines` lack `Connection: close`, a closed connection shows that the service decided to close it. */
function head(target: string, lines: readonly string[], length = QUERY.length): string {
  const all = [
    `POST ${target} HTTP/1.1`,
    ...lines,
    authorization,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  ];
  return `${all.join('\r\n')}\r\n\r\n`;
}

const CLOSE_HEADERS = ['Host: localhost', 'Connection: close'];

describe('a request', () => {
  // S4, D10
  it.each([
    ['localhost', 'localhost'],
    ['localhost', 'attacker.example'],
    ['attacker.example', 'localhost'],
  ])(
    'with the two Host headers %s and %s is rejected, and the connection is closed',
    async (first, second) => {
      const received = await sendRaw(
        started.port,
        head(PATH, [`Host: ${first}`, `Host: ${second}`]) + QUERY + head(PATH, CLOSE_HEADERS) + QUERY,
      );
      expect(received.match(/^HTTP\/1\.1 \d+|header_repeated/gm)).toEqual([
        'HTTP/1.1 400',
        'header_repeated',
      ]);
    },
  );

  // S11
  it.each([
    [100, '200'],
    [101, '431'],
    [300, '431'],
  ])('with %d headers is answered with %s', async (count, status) => {
    const more = Array.from({ length: count - 5 }, (_, index) => `X-${index}: 1`);
    const received = await sendRaw(started.port, head(PATH, [...CLOSE_HEADERS, ...more]) + QUERY);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  // S5, S11
  it('that puts its framing headers after a hundred others is rejected, and the connection is closed', async () => {
    const padding = Array.from({ length: 99 }, (_, index) => `X-${index}: 1`).join('\r\n');
    const received = await sendRaw(
      started.port,
      `GET /v2/health HTTP/1.1\r\nHost: localhost\r\n${padding}\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n${head(PATH, CLOSE_HEADERS)}${QUERY}`,
    );
    expect(received.match(/^HTTP\/1\.1 \d+|E4013/gm)).toEqual(['HTTP/1.1 431', 'E4013']);
  });

  // S7
  it('with an absolute URL of the service is answered like its path', async () => {
    const target = `http://localhost:${started.port}${PATH}?unused=1`;
    expect(await sendRaw(started.port, head(target, CLOSE_HEADERS) + QUERY)).toMatch(/^HTTP\/1\.1 200 /);
  });

  // S7
  it.each([
    'http://attacker.example',
    'HTTPS://attacker.example:443',
    'http://localhost@attacker.example',
    'http://localhost.attacker.example',
    'http://',
  ])('with an absolute URL of %s is rejected', async (origin) => {
    const received = await sendRaw(started.port, head(`${origin}${PATH}`, CLOSE_HEADERS) + QUERY);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
  });

  // S14
  it('with `Expect: 100-continue` receives 100 if its body is accepted', async () => {
    const received = await sendRaw(
      started.port,
      head(PATH, [...CLOSE_HEADERS, 'Expect: 100-continue']) + QUERY,
    );
    expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200']);
  });

  // S14
  it('with `Expect: 100-continue` receives no 100 if its body is too large', async () => {
    const received = await sendRaw(
      started.port,
      head(PATH, ['Host: localhost', 'Expect: 100-continue'], 10_000_000),
    );
    expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 413']);
  });
});

describe('a request whose body is not read', () => {
  const END = 'GET /v2/unknown HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  const statusesOf = (received: string) => received.match(/HTTP\/1\.1 \d+/g);

  // S12
  it.each([
    ['GET', '/v2/presets', 200_000, 200],
    ['POST', PATH, 1_048_576, 413],
  ])(
    'keeps its connection: the body of %s %s with %i bytes is discarded',
    async (method, path, length, status) => {
      const lines = `Host: localhost\r\n${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
      const received = await sendRaw(
        started.port,
        `${method} ${path} HTTP/1.1\r\n${lines}${'x'.repeat(length)}${END}`,
      );
      expect(statusesOf(received)).toEqual([`HTTP/1.1 ${status}`, 'HTTP/1.1 404']);
    },
  );

  // S12
  it('closes its connection if the body has more than 1 MiB', async () => {
    const received = await sendRaw(started.port, head(PATH, ['Host: localhost'], 1_048_577));
    expect([statusesOf(received), received.includes('Connection: close')]).toEqual([['HTTP/1.1 413'], true]);
  });
});

describe('a chunked request that is answered before its whole body has arrived', () => {
  const END = 'GET /v2/unknown HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  const chunkOf = (length: number) => `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`;
  const FIRST = 10;
  const REST = 1_048_576 - FIRST;

  /** Sends the rest of the body after the response, and another request; returns the statuses and headers of the responses. */
  const exchange = (body: string, lines: string, rest: string, port = started.port) =>
    new Promise<readonly string[] | null>((resolve) => {
      let received = '';
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(
          `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\n${lines}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
        ),
      );
      socket.setEncoding('latin1');
      socket.once('data', () => socket.write(rest));
      socket.on('data', (chunk: string) => {
        received += chunk;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(received.match(/HTTP\/1\.1 \d+|Connection: close/g)));
    });

  // S12
  it.each([
    ['401', false, chunkOf(FIRST)],
    ['413', true, chunkOf(65_537)],
  ])(
    'keeps its connection after %s, and the rest of the body is discarded',
    async (status, isAuthenticated, body) => {
      const lines = isAuthenticated ? `${authorization}\r\n` : '';
      expect(await exchange(body, lines, `${chunkOf(REST)}0\r\n\r\n${END}`)).toEqual([
        `HTTP/1.1 ${status}`,
        'HTTP/1.1 404',
        'Connection: close',
      ]);
    },
  );

  // S12
  it('closes its connection if the rest of the body has more than 1 MiB', async () => {
    expect(await exchange(chunkOf(FIRST), '', `${chunkOf(REST + 1)}0\r\n\r\n${END}`)).toEqual([
      'HTTP/1.1 401',
    ]);
  });

  // S6, S16
  it.each([
    ['malformed', 'not a chunk\r\n'],
    ['late', ''],
  ])('gets no second response if the rest of the body is %s', async (_, rest) => {
    const impatient = await startService({
      listener: { limits: { headTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 50 } },
    });
    expect(await exchange(chunkOf(FIRST), '', rest, impatient.port)).toEqual(['HTTP/1.1 401']);
    await impatient.stop();
  });
});

describe('the last request of a connection', () => {
  const NEXT = 'GET /v2/presets HTTP/1.1\r\nHost: localhost\r\n\r\n';

  // S4
  it.each(['GET /v2/presets', 'GET /v2/health', 'POST /v2/queries/evaluate'])(
    'as an HTTP/0.9 request (%s) is rejected by the sandbox, which requires a loopback Host, and no later request is answered',
    async (line) => {
      const received = await sendRaw(started.port, `${line}\r\n\r\n${NEXT}`);
      expect(received.match(/HTTP\/1\.1 \d+|"E\d+"|Connection: .*/g)).toEqual([
        'HTTP/1.1 403',
        'Connection: close',
        '"E4008"',
      ]);
    },
  );

  // S4
  it('as an HTTP/0.9 request is answered in production by the health probe, and rejected by other paths', async () => {
    const production = await startService({ environment: { loopbackOnly: false } });
    const received = await sendRaw(production.port, `GET /v2/health\r\n\r\n${NEXT}`);
    expect(received).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nConnection: close\r\n\r\n\{"status":"ok"[^{}]*\}$/,
    );
    expect(await sendRaw(production.port, `GET /v2/presets\r\n\r\n${NEXT}`)).toMatch(
      /^HTTP\/1\.1 403 [^{}]*\{[^{}]*\{\}\}$/,
    );
    await production.stop();
  });

  // S4, S9
  it('has `Connection: close`, and later ones are not answered', async () => {
    const received = await sendRaw(
      started.port,
      `GET /v2/unknown HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n${NEXT}`,
    );
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404']);
  });
});

describe('a client that disconnects', () => {
  it('while it sends a body is not logged as a failure of the service', async () => {
    const recordingService = await startService();
    const disconnected = new Promise<void>((resolve) => {
      recordingService.server.once('request', (request) => request.once('close', resolve));
    });
    const socket = connect(recordingService.port, '127.0.0.1', () => {
      socket.write(
        'POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"',
      );
    });
    recordingService.server.once('request', (request) =>
      request.once('data', () => socket.resetAndDestroy()),
    );
    await disconnected;
    const next = await fetch(`${recordingService.url}/health`);
    expect([next.status, recordingService.failures]).toEqual([200, []]);
    await recordingService.stop();
  });
});
