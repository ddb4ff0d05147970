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

/** A request whose head is written out; without `Connection: close`, so that who closes is the service. */
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

const closing = ['Host: localhost', 'Connection: close'];

describe('a request', () => {
  // S4, D10
  it.each([
    ['localhost', 'localhost'],
    ['localhost', 'attacker.example'],
    ['attacker.example', 'localhost'],
  ])('for %s and %s at once is refused, and the connection closed', async (first, second) => {
    const received = await sendRaw(
      started.port,
      head(PATH, [`Host: ${first}`, `Host: ${second}`]) + QUERY + head(PATH, closing) + QUERY,
    );
    expect(received.match(/^HTTP\/1\.1 \d+|header_repeated/gm)).toEqual(['HTTP/1.1 400', 'header_repeated']);
  });

  // S11
  it.each([
    [100, '200'],
    [101, '431'],
    [300, '431'],
  ])('of %d headers gets %s', async (count, status) => {
    const more = Array.from({ length: count - 5 }, (_, index) => `X-${index}: 1`);
    const received = await sendRaw(started.port, head(PATH, [...closing, ...more]) + QUERY);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  // S5, S11
  it('that hides its framing behind a hundred headers is refused, and the connection closed', async () => {
    const fillers = Array.from({ length: 99 }, (_, index) => `X-${index}: 1`).join('\r\n');
    const received = await sendRaw(
      started.port,
      `GET /v2/health HTTP/1.1\r\nHost: localhost\r\n${fillers}\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 431 [\s\S]*"E4013"/);
  });

  // S7
  it('by a URL of ours is answered as by its path', async () => {
    const target = `http://localhost:${started.port}${PATH}?unused=1`;
    expect(await sendRaw(started.port, head(target, closing) + QUERY)).toMatch(/^HTTP\/1\.1 200 /);
  });

  // S7
  it.each([
    'http://attacker.example',
    'HTTPS://attacker.example:443',
    'http://localhost@attacker.example',
    'http://localhost.attacker.example',
    'http://',
  ])('by a URL at %s is refused', async (origin) => {
    const received = await sendRaw(started.port, head(`${origin}${PATH}`, closing) + QUERY);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
  });

  // S14
  it('that asks first is told to go on where its body is wanted', async () => {
    const received = await sendRaw(started.port, head(PATH, [...closing, 'Expect: 100-continue']) + QUERY);
    expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200']);
  });

  // S14
  it('that asks first is not told to go on where its body is too large', async () => {
    const received = await sendRaw(
      started.port,
      head(PATH, ['Host: localhost', 'Expect: 100-continue'], 10_000_000),
    );
    expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 413']);
  });
});

describe('the last request of a connection', () => {
  const NEXT = 'GET /v2/presets HTTP/1.1\r\nHost: localhost\r\n\r\n';

  // S4
  it.each(['GET /v2/presets', 'GET /v2/health', 'POST /v2/queries/evaluate'])(
    'in the form of HTTP/0.9 (%s) is rejected for want of a Host, and nothing after it is answered',
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
  it('in the form of HTTP/0.9 gets a response with headers from a probe that any Host may call, and no other', async () => {
    const real = await startService({ environment: { loopbackOnly: false } });
    const received = await sendRaw(real.port, `GET /v2/health\r\n\r\n${NEXT}`);
    expect(received).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nConnection: close\r\n\r\n\{"status":"ok"[^{}]*\}$/,
    );
    expect(await sendRaw(real.port, `GET /v2/presets\r\n\r\n${NEXT}`)).toMatch(
      /^HTTP\/1\.1 403 [^{}]*\{[^{}]*\{\}\}$/,
    );
    await real.stop();
  });

  // S4, S9
  it('with `Connection: close` is the last one that is answered', async () => {
    const received = await sendRaw(
      started.port,
      `GET /v2/unknown HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n${NEXT}`,
    );
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404']);
  });
});

describe('a client that goes away', () => {
  it('amid its body is no failure of ours', async () => {
    const watched = await startService();
    const gone = new Promise<void>((resolve) => {
      watched.server.once('request', (request) => request.once('close', resolve));
    });
    const socket = connect(watched.port, '127.0.0.1', () => {
      socket.write(
        'POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"',
      );
    });
    watched.server.once('request', (request) => request.once('data', () => socket.resetAndDestroy()));
    await gone;
    const next = await fetch(`${watched.url}/health`);
    expect([next.status, watched.failures]).toEqual([200, []]);
    await watched.stop();
  });
});
