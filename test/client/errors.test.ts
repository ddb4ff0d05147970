/** Every failure is a `ClientError` with details for programs and logs, and without tokens. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Access,
  ClientError,
  createClient,
  inMemoryTokens,
  type TokenStorage,
  type Tokens,
} from '../../src/client/index.js';
import type { Check } from '../../src/index.js';
import { CONFIDENTIAL, PUBLIC } from '../support/oauth-client.js';
import {
  clientErrorOf,
  confidentialClient,
  createRecordingFetch,
  obtainAccess,
  publicClient,
} from '../support/package-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

let started: StartedService;
let access: Access;

beforeAll(async () => {
  started = await startService({ settings: { rateLimitPerMinute: 5 } });
  access = await obtainAccess(publicClient(started), ['kyc:read']);
});

afterAll(() => started.stop());

const TOKENS: Tokens = {
  accessToken: 'a'.repeat(43),
  refreshToken: 'r'.repeat(43),
  expiresAt: STARTED_AT + 3_600_000,
  scopes: ['kyc:read'],
  authorizationId: 'authorization-1',
  subject: 'person-1',
};

/** Returns an access whose requests all receive this response. */
function accessAnsweredBy(answer: () => Response | Promise<Response>): Access {
  return publicClient(started, { fetch: () => Promise.resolve(answer()) }).access(inMemoryTokens(TOKENS));
}

describe('an error response of the service', () => {
  it('is thrown with code, status, context and request id', async () => {
    const error = await clientErrorOf(
      access.evaluate({ check: { claim: 'identity.age', operator: '>=', value: 18 } }),
    );
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({
      name: 'ClientError',
      code: 'insufficient_scope',
      error: 'insufficient_scope',
      errorCode: 'E4003',
      status: 403,
      context: { missing: [{ claim: 'identity.age', scopes: ['identity:date_of_birth'] }] },
      requestId: expect.stringMatching(/^request-\d+$/),
    });
  });

  // L8
  it('to a query contains the pointer of each problem', async () => {
    const query: unknown = { check: { claim: 'kyc.level', operator: 'like', value: 1 } };
    const error = await clientErrorOf(access.evaluate(query));
    expect([error.code, error.errorCode]).toEqual(['invalid_query', 'E4001']);
    expect(error.context['problems']).toMatchObject([{ pointer: '/check/operator' }]);
  });

  it('to an unknown preset is thrown with its code', async () => {
    expect(await clientErrorOf(access.preset('no_such_preset'))).toMatchObject({
      code: 'preset_not_found',
      status: 404,
    });
  });

  it.each(['..', '.', '', 'a/../b?c', 'kyc_level/', 'Kyc_level', '2fa', '_level'])(
    "is replaced by the client's own error for %j, which cannot be the name of a preset",
    async (name) => {
      const { requests, fetch } = createRecordingFetch();
      const observed = publicClient(started, { fetch }).access(inMemoryTokens(await access.tokens()));
      expect(await clientErrorOf(observed.preset(name))).toMatchObject({
        code: 'preset_not_found',
        status: undefined,
      });
      expect(requests).toEqual([]);
    },
  );

  it('to too many requests contains the delay, and the client does not retry', async () => {
    const { requests, fetch } = createRecordingFetch();
    const throttled = publicClient(started, { fetch }).access(inMemoryTokens(await access.tokens()));
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => throttled.userInfo()));
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as ClientError] : []));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: 12 });
    expect(requests).toHaveLength(12);
  });

  it('to failed client authentication is thrown with its code', async () => {
    const settings = { issuer: started.url, clientId: CONFIDENTIAL.clientId, clientSecret: 'wrong' };
    const client = createClient({ ...settings, redirectUri: CONFIDENTIAL.redirectUri });
    expect(await clientErrorOf(client.userToken({ email: 'ada@example.org' }))).toMatchObject({
      code: 'invalid_client',
      status: 401,
    });
  });
});

