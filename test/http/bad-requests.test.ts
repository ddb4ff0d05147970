/** Malformed requests are rejected with a message that names the fault, and the server continues to serve (S1–S43). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_ADMINISTRATOR_TOKEN, StoreUnavailable } from '../../src/service/index.js';
import { sendRaw } from '../support/raw-request.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;
let token: string;

beforeAll(async () => {
  started = await startService();
  token = await started.token('ada', 'kyc:read', 'identity:read');
});

afterAll(() => started.stop());

// After each test the server still responds, and no failure was logged.
afterEach(async () => {
  const response = await post('{"query":{"check":{"claim":"kyc.passed","operator":"==","value":true}}}');
  expect([response.status, started.failures]).toEqual([200, []]);
});

function post(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${started.url}/queries/evaluate`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    body,
    duplex: 'half',
  } as RequestInit);
}

async function problemsOf(response: Response): Promise<readonly (readonly [string, string])[]> {
  const { context } = (await response.json()) as {
    context: { problems: { code: string; pointer: string }[] };
  };
  return context.problems.map(({ code, pointer }) => [code, pointer] as const);
}

const nested = (depth: number) => `{"query":{"policy":${'{"not":'.repeat(depth)}1${'}'.repeat(depth)}}}`;
const check = (members: string) => `{"query":{"check":{${members}}}}`;

const BODIES: readonly [what: string, body: string, code: string, problem: string, pointer: string][] = [
  // S30
  ['that is empty', '', 'E4000', 'json_malformed', ''],
  ['that is not JSON', 'query=1', 'E4000', 'json_malformed', ''],
  ['that is cut off', '{"query":{"check":', 'E4000', 'json_malformed', ''],
  ['that starts with a byte order mark', '\ufeff{"query":{}}', 'E4000', 'json_malformed', ''],
  // S31
  ['that is a list', '[]', 'E4000', 'not_an_object', ''],
  ['that is a string', '"query"', 'E4000', 'not_an_object', ''],
  ['that is null', 'null', 'E4000', 'not_an_object', ''],
  ['without a query', '{}', 'E4000', 'member_missing', ''],
  // S38
  ['with an unknown top-level member', '{"query":{},"scopes":[]}', 'E4000', 'member_unknown', '/scopes'],
  // S32
  [
    'with a repeated member',
    '{"query":{"check":{"claim":"a.b","claim":"a.c"}}}',
    'E4000',
    'json_duplicate',
    '/query/check/claim',
  ],
  // S32
  [
    'with a repeated member, once escaped',
    '{"query":1,"qu\\u0065ry":2}',
    'E4000',
    'json_duplicate',
    '/query',
  ],
  // S36
  [
    'with a lone surrogate',
    check('"claim":"a.b","operator":"==","value":"\\ud800"'),
    'E4000',
    'json_text',
    '/query/check/value',
  ],
  // S35
  [
    'with U+0000',
    check('"claim":"a\\u0000.b","operator":"isDefined"'),
    'E4000',
    'json_text',
    '/query/check/claim',
  ],
  // S43
  [
    'with a number out of range',
    check('"claim":"a.b","operator":"==","value":1e400'),
    'E4000',
    'json_number',
    '/query/check/value',
  ],
  // S43
  [
    'with an integer out of range',
    check('"claim":"a.b","operator":"==","value":9007199254740993'),
    'E4000',
    'json_number',
    '/query/check/value',
  ],
  // S41
  [
    'that is a thousand levels deep',
    nested(1_000),
    'E4000',
    'json_depth',
    `/query/policy${'/not'.repeat(998)}`,
  ],
  // S149
  ['that is seventeen levels deep', nested(17), 'E4002', 'limit_depth', `/policy${'/not'.repeat(16)}`],
  [
    'with an unknown operator',
    check('"claim":"a.b","operator":"equals","value":1'),
    'E4001',
    'operator_unknown',
    '/check/operator',
  ],
  // S161
  [
    'with an operator named like a member of Object.prototype',
    check('"claim":"a.b","operator":"constructor","value":1'),
    'E4001',
    'operator_unknown',
    '/check/operator',
  ],
  [
    'with a misspelt member',
    check('"claim":"kyc.passed","operater":"isDefined"'),
    'E4001',
    'member_unknown',
    '/check/operater',
  ],
  // S37
  [
    'with __proto__ as a member',
    check('"claim":"kyc.passed","operator":"isDefined","__proto__":{"x":1}'),
    'E4001',
    'member_unknown',
    '/check/__proto__',
  ],
  [
    'with an operand of the wrong type',
    check('"claim":"kyc.passed","operator":">","value":true'),
    'E4001',
    'operand_type',
    '/check/value',
  ],
  // S159
  [
    'with a broken pattern',
    check('"claim":"kyc.level","operator":"matchRegex","value":"(a"'),
    'E4001',
    'pattern_invalid',
    '/check/value',
  ],
  // S155
  [
    'with a pattern that is too large',
    check('"claim":"kyc.level","operator":"matchRegex","value":"a{1000}"'),
    'E4002',
    'limit_pattern_program',
    '/check/value',
  ],
];

describe('a body', () => {
  it.each(BODIES)(
    '%s is rejected with the pointer of the fault',
    async (_what, body, code, problem, pointer) => {
      const response = await post(body);
      const { error_code } = (await response.clone().json()) as { error_code: string };
      expect([response.status, error_code]).toEqual([400, code]);
      const [found] = await problemsOf(response);
      expect(found).toEqual([problem, pointer]);
    },
  );

  it.each([
    ['/audiences/evaluate', { client_id: 'any', query: 5 }, ['not_an_object', '`query` must be an object.']],
    [
      '/oauth/authorize/approve',
      { authorization_id: 'any', authorization_details: Array(11).fill({}) },
      ['list_size', '`authorization_details` must be an array of at most 10 items.'],
    ],
    [
      '/oauth/revoke',
      { token: 'any', cascade: 2 },
      ['not_a_flag', '`cascade` must be one of `true`, `false`, `1`, `0`.'],
    ],
  ])(
    'of %s with a value of the wrong type is rejected with one problem, which states the requirement',
    async (path, body, problem) => {
      const response = await fetch(`${started.url}${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${SANDBOX_ADMINISTRATOR_TOKEN}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      const { context } = (await response.json()) as {
        context: { problems: { code: string; message: string }[] };
      };
      expect(context.problems.map(({ code, message }) => [code, message])).toEqual([problem]);
    },
  );

  // L8
  it('with several mistakes is rejected with a problem for each', async () => {
    const query = {
      policy: {
        anyof: [
          { claim: 'kyc..passed', operator: 'isDefned' },
          { claim: 'a.b', operator: '>', value: 'soon' },
          { allOf: [] },
        ],
      },
    };
    const response = await post(JSON.stringify({ query }));
    expect((await problemsOf(response)).length).toBe(5);
  });

  // S12
  it('that is too large is rejected before it is read completely, with and without `Content-Length`', async () => {
    const head = `POST /v2/queries/evaluate HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const announced = await sendRaw(started.port, `${head}Content-Length: 10000000\r\n\r\n{"query":`);
    expect(announced).toMatch(/^HTTP\/1\.1 413 [\s\S]*"E4013"/);
    const chunk = `${(32_768).toString(16)}\r\n${'x'.repeat(32_768)}\r\n`;
    const chunked = await sendRaw(
      started.port,
      `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(4)}`,
      (received) => received.includes('"E4013"'),
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
  });

  // S14
  it('of 10 MB with `Expect: 100-continue` is rejected before it is sent', async () => {
    const head = `POST /v2/queries/evaluate HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const received = await sendRaw(
      started.port,
      `${head}Content-Length: 10000000\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
  });

  // S12
  it('of 64 KiB is read, and a body of one byte more is not', async () => {
    const pad = (length: number) =>
      check(`"claim":"kyc.level","operator":"==","value":"x"`).padEnd(length, ' ');
    expect([(await post(pad(65_536))).status, (await post(pad(65_537))).status]).toEqual([200, 413]);
  });

  // S18
  it('that is not valid UTF-8 is rejected, and not decoded with replacement characters', async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('{"query":"'), 0xff, 0x22, 0x7d]);
    expect(await problemsOf(await post(bytes))).toEqual([['utf8_malformed', '']]);
  });

  // S13, S15
  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/json; charset=utf-16', {}],
    ['application/json', { 'Content-Encoding': 'gzip' }],
  ])('of type %s %j is rejected', async (type, headers) => {
    const response = await post('{}', { 'Content-Type': type, ...headers });
    expect([response.status, response.headers.get('accept')]).toEqual([415, 'application/json']);
  });

  // S15
  it('of an accepted type in another charset is rejected with a message that requires UTF-8', async () => {
    const response = await fetch(`${started.url}/oauth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=ISO-8859-1' },
      body: 'grant_type=refresh_token',
    });
    expect([response.status, await response.json()]).toEqual([
      415,
      expect.objectContaining({ error_description: expect.stringContaining('in UTF-8') }),
    ]);
  });
});

describe('routing', () => {
  // S1
  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    'rejects the method %s with 405 and `Allow`',
    async (method) => {
      const response = await fetch(`${started.url}/queries/evaluate`, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
      expect(await response.json()).toMatchObject({ error_code: 'E4012', error: 'method_not_allowed' });
    },
  );

  // S2
  it.each([
    '/v2',
    '/v2/queries/evaluate/',
    '/v2/queries//evaluate',
    '/v2/queries/..%2fevaluate',
    '/V2/queries/evaluate',
    '/%00',
  ])("answers %s with 404 and the service's error body", async (path) => {
    const received = await sendRaw(
      started.port,
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 404 [\s\S]*"error_code":"E4011"/);
  });

  // S10, D21
  it('rejects an unknown `Host`, which a web page could send by DNS rebinding', async () => {
    const received = await sendRaw(
      started.port,
      'POST /v2/queries/evaluate HTTP/1.1\r\nHost: attacker.example\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    );
    expect(received).toMatch(/^HTTP\/1\.1 403 [\s\S]*"E4008"/);
  });

  // S11
  it('rejects a URL that is too long with 414', async () => {
    const response = await fetch(`${started.url}/${'x'.repeat(8_200)}`);
    expect(response.status).toBe(414);
    expect(await response.json()).toMatchObject({ error_code: 'E4013' });
  });
});

describe('request headers', () => {
  const get = (lines: string) =>
    sendRaw(started.port, `GET /v2/queries/evaluate HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
  const postRaw = (lines: string) =>
    sendRaw(
      started.port,
      `POST /v2/queries/evaluate HTTP/1.1\r\nHost: localhost\r\n${lines}Content-Length: 0\r\nConnection: close\r\n\r\n`,
    );

  // S11
  it('are rejected with 431 if they are too large', async () => {
    expect(await get(`Host: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n`)).toMatch(
      /^HTTP\/1\.1 431 [\s\S]*"E4013"/,
    );
  });

  // S4
  it('without `Host` are rejected with the error body, and the connection is closed', async () => {
    const received = await sendRaw(started.port, 'GET /v2/health HTTP/1.1\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*"E4000"[\s\S]*header_missing/);
  });

  // S3
  it('are rejected with two access tokens', async () => {
    const received = await postRaw(`Authorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\n`);
    expect(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*header_repeated/);
  });

  // S135
  it.each(['Bearer', 'Bearer ', 'Bearer  x', 'Bearer x,y', 'Bearer x y', `Bearer ${'é'}`, 'Basic eDp5', ''])(
    'with `Authorization: %j` are answered with 401',
    async (value) => {
      expect(await postRaw(`Authorization: ${value}\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    },
  );

  // S135
  it.each(['bearer ', 'BEARER   '])(
    'accept the authentication scheme in any case, and several spaces after it: %j',
    async (scheme) => {
      expect(
        (
          await post(check('"claim":"kyc.level","operator":"isDefined"'), {
            Authorization: `${scheme}${token}`,
          })
        ).status,
      ).toBe(200);
    },
  );

  // S5, S6
  it.each([
    'Transfer-Encoding: identity, chunked',
    'Transfer-Encoding: chunked\r\nContent-Length: 5',
    'Content-Length : 5',
    ' X: 1',
  ])('are rejected if a proxy may parse them differently: %j', async (line) => {
    const received = await sendRaw(
      started.port,
      `POST /v2/queries/evaluate HTTP/1.1\r\nHost: localhost\r\n${line}\r\n\r\n0\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
  });

  // S8
  it('named like members of Object.prototype change nothing', async () => {
    const response = await post(check('"claim":"kyc.level","operator":"isDefined"'), {
      constructor: 'x',
      tostring: 'x',
    });
    expect(response.status).toBe(200);
  });

  // S26
  it('set the request id only if `X-Request-Id` has a safe form', async () => {
    const id = async (requestId: string) =>
      (await post('{}', { 'X-Request-Id': requestId })).headers.get('x-request-id');
    expect(await id('trace-1.a_B')).toBe('trace-1.a_B');
    expect(await id('"quoted"')).toMatch(/^request-/);
    expect(await id('x'.repeat(65))).toMatch(/^request-/);
  });
});

describe('pipelined requests', () => {
  // S9
  it('are answered in order, each authenticated only by its own headers', async () => {
    const body = check('"claim":"kyc.level","operator":"isDefined"');
    const one = (authorization: string, more = '') =>
      `POST /v2/queries/evaluate HTTP/1.1\r\nHost: localhost\r\n${authorization}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
    const received = await sendRaw(
      started.port,
      one(`Authorization: Bearer ${token}\r\n`) + one('', 'Connection: close\r\n'),
    );
    expect(received.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401']);
  });
});

describe('a request for a tunnel', () => {
  // S1
  it('is rejected with 405, and the connection is closed', async () => {
    const received = await sendRaw(started.port, 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(received.match(/HTTP\/1\.1 (\d+)|^Allow: $|^Connection: close$/gm)).toEqual([
      'HTTP/1.1 405',
      'Allow: ',
      'Connection: close',
    ]);
  });
});

describe('a malformed request', () => {
  const QUERY = check('"claim":"kyc.level","operator":"isDefined"');
  const validRequest = (authorization: string) =>
    `POST /v2/queries/evaluate HTTP/1.1\r\nHost: localhost\r\n${authorization}Content-Type: application/json\r\nContent-Length: ${QUERY.length}\r\n\r\n${QUERY}`;
  const requestWithMalformedBody = (authorization: string) =>
    `POST /v2/queries/evaluate HTTP/1.1\r\nHost: localhost\r\n${authorization}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nnone`;

  // S9, S11
  it.each([
    ['after one request', [200, 400], (bearer: string) => `${validRequest(bearer)}NONSENSE\r\n\r\n`],
    [
      'after several',
      [200, 200, 400],
      (bearer: string) => `${validRequest(bearer)}${validRequest(bearer)}NONSENSE\r\n\r\n`,
    ],
    [
      'in a body, after a request',
      [200, 400],
      (bearer: string) => `${validRequest(bearer)}${requestWithMalformedBody(bearer)}`,
    ],
    ['in a body', [400], requestWithMalformedBody],
  ])(
    '%s is rejected after the pending responses, and never in the middle of one',
    async (_where, statuses, rawRequests) => {
      const slow = await startService({
        wrap: (store) => ({
          ...store,
          readCredentials: async (...parameters) => {
            // All data that arrived with the request has been parsed by then.
            await new Promise((resolve) => setImmediate(resolve));
            return await store.readCredentials(...parameters);
          },
        }),
      });
      const bearer = `Authorization: Bearer ${await slow.token('ada', 'kyc:read')}\r\n`;
      const received = await sendRaw(slow.port, rawRequests(bearer));
      expect(received.match(/HTTP\/1\.1 (\d+)/g)).toEqual(statuses.map((status) => `HTTP/1.1 ${status}`));
      // Each body has the length that its header states.
      for (const rawResponse of received.split(/(?=HTTP\/1\.1 \d)/)) {
        const [head = '', body = ''] = rawResponse.split('\r\n\r\n');
        expect(body.length).toBe(Number(/content-length: (\d+)/i.exec(head)?.[1]));
      }
      expect(received.split('\r\n').filter((line) => line === 'Connection: close')).toHaveLength(1);
      await slow.stop();
    },
  );
});

describe('a failure of the store', () => {
  // S27, S184
  it("is reported as unavailable, without the store's error message", async () => {
    const broken = await startService({
      wrap: (store) => ({
        ...store,
        findAccessToken: () => Promise.reject(new StoreUnavailable(new Error('marker-of-the-store'))),
      }),
    });
    const response = await fetch(`${broken.url}/queries/evaluate`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    expect([response.status, response.headers.get('retry-after'), broken.failures.length]).toEqual([
      503,
      '1',
      1,
    ]);
    expect(text).not.toContain('marker');
    await broken.stop();
  });

  // S27, S28
  it('that is unexpected is reported with the request id only', async () => {
    const broken = await startService({
      wrap: (store) => ({ ...store, readCredentials: () => Promise.reject(new Error('marker')) }),
    });
    const validToken = await broken.token('ada', 'kyc:read');
    const response = await fetch(`${broken.url}/queries/evaluate`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${validToken}`, 'Content-Type': 'application/json' },
      body: check('"claim":"kyc.level","operator":"isDefined"'),
    });
    const body = await response.json();
    expect(body).toEqual({
      error: 'server_error',
      error_code: 'E5000',
      error_description: expect.any(String),
      error_subcode: 'server_error',
      context: { request_id: response.headers.get('x-request-id') },
    });
    await broken.stop();
  });
});
