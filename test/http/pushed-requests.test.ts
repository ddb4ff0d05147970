/** Pushed authorization requests (RFC 9126, S260–S269). */
import { createHash } from 'node:crypto';
import { BlockList } from 'node:net';
import { importJWK, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  SANDBOX_BASIC_CLIENT_ID,
  SANDBOX_PKCE_CLIENT_ID,
  SANDBOX_POST_CLIENT_ID,
  SANDBOX_SIGNING_CLIENT_ID,
  SANDBOX_SIGNING_KEY,
} from '../../src/service/index.js';
import { call } from '../support/call.js';
import { cipherOf } from '../support/encryption-keys.js';
import {
  AS_CONFIDENTIAL,
  approve,
  authorizationQuery,
  authorize,
  CONFIDENTIAL,
  createPkce,
  PUBLIC,
  postJson,
  redemption,
} from '../support/oauth-client.js';
import {
  beginPushed,
  createRequestUri,
  postPushedForm,
  pushRequest,
  useRequestUri,
} from '../support/pushed-requests.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

/** The redirect URI of the sandbox's sample applications. */
const SAMPLE_REDIRECT = { redirect_uri: 'http://127.0.0.1/callback' };
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const TO_CONSENT = /\/consent\?authorization_id=[\w-]{22}$/;

const trustedProxies = new BlockList();
trustedProxies.addSubnet('127.0.0.0', 8, 'ipv4');

let started: StartedService;

beforeEach(async () => {
  started = await startService();
});

afterEach(() => started.stop());

