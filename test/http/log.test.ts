/** Entries of the log, and what they never contain (S198, S199). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Store, StoreUnavailable } from '../../src/service/index.js';
import { systemStopwatch } from '../../src/system/clock.js';
import { createServiceLog } from '../../src/telemetry/service-log.js';
import { call } from '../support/call.js';
import { createGrantWithSecrets } from '../support/grant-with-secrets.js';
import {
  approve,
  begin,
  CONFIDENTIAL,
  postJson,
  redemption,
  refresh,
  type Tokens,
} from '../support/oauth-client.js';
import { sendRaw } from '../support/raw-request.js';
import { type StartedService, startService } from '../support/start-service.js';

interface Line {
  readonly level: string;
  readonly event: string;
  readonly [member: string]: unknown;
}

/** The members that a log line about a request or a failure may have, in a single process. */
const MEMBERS = [
  'address',
  'clientId',
  'durationMs',
  'event',
  'failure',
  'level',
  'operation',
  'requestId',
  'status',
  'subcode',
  'time',
  'what',
];

let written: string[];
let started: StartedService;
let broken: boolean;

beforeEach(async () => {
  written = [];
  broken = false;
  const log = createServiceLog('trace', { write: (line) => written.push(line) });
  const failWhenBroken = (store: Store): Store => ({
    ...store,
    readCredentials: async (userId) => {
      if (broken)
        throw new Error(`marker-${userId} in a message\n    at marker-${userId}`, {
          cause: new StoreUnavailable('marker-cause'),
        });
      return await store.readCredentials(userId);
    },
  });
  started = await startService({
    wrap: failWhenBroken,
    settings: { secretFailuresPerMinute: 3 },
    listener: {
      stopwatch: systemStopwatch,
      onResponse: log.request,
      onFailure: (error, requestId) => log.failure('request', error, requestId),
    },
  });
});

afterEach(() => started.stop());

/** Parses the log. Asserts that each write is one line of JSON. */
function lines(): readonly Line[] {
  return written.map((line) => {
    expect(line.indexOf('\n')).toBe(line.length - 1);
    return JSON.parse(line) as Line;
  });
}

describe('the log at level `trace`', () => {
  // S198
  it('contains no secret, token, code, verifier, cookie, authorization id or claim value of a complete flow', async () => {
    const grant = await createGrantWithSecrets(started);
    const query = { check: { claim: 'kyc.level', operator: '==', value: 'operand-marker' } };
    const evaluated = await call(started, '/queries/evaluate', grant.accessToken, { query });
    await call(started, '/credentials/credential-marker', 'administrator-marker', undefined, 'DELETE');
    await postJson(started, '/oauth/introspect', { ...grant.proof, token: grant.accessToken });
    await grant.redeemAgain();
    await grant.revoke();
    const value = String(evaluated.body.evidence.checkResults[0].actualValue);
    const secrets = [...grant.secrets, ...grant.authorizationIds, `"${value}"`];
    const text = written.join('');
    expect(lines().length).toBeGreaterThan(8);
    expect(secrets.filter((one) => one === '' || text.includes(one))).toEqual([]);
  });

  // S198
  it('has only the listed members', async () => {
    broken = true;
    await call(started, '/userinfo', 'x');
    await call(started, '/queries/evaluate', await started.token('ada', 'kyc:read'), {
      query: { check: { claim: 'kyc.level', operator: 'isDefined' } },
    });
    await fetch(`${started.url}/nothing?authorization_id=x`);
    await sendRaw(started.port, 'GET / HTTP/1.1\r\nBad Header: x\r\n\r\n');
    const members = new Set(lines().flatMap((line) => Object.keys(line)));
    expect([...members].filter((member) => !MEMBERS.includes(member))).toEqual([]);
    expect(lines().map(({ event }) => event)).toContain('failed');
  });

  // S198
  it('records the kind and the stack of a failure, but not its message, in which drivers repeat values', async () => {
    broken = true;
    const token = await started.token('ada', 'kyc:read');
    const query = { check: { claim: 'kyc.level', operator: 'isDefined' } };
    const response = await call(started, '/queries/evaluate', token, { query });
    const failed = lines().find(({ event }) => event === 'failed');
    expect(failed).toMatchObject({
      level: 'error',
      requestId: response.headers.get('x-request-id'),
      failure: {
        kind: 'Error',
        at: expect.arrayContaining([expect.stringMatching(/^at /)]),
        cause: { kind: 'StoreUnavailable' },
      },
    });
    expect(written.join('')).not.toContain('marker');
  });
});

