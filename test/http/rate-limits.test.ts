/** Rate limits reject callers that exceed them, and no others (S24, S123, S124, S190, S197). */
import { request as httpRequest } from 'node:http';
import { BlockList } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import { createRateLimiter } from '../../src/service/rate-limits/rate-limiter.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { call } from '../support/call.js';
import {
  AS_CONFIDENTIAL,
  authorizationQuery,
  CONFIDENTIAL,
  logIn,
  PUBLIC,
  postJson,
  refresh,
} from '../support/oauth-client.js';
import { LENDER } from '../support/production-deployment.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

/** The tests' own address is a trusted proxy, so that requests can come from several addresses. */
const trustedProxies = new BlockList();
trustedProxies.addSubnet('127.0.0.0', 8, 'ipv4');

let started: StartedService;

afterEach(() => started.stop());

function introspect(secret: string, address: string, clientId = CONFIDENTIAL.clientId): Promise<Response> {
  const basic = Buffer.from(`${clientId}:${secret}`).toString('base64');
  return postJson(
    started,
    '/oauth/introspect',
    { token: 'x' },
    { Authorization: `Basic ${basic}`, 'X-Forwarded-For': address },
  );
}

describe('an access token', () => {
  // S197
  it('has its limit in the headers of each response, and is rejected beyond it', async () => {
    started = await startService({ settings: { rateLimitPerMinute: 2 } });
    const token = await started.token('ada', 'kyc:read');
    const first = await call(started, '/userinfo', token);
    const headers = Object.fromEntries([...first.headers].filter(([name]) => /ratelimit/.test(name)));
    expect([first.status, headers]).toEqual([
      200,
      {
        'ratelimit-policy': '"token";q=2;w=60',
        ratelimit: '"token";r=1;t=30',
        'x-ratelimit-limit': '2',
        'x-ratelimit-remaining': '1',
        'x-ratelimit-reset': String(STARTED_AT / 1_000 + 30),
      },
    ]);
    await call(started, '/userinfo', token);
    const refused = await call(started, '/userinfo', token);
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      429,
      '30',
      expect.objectContaining({
        error: 'rate_limited',
        error_code: 'E4029',
        context: { limit: 2, reset_seconds: 60, retry_after_seconds: 30 },
      }),
    ]);
    expect((await call(started, '/userinfo', await started.token('bruno', 'kyc:read'))).status).toBe(200);
    started.clock.moveTo(STARTED_AT + 30_000);
    expect((await call(started, '/userinfo', token)).status).toBe(200);
  });

  it('can be used as often as discovery states', async () => {
    started = await startService({ settings: { rateLimitPerMinute: 5 } });
    const { body } = await call(started, '/.well-known/hp-configuration');
    const token = await started.token('ada', 'kyc:read');
    const statuses = [];
    for (let count = 0; count <= body.rate_limit_default; count += 1) {
      statuses.push((await call(started, '/userinfo', token)).status);
    }
    expect([body.rate_limit_unit, statuses]).toEqual(['requests_per_minute', [200, 200, 200, 200, 200, 429]]);
  });
});

