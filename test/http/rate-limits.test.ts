/** Who asks too often is told so, and nobody else is (S24, S123, S124, S190, S197). */
import { BlockList } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { call } from '../support/call.js';
import { CONFIDENTIAL, postJson } from '../support/oauth-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

/** The tests' own address stands for a proxy, so that they can ask from several. */
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
  it('is told how it stands in every answer, and refused when it asks once too often (S197)', async () => {
    started = await startService({ settings: { rateLimitPerMinute: 2 } });
    const token = await started.token('ada', 'kyc:read');
    const first = await call(started, '/userinfo', token);
    const told = Object.fromEntries([...first.headers].filter(([name]) => /ratelimit/.test(name)));
    expect([first.status, told]).toEqual([
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

  it('may ask as often as discovery says', async () => {
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
  it('is counted whoever asks, before anything of theirs is read; probes are not (S197)', async () => {
    started = await startService({
      settings: { addressRateLimitPerMinute: 2 },
      listener: { trustedProxies },
    });
    const ask = async (address: string, path = '/presets') =>
      (await fetch(`${started.url}${path}`, { headers: { 'X-Forwarded-For': address } })).status;
    expect([await ask('192.0.2.1'), await ask('::ffff:192.0.2.1'), await ask('192.0.2.1')]).toEqual([
      200, 200, 429,
    ]);
    expect([await ask('192.0.2.2'), await ask('192.0.2.1', '/ready')]).toEqual([200, 200]);
    expect([
      await ask('2001:db8::1'),
      await ask('2001:db8::2'),
      await ask('2001:db8::3'),
      await ask('2001:db8:0:1::1'),
    ]).toEqual([200, 200, 429, 200]);
  });

  it('is not taken from a header that no proxy of ours wrote (S24)', async () => {
    started = await startService({ settings: { addressRateLimitPerMinute: 1 } });
    const ask = async (address: string) =>
      (await fetch(`${started.url}/presets`, { headers: { 'X-Forwarded-For': address } })).status;
    expect([await ask('192.0.2.1'), await ask('192.0.2.2')]).toEqual([200, 429]);
  });
});

describe('wrong secrets', () => {
  it('are limited for one client from one address: the real client elsewhere is not locked out (S124)', async () => {
    started = await startService({ settings: { secretFailuresPerMinute: 10 }, listener: { trustedProxies } });
    const statuses = [];
    for (let count = 0; count < 1_000; count += 1) {
      statuses.push((await introspect(`wrong-${count}`, '192.0.2.66')).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    const refused = await introspect(CONFIDENTIAL.secret, '192.0.2.66');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6']);
    expect((await introspect(CONFIDENTIAL.secret, '192.0.2.7')).status).toBe(200);
  });

  it('beyond the limit are refused before the store is asked or anything is hashed (S123)', async () => {
    let asked = 0;
    started = await startService({
      settings: { secretFailuresPerMinute: 3 },
      wrap: (store) => ({
        ...store,
        findApplication: (clientId) => {
          asked += 1;
          return store.findApplication(clientId);
        },
      }),
    });
    for (let count = 0; count < 20; count += 1) await introspect('wrong', '192.0.2.66');
    expect(asked).toBe(3);
  });

  it('of the administrator are limited by address (S124)', async () => {
    started = await startService({ settings: { secretFailuresPerMinute: 2 } });
    const revoke = async (token: string) =>
      (await call(started, '/credentials/none', token, undefined, 'DELETE')).status;
    expect([await revoke('a'), await revoke('b'), await revoke('c')]).toEqual([401, 401, 429]);
  });

  it('are no failure where the secret was right: a client may be wrong about the rest', async () => {
    started = await startService({ settings: { secretFailuresPerMinute: 1 } });
    const body = { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43), client_id: 'sandbox-public' };
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await postJson(started, '/oauth/token', body)).status);
    }
    expect(statuses).toEqual([400, 400, 400]);
  });
});

describe('a client', () => {
  it('that authenticated is counted wherever it asks from', async () => {
    started = await startService({ settings: { clientRateLimitPerMinute: 2 }, listener: { trustedProxies } });
    const statuses = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      statuses.push((await introspect(CONFIDENTIAL.secret, address)).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});