describe('a log line', () => {
  // S199
  it('is a single event, whatever strings the request contains', async () => {
    const hostile = '\u001b[31m\n{"level":"fatal"}\r\nX: y';
    const encoded = encodeURIComponent(hostile);
    await fetch(`${started.url}/${encoded}?state=${encoded}`);
    await fetch(`${started.url}/oauth/authorize?client_id=${encoded}&state=${encoded}&scope=${encoded}`);
    await fetch(`${started.url}/presets/${encoded}`, {
      headers: { 'User-Agent': 'a\tb', 'X-Request-Id': 'a b' },
    });
    await postJson(started, '/oauth/token', {
      grant_type: hostile,
      client_id: hostile,
      client_secret: hostile,
      code: hostile,
    });
    await postJson(started, '/oauth/authorize/approve', { authorization_id: hostile });
    const found = lines();
    expect(found).toHaveLength(5);
    expect(written.join('')).not.toMatch(/\\u001b|fatal|X: y|%1B/);
  });

  it('has the request id of the response', async () => {
    const response = await fetch(`${started.url}/presets`, { headers: { 'X-Request-Id': 'from-a-proxy.1' } });
    expect(response.headers.get('x-request-id')).toBe('from-a-proxy.1');
    expect(lines()).toMatchObject([
      { event: 'answered', requestId: 'from-a-proxy.1', operation: 'listPresets', status: 200 },
    ]);
  });

  // S199
  it('is written for each security event: failed authentication, replay, missing scope, revocation, rate limit', async () => {
    const pending = await begin(started);
    const tokens = (await (
      await postJson(started, '/oauth/token', redemption(pending, await approve(started, pending)))
    ).json()) as Tokens;
    await refresh(started, tokens.refresh_token);
    await refresh(started, tokens.refresh_token);
    await call(started, '/userinfo', 'x'.repeat(43));
    const openidToken = await started.token('ada', 'openid');
    await call(started, '/queries/evaluate', openidToken, {
      query: { check: { claim: 'kyc.level', operator: 'isDefined' } },
    });
    await postJson(started, '/oauth/revoke', { token: openidToken });
    const wrong = { client_id: CONFIDENTIAL.clientId, client_secret: 'wrong', token: 'x' };
    for (let count = 0; count < 4; count += 1) await postJson(started, '/oauth/introspect', wrong);
    const events = lines()
      .filter(({ event }) => event !== 'answered')
      .map(({ event, level }) => `${level} ${event}`);
    expect(events).toEqual([
      'warn grant_refused',
      'warn authentication_failed',
      'warn scope_refused',
      'info revoked',
      'warn authentication_failed',
      'warn authentication_failed',
      'warn authentication_failed',
      'warn rate_limited',
    ]);
  });
});

// S199
it('a rejected sign-in of a person, whose response is the form again, is logged as a failed authentication', async () => {
  const { origin } = new URL(started.url);
  const page = await fetch(`${origin}/sign-in`);
  const proof = /name="proof" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  const cookies = page.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const response = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    headers: { Cookie: cookies.join('; '), Origin: origin },
    body: new URLSearchParams({ proof, person: 'nobody' }),
  });
  expect(response.status).toBe(400);
  expect(lines().at(-1)).toMatchObject({
    level: 'warn',
    event: 'authentication_failed',
    operation: 'signIn',
    subcode: 'token_invalid',
  });
});

// S199
it.each(['token_proof_invalid', 'invalid_dpop_proof'] as const)(
  'an invalid DPoP proof, %s, is logged as a failed authentication',
  (subcode) => {
    const entries: string[] = [];
    const log = createServiceLog('warn', { write: (line) => entries.push(line) });
    log.request({ requestId: 'r', method: 'GET', status: 401, address: 'a', durationMs: 1, subcode });
    expect(JSON.parse(entries.join(''))).toMatchObject({ event: 'authentication_failed', subcode });
  },
);

it('a log at level `warn` omits entries of level `info`', async () => {
  const warnings: string[] = [];
  const log = createServiceLog('warn', { write: (line) => warnings.push(line) });
  const entry = { requestId: 'r', method: 'GET', status: 200, address: 'a', durationMs: 1 };
  log.request(entry);
  log.event('started');
  log.request({ ...entry, status: 429, subcode: 'rate_limited' });
  expect(warnings.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', event: 'rate_limited' }]);
});
