/** Production over HTTP: only the person and the administrator may decide, and unauthenticated callers learn neither the version nor metrics (V2, S21, S29, S71). */
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createServer, requestListener } from '../../src/http/index.js';
import { createPairwiseIdentifiers } from '../../src/service/claims/organization-view.js';
import { createSettings, PRODUCTION } from '../../src/service/index.js';
import { createAssertionVerifier } from '../../src/system/assertion-verifier.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { call } from '../support/call.js';
import { nextOf } from '../support/external-login.js';
import {
  authorizationQuery,
  authorize,
  begin,
  CONFIDENTIAL,
  logIn,
  PUBLIC,
  postJson,
  redemption,
} from '../support/oauth-client.js';
import { sendRaw } from '../support/raw-request.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const ADMINISTRATOR = 'the-administrator-of-these-tests';
const KEY = 'k'.repeat(43);
const AS_ADMINISTRATOR = { Authorization: `Bearer ${ADMINISTRATOR}` };

let started: StartedService;

beforeEach(async () => {
  started = await startService({
    environment: PRODUCTION,
    options: { administratorTokenHash: systemDigest.sha256(ADMINISTRATOR), key: KEY },
    listener: { hstsSeconds: 31_536_000, metrics: async () => ({ type: 'text/plain', text: 'up 1\n' }) },
  });
  const common = {
    scopes: ['openid', 'kyc:read', 'identity:read'],
    createdAt: 1,
    idTokenAlgorithm: 'ES256' as const,
  };
  await started.store.upsertApplication({
    ...common,
    clientId: PUBLIC.clientId,
    name: 'Public',
    organizationId: 'o1',
    redirectUris: [PUBLIC.redirectUri],
  });
  await started.store.upsertApplication({
    ...common,
    clientId: CONFIDENTIAL.clientId,
    name: 'Confidential',
    organizationId: 'o2',
    redirectUris: [CONFIDENTIAL.redirectUri],
    secretHash: systemDigest.sha256(CONFIDENTIAL.secret),
  });
  await started.store.getOrCreatePerson({ id: 'p1', name: 'u-1842', about: '', email: 'ada@people.example' });
});

afterEach(() => started.stop());