describe('an address', () => {
  // S197
  it('is limited before its request is read, for all callers together, except for probes; an IPv6 /64 is one address', async () => {
    started = await startService({
      settings: { addressRateLimitPerMinute: 2 },
      listener: { trustedProxies },
    });
    const statusOf = async (address: string, path = '/presets') =>
      (await fetch(`${started.url}${path}`, { headers: { 'X-Forwarded-For': address } })).status;
    expect([
      await statusOf('192.0.2.1'),
      await statusOf('::ffff:192.0.2.1'),
      await statusOf('192.0.2.1'),
    ]).toEqual([200, 200, 429]);
    expect([await statusOf('192.0.2.2'), await statusOf('192.0.2.1', '/ready')]).toEqual([200, 200]);
    const headers = { 'X-Forwarded-For': '192.0.2.1', Authorization: 'Bearer of-another-caller' };
    const malformed = await fetch(`${started.url}/queries/evaluate`, { method: 'POST', body: '{', headers });
    expect(malformed.status).toBe(429);
    expect([
      await statusOf('2001:db8::1'),
      await statusOf('2001:db8::2'),
      await statusOf('2001:db8::3'),
      await statusOf('2001:db8:0:1::1'),
    ]).toEqual([200, 200, 429, 200]);
  });

  // S23
  it('sees its limit in a browser of a registered origin, which costs no lookup', async () => {
    const lookups: string[] = [];
    started = await startService({
      settings: { addressRateLimitPerMinute: 1 },
      environment: { seeded: false },
      wrap: (store) => ({
        ...store,
        isRegisteredOrigin: (origin) => {
          lookups.push(origin);
          return store.isRegisteredOrigin(origin);
        },
      }),
      listener: { trustedProxies },
    });
    await started.store.upsertApplication(LENDER);
    const { origin: registered } = new URL(CONFIDENTIAL.redirectUri);
    const from = async (address: string, origin: string) => {
      const headers = { Origin: origin, 'X-Forwarded-For': address };
      const response = await fetch(`${started.url}/presets`, { headers });
      return [response.status, response.headers.get('access-control-allow-origin')];
    };
    const other = 'https://elsewhere.example';
    expect([await from('192.0.2.1', registered), await from('192.0.2.2', other)]).toEqual([
      [200, registered],
      [200, null],
    ]);
    const seen = [
      await from('192.0.2.1', registered),
      await from('192.0.2.2', other),
      await from('192.0.2.1', 'null'),
    ];
    expect([seen, lookups]).toEqual([
      [
        [429, registered],
        [429, null],
        [429, null],
      ],
      [registered, other],
    ]);
    await started.store.upsertApplication({ ...LENDER, revokedAt: 2 });
    expect(await from('192.0.2.3', registered)).toEqual([200, null]);
    expect(await from('192.0.2.3', registered)).toEqual([429, null]);
  });

  it('sees its limit in the headers of a streamed response, too', async () => {
    started = await startService({ settings: { addressRateLimitPerMinute: 2 } });
    const query = { check: { claim: 'kyc.passed', operator: '==', value: true } };
    const headers = { Authorization: `Bearer ${SANDBOX_ADMINISTRATOR_TOKEN}` };
    const body = { client_id: PUBLIC.clientId, query };
    const response = await postJson(started, '/audiences/evaluate', body, headers);
    expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([200, '1']);
    await response.text();
  });

  // S24
  it('is not taken from a header unless a trusted proxy wrote it', async () => {
    started = await startService({ settings: { addressRateLimitPerMinute: 1 } });
    const statusOf = async (address: string) =>
      (await fetch(`${started.url}/presets`, { headers: { 'X-Forwarded-For': address } })).status;
    expect([await statusOf('192.0.2.1'), await statusOf('192.0.2.2')]).toEqual([200, 429]);
  });
});

describe('wrong secrets', () => {
  // S124
  it('are limited per client and address: the client itself is not locked out at its own address', async () => {
    started = await startService({ settings: { secretFailuresPerMinute: 10 }, listener: { trustedProxies } });
    const statuses = [];
    for (let count = 0; count < 1_000; count += 1) {
      statuses.push((await introspect(`wrong-${count}`, '192.0.2.66')).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    const refused = await introspect(CONFIDENTIAL.secret, '192.0.2.66');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6']);
    expect((await introspect(CONFIDENTIAL.secret, '192.0.2.7')).status).toBe(200);
    expect((await introspect('wrong', '192.0.2.66', 'another-client')).status).toBe(401);
  });

  // S123
  it('beyond the limit are rejected before a lookup in the store', async () => {
    let lookups = 0;
    started = await startService({
      settings: { secretFailuresPerMinute: 3 },
      wrap: (store) => ({
        ...store,
        findApplication: (clientId) => {
          lookups += 1;
          return store.findApplication(clientId);
        },
      }),
    });
    for (let count = 0; count < 20; count += 1) await introspect('wrong', '192.0.2.66');
    expect(lookups).toBe(3);
  });

  // S124
  it('of the administrator are limited by address', async () => {
    started = await startService({ settings: { secretFailuresPerMinute: 2 }, listener: { trustedProxies } });
    const revoke = async (token: string, address: string) => {
      const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': address };
      return (await fetch(`${started.url}/credentials/none`, { method: 'DELETE', headers })).status;
    };
    const [one, other] = ['192.0.2.1', '192.0.2.2'];
    expect([await revoke('a', one), await revoke('b', one), await revoke('c', one)]).toEqual([401, 401, 429]);
    expect(await revoke('d', other)).toBe(401);
  });

  it('do not include failed requests of a public client, which has no secret', async () => {
    started = await startService({ settings: { secretFailuresPerMinute: 1 } });
    const body = { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43), client_id: 'sandbox-public' };
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await postJson(started, '/oauth/token', body)).status);
    }
    expect(statuses).toEqual([400, 400, 400]);
  });
});