function basic(clientId: string, secret = CONFIDENTIAL.secret): Readonly<Record<string, string>> {
  return { Authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` };
}

async function signAssertion(aud: string): Promise<Readonly<Record<string, string>>> {
  const sub = SANDBOX_SIGNING_CLIENT_ID;
  const claims = { iss: sub, sub, aud, jti: `jti-${aud}`, exp: STARTED_AT / 1_000 + 60 };
  const key = await importJWK({ ...SANDBOX_SIGNING_KEY }, 'ES256');
  const header = { alg: 'ES256', kid: SANDBOX_SIGNING_KEY.kid };
  const client_assertion = await new SignJWT(claims).setProtectedHeader(header).sign(key);
  return { client_assertion, client_assertion_type: ASSERTION_TYPE };
}

/** Returns the redirect target of an authorization request; for an error page, its status and text. */
async function outcomeOf(response: Response): Promise<string> {
  const location = response.headers.get('location');
  return location ?? `${response.status}: ${await response.text()}`;
}

async function requirePushing(clientId: string): Promise<void> {
  const application = await started.store.findApplication(clientId);
  if (application === undefined) throw new Error('the application is not registered');
  await started.store.upsertApplication({ ...application, requirePushedAuthorizationRequests: true });
}

describe('a client that pushes its authorization request', () => {
  // S260, S263
  it('receives a request_uri with 256 bits of entropy that expires after 60 seconds, without caching', async () => {
    const { status, headers, body } = await pushRequest(started);
    expect([status, headers.get('cache-control'), body]).toEqual([
      201,
      'no-store',
      {
        request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[A-Za-z0-9_-]{43}$/),
        expires_in: 60,
      },
    ]);
    expect((await pushRequest(started)).body.request_uri).not.toBe(body.request_uri);
  });

  it('completes the flow with the pushed parameters', async () => {
    const pending = await beginPushed(started, { state: 'pushed state', nonce: 'pushed nonce' });
    const { authorization } = await started.service.authorizations.get(pending.authorizationId);
    expect(authorization).toMatchObject({
      clientId: PUBLIC.clientId,
      requestedScopes: ['openid', 'identity:read', 'kyc:read'],
      state: 'pushed state',
      nonce: 'pushed nonce',
    });
    const code = await approve(started, pending);
    const tokens = await postJson(started, '/oauth/token', redemption(pending, code));
    expect(tokens.status).toBe(200);
  });

  // S260
  it.each([
    ['by its id only', PUBLIC.clientId, {}, {}],
    [
      'by its id only, although it has a secret for `client/user-token`',
      SANDBOX_PKCE_CLIENT_ID,
      { client_id: SANDBOX_PKCE_CLIENT_ID },
      {},
    ],
    [
      'by its secret in the header',
      SANDBOX_BASIC_CLIENT_ID,
      { client_id: SANDBOX_BASIC_CLIENT_ID },
      basic(SANDBOX_BASIC_CLIENT_ID),
    ],
    [
      'by its secret in the body',
      SANDBOX_POST_CLIENT_ID,
      { client_id: SANDBOX_POST_CLIENT_ID, client_secret: CONFIDENTIAL.secret },
      {},
    ],
  ])('authenticates by its registered method: %s', async (_how, clientId, changes, headers) => {
    const { status, body } = await pushRequest(started, { ...SAMPLE_REDIRECT, ...changes }, headers);
    expect(status).toBe(201);
    expect(await outcomeOf(await useRequestUri(started, body.request_uri, clientId))).toMatch(TO_CONSENT);
  });

  // S260, S269
  it('authenticates by an assertion whose only audience is the issuer', async () => {
    const changes = { ...SAMPLE_REDIRECT, client_id: SANDBOX_SIGNING_CLIENT_ID };
    const accepted = await pushRequest(started, { ...changes, ...(await signAssertion(started.url)) });
    expect(accepted.status).toBe(201);
    const usedResponse = await useRequestUri(started, accepted.body.request_uri, SANDBOX_SIGNING_CLIENT_ID);
    expect(await outcomeOf(usedResponse)).toMatch(TO_CONSENT);
    for (const path of ['/oauth/par', '/oauth/token']) {
      const { status, body } = await pushRequest(started, {
        ...changes,
        ...(await signAssertion(`${started.url}${path}`)),
      });
      expect([status, body.error]).toEqual([401, 'invalid_client']);
    }
  });

  // S260
  it.each([
    ['a wrong secret', AS_CONFIDENTIAL, basic(CONFIDENTIAL.clientId, 'wrong')],
    ['no secret', AS_CONFIDENTIAL, {}],
    [
      'its secret in the body in place of the header',
      { ...SAMPLE_REDIRECT, client_id: SANDBOX_BASIC_CLIENT_ID, client_secret: CONFIDENTIAL.secret },
      {},
    ],
    ['an unknown id', { client_id: 'nobody' }, {}],
    ['no id', { client_id: undefined }, {}],
  ])('is rejected with %s, and nothing is stored', async (_what, changes, headers) => {
    const { challenge } = createPkce();
    const { status, body } = await pushRequest(started, { code_challenge: challenge, ...changes }, headers);
    expect([status, body.error, body.error_code]).toEqual([401, 'invalid_client', 'E4006']);
    expect(await started.contents()).not.toContain(challenge);
  });

  // S260
  it.each([
    ['with a Basic header but without client_id', undefined, 'client_id is required'],
    ['with the client_id of another client', PUBLIC.clientId, undefined],
  ])('is rejected %s', async (_what, client_id, description) => {
    const headers = basic(CONFIDENTIAL.clientId);
    const { status, body } = await pushRequest(started, { ...AS_CONFIDENTIAL, client_id }, headers);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    if (description !== undefined) expect(body.error_description).toBe(description);
  });

  it('is rejected after its revocation', async () => {
    await started.runSql(`UPDATE application SET revoked_at = 1 WHERE client_id = '${PUBLIC.clientId}'`);
    expect((await pushRequest(started)).status).toBe(401);
  });

  it('may be a page of a registered origin', async () => {
    const { headers } = await pushRequest(started, {}, { Origin: 'https://meridian.example' });
    expect(headers.get('access-control-allow-origin')).toBe('https://meridian.example');
  });
});

describe('a pushed request', () => {
  // S261
  it.each<[string, Readonly<Record<string, string | undefined>>, string, string?]>([
    ['without a redirect URI', { redirect_uri: undefined }, 'invalid_request'],
    [
      'with a redirect URI that is not registered',
      { redirect_uri: 'https://evil.example/cb' },
      'invalid_request',
      '`redirect_uri` does not match a registered URI (exact match required, except for the port on a loopback IP address).',
    ],
    // S262
    [
      'with a request_uri',
      { request_uri: 'urn:ietf:params:oauth:request_uri:x' },
      'invalid_request',
      'request_uri must not be pushed',
    ],
    // S262
    ['with a request object', { request: 'x.y.z' }, 'request_not_supported'],
    ['without a response type', { response_type: undefined }, 'invalid_request', 'response_type is required'],
    [
      'for a token',
      { response_type: 'token' },
      'unsupported_response_type',
      '`response_type` must be `code`.',
    ],
    ['without a challenge', { code_challenge: undefined }, 'invalid_request', 'code_challenge is required'],
    ['with an unknown scope', { scope: 'nope' }, 'invalid_scope', 'unknown scope: nope'],
    [
      'with a state that is too long',
      { state: 'x'.repeat(513) },
      'invalid_request',
      'state must have at most 512 bytes in UTF-8',
    ],
    ['with prompt=none', { prompt: 'none' }, 'login_required'],
    // S266
    [
      'with more than 8 KiB of parameters',
      { extra: 'é'.repeat(4_096) },
      'invalid_request',
      'the parameters must have at most 8192 bytes in UTF-8',
    ],
  ])('%s is rejected at once, with an error in JSON', async (_what, changes, error, description) => {
    const { status, body } = await pushRequest(started, changes);
    expect([status, body.error]).toEqual([400, error]);
    if (description !== undefined) expect(body.error_description).toBe(description);
  });

  // S33, S261
  it.each(['client_id', 'state', 'scope'])('with a repeated %s is rejected at once', async (name) => {
    const { status, body } = await postPushedForm(started, `${authorizationQuery()}&${name}=x`);
    expect([status, body.context.problems[0].code]).toEqual([400, 'parameter_repeated']);
  });

  it('in JSON instead of a form is rejected', async () => {
    const { status, body } = await postPushedForm(started, '{}', { 'Content-Type': 'application/json' });
    expect([status, body.error_subcode]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('a request_uri', () => {
  // S263
  it('can be used once', async () => {
    const requestUri = await createRequestUri(started);
    expect(await outcomeOf(await useRequestUri(started, requestUri))).toMatch(TO_CONSENT);
    expect(await outcomeOf(await useRequestUri(started, requestUri))).toMatch(/^400: .*already used/s);
  });

  // S263
  it('can be used by only one of several concurrent browsers', async () => {
    const requestUri = await createRequestUri(started);
    const responses = await Promise.all(Array.from({ length: 8 }, () => useRequestUri(started, requestUri)));
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(7);
  });

  // S263
  it('can be used until it expires, to the millisecond', async () => {
    const [last, late] = [await createRequestUri(started), await createRequestUri(started)];
    started.clock.moveTo(STARTED_AT + 59_999);
    expect((await useRequestUri(started, last)).status).toBe(303);
    started.clock.moveTo(STARTED_AT + 60_000);
    expect(await outcomeOf(await useRequestUri(started, late))).toMatch(/^400: .*expired or already used/s);
  });

  // S263
  it('has the lifetime that the deployment configures', async () => {
    await started.stop();
    started = await startService({ settings: { pushedRequestLifetimeSeconds: 5 } });
    const { body } = await pushRequest(started);
    expect(body.expires_in).toBe(5);
    started.clock.moveTo(STARTED_AT + 5_000);
    expect((await useRequestUri(started, body.request_uri)).status).toBe(400);
  });

  // S264
  it('cannot be used by another client, and stays valid for its own', async () => {
    const requestUri = await createRequestUri(started);
    expect(await outcomeOf(await useRequestUri(started, requestUri, CONFIDENTIAL.clientId))).toMatch(
      /^400: /,
    );
    expect((await useRequestUri(started, requestUri)).status).toBe(303);
  });

  // S264
  it('gets the same error page without a redirect if it is unknown, used, expired, malformed or another client’s', async () => {
    const [used, foreign, expired] = [
      await createRequestUri(started),
      await createRequestUri(started),
      await createRequestUri(started),
    ];
    await useRequestUri(started, used);
    const unknown = `urn:ietf:params:oauth:request_uri:${'x'.repeat(43)}`;
    const pages = [
      await useRequestUri(started, used),
      await useRequestUri(started, foreign, CONFIDENTIAL.clientId),
      await useRequestUri(started, unknown),
      await useRequestUri(started, `${unknown}x`),
      await useRequestUri(started, 'urn:ietf:params:oauth:request_uri:'),
    ];
    started.clock.moveTo(STARTED_AT + 60_000);
    pages.push(await useRequestUri(started, expired));
    const summaries = await Promise.all(
      pages.map(async (page) => [
        page.status,
        page.headers.get('location'),
        (await page.text()).replace(/request-\d+/g, ''),
      ]),
    );
    expect(new Set(summaries.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(summaries[0]?.slice(0, 2)).toEqual([400, null]);
    expect(summaries[0]?.[2]).toContain('This link has expired');
  });

  // S264
  it('without a known client gets an error page and is not consumed', async () => {
    const requestUri = await createRequestUri(started);
    const query = `request_uri=${encodeURIComponent(requestUri)}`;
    expect((await authorize(started, query)).status).toBe(400);
    expect((await useRequestUri(started, requestUri, 'nobody')).status).toBe(400);
    expect((await useRequestUri(started, requestUri)).status).toBe(303);
  });

  // S265
  it('overrides every other parameter of the query', async () => {
    const requestUri = await createRequestUri(started, { state: 'pushed' });
    const more =
      '&authorization_id=other&scope=nope&state=query&redirect_uri=https%3A%2F%2Fevil.example&nonce=query&response_type=token&prompt=none';
    const location = await outcomeOf(await useRequestUri(started, requestUri, PUBLIC.clientId, more));
    const id = new URL(location).searchParams.get('authorization_id') ?? '';
    const { authorization } = await started.service.authorizations.get(id);
    expect(authorization).toMatchObject({
      state: 'pushed',
      redirectUri: PUBLIC.redirectUri,
      requestedScopes: ['openid', 'identity:read', 'kyc:read'],
    });
    expect([authorization.nonce, authorization.prompt]).toEqual([undefined, undefined]);
  });

  it('in a form is redirected to GET, and used there', async () => {
    const response = await fetch(`${started.url}/oauth/authorize`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ client_id: PUBLIC.clientId, request_uri: await createRequestUri(started) }),
    });
    const location = new URL(response.headers.get('location') ?? '', started.url);
    const next = await fetch(location, { redirect: 'manual' });
    expect(next.headers.get('location')).toMatch(TO_CONSENT);
  });

  // S58
  it('of another scheme is not supported', async () => {
    const query = authorizationQuery({ request_uri: 'https://client.example/request.jwt' });
    const location = new URL(await outcomeOf(await authorize(started, query)));
    expect(location.searchParams.get('error')).toBe('request_uri_not_supported');
  });

  // S261
  it('is validated again at its use: a client that was revoked in the meantime is rejected', async () => {
    const requestUri = await createRequestUri(started);
    await started.runSql(`UPDATE application SET revoked_at = 1 WHERE client_id = '${PUBLIC.clientId}'`);
    expect(await outcomeOf(await useRequestUri(started, requestUri))).toMatch(
      /^400: .*not registered, or its registration was revoked/s,
    );
  });

  // S261
  it('is validated again at its use: scopes and URIs that were removed in the meantime are rejected, in the language of the request', async () => {
    const application = {
      clientId: 'bank',
      name: 'Corner Bank',
      organizationId: 'org-bank',
      redirectUris: ['https://bank.example/callback'],
      scopes: ['openid', 'kyc:read'],
      idTokenAlgorithm: 'ES256' as const,
      createdAt: 1,
    };
    await started.store.upsertApplication(application);
    const request = {
      client_id: 'bank',
      redirect_uri: 'https://bank.example/callback',
      scope: 'openid kyc:read',
    };
    const [byScope, byUri, inGerman] = [
      await createRequestUri(started, request),
      await createRequestUri(started, request),
      await createRequestUri(started, { ...request, response_mode: 'form_post', ui_locales: 'de' }),
    ];
    await started.store.upsertApplication({ ...application, scopes: ['openid'] });
    const location = new URL(await outcomeOf(await useRequestUri(started, byScope, 'bank')));
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      error: 'invalid_scope',
      state: 'state-1',
      iss: started.url,
    });
    const page = await useRequestUri(started, inGerman, 'bank');
    expect(await page.text()).toMatch(/<html lang="de".* name="error" value="invalid_scope"/s);
    await started.store.upsertApplication({ ...application, redirectUris: ['https://other.example/cb'] });
    expect(await outcomeOf(await useRequestUri(started, byUri, 'bank'))).toMatch(/^400: .*not registered/s);
  });
});

describe('an application that must push its requests', () => {
  // S268
  it('is redirected with an error if it does not push', async () => {
    await requirePushing(PUBLIC.clientId);
    const location = new URL(await outcomeOf(await authorize(started, authorizationQuery())));
    expect(`${location.origin}${location.pathname}`).toBe(PUBLIC.redirectUri);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: 'invalid_request',
      error_description: 'this client must push its authorization requests (RFC 9126)',
      state: 'state-1',
      iss: started.url,
    });
  });

  // S268
  it('can use pushed requests, and other applications need not push', async () => {
    await requirePushing(PUBLIC.clientId);
    expect((await useRequestUri(started, await createRequestUri(started))).status).toBe(303);
    const other = authorizationQuery({ ...AS_CONFIDENTIAL, scope: 'openid' });
    expect(await outcomeOf(await authorize(started, other))).toMatch(TO_CONSENT);
  });
});

describe('discovery', () => {
  // S182
  it('announces the PAR endpoint, and that pushing is optional', async () => {
    for (const document of ['openid-configuration', 'oauth-authorization-server']) {
      const { body } = await call(started, `/.well-known/${document}`);
      expect(body).toMatchObject({
        pushed_authorization_request_endpoint: `${started.url}/oauth/par`,
        require_pushed_authorization_requests: false,
        request_uri_parameter_supported: false,
      });
    }
  });
});

describe('pushed requests are limited', () => {
  const from = (address: string, headers = {}) => ({ 'X-Forwarded-For': address, ...headers });

  // S267
  it('by address for public clients, together with authorization requests', async () => {
    await started.stop();
    started = await startService({
      settings: { authorizationRateLimitPerMinute: 3 },
      listener: { trustedProxies },
    });
    const { status, body } = await pushRequest(started, {}, from('192.0.2.1'));
    const query = new URLSearchParams({ client_id: PUBLIC.clientId, request_uri: body.request_uri });
    const usedResponse = await fetch(`${started.url}/oauth/authorize?${query}`, {
      redirect: 'manual',
      headers: from('192.0.2.1'),
    });
    expect([status, usedResponse.status]).toEqual([201, 303]);
    expect((await pushRequest(started, {}, from('192.0.2.1'))).status).toBe(201);
    const refused = await pushRequest(started, {}, from('192.0.2.1'));
    expect([refused.status, refused.body.error_subcode]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await pushRequest(started, {}, from('192.0.2.2'))).status).toBe(201);
    const authenticated = from('192.0.2.1', basic(CONFIDENTIAL.clientId));
    expect((await pushRequest(started, AS_CONFIDENTIAL, authenticated)).status).toBe(201);
  });

  // S267
  it('by client for authenticated clients', async () => {
    await started.stop();
    started = await startService({ settings: { clientRateLimitPerMinute: 2 } });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1)
      statuses.push((await pushRequest(started, AS_CONFIDENTIAL, basic(CONFIDENTIAL.clientId))).status);
    expect(statuses).toEqual([201, 201, 429]);
    for (let count = 0; count < 3; count += 1) expect((await pushRequest(started)).status).toBe(201);
  });

  // S124
  it('by the limit of wrong secrets', async () => {
    await started.stop();
    started = await startService({ settings: { secretFailuresPerMinute: 2 } });
    const statuses: number[] = [];
    for (const secret of ['wrong', 'wrong too', CONFIDENTIAL.secret])
      statuses.push(
        (await pushRequest(started, AS_CONFIDENTIAL, basic(CONFIDENTIAL.clientId, secret))).status,
      );
    expect(statuses).toEqual([401, 401, 429]);
  });
});

describe('the stored form of a pushed request', () => {
  const hint = 'pushed.person@people.example';

  // S262, S263
  it("contains neither its token nor the client's secret or assertion", async () => {
    const assertion = await signAssertion(started.url);
    const { challenge } = createPkce();
    const bodies = [
      { ...SAMPLE_REDIRECT, client_id: SANDBOX_POST_CLIENT_ID, client_secret: CONFIDENTIAL.secret },
      { ...SAMPLE_REDIRECT, client_id: SANDBOX_SIGNING_CLIENT_ID, ...assertion },
    ];
    for (const changes of bodies) {
      const requestUri = await createRequestUri(started, { ...changes, code_challenge: challenge });
      const token = requestUri.split(':').at(-1) ?? '';
      const contents = await started.contents();
      expect(contents).not.toContain(token);
      expect(contents).toContain(createHash('sha256').update(token).digest('base64url'));
    }
    const contents = await started.contents();
    expect(contents).toContain(challenge);
    for (const secret of [CONFIDENTIAL.secret, assertion['client_assertion'] ?? 'none'])
      expect(contents).not.toContain(secret);
  });

  // S266
  it('contains parameters in plaintext, or encrypted in an encrypted store', async () => {
    await createRequestUri(started, { login_hint: hint });
    expect(await started.contents()).toContain(hint);
    await started.stop();
    started = await startService({ store: { cipher: cipherOf('one') } });
    const requestUri = await createRequestUri(started, { login_hint: hint, state: 'state-of-the-pushed' });
    const contents = await started.contents();
    for (const text of [hint, 'state-of-the-pushed']) expect(contents).not.toContain(text);
    const location = await outcomeOf(await useRequestUri(started, requestUri));
    const id = new URL(location).searchParams.get('authorization_id') ?? '';
    expect((await started.service.authorizations.get(id)).authorization.loginHint).toBe(hint);
  });
});
