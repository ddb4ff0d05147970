/** Authorization requests and the consent page (V3, V4, V6, S45–S68). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  approve,
  authorizationQuery,
  authorize,
  begin,
  CONFIDENTIAL,
  logIn,
  PUBLIC,
  postJson,
  refresh,
} from '../support/oauth-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

let started: StartedService;
let origin: string;

beforeAll(async () => {
  started = await startService();
  origin = new URL(started.url).origin;
});

afterAll(() => started.stop());

function consent(cookie: string, id: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Cookie: cookie, ...init.headers };
  return fetch(`${origin}/consent${init.method === 'POST' ? '' : `?authorization_id=${id}`}`, {
    redirect: 'manual',
    ...init,
    headers,
  });
}

async function formOf(cookie: string, id: string): Promise<URLSearchParams> {
  const markup = await (await consent(cookie, id)).text();
  const form = new URLSearchParams();
  for (const [, name = '', value = ''] of markup.matchAll(
    /<input type="hidden" name="([^"]+)" value="([^"]+)">/g,
  ))
    form.set(name, value);
  for (const [, name = ''] of markup.matchAll(/<input type="checkbox" name="([^"]+)"[^>]* checked>/g))
    form.set(name, 'on');
  return form;
}

function submit(
  cookie: string,
  form: URLSearchParams,
  headers: Readonly<Record<string, string>> = { Origin: origin },
): Promise<Response> {
  return consent(cookie, '', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: form,
  });
}

describe('a request whose client or redirect URI is not to be trusted', () => {
  // S45, S46, S48
  it.each([
    ['without a client', { client_id: undefined }],
    ['of an unknown client', { client_id: 'nobody' }],
    ['without a redirect URI', { redirect_uri: undefined }],
    ['with another redirect URI', { redirect_uri: 'https://evil.example/cb' }],
    ['with a redirect URI of another client', { redirect_uri: CONFIDENTIAL.redirectUri }],
  ])('%s is shown and never redirected', async (_what, changes) => {
    const response = await authorize(started, authorizationQuery(changes));
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  // S46, S63
  it('with another redirect URI shows the received and the registered ones in the sandbox', async () => {
    const received = 'http://127.0.0.1/callback/<b>';
    const markup = await (await authorize(started, authorizationQuery({ redirect_uri: received }))).text();
    expect(markup).toContain('The return address is not registered');
    expect(markup).toContain('does not match a registered URI (exact match required)');
    for (const uri of ['http://127.0.0.1/callback/&lt;b&gt;', 'http://localhost:3000/callback'])
      expect(markup).toContain(`<bdi class="address">${uri}</bdi>`);
    expect(markup).not.toContain('<b>');
  });

  // S33
  it.each(['client_id', 'redirect_uri', 'state', 'scope'])('with %s twice is shown', async (name) => {
    const response = await authorize(started, `${authorizationQuery()}&${name}=x`);
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });
});

describe('a request with another fault is answered by way of the browser', () => {
  const FAULTS: readonly [
    what: string,
    changes: Readonly<Record<string, string | undefined>>,
    error: string,
    description?: string,
  ][] = [
    // S50
    ['without a response type', { response_type: undefined }, 'invalid_request', 'response_type is required'],
    // S50
    ['for a token', { response_type: 'token' }, 'unsupported_response_type', 'response_type must be code.'],
    // S50
    [
      'for an ID token',
      { response_type: 'id_token' },
      'unsupported_response_type',
      'response_type must be code.',
    ],
    // S50
    [
      'for a code and a token',
      { response_type: 'code token' },
      'unsupported_response_type',
      'response_type must be code.',
    ],
    // S51
    [
      'in a fragment',
      { response_mode: 'fragment' },
      'invalid_request',
      'response_mode must be query or form_post',
    ],
    // S52
    ['without a challenge', { code_challenge: undefined }, 'invalid_request', 'code_challenge is required'],
    // S52
    [
      'without a challenge method',
      { code_challenge_method: undefined },
      'invalid_request',
      'code_challenge_method must be S256',
    ],
    // S52
    [
      'with plain PKCE',
      { code_challenge_method: 'plain' },
      'invalid_request',
      'code_challenge_method must be S256',
    ],
    // S52
    ['with s256', { code_challenge_method: 's256' }, 'invalid_request', 'code_challenge_method must be S256'],
    // S53
    [
      'with a short challenge',
      { code_challenge: 'a'.repeat(42) },
      'invalid_request',
      'code_challenge must be 43 characters of the base64url alphabet',
    ],
    // S53
    [
      'with a padded challenge',
      { code_challenge: `${'a'.repeat(42)}=` },
      'invalid_request',
      'code_challenge must be 43 characters of the base64url alphabet',
    ],
    // S54
    ['without scopes', { scope: undefined }, 'invalid_scope', 'scope is required'],
    // S40
    ['with an empty list of scopes', { scope: '' }, 'invalid_scope', 'scope is required'],
    // S54
    ['with an unknown scope', { scope: 'nope' }, 'invalid_scope', 'unknown scope: nope'],
    [
      'with unknown scopes only, of which five are named',
      { scope: `a b c d e f ${'x'.repeat(99)}` },
      'invalid_scope',
      'unknown scope: a b c d e and 2 more',
    ],
    // S54
    [
      'with a scope that is none',
      { scope: 'openid "' },
      'invalid_scope',
      'scope must be a list of scope names separated by single spaces',
    ],
    // S54
    [
      'with scopes set apart by tabs',
      { scope: 'openid\tkyc:read' },
      'invalid_scope',
      'scope must be a list of scope names separated by single spaces',
    ],
    // S55
    [
      'with a long nonce',
      { nonce: 'x'.repeat(513) },
      'invalid_request',
      'nonce must have at most 512 bytes in UTF-8',
    ],
    // S55
    [
      'with a nonce that is long in UTF-8',
      { nonce: 'é'.repeat(257) },
      'invalid_request',
      'nonce must have at most 512 bytes in UTF-8',
    ],
    [
      'with a long login hint',
      { login_hint: 'x'.repeat(257) },
      'invalid_request',
      'login_hint must have at most 256 bytes in UTF-8',
    ],
    // S58
    ['with a request object', { request: 'x.y.z' }, 'request_not_supported'],
    ['with a request URI', { request_uri: 'http://127.0.0.1:9/x' }, 'request_uri_not_supported'],
    ['with a registration', { registration: '{}' }, 'invalid_request', 'registration is not supported'],
    // S59
    ['that must not ask', { prompt: 'none' }, 'login_required'],
    [
      'that must not ask and must ask',
      { prompt: 'none login' },
      'invalid_request',
      'prompt must be none, or any of login, consent and select_account, separated by spaces',
    ],
    // S59
    [
      'that must ask and must not ask',
      { prompt: 'consent none' },
      'invalid_request',
      'prompt must be none, or any of login, consent and select_account, separated by spaces',
    ],
    // S59
    [
      'with an unknown prompt',
      { prompt: 'create' },
      'invalid_request',
      'prompt must be none, or any of login, consent and select_account, separated by spaces',
    ],
    // S59
    [
      'with an unknown prompt among others',
      { prompt: 'login nope' },
      'invalid_request',
      'prompt must be none, or any of login, consent and select_account, separated by spaces',
    ],
    // S59
    [
      'with a prompt in capitals',
      { prompt: 'LOGIN' },
      'invalid_request',
      'prompt must be none, or any of login, consent and select_account, separated by spaces',
    ],
    // S59
    [
      'with a negative max_age',
      { max_age: '-1' },
      'invalid_request',
      'max_age must be a number of seconds of at most ten digits',
    ],
    // S59
    [
      'with a max_age that is no number',
      { max_age: 'soon' },
      'invalid_request',
      'max_age must be a number of seconds of at most ten digits',
    ],
    // S59
    [
      'with a max_age of eleven digits',
      { max_age: '10000000000' },
      'invalid_request',
      'max_age must be a number of seconds of at most ten digits',
    ],
  ];

  it.each(FAULTS)('%s', async (_what, changes, error, description) => {
    const response = await authorize(started, authorizationQuery(changes));
    const location = new URL(response.headers.get('location') ?? '');
    expect([response.status, `${location.origin}${location.pathname}`]).toEqual([
      303,
      'http://127.0.0.1/callback',
    ]);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      error,
      state: 'state-1',
      iss: started.url,
    });
    expect(location.searchParams.has('code')).toBe(false);
    if (description !== undefined) expect(location.searchParams.get('error_description')).toBe(description);
  });

  // S55
  it('with a state that is too long, which is not handed back', async () => {
    const response = await authorize(started, authorizationQuery({ state: 'x'.repeat(513) }));
    expect(new URL(response.headers.get('location') ?? '').searchParams.get('state')).toBeNull();
  });
});

describe('a request that is right', () => {
  // S57
  it.each([
    // S54
    ['scopes in another order and twice', { scope: 'kyc:read openid openid identity:read' }],
    // S38
    [
      'parameters that nobody knows',
      { extra: 'foobar', claims_locales: 'pt', ui_locales: 'pt', display: 'page', acr_values: '0' },
    ],
    // S59
    ['a person to be asked again', { prompt: 'login', max_age: '0' }],
    ['every prompt that asks', { prompt: 'login consent select_account login', max_age: '9999999999' }],
    // S48
    ['a redirect URI with its query', { redirect_uri: 'http://127.0.0.1:5000/callback' }],
  ])('with %s leads to the consent page', async (_what, changes) => {
    const response = await authorize(started, authorizationQuery(changes));
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(
      new RegExp(`^${origin}/consent\\?authorization_id=[\\w-]{22}$`),
    );
  });

  // S25, S55
  it.each(['', 'plain', 'ünïcödé 🌍 "<>&%=+#?', ' ~!@#$%^&*()_+{}|:"<>?', 'x'.repeat(512), '🌍'.repeat(128)])(
    'hands back the state %j untouched',
    async (state) => {
      const begun = await begin(started, { state: state === '' ? undefined : state });
      const form = await formOf(begun.cookie, begun.authorizationId);
      form.set('action', 'deny');
      const location = new URL((await submit(begun.cookie, form)).headers.get('location') ?? '');
      expect(location.searchParams.get('error_description')).toBe('The person denied the request.');
      expect(location.searchParams.get('state')).toBe(state === '' ? null : state);
    },
  );
});

describe('a request by a form (OpenID Connect Core §3.1.2.1)', () => {
  const post = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${started.url}/oauth/authorize`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: 'https://client.example',
        'Sec-Fetch-Site': 'cross-site',
        ...headers,
      },
      body,
    });

  // S60, S66
  it('is sent on to GET with the same parameters, and sets no cookie', async () => {
    const state = 'ünï & "c"+d';
    const answer = await post(authorizationQuery({ state }));
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([303, null]);
    const next = answer.headers.get('location') ?? '';
    expect(next.startsWith(`${started.url}/oauth/authorize?`)).toBe(true);
    expect(new URL(next).searchParams.get('state')).toBe(state);
    const consentAnswer = await fetch(next, { redirect: 'manual' });
    expect(consentAnswer.headers.get('location')).toMatch(/\/consent\?authorization_id=[\w-]{22}$/);
  });

  // S33
  it('must be a form with each parameter once', async () => {
    expect((await post(`${authorizationQuery()}&state=x`)).status).toBe(400);
    expect((await post('{}', { 'Content-Type': 'application/json' })).status).toBe(415);
  });
});

describe('a login hint', () => {
  const approved = async (hint: string) => {
    const { authorizationId } = await begin(started, { login_hint: hint });
    const { status } = await postJson(started, '/oauth/authorize/approve', {
      authorization_id: authorizationId,
    });
    const { authorization } = await started.service.authorizations.get(authorizationId);
    return [status, authorization.userId];
  };

  it.each([
    'ada',
    'ada@example.org',
    'user|ada',
    'id|ada',
    'user_id|ada',
    'email|ada@example.org',
    'email|ada@EXAMPLE.org',
  ])('%s names the person who approves', async (hint) => {
    expect(await approved(hint)).toEqual([200, 'person-ada']);
  });

  it.each(['nobody', 'user|nobody', 'email|nobody@example.org', 'wallet|0x', 'nope|ada'])(
    '%s names nobody, and approves for nobody in their place',
    async (hint) => {
      expect(await approved(hint)).toEqual([404, undefined]);
    },
  );
});

describe('scope values that are not understood', () => {
  // S54
  it('are ignored where others are understood, at authorization and at refresh', async () => {
    const scope = 'openid nope kyc:read custom/thing';
    const tokens = await logIn(started, { scope });
    expect(tokens.scope).toBe('openid kyc:read');
    const next = await refresh(started, tokens.refresh_token, { scope });
    expect([next.status, await next.json()]).toMatchObject([200, { scope: 'openid kyc:read' }]);
  });

  // S54, S101
  it('are named by a refresh that has no others, which does not spend the token', async () => {
    const tokens = await logIn(started);
    const refused = await refresh(started, tokens.refresh_token, { scope: 'nope' });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: 'invalid_scope', error_description: 'unknown scope: nope', context: { scopes: ['nope'] } },
    ]);
    expect((await refresh(started, tokens.refresh_token)).status).toBe(200);
  });

  // S72
  it('are named where an approval has scopes that were not requested', async () => {
    const { authorizationId } = await begin(started);
    const body = { authorization_id: authorizationId, scopes: ['openid', 'data.read'] };
    const refused = await postJson(started, '/oauth/authorize/approve', body);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: 'invalid_scope', error_description: 'scope not requested: data.read' },
    ]);
  });
});

describe('the consent page', () => {
  // S67
  it('says who asks, for what, and where one is sent back to; both answers stand side by side', async () => {
    const { cookie, authorizationId } = await begin(started);
    const response = await consent(cookie, authorizationId);
    const markup = await response.text();
    expect(response.status).toBe(200);
    for (const text of [
      'Harbour Wallet',
      'org-harbour',
      'http://127.0.0.1',
      'Your identity checks',
      'Who you are',
      '>Share<',
      '>Do not share<',
      'Nothing is shared until you agree',
    ]) {
      expect(markup).toContain(text);
    }
    expect(markup).not.toMatch(/<script(?! src="\/assets\/)/);
  });

  // S64
  it('lets no script of others run, no frame hold it, no address leak', async () => {
    const { cookie, authorizationId } = await begin(started);
    const { headers } = await consent(cookie, authorizationId);
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "object-src 'none'",
    ])
      expect(policy).toContain(rule);
    expect(policy).not.toContain('unsafe');
    expect([headers.get('referrer-policy'), headers.get('cross-origin-opener-policy')]).toEqual([
      'no-referrer',
      'same-origin',
    ]);
  });

  // S63
  it('shows what comes from outside as text', async () => {
    const hint = '"><img src=x onerror=alert(1)></select></script>';
    const { cookie, authorizationId } = await begin(started, { login_hint: hint, state: hint });
    const markup = await (await consent(cookie, authorizationId)).text();
    expect(markup).not.toContain('<img');
    const problem = await (
      await fetch(`${started.url}/oauth/authorize?client_id=${encodeURIComponent(hint)}`)
    ).text();
    expect(problem).not.toContain('<img');
  });

  // S60
  it('serves the browser that began and no other', async () => {
    const [mine, other] = [await begin(started), await begin(started)];
    expect((await consent(other.cookie, mine.authorizationId)).status).toBe(404);
    expect((await consent('', mine.authorizationId)).status).toBe(404);
    expect((await consent(mine.cookie, mine.authorizationId)).status).toBe(200);
    const form = await formOf(mine.cookie, mine.authorizationId);
    form.set('action', 'approve');
    expect((await submit(other.cookie, form)).status).toBe(404);
  });

  // S65
  it('takes no form of another page, and none without its proof', async () => {
    const { cookie, authorizationId } = await begin(started);
    const form = await formOf(cookie, authorizationId);
    form.set('action', 'approve');
    expect((await submit(cookie, form, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await submit(cookie, form, { Origin: 'null' })).status).toBe(403);
    const beside = { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' };
    expect((await submit(cookie, form, beside)).status).toBe(403);
    expect((await submit(cookie, form, { ...beside, Origin: origin })).status).toBe(403);
    form.set('proof', 'x'.repeat(43));
    expect((await submit(cookie, form)).status).toBe(403);
    const { authorization } = await started.service.authorizations.get(authorizationId);
    expect(authorization.status).toBe('pending_admin');
  });

  // S66, D14
  it('keeps the browser by a cookie that scripts and other sites do not get', async () => {
    const response = await authorize(started, authorizationQuery());
    expect(response.headers.get('set-cookie')).toMatch(
      /^proviso=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  // S56, S57, V4
  it('sends the browser back by 303 with code, state and issuer; what was unticked is not granted', async () => {
    const begun = await begin(started);
    const form = await formOf(begun.cookie, begun.authorizationId);
    form.set('action', 'approve');
    form.set('person', 'fatima');
    form.delete('scope.kyc:read');
    const response = await submit(begun.cookie, form);
    const location = new URL(response.headers.get('location') ?? '');
    expect(response.status).toBe(303);
    expect([...location.searchParams.keys()]).toEqual(['code', 'state', 'iss']);
    const { authorization } = await started.service.authorizations.get(begun.authorizationId);
    expect(authorization).toMatchObject({
      status: 'approved',
      userId: 'person-fatima',
      grantedScopes: ['openid', 'identity:read'],
    });
  });

  // V4, S72
  it('with nothing ticked shares nothing', async () => {
    const begun = await begin(started);
    const form = await formOf(begun.cookie, begun.authorizationId);
    for (const name of [...form.keys()]) if (name.startsWith('scope.')) form.delete(name);
    form.set('action', 'approve');
    expect((await submit(begun.cookie, form)).status).toBe(400);
  });

  // V6, S75
  it('asks for the palm first where something sensitive is asked for', async () => {
    const [one, two] = [
      await begin(started, { scope: 'identity:legal_name' }),
      await begin(started, { scope: 'identity:legal_name' }),
    ];
    const form = await formOf(one.cookie, one.authorizationId);
    form.set('action', 'approve');
    form.set('scope.identity:legal_name', 'on');
    expect((await submit(one.cookie, form)).status).toBe(403);
    form.set('action', 'palm');
    expect(await (await consent(one.cookie, one.authorizationId)).text()).not.toContain('>Share<');
    expect((await submit(one.cookie, form)).status).toBe(303);
    expect(await (await consent(one.cookie, one.authorizationId)).text()).toContain('>Share<');
    form.set('action', 'approve');
    expect((await submit(one.cookie, form)).status).toBe(303);
    const other = await formOf(two.cookie, two.authorizationId);
    other.set('action', 'approve');
    other.set('scope.identity:legal_name', 'on');
    expect((await submit(two.cookie, other)).status).toBe(403);
  });

  // V1, V6
  it('asks callers of the sandbox’s API for no palm, and tells them that it is simulated', async () => {
    const scope = 'openid identity:date_of_birth financial:net_worth';
    const approval = async (scopes: readonly string[], changes = {}) => {
      const { authorizationId } = await begin(started, { scope, ...changes });
      const body = { authorization_id: authorizationId, scopes };
      const response = await postJson(started, '/oauth/authorize/approve', body);
      return [response.status, response.headers.get('proviso-palm-verification')];
    };
    expect(await approval(scope.split(' '))).toEqual([200, 'simulated']);
    expect(await approval(['openid'])).toEqual([200, null]);
    expect(await approval(['openid', 'kyc:read'], { scope: 'openid kyc:read' })).toEqual([200, null]);
  });

  // V3, S68, S73
  it('is over when it was answered, and when its time is over', async () => {
    const [answered, late] = [await begin(started), await begin(started)];
    await approve(started, answered);
    expect((await consent(answered.cookie, answered.authorizationId)).status).toBe(409);
    started.clock.moveTo(STARTED_AT + 900_000);
    const refused = await postJson(started, '/oauth/authorize/approve', {
      authorization_id: late.authorizationId,
    });
    started.clock.moveTo(STARTED_AT);
    expect(await refused.json()).toMatchObject({
      error: 'invalid_transition',
      context: { status: 'denied' },
    });
  });
});

describe('the context of an authorization', () => {
  const context = (id: string) => fetch(`${started.url}/oauth/authorize/context?authorization_id=${id}`);

  // D4, S61
  it('has the members of the contract, and neither code nor challenge', async () => {
    const begun = await begin(started, { nonce: 'n' });
    const pending = (await (await context(begun.authorizationId)).json()) as Record<string, unknown>;
    expect(Object.keys(pending)).toEqual([
      'authorization_id',
      'client_id',
      'user_id',
      'app_scoped_user_id',
      'status',
      'redirect_uri',
      'state',
      'requested_scopes',
      'nonce',
      'application',
      'scopes',
      'metadata',
      'policy',
    ]);
    const code = await approve(started, begun);
    const approved = await (await context(begun.authorizationId)).text();
    expect(JSON.parse(approved)).toMatchObject({
      status: 'approved',
      granted_scopes: ['openid', 'identity:read', 'kyc:read'],
      code_expires_at: '2026-06-01T12:01:00.000Z',
    });
    for (const secret of [code, begun.verifier, 'challenge', 'hash']) expect(approved).not.toContain(secret);
  });

  // S70
  it('of an id that is unknown, malformed or absent is not found, all alike', async () => {
    const texts = await Promise.all(
      ['x'.repeat(22), 'x', '%F0%9F%8C%8D'].map(async (id) => [
        (await context(id)).status,
        await (await context(id)).text(),
      ]),
    );
    expect(new Set(texts.map(([status]) => status))).toEqual(new Set([404]));
    expect(new Set(texts.map(([, text]) => text)).size).toBe(1);
    expect((await context('')).status).toBe(400);
  });
});

// V1
describe('approving and denying through the interface', () => {
  const decide = (what: string, body: unknown) => postJson(started, `/oauth/authorize/${what}`, body);

  it('answers with the members of the contract', async () => {
    const { authorizationId } = await begin(started);
    const response = await decide('approve', { authorization_id: authorizationId, scopes: ['kyc:read'] });
    expect(await response.json()).toEqual({
      authorization_id: authorizationId,
      status: 'approved',
      code: expect.stringMatching(/^[\w-]{43}$/),
      code_expires_at: '2026-06-01T12:01:00.000Z',
      scopes: ['openid', 'identity:read', 'kyc:read'],
      granted_scopes: ['kyc:read'],
      app_scoped_user_id: expect.stringMatching(/^usr_[\w-]{43}$/),
      organization_id: 'org-harbour',
      redirect_uri: PUBLIC.redirectUri,
      client_id: PUBLIC.clientId,
      state: 'state-1',
    });
  });

  // S34, S39, S72
  it.each([
    ['wider scopes', { scopes: ['kyc:read', 'data.read'] }, 400, 'E4007'],
    ['no scope', { scopes: [] }, 400, 'E4007'],
    ['scopes that are no list', { scopes: 'kyc:read' }, 400, 'E4000'],
    ['scopes that are no texts', { scopes: [1] }, 400, 'E4000'],
    ['members of ours', { status: 'approved', user_id: 'person-ada' }, 400, 'E4000'],
  ])('with %s changes nothing', async (_what, changes, status, code) => {
    const { authorizationId } = await begin(started);
    const before = await started.store.findAuthorization(authorizationId);
    const response = await decide('approve', { authorization_id: authorizationId, ...changes });
    expect([response.status, await response.json()]).toMatchObject([status, { error_code: code }]);
    expect(await started.store.findAuthorization(authorizationId)).toEqual(before);
  });

  // V3, V4, S73
  it('a second decision is refused, whatever the first was', async () => {
    for (const first of ['approve', 'deny']) {
      const { authorizationId } = await begin(started);
      await decide(first, { authorization_id: authorizationId });
      const after = await started.store.findAuthorization(authorizationId);
      for (const second of ['approve', 'deny']) {
        const response = await decide(second, { authorization_id: authorizationId });
        expect([response.status, await response.json()]).toMatchObject([
          409,
          { error: 'invalid_transition', error_code: 'E4009' },
        ]);
      }
      expect(await started.store.findAuthorization(authorizationId)).toEqual(after);
    }
  });

  // V4, S74, S186
  it('of fifty at once, approvals and denials mixed, exactly one wins', async () => {
    const { authorizationId } = await begin(started);
    const decisions = Array.from({ length: 50 }, (_, index) =>
      decide(index % 2 === 0 ? 'approve' : 'deny', { authorization_id: authorizationId }),
    );
    const statuses = (await Promise.all(decisions)).map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 409).length,
    ]).toEqual([1, 49]);
  });

  // S22
  it('is nothing that other origins may do from a browser', async () => {
    for (const method of ['OPTIONS', 'POST']) {
      const response = await fetch(`${started.url}/oauth/authorize/approve`, {
        method,
        headers: {
          Origin: 'https://evil.example',
          'Access-Control-Request-Method': 'POST',
          'Content-Type': 'application/json',
        },
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('the result of an authorization', () => {
  const result = (id: string, cookie: string) =>
    fetch(`${started.url}/oauth/authorize/result?authorization_id=${id}`, {
      redirect: 'manual',
      headers: { Cookie: cookie },
    });

  // D4, S62, S68
  it('sends a denial back, to the browser that began, and never a code', async () => {
    const [denied, approved, other] = [await begin(started), await begin(started), await begin(started)];
    expect((await result(denied.authorizationId, denied.cookie)).status).toBe(409);
    await postJson(started, '/oauth/authorize/deny', {
      authorization_id: denied.authorizationId,
      reason: 'no',
    });
    const location = new URL(
      (await result(denied.authorizationId, denied.cookie)).headers.get('location') ?? '',
    );
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state-1',
      iss: started.url,
    });
    expect((await result(denied.authorizationId, other.cookie)).status).toBe(404);
    await approve(started, approved);
    expect((await result(approved.authorizationId, approved.cookie)).status).toBe(409);
  });
});