describe('an authenticated client', () => {
  it('is limited across its addresses', async () => {
    started = await startService({ settings: { clientRateLimitPerMinute: 2 }, listener: { trustedProxies } });
    const statuses = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      statuses.push((await introspect(CONFIDENTIAL.secret, address)).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('a token request of a public client', () => {
  it('costs the client a unit if it succeeds, and none if it fails', async () => {
    started = await startService({ settings: { clientRateLimitPerMinute: 2 } });
    const { refresh_token: first } = await logIn(started);
    for (let count = 0; count < 5; count += 1) {
      expect((await refresh(started, 'x'.repeat(43))).status).toBe(400);
    }
    const second = await refresh(started, first);
    expect([second.status, second.headers.get('ratelimit')]).toEqual([200, '"client";r=0;t=60']);
    expect((await refresh(started, 'x'.repeat(43))).status).toBe(429);
  });
});

describe('a bearer request', () => {
  it('also costs its client: tokens of one application share its limit', async () => {
    started = await startService({ settings: { rateLimitPerMinute: 10, clientRateLimitPerMinute: 3 } });
    const statuses = [];
    let lastHeaders: Headers | undefined;
    for (const name of ['ada', 'bruno', 'chiyo', 'dmitri']) {
      const { status, headers } = await call(started, '/userinfo', await started.token(name, 'kyc:read'));
      statuses.push(status);
      lastHeaders = headers;
    }
    expect([statuses, lastHeaders?.get('ratelimit-policy')]).toEqual([
      [200, 200, 200, 429],
      '"client";q=3;w=60',
    ]);
  });

  it('costs one unit for each 5 ms of its work, rounded up, and its response shows the cost', async () => {
    const query = { check: { claim: 'kyc.passed', operator: '==', value: true } };
    // Compilation and evaluation take 14 ms.
    expect(await rateLimitAfter(7, query)).toEqual([200, '"token";r=97;t=2', '100']);
  });

  it('costs as much as its work if it is rejected', async () => {
    const query = { check: { claim: 'kyc.passed', operator: 'nope', value: true } };
    expect(await rateLimitAfter(141, query)).toEqual([400, '"token";r=71;t=18', '100']);
    await started.stop();
    const uncovered = { check: { claim: 'financial.net_worth', operator: '>', value: 1 } };
    expect(await rateLimitAfter(11, uncovered)).toEqual([403, '"token";r=97;t=2', '100']);
  });

  it('costs one unit if its work is quick', async () => {
    const query = { check: { claim: 'kyc.passed', operator: '==', value: true } };
    expect(await rateLimitAfter(2.5, query)).toEqual([200, '"token";r=99;t=1', '100']);
  });

  it("that costs more than remains blocks its token, and costs its client at most the token's limit", async () => {
    const query = { check: { claim: 'kyc.passed', operator: 'nope', value: true } };
    expect(await rateLimitAfter(100_000, query, { clientRateLimitPerMinute: 1_000 })).toEqual([
      400,
      '"token";r=0;t=120',
      '100',
    ]);
    const other = await call(started, '/userinfo', await started.token('bruno', 'kyc:read'));
    expect([other.status, other.headers.get('ratelimit')]).toEqual([200, '"client";r=899;t=7']);
  });

  it('whose body arrives after the limit was exceeded is rejected before its query is read', async () => {
    let readings = 0;
    started = await startService({
      settings: { rateLimitPerMinute: 100 },
      listener: { stopwatch: () => readings++ * 200 },
    });
    const { server, port } = started;
    const token = await started.token('ada', 'kyc:read');
    const body = JSON.stringify({ query: { check: { claim: 'kyc.passed', operator: '==', value: true } } });
    let heads = 0;
    const allHeads = new Promise<void>((resolve) => {
      server.on('request', () => {
        heads += 1;
        if (heads === 20) resolve();
      });
    });
    const requests = Array.from({ length: 20 }, () => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const sent = httpRequest({ port, path: '/v2/queries/evaluate', method: 'POST', agent: false, headers });
      const status = new Promise<number | undefined>((resolve, reject) => {
        sent.on('error', reject).on('response', (response) => resolve(response.resume().statusCode));
      });
      sent.flushHeaders();
      return { sent, status };
    });
    await allHeads;
    for (const { sent } of requests) sent.end(body);
    const statuses = await Promise.all(requests.map(({ status }) => status));
    // 80 units remain after the heads, and each of the two steps of a query costs 40.
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(2);
    expect(new Set(statuses)).toContain(429);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(18);
  });

  /**
   * Returns status and rate-limit headers of a query with 100 units per minute, where each measured step
   * takes `workMs`.
   */
  async function rateLimitAfter(workMs: number, query: unknown, settings = {}) {
    let readings = 0;
    started = await startService({
      settings: { rateLimitPerMinute: 100, ...settings },
      listener: { stopwatch: () => readings++ * workMs },
    });
    const token = await started.token('ada', 'kyc:read');
    const { status, headers } = await call(started, '/queries/evaluate', token, { query });
    return [status, headers.get('ratelimit'), headers.get('x-ratelimit-limit')];
  }
});

describe('authorization requests', () => {
  it('are limited by address, with an error page', async () => {
    started = await startService({
      settings: { authorizationRateLimitPerMinute: 2 },
      listener: { trustedProxies },
    });
    const authorizeFrom = async (address: string, query = authorizationQuery()) =>
      await fetch(`${started.url}/oauth/authorize?${query}`, {
        redirect: 'manual',
        headers: { 'X-Forwarded-For': address },
      });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await authorizeFrom('192.0.2.1')).status);
    expect(statuses).toEqual([303, 303, 429, 429]);
    const refused = await authorizeFrom('192.0.2.1');
    expect([refused.headers.get('content-type'), refused.headers.get('retry-after')]).toEqual([
      'text/html; charset=utf-8',
      '30',
    ]);
    expect((await authorizeFrom('192.0.2.1', 'authorization_id=any')).status).toBe(303);
    expect((await authorizeFrom('192.0.2.2')).status).toBe(303);
  });
});

describe('a revocation request', () => {
  it('costs an authenticated client one unit for each token that is looked up', async () => {
    started = await startService({ settings: { clientRateLimitPerMinute: 5 } });
    const client = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };
    const revoke = async (tokens: string[]) => {
      const response = await postJson(started, '/oauth/revoke', { ...client, tokens });
      return [response.status, response.headers.get('ratelimit')];
    };
    expect(await revoke(['a', 'b', 'c'])).toEqual([200, '"client";r=2;t=36']);
    expect(await revoke(['a', 'b', 'c'])).toEqual([429, '"client";r=2;t=36']);
    expect(await revoke(['a', 'b', 'b'])).toEqual([200, '"client";r=0;t=60']);
    started.clock.moveTo(STARTED_AT + 60_000);
    // A cost above the limit uses up the whole limit.
    expect(await revoke(Array.from({ length: 100 }, (_, index) => `t${index}`))).toEqual([
      200,
      '"client";r=0;t=60',
    ]);
  });

  it('that names a public client without one of its tokens costs the address, not the client', async () => {
    started = await startService({
      settings: { clientRateLimitPerMinute: 5, addressRateLimitPerMinute: 150 },
      listener: { trustedProxies },
    });
    const { access_token: token, refresh_token: refreshToken } = await logIn(started);
    const from = { 'X-Forwarded-For': '192.0.2.66' };
    const client = { client_id: PUBLIC.clientId };
    const statuses = [];
    for (let round = 0; round < 3; round += 1) {
      const tokens = Array.from({ length: 50 }, (_, index) => `t${round}-${index}`);
      statuses.push((await postJson(started, '/oauth/revoke', { ...client, tokens }, from)).status);
    }
    const unknown = { ...client, grant_type: 'refresh_token', refresh_token: 'x'.repeat(43) };
    statuses.push((await postJson(started, '/oauth/token', unknown, from)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await call(started, '/userinfo', token)).status).toBe(200);
    expect((await refresh(started, refreshToken)).status).toBe(200);
  });

  it('of a public client costs it one unit for each revoked token', async () => {
    started = await startService({ settings: { clientRateLimitPerMinute: 3 } });
    const { access_token: token } = await logIn(started);
    const tokens = [token, 'a', 'b', 'c'];
    const revoked = await postJson(started, '/oauth/revoke', { client_id: PUBLIC.clientId, tokens });
    // The exchange of the code cost one unit, too.
    expect([revoked.status, revoked.headers.get('ratelimit')]).toEqual([200, '"client";r=1;t=40']);
  });

  it('without a client costs the address one unit for each token that is looked up', async () => {
    started = await startService({ settings: { addressRateLimitPerMinute: 100 } });
    const tokens = Array.from({ length: 60 }, (_, index) => `t${index}`);
    const first = await postJson(started, '/oauth/revoke', { tokens });
    expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([200, '40']);
    expect((await postJson(started, '/oauth/revoke', { tokens })).status).toBe(429);
  });
});

describe('requests to client/user-token', () => {
  const client = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };
  const statusOf = async (email: string) =>
    (await postJson(started, '/oauth/client/user-token', { ...client, email })).status;

  it('without a grant are limited, even if they are concurrent; beyond the limit, those with a grant are rejected, too', async () => {
    started = await startService({ settings: { userTokenMissesPerMinute: 3 } });
    await logIn(started, AS_CONFIDENTIAL);
    const hits = await Promise.all(Array.from({ length: 20 }, () => statusOf('ada@example.org')));
    expect(new Set(hits)).toEqual(new Set([200]));
    const misses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => statusOf(`nobody-${index}@example.org`)),
    );
    expect(misses.filter((status) => status === 404)).toHaveLength(3);
    expect(new Set(misses)).toEqual(new Set([404, 429]));
    expect(await statusOf('ada@example.org')).toBe(429);
    started.clock.moveTo(STARTED_AT + 20_000);
    expect(await statusOf('ada@example.org')).toBe(200);
  });

  it('without a grant can be limited to one a minute; until that one, those with a grant cost nothing', async () => {
    started = await startService({ settings: { userTokenMissesPerMinute: 1 } });
    await logIn(started, AS_CONFIDENTIAL);
    const hits = await Promise.all(Array.from({ length: 10 }, () => statusOf('ada@example.org')));
    expect(hits).toEqual(Array(10).fill(200));
    expect([await statusOf('nobody@example.org'), await statusOf('ada@example.org')]).toEqual([404, 429]);
  });
});