describe('an invalid response', () => {
  it.each<[string, () => Response, number | undefined]>([
    ['a proxy’s page', () => new Response('<html>Bad gateway', { status: 502 }), 502],
    ['a success without a body', () => new Response(null, { status: 204 }), undefined],
    ['HTML instead of JSON', () => new Response('<html>Welcome'), undefined],
    ['JSON that is not an object', () => Response.json('fine'), undefined],
    ['a redirect', () => Response.redirect('https://evil.example/', 302), 302],
    ['a response with status 0, like an opaque redirect of a browser', () => Response.error(), undefined],
    ['the response of another endpoint', () => Response.json({ presets: [] }), undefined],
  ])('is reported as such: %s', async (_what, answer, status) => {
    const query = { check: { claim: 'kyc.passed', operator: 'isDefined' } } as const;
    const error = await clientErrorOf(accessAnsweredBy(answer).evaluate(query));
    expect([error.code, error.status]).toEqual(['response_invalid', status]);
  });

  it('is reported as such if it lacks the members of the result, and a sign-out then keeps the tokens', async () => {
    const { fetch } = createRecordingFetch((path) =>
      path.includes('/.well-known/') ? undefined : Response.json({}),
    );
    const client = confidentialClient(started, { fetch });
    const access = client.access(inMemoryTokens(TOKENS));
    const calls = [
      client.presets(),
      client.grants(),
      client.revoke('id'),
      access.preset('kyc_level'),
      access.presets(['kyc_level']),
      access.credentials(),
      access.grants(),
      access.signOut(),
      access.revoke(),
    ];
    const errors = await Promise.all(calls.map(clientErrorOf));
    expect(errors.map(({ code }) => code)).toEqual(calls.map(() => 'response_invalid'));
    expect(await access.tokens()).toEqual(TOKENS);
  });

  it('is reported as such if user information has another subject (OpenID Connect Core §5.3.2)', async () => {
    const error = await clientErrorOf(accessAnsweredBy(() => Response.json({ sub: 'person-2' })).userInfo());
    expect(error.code).toBe('response_invalid');
  });

  it('is reported with another code than an unreachable service and a dropped connection', async () => {
    const unreachable = createClient({ ...PUBLIC, issuer: 'http://127.0.0.1:9/v2' });
    expect((await clientErrorOf(unreachable.presets())).code).toBe('network_failed');
    const hangUp: RequestListener = (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      response.write('{"presets":', () => response.destroy());
    };
    const server = createServer(hangUp);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
    expect((await clientErrorOf(createClient({ ...PUBLIC, issuer }).presets())).code).toBe('network_failed');
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('an invalid argument', () => {
  it.each<[string, unknown]>([
    ['a bigint', 18n],
    ['NaN', Number.NaN],
    ['an infinite number', [Number.POSITIVE_INFINITY]],
    ['an array with a hole', new Array(1)],
    ['an array with undefined', [undefined]],
    ['an invalid date', new Date(Number.NaN)],
    ['a map', new Map()],
    ['a function', () => 18],
  ])(
    'is rejected with a TypeError before a request is sent: a query with %s, which is not JSON',
    async (_what, value) => {
      const { requests, fetch } = createRecordingFetch();
      const client = publicClient(started, { fetch });
      const query = { check: { claim: 'kyc.level', operator: '!=', value } } as const;
      const evaluating = client.access(inMemoryTokens(TOKENS)).evaluate(query as unknown);
      await expect(evaluating).rejects.toThrow(TypeError);
      const conditions = [{ query: query as { check: Check }, purpose: 'To check your level' }];
      await expect(client.authorize({ conditions })).rejects.toThrow(TypeError);
      expect(requests.filter((path) => !path.includes('/.well-known/'))).toEqual([]);
    },
  );

  it('is sent and rejected by the service: a cursor with a lone surrogate', async () => {
    const access = await obtainAccess(publicClient(started), ['data.read']);
    const error = await clientErrorOf(access.credentials({ cursor: '\ud800' }));
    expect([error.status, error.code]).toEqual([400, 'cursor_invalid']);
  });
});

describe('an abort signal', () => {
  it('rejects a call with its reason, before and during the request', async () => {
    const reason = new Error('enough');
    const early = AbortSignal.abort(reason);
    for (const call of [access.userInfo({ signal: early }), publicClient(started).presets({ signal: early })])
      await expect(call).rejects.toBe(reason);
    const aborting = new AbortController();
    const fetching: typeof fetch = (input, init) => {
      queueMicrotask(() => aborting.abort(reason));
      return fetch(input, init);
    };
    const client = publicClient(started, { fetch: fetching });
    await expect(client.presets({ signal: aborting.signal })).rejects.toBe(reason);
  });

  it('rejects a call that waits for exclusive access to the storage', async () => {
    const reason = new Error('enough');
    const { fetch } = createRecordingFetch((path) =>
      path.endsWith('/userinfo') ? Response.json({ error: 'invalid_token' }, { status: 401 }) : undefined,
    );
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const works: Promise<unknown>[] = [];
    const locked = (tokens: Tokens): TokenStorage => ({
      ...inMemoryTokens(tokens),
      exclusively: async (work) => {
        await released;
        const done = work();
        works.push(done);
        return await done;
      },
    });
    const client = publicClient(started, { fetch });
    const aborting = new AbortController();
    const { signal } = aborting;
    const { refreshToken: _refreshToken, ...withoutRefreshToken } = TOKENS;
    const kept = locked(TOKENS);
    const calls = [
      client.access(kept).signOut({ signal }),
      client.access(kept).revoke({ signal }),
      client.access(locked(withoutRefreshToken)).userInfo({ signal }),
    ];
    setTimeout(() => aborting.abort(reason), 100);
    for (const call of calls) await expect(call).rejects.toBe(reason);
    // When they get access, the aborted calls revoke nothing.
    release();
    await expect.poll(() => works.length).toBe(3);
    await Promise.allSettled(works);
    expect(await kept.read()).toEqual(TOKENS);
  });
});

describe('client settings', () => {
  it.each([
    ['an issuer that is not a URL', { issuer: 'claims.example' }],
    ['plain http to a remote host', { issuer: 'http://claims.example/v2' }],
    ['a host name that starts like a loopback address', { issuer: 'http://127.0.0.1.evil.example/v2' }],
    ['an issuer with a query', { issuer: 'https://claims.example/v2?tenant=1' }],
    ['an issuer with a fragment', { issuer: 'https://claims.example/v2#top' }],
    ['an issuer with credentials', { issuer: 'https://ada:secret@claims.example/v2' }],
    ['a refresh ahead of NaN seconds', { refreshAheadSeconds: Number.NaN }],
    ['a refresh after the expiry', { refreshAheadSeconds: -1 }],
    [
      'an unknown method',
      { clientSecret: 'x', tokenEndpointAuthMethod: 'client_secret_jwt' as 'client_secret_basic' },
    ],
    ['a secret and a key', { clientSecret: 'x', signingKey: { key: {} as never, kid: 'k' } }],
    ['a method that needs a secret', { tokenEndpointAuthMethod: 'client_secret_post' }],
    ['a method that needs a key', { clientSecret: 'x', tokenEndpointAuthMethod: 'private_key_jwt' }],
    [
      'a key and another method',
      { signingKey: { key: {} as never, kid: 'k' }, tokenEndpointAuthMethod: 'none' },
    ],
  ] as const)('are rejected: %s', (_what, changes) => {
    expect(() => createClient({ ...PUBLIC, issuer: started.url, ...changes })).toThrow(RangeError);
  });

  it.each([
    ['an empty secret', { clientSecret: '' }],
    ['a signing key that is no `CryptoKey`', { signingKey: { key: {} as never, kid: 'k' } }],
  ])('are rejected with a TypeError: %s', (_what, changes) => {
    expect(() => createClient({ ...PUBLIC, issuer: started.url, ...changes })).toThrow(TypeError);
  });

  it('and options are rejected if they are unknown, since they would have no effect', async () => {
    const misspelled = { clientSecrett: 'x' };
    expect(() => createClient({ ...PUBLIC, issuer: started.url, ...misspelled })).toThrow(
      /^`clientSecrett` must be one of the options issuer, clientId, /,
    );
    const { requests, fetch } = createRecordingFetch();
    const client = publicClient(started, { fetch });
    const person = client.access(inMemoryTokens(TOKENS));
    const query = { check: { claim: 'kyc.level', operator: '!=', value: 1 } };
    const option: object = { storrage: inMemoryTokens() };
    for (const call of [
      () => client.authorize({ scopes: ['kyc:read'], ...option }),
      () => client.redeem('/callback', { state: '', codeVerifier: '', redirectUri: '' }, option),
      () => client.userToken({ userId: 'ada' }, option),
      () => client.presets(option),
      () => client.grants(option),
      () => client.revoke('id', option),
      () => person.evaluate(query, option),
      () => person.preset('age', option),
      () => person.presets(['age'], option),
      () => person.userInfo(option),
      () => person.credentials(option),
      () => person.grants(option),
      () => person.signOut(option),
      () => person.revoke(option),
    ])
      await expect(call()).rejects.toThrow(/^`storrage` must be one of the options (?:signal|scopes)/);
    expect(requests).toEqual([]);
  });

  it('with an issuer that differs from that of the service cause an error that names both', async () => {
    const { protocol, port } = new URL(started.url);
    const issuer = `${protocol}//localhost:${port}/v2`;
    const error = await clientErrorOf(
      createClient({ ...PUBLIC, issuer }).authorize({ scopes: ['kyc:read'] }),
    );
    expect([error.code, error.message]).toEqual([
      'response_invalid',
      `The server metadata must be valid, with the \`issuer\` \`${issuer}\` (got "${started.url}").`,
    ]);
  });

  it('accept an issuer with a trailing slash', async () => {
    const presets = await createClient({ ...PUBLIC, issuer: `${started.url}/` }).presets();
    expect(presets.length).toBeGreaterThan(0);
  });
});

it('no error of a request contains the tokens, the client secret or the code verifier that were sent', async () => {
  const secrets = [TOKENS.accessToken, TOKENS.refreshToken ?? ''];
  const responses = [
    () => Response.json({ error: 'invalid_token', error_subcode: 'token_invalid' }, { status: 401 }),
    () => new Response('', { status: 500 }),
    () => Promise.reject(new TypeError('fetch failed')),
  ];
  for (const answer of responses) {
    const error = await clientErrorOf(accessAnsweredBy(answer).userInfo());
    const inspected = JSON.stringify([error.message, error.stack, error, String(error.cause)]);
    for (const secret of secrets) expect(inspected).not.toContain(secret);
    let isFailing = false;
    const client = confidentialClient(started, {
      clientSecret: 'secret-of-the-client',
      fetch: (input, init) => (isFailing ? Promise.resolve(answer()) : fetch(input, init)),
    });
    const { pending } = await client.authorize({ scopes: ['kyc:read'] });
    isFailing = true;
    const callback = new URLSearchParams({ code: 'code', state: pending.state, iss: started.url });
    const redeeming = inspect(await clientErrorOf(client.redeem(callback, pending)), { depth: null });
    for (const secret of ['secret-of-the-client', pending.codeVerifier])
      expect(redeeming).not.toContain(secret);
  }
});

describe('an inspected error', () => {
  it.each<[string, (body: Record<string, unknown>) => void]>([
    ['no type', (body) => Reflect.deleteProperty(body, 'token_type')],
    ['a malformed ID token', (body) => Object.assign(body, { id_token: 'x.y.z' })],
  ])('contains no token of a response with %s', async (_what, spoil) => {
    let secrets: readonly unknown[] = [];
    const fetching: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).endsWith('/oauth/token')) return response;
      const body = (await response.json()) as Record<string, unknown>;
      secrets = [body['access_token'], body['refresh_token'], body['id_token']];
      spoil(body);
      return Response.json(body);
    };
    const error = await clientErrorOf(
      obtainAccess(publicClient(started, { fetch: fetching }), ['openid', 'kyc:read']),
    );
    expect([error.code, secrets.length]).toEqual(['response_invalid', 3]);
    expect((error.cause as Error).name).toBe('OperationProcessingError');
    for (const secret of secrets) expect(inspect(error, { depth: null })).not.toContain(secret);
  });

  it('contains no code of a callback with a wrong state', async () => {
    const client = publicClient(started);
    const { pending } = await client.authorize({ scopes: ['kyc:read'] });
    const callback = new URLSearchParams({ code: 'code-of-somebody', state: 'another', iss: started.url });
    const error = await clientErrorOf(client.redeem(callback, pending));
    expect(error.code).toBe('callback_invalid');
    const inspected = inspect(error, { depth: null });
    for (const secret of ['code-of-somebody', pending.state, pending.codeVerifier])
      expect(inspected).not.toContain(secret);
  });
});