describe('an authorization in production', () => {
  // S46
  it('with another redirect URI shows an error page without the registered ones', async () => {
    const query = authorizationQuery({ redirect_uri: 'https://evil.example/callback' });
    const response = await authorize(started, query);
    const markup = await response.text();
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(markup).toContain('The return address is not registered');
    expect(markup).not.toContain('callback');
  });

  // V2, S71
  it('is approved by the administrator for the hinted person, and not by callers who only know the id of the authorization', async () => {
    const pending = await begin(started, { login_hint: 'ada@people.example' });
    const body = { authorization_id: pending.authorizationId };
    const approve = (headers: Record<string, string> = {}) =>
      postJson(started, '/oauth/authorize/approve', body, headers);
    const basic = Buffer.from(`${CONFIDENTIAL.clientId}:${CONFIDENTIAL.secret}`).toString('base64');
    const refused = [
      await approve(),
      await approve({ Authorization: `Basic ${basic}` }),
      await approve({ Authorization: `Bearer ${'r'.repeat(43)}` }),
      await approve({ Authorization: 'Bearer sandbox-administrator-token' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    const approved = await approve(AS_ADMINISTRATOR);
    expect([approved.status, await approved.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'approved', client_id: PUBLIC.clientId }),
    ]);
    const { authorization } = await started.service.authorizations.get(pending.authorizationId);
    expect(authorization.userId).toBe('p1');
  });

  // S71
  it('is never approved, denied or read with the client’s own tokens', async () => {
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
    const pending = await begin(started, { login_hint: 'u-1842' });
    const body = { authorization_id: pending.authorizationId };
    for (const [token, status] of [
      [tokens.access_token, 403],
      [tokens.refresh_token, 401],
    ] as const) {
      const headers = { Authorization: `Bearer ${token}` };
      const responses = [
        await postJson(started, '/oauth/authorize/approve', body, headers),
        await postJson(started, '/oauth/authorize/deny', body, headers),
        await fetch(`${started.url}/oauth/authorize/context?authorization_id=${pending.authorizationId}`, {
          headers,
        }),
      ];
      expect(responses.map((response) => response.status)).toEqual([status, status, status]);
    }
    const denied = await postJson(started, '/oauth/authorize/deny', body, AS_ADMINISTRATOR);
    expect(denied.status).toBe(200);
  });

  // V6
  it('that requires palm verification is not approved over the API, even by the administrator', async () => {
    const application = await started.store.findApplication(PUBLIC.clientId);
    if (application === undefined) throw new Error('the application should be there');
    const scopes = [...application.scopes, 'identity:date_of_birth'];
    await started.store.upsertApplication({ ...application, scopes });
    const pending = await begin(started, { login_hint: 'u-1842', scope: 'openid identity:date_of_birth' });
    const body = { authorization_id: pending.authorizationId };
    const refused = await postJson(started, '/oauth/authorize/approve', body, AS_ADMINISTRATOR);
    expect([refused.status, await refused.json()]).toMatchObject([403, { error_code: 'E4047' }]);
    await postJson(started, '/oauth/authorize/deny', body, AS_ADMINISTRATOR);
    const late = await postJson(started, '/oauth/authorize/approve', body, AS_ADMINISTRATOR);
    expect([late.status, await late.json()]).toMatchObject([409, { context: { status: 'denied' } }]);
  });

  // V2
  it('without a hinted person is not approved', async () => {
    const pending = await begin(started);
    const body = { authorization_id: pending.authorizationId };
    const response = await postJson(started, '/oauth/authorize/approve', body, AS_ADMINISTRATOR);
    expect(response.status).toBe(404);
  });
});

describe('production', () => {
  // V2, S202
  it('has no sample people, no sample applications and no sandbox administrator', async () => {
    expect((await started.store.listApplications()).map(({ name }) => name)).toEqual([
      'Confidential',
      'Public',
    ]);
    expect((await started.store.listPeople()).map(({ name }) => name)).toEqual(['u-1842']);
    await expect(logIn(started)).rejects.toThrow();
    const sandboxToken = 'sandbox-administrator-token';
    expect((await call(started, '/credentials/x', sandboxToken, undefined, 'DELETE')).status).toBe(401);
  });

  // V2
  it('rejects a sandbox token, and names the missing application', async () => {
    const empty = await startService({ environment: PRODUCTION });
    onTestFinished(() => empty.stop());
    await expect(empty.token('ada', 'openid')).rejects.toThrow(
      'the store must be one of the sandbox (it has no application sandbox-public)',
    );
  });

  // V5
  it('derives pairwise ids from its configured key, and stores no key for them', async () => {
    const pending = await begin(started, { login_hint: 'u-1842' });
    const body = { authorization_id: pending.authorizationId };
    const approved = await postJson(started, '/oauth/authorize/approve', body, AS_ADMINISTRATOR);
    const { code } = (await approved.json()) as { code: string };
    const redeemed = await postJson(started, '/oauth/token', redemption(pending, code));
    const identifiers = createPairwiseIdentifiers(systemDigest, systemDigest.hmacSha256(KEY, 'pairwise-key'));
    expect(await redeemed.json()).toMatchObject({ app_scoped_user_id: identifiers.subject('o1', 'p1') });
    const hasStoredKey = (await started.contents()).includes('pairwise-key');
    expect(hasStoredKey).toBe(false);
  });

  // S10
  it('rejects other hosts, except for probes', async () => {
    const statusOf = async (path: string) => {
      const request = `GET ${path} HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`;
      return (await sendRaw(started.port, request)).split(' ')[1];
    };
    const responses = [
      await statusOf('/v2/presets'),
      await statusOf('/v2/ready'),
      await statusOf('/healthz'),
      await statusOf('/readyz'),
    ];
    expect(responses).toEqual(['403', '200', '200', '200']);
  });

  // S21
  it('sends Strict-Transport-Security in every response', async () => {
    for (const path of ['/health', '/nothing', '/userinfo', '/oauth/authorize']) {
      const response = await fetch(`${started.url}${path}`);
      expect(response.headers.get('strict-transport-security'), path).toBe(
        'max-age=31536000; includeSubDomains',
      );
    }
  });

  // S7
  it.each([
    ['claims.example', 200],
    ['claims.example:443', 200],
    ['claims.example:80', 403],
    ['claims.example:4430', 403],
  ])('answers a request with the Host %s with %i if the issuer has no port', async (host, status) => {
    const options = { createRequestId: () => 'request', onFailure: () => undefined };
    const service = { ...started.service, settings: createSettings('https://claims.example/v2', {}) };
    const server = createServer(options).on('request', requestListener(service, options));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const request = `GET /v2/presets HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    try {
      expect(await sendRaw(port, request)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  // S19, S21, S27
  it.each([
    ['not HTTP', 'NONSENSE\r\n\r\n', 400, '"code":"http_malformed"'],
    ['late', 'GET /v2/presets HTTP/1.1\r\nHost: localhost\r\n', 408, '"code":"request_timeout"'],
    ['too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, '"context":{"limit":16384}'],
  ])(
    'answers with `Strict-Transport-Security`, `Date` and the fault if a request is %s',
    async (_what, bytes, status, fault) => {
      started.server.headersTimeout = 100;
      const received = await sendRaw(started.port, bytes);
      expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(received).toContain('\r\nStrict-Transport-Security: max-age=31536000; includeSubDomains\r\n');
      expect(received).toMatch(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/);
      expect(received).toContain(fault);
    },
  );

  // S29
  it('shows neither version nor metrics to unauthenticated callers', async () => {
    const { body } = await call(started, '/health');
    expect(Object.keys(body).sort()).toEqual(['status', 'timestamp', 'uptime']);
    expect((await call(started, '/metrics')).status).toBe(401);
    expect((await call(started, '/metrics', 'x'.repeat(43))).status).toBe(401);
    const metrics = await fetch(`${started.url}/metrics`, { headers: AS_ADMINISTRATOR });
    expect([metrics.status, metrics.headers.get('content-type'), await metrics.text()]).toEqual([
      200,
      'text/plain',
      'up 1\n',
    ]);
  });
});

describe('a deployment with an external login', () => {
  const LOGIN = 'https://login.example/start?tenant=1';
  const TYPE = 'sign-in+jwt';
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let withLogin: StartedService;

  beforeEach(async () => {
    keys = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'login', alg: 'ES256' };
    withLogin = await startService({
      environment: PRODUCTION,
      options: {
        administratorTokenHash: systemDigest.sha256(ADMINISTRATOR),
        externalSignIn: { url: LOGIN, assertions: createAssertionVerifier({ keys: [jwk] }) },
      },
    });
    await withLogin.store.upsertApplication({
      scopes: ['openid', 'kyc:read', 'identity:read', 'identity:date_of_birth'],
      createdAt: 1,
      idTokenAlgorithm: 'ES256',
      clientId: PUBLIC.clientId,
      name: 'Public',
      organizationId: 'o1',
      redirectUris: [PUBLIC.redirectUri],
    });
  });

  afterEach(() => withLogin.stop());

  function origin(): string {
    return new URL(withLogin.url).origin;
  }

  function visit(path: string, cookie: string): Promise<Response> {
    return fetch(`${origin()}${path}`, { redirect: 'manual', headers: { Cookie: cookie } });
  }

  /** Redirects a browser to the external login and returns the target URL. */
  async function redirectToLogin(authorizationId: string, cookie: string, more = ''): Promise<URL> {
    const response = await visit(`/sign-in?authorization_id=${authorizationId}${more}`, cookie);
    expect(response.status).toBe(303);
    return new URL(response.headers.get('location') ?? '');
  }

  /** Signs an assertion with the key of the external login. */
  async function assertionFor(target: URL, changes: JWTPayload = {}): Promise<string> {
    const seconds = STARTED_AT / 1_000;
    const nonce = target.searchParams.get('nonce');
    const claims = {
      sub: 'u-7',
      jti: `id-${Math.floor(seconds)}`,
      aud: withLogin.url,
      iat: seconds,
      exp: seconds + 60,
    };
    return await new SignJWT({ ...claims, nonce, ...changes })
      .setProtectedHeader({ alg: 'ES256', kid: 'login', typ: TYPE })
      .sign(keys.privateKey);
  }

  function returnFromLogin(target: URL, assertion: string, cookie: string): Promise<Response> {
    const back = new URL(target.searchParams.get('return_to') ?? '');
    back.searchParams.set('assertion', assertion);
    return fetch(back, { redirect: 'manual', headers: { Cookie: cookie } });
  }

  // V2, S71
  it('signs a person in, who then sees the consent page and can approve over the API', async () => {
    const pending = await begin(withLogin);
    const consentPage = await visit(`/consent?authorization_id=${pending.authorizationId}`, pending.cookie);
    expect(consentPage.headers.get('location')).toBe(`/sign-in?authorization_id=${pending.authorizationId}`);
    const target = await redirectToLogin(pending.authorizationId, pending.cookie);
    expect([target.origin, target.searchParams.get('tenant')]).toEqual(['https://login.example', '1']);
    const returned = await returnFromLogin(target, await assertionFor(target), pending.cookie);
    expect([returned.status, returned.headers.get('location')]).toEqual([
      303,
      `/consent?authorization_id=${pending.authorizationId}`,
    ]);
    const [session = ''] = (returned.headers.get('set-cookie') ?? '').split(';');
    const cookie = `${pending.cookie}; ${session}`;
    expect((await visit(`/consent?authorization_id=${pending.authorizationId}`, cookie)).status).toBe(200);
    const body = { authorization_id: pending.authorizationId };
    const foreign = { Cookie: cookie, Origin: 'https://evil.example' };
    expect((await postJson(withLogin, '/oauth/authorize/approve', body, foreign)).status).toBe(403);
    const another = await begin(withLogin);
    const foreignBody = { authorization_id: another.authorizationId };
    expect(
      (await postJson(withLogin, '/oauth/authorize/approve', foreignBody, { Cookie: cookie })).status,
    ).toBe(404);
    const approved = await postJson(withLogin, '/oauth/authorize/approve', body, {
      Cookie: cookie,
      Origin: origin(),
    });
    expect([approved.status, (await withLogin.store.listPeople()).map(({ name }) => name)]).toEqual([
      200,
      ['u-7'],
    ]);
  });

  // S65, S66
  it('accepts an assertion once, in the browser and for the authorization that it was requested for', async () => {
    const pending = await begin(withLogin);
    const victim = await begin(withLogin);
    const target = await redirectToLogin(pending.authorizationId, pending.cookie);
    const assertion = await assertionFor(target);
    // Neither another browser nor one without a pending sign-in can use it.
    expect((await returnFromLogin(target, assertion, victim.cookie)).status).toBe(403);
    expect((await returnFromLogin(target, assertion, '')).status).toBe(403);
    const foreignTarget = new URL(target);
    foreignTarget.searchParams.set('return_to', `${origin()}/sign-in/return`);
    expect((await returnFromLogin(foreignTarget, assertion, pending.cookie)).status).toBe(403);
    expect(
      (await returnFromLogin(target, await assertionFor(target, { nonce: undefined }), pending.cookie))
        .status,
    ).toBe(403);
    expect((await returnFromLogin(target, assertion, pending.cookie)).status).toBe(303);
    const repeated = await returnFromLogin(target, assertion, pending.cookie);
    expect([repeated.status, await repeated.text()]).toEqual([
      403,
      expect.stringContaining('already completed'),
    ]);
  });

  // V6
  it('verifies the palm by an assertion, not by the button on the consent page', async () => {
    const pending = await begin(withLogin, { scope: 'openid identity:date_of_birth' });
    const isVerified = async () =>
      (await withLogin.service.authorizations.get(pending.authorizationId)).authorization.palmVerifiedAt !==
      undefined;
    const target = await redirectToLogin(pending.authorizationId, pending.cookie, '&verify=palm');
    expect(target.searchParams.get('verify')).toBe('palm');
    const returned = await returnFromLogin(target, await assertionFor(target), pending.cookie);
    const [session = ''] = (returned.headers.get('set-cookie') ?? '').split(';');
    const cookie = `${pending.cookie}; ${session}`;
    const page = await (await visit(`/consent?authorization_id=${pending.authorizationId}`, cookie)).text();
    const proof = /name="proof" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const pressed = await fetch(`${origin()}/consent`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ authorization_id: pending.authorizationId, proof, action: 'palm' }),
    });
    const next = nextOf({ location: pressed.headers.get('location'), text: await pressed.text() });
    expect([pressed.status, next, await isVerified()]).toEqual([
      200,
      `/sign-in?authorization_id=${pending.authorizationId}&verify=palm`,
      false,
    ]);
    const palmTarget = await redirectToLogin(pending.authorizationId, cookie, '&verify=palm');
    await returnFromLogin(
      palmTarget,
      await assertionFor(palmTarget, { jti: 'second', amr: ['pwd', 'palm'] }),
      cookie,
    );
    expect(await isVerified()).toBe(true);
  });
});