describe('requests to client/user-token without a grant, at two instances of one store,', () => {
  const client = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };

  it('share one limit, while requests with a grant cost nothing', async () => {
    const settings = { userTokenMissesPerMinute: 3 };
    started = await startService({ settings });
    const other = await startService({ settings, wrap: () => started.store });
    const statusOf = async (index: number, email: string) => {
      const instance = index % 2 === 0 ? started : other;
      return (await postJson(instance, '/oauth/client/user-token', { ...client, email })).status;
    };
    try {
      await logIn(started, AS_CONFIDENTIAL);
      const hits = await Promise.all(Array.from({ length: 20 }, () => statusOf(0, 'ada@example.org')));
      expect(new Set(hits)).toEqual(new Set([200]));
      const misses = await Promise.all(
        Array.from({ length: 30 }, (_, index) => statusOf(index, `nobody-${index}@example.org`)),
      );
      expect(misses.filter((status) => status === 404)).toHaveLength(3);
      expect(new Set(misses)).toEqual(new Set([404, 429]));
    } finally {
      await other.stop();
    }
  });
});

describe('two instances on one store', () => {
  // S190
  it('together reject a client that failed too often at both', async () => {
    started = await startService();
    const perMinute = { address: 0, client: 0, token: 0, failures: 10, authorizations: 0, misses: 0 };
    const ports = { store: started.store, clock: started.clock, digest: systemDigest };
    const [one, other] = [
      createRateLimiter(perMinute, 'key', ports),
      createRateLimiter(perMinute, 'key', ports),
    ];
    for (let count = 0; count < 5; count += 1) {
      one.consume('failures', 'client 192.0.2.66');
      other.consume('failures', 'client 192.0.2.66');
    }
    await Promise.all([one.synchronize(), other.synchronize()]);
    // The limiter that synchronized first has not received the other's count yet.
    one.consume('failures', 'client 192.0.2.66');
    other.consume('failures', 'client 192.0.2.66');
    await one.synchronize();
    await other.synchronize();
    const exceeded = [one, other].map((limiter) => limiter.peek('failures', 'client 192.0.2.66')?.exceeded);
    expect([exceeded, other.peek('failures', 'client 192.0.2.7')?.exceeded]).toEqual([[true, true], false]);
  });
});
