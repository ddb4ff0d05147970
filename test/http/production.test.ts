/** Production over HTTP: nobody decides for a person but that person and the administrator, and strangers are told nothing (V2, S21, S29, S71). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PRODUCTION } from '../../src/service/index.js';
import { systemDigest } from '../../src/system/digest.js';
import { call } from '../support/call.js';
import { begin, CONFIDENTIAL, logIn, PUBLIC, postJson } from '../support/oauth-client.js';
import { sendRaw } from '../support/raw-request.js';
import { type StartedService, startService } from '../support/start-service.js';

const ADMINISTRATOR = 'the-administrator-of-these-tests';
const AS_ADMINISTRATOR = { Authorization: `Bearer ${ADMINISTRATOR}` };

let started: StartedService;

beforeEach(async () => {
  started = await startService({
    environment: PRODUCTION,
    options: { administratorTokenHash: systemDigest.sha256(ADMINISTRATOR), key: 'k'.repeat(43) },
    listener: { hstsSeconds: 31_536_000, metrics: async () => ({ type: 'text/plain', text: 'up 1\n' }) },
  });
  const common = {
    scopes: ['openid', 'kyc:read', 'identity:read'],
    createdAt: 1,
    idTokenAlgorithm: 'ES256' as const,
  };
  await started.store.recordApplication({
    ...common,
    clientId: PUBLIC.clientId,
    name: 'Public',
    organizationId: 'o1',
    redirectUris: [PUBLIC.redirectUri],
  });
  await started.store.recordApplication({
    ...common,
    clientId: CONFIDENTIAL.clientId,
    name: 'Confidential',
    organizationId: 'o2',
    redirectUris: [CONFIDENTIAL.redirectUri],
    secretHash: systemDigest.sha256(CONFIDENTIAL.secret),
  });
  await started.store.recordPerson({ id: 'p1', name: 'u-1842', about: '', email: 'ada@people.example' });
});

afterEach(() => started.stop());

describe('an authorization', () => {
  it('is approved by the administrator for the person who was hinted at, and by nobody who only knows its id (V2, S71)', async () => {
    const begun = await begin(started, { login_hint: 'ada@people.example' });
    const body = { authorization_id: begun.authorizationId };
    const approve = (headers: Record<string, string> = {}) =>
      postJson(started, '/oauth/authorize/approve', body, headers);
    const basic = Buffer.from(`${CONFIDENTIAL.clientId}:${CONFIDENTIAL.secret}`).toString('base64');
    const refused = [
      await approve(),
      await approve({ Authorization: `Basic ${basic}` }),
      await approve({ Authorization: `Bearer ${'r'.repeat(43)}` }),
      await approve({ Authorization: 'Bearer sandbox-administrator-of-made-up-people' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    const approved = await approve(AS_ADMINISTRATOR);
    expect([approved.status, await approved.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'approved', client_id: PUBLIC.clientId }),
    ]);
  });

  it('is never approved, denied or looked at by the client’s own tokens (S71)', async () => {
    const first = await begin(started, { login_hint: 'u-1842' });
    const approved = await postJson(
      started,
      '/oauth/authorize/approve',
      { authorization_id: first.authorizationId },
      AS_ADMINISTRATOR,
    );
    const { code } = (await approved.json()) as { code: string };
    const redeemed = await postJson(started, '/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: first.redirectUri,
      client_id: first.clientId,
      code_verifier: first.verifier,
    });
    const tokens = (await redeemed.json()) as { access_token: string; refresh_token: string };
    const begun = await begin(started, { login_hint: 'u-1842' });
    const body = { authorization_id: begun.authorizationId };
    for (const [token, status] of [
      [tokens.access_token, 403],
      [tokens.refresh_token, 401],
    ] as const) {
      const headers = { Authorization: `Bearer ${token}` };
      const answers = [
        await postJson(started, '/oauth/authorize/approve', body, headers),
        await postJson(started, '/oauth/authorize/deny', body, headers),
        await fetch(`${started.url}/oauth/authorize/context?authorization_id=${begun.authorizationId}`, {
          headers,
        }),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
    }
    const denied = await postJson(started, '/oauth/authorize/deny', body, AS_ADMINISTRATOR);
    expect(denied.status).toBe(200);
  });

  it('for nobody in particular is not approved for anybody (V2)', async () => {
    const begun = await begin(started);
    const body = { authorization_id: begun.authorizationId };
    const answer = await postJson(started, '/oauth/authorize/approve', body, AS_ADMINISTRATOR);
    expect(answer.status).toBe(404);
  });
});

describe('production', () => {
  it('has nothing that is made up: no person, no application, no administrator of the sandbox (V2, S202)', async () => {
    expect((await started.store.listApplications()).map(({ name }) => name)).toEqual([
      'Confidential',
      'Public',
    ]);
    expect((await started.store.listUsers()).map(({ name }) => name)).toEqual(['u-1842']);
    await expect(logIn(started)).rejects.toThrow();
    const known = 'sandbox-administrator-of-made-up-people';
    expect((await call(started, '/credentials/x', known, undefined, 'DELETE')).status).toBe(401);
  });

  it('derives its names from its own key, and keeps none in the store', async () => {
    const kept = (await started.contents()).includes('pairwise-key');
    expect(kept).toBe(false);
  });

  it('answers to its own name only, but for those who watch over it (S10)', async () => {
    const ask = async (path: string) => {
      const request = `GET ${path} HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`;
      return (await sendRaw(started.port, request)).split(' ')[1];
    };
    const answers = [
      await ask('/v2/presets'),
      await ask('/v2/ready'),
      await ask('/healthz'),
      await ask('/readyz'),
    ];
    expect(answers).toEqual(['403', '200', '200', '200']);
  });

  it('says that it is reached by https only, in every answer (S21)', async () => {
    for (const path of ['/health', '/nothing', '/userinfo', '/oauth/authorize']) {
      const response = await fetch(`${started.url}${path}`);
      expect(response.headers.get('strict-transport-security'), path).toBe(
        'max-age=31536000; includeSubDomains',
      );
    }
  });

  it('tells strangers neither what runs nor what is measured (S29)', async () => {
    const { body } = await call(started, '/health');
    expect(Object.keys(body).sort()).toEqual(['status', 'timestamp', 'uptime']);
    expect((await call(started, '/metrics')).status).toBe(401);
    expect((await call(started, '/metrics', 'x'.repeat(43))).status).toBe(401);
    const measured = await fetch(`${started.url}/metrics`, { headers: AS_ADMINISTRATOR });
    expect([measured.status, measured.headers.get('content-type'), await measured.text()]).toEqual([
      200,
      'text/plain',
      'up 1\n',
    ]);
  });
});
