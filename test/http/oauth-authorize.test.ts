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

function fetchConsent(cookie: string, id: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Cookie: cookie, ...init.headers };
  return fetch(`${origin}/consent${init.method === 'POST' ? '' : `?authorization_id=${id}`}`, {
    redirect: 'manual',
    ...init,
    headers,
  });
}

async function formOf(cookie: string, id: string): Promise<URLSearchParams> {
  const markup = await (await fetchConsent(cookie, id)).text();
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
  return fetchConsent(cookie, '', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: form,
  });
}

describe('an authorization request without a valid client or redirect URI', () => {
  // S45, S46, S48
  it.each([
    ['without a client', { client_id: undefined }],
    ['of an unknown client', { client_id: 'nobody' }],
    ['without a redirect URI', { redirect_uri: undefined }],
    ['with another redirect URI', { redirect_uri: 'https://evil.example/cb' }],
    ['with a redirect URI of another client', { redirect_uri: CONFIDENTIAL.redirectUri }],
  ])('%s shows an error page and is never redirected', async (_what, changes) => {
    const response = await authorize(started, authorizationQuery(changes));
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  // S46, S63
  it('shows the received and the registered redirect URIs in the sandbox', async () => {
    const received = 'http://127.0.0.1/callback/<b>';
    const markup = await (await authorize(started, authorizationQuery({ redirect_uri: received }))).text();
    expect(markup).toContain('The return address is not registered');
    expect(markup).toContain(
      'does not match a registered URI (exact match required, except for the port on a loopback IP address)',
    );
    for (const uri of ['http://127.0.0.1/callback/&lt;b&gt;', 'http://localhost:3000/callback'])
      expect(markup).toContain(`<bdi class="address" dir="ltr">${uri}</bdi>`);
    expect(markup).not.toContain('<b>');
  });

  // S33, S46
  it.each([
    [
      'missing',
      authorizationQuery({ redirect_uri: undefined }),
      '/redirect_uri: `redirect_uri` is required.',
    ],
    ['repeated', `${authorizationQuery()}&<b>=x&<b>=y`, '/&lt;b&gt;: The parameter must not be repeated.'],
    ['malformed', `${authorizationQuery()}&state=%ff`, 'UTF-8'],
  ])('says on the error page which parameter is %s', async (_what, query, message) => {
    const markup = await (await authorize(started, query)).text();
    const [, shown] = /<bdi lang="en" dir="ltr">(.*?)<\/bdi>/.exec(markup) ?? [];
    expect(shown).toMatch(/^The request is malformed; see `problems`\. /);
    expect(shown).toContain(message);
  });

  // S33
  it.each(['client_id', 'redirect_uri', 'state', 'scope'])(
    'with a repeated %s shows an error page',
    async (name) => {
      const response = await authorize(started, `${authorizationQuery()}&${name}=x`);
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    },
  );
});

describe('an authorization request with a valid client and redirect URI', () => {
  it('at another name of the sandbox, such as `localhost`, leads to the consent page at that name', async () => {
    const local = origin.replace('127.0.0.1', 'localhost');
    const begun = await fetch(`${local}/v2/oauth/authorize?${authorizationQuery()}`, { redirect: 'manual' });
    const page = new URL(begun.headers.get('location') ?? '', local);
    expect([begun.status, page.origin]).toEqual([303, local]);
    // Browsers send a cookie only to the host that set it.
    const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
    expect((await fetch(page, { headers: { Cookie: cookie } })).status).toBe(200);
  });

  const FAULTS: readonly [
    what: string,
    changes: Readonly<Record<string, string | undefined>>,
    error: string,
    description?: string,
  ][] = [
    // S50
    ['without a response type', { response_type: undefined }, 'invalid_request', 'response_type is required'],
    // S50
    [
      'for a token',
      { response_type: 'token' },
      'unsupported_response_type',
      '`response_type` must be `code`.',
    ],
    // S50
    [
      'for an ID token',
      { response_type: 'id_token' },
      'unsupported_response_type',
      '`response_type` must be `code`.',
    ],
    // S50
    [
      'for a code and a token',
      { response_type: 'code token' },
      'unsupported_response_type',
      '`response_type` must be `code`.',
    ],
    // S51
    [
      'for a response in a fragment',
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
    [
      'with the challenge method s256',
      { code_challenge_method: 's256' },
      'invalid_request',
      'code_challenge_method must be S256',
    ],
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
      'with seven unknown scopes, of which the error names five,',
      { scope: `a b c d e f ${'x'.repeat(99)}` },
      'invalid_scope',
      'unknown scope: a b c d e and 2 more',
    ],
    // S54
    [
      'with a malformed scope',
      { scope: 'openid "' },
      'invalid_scope',
      'scope must be a list of scope names separated by single spaces',
    ],
    // S54
    [
      'with scopes separated by tabs',
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
    ['with prompt=none and no session', { prompt: 'none' }, 'login_required'],
    [
      'with an id_token_hint, which would select the person',
      { id_token_hint: 'a.b.c' },
      'invalid_request',
      'id_token_hint is not supported: use login_hint',
    ],
    ['with prompt=none and an id_token_hint', { prompt: 'none', id_token_hint: 'a.b.c' }, 'login_required'],
    ['with prompt=none twice', { prompt: 'none none' }, 'login_required'],
    [
      'with prompt=none login',
      { prompt: 'none login' },
      'invalid_request',
      'prompt must be none, or any of login, consent and select_account, separated by spaces',
    ],
    // S59
    [
      'with prompt=consent none',
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

  it.each(FAULTS)(
    '%s is redirected to the client with an error',
    async (_what, changes, error, description) => {
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
    },
  );

  // S55
  it('with a state that is too long is redirected to the client with an error, without the state', async () => {
    const response = await authorize(started, authorizationQuery({ state: 'x'.repeat(513) }));
    const location = new URL(response.headers.get('location') ?? '');
    expect(`${location.origin}${location.pathname}`).toBe(PUBLIC.redirectUri);
    expect(location.searchParams.get('error')).toBe('invalid_request');
    expect(location.searchParams.has('state')).toBe(false);
  });
});

describe('a valid authorization request', () => {
  // S57
  it.each([
    // S54
    ['scopes in another order and twice', { scope: 'kyc:read openid openid identity:read' }],
    // S38
    [
      'unknown parameters',
      { extra: 'foobar', claims_locales: 'pt', ui_locales: 'pt', display: 'page', acr_values: '0' },
    ],
    // S59
    ['prompt=login and max_age=0', { prompt: 'login', max_age: '0' }],
    ['every interactive prompt', { prompt: 'login consent select_account login', max_age: '9999999999' }],
    // S47
    ['a loopback redirect URI with a port', { redirect_uri: 'http://127.0.0.1:5000/callback' }],
  ])('with %s is redirected to the consent page', async (_what, changes) => {
    const response = await authorize(started, authorizationQuery(changes));
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(
      new RegExp(`^${origin}/consent\\?authorization_id=[\\w-]{22}$`),
    );
  });

  // S25, S55
  it.each(['', 'plain', 'ünïcödé 🌍 "<>&%=+#?', ' ~!@#$%^&*()_+{}|:"<>?', 'x'.repeat(512), '🌍'.repeat(128)])(
    'returns the state %j unchanged',
    async (state) => {
      const pending = await begin(started, { state: state === '' ? undefined : state });
      const form = await formOf(pending.cookie, pending.authorizationId);
      form.set('action', 'deny');
      const location = new URL((await submit(pending.cookie, form)).headers.get('location') ?? '');
      expect(location.searchParams.get('error_description')).toBe('The person denied the request.');
      expect(location.searchParams.get('state')).toBe(state === '' ? null : state);
    },
  );
});

describe('an authorization request by POST (OpenID Connect Core §3.1.2.1)', () => {
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
  it('is redirected to GET with the same parameters, and sets no cookie', async () => {
    const state = 'ünï & "c"+d';
    const response = await post(authorizationQuery({ state }));
    expect([response.status, response.headers.get('set-cookie')]).toEqual([303, null]);
    const location = response.headers.get('location') ?? '';
    expect(location).toMatch(/^\/v2\/oauth\/authorize\?/);
    const next = new URL(location, started.url);
    expect(next.searchParams.get('state')).toBe(state);
    const consentResponse = await fetch(next, { redirect: 'manual' });
    expect(consentResponse.headers.get('location')).toMatch(/\/consent\?authorization_id=[\w-]{22}$/);
  });

  // S33
  it('must be a form without repeated parameters', async () => {
    expect((await post(`${authorizationQuery()}&state=x`)).status).toBe(400);
    expect((await post('{}', { 'Content-Type': 'application/json' })).status).toBe(415);
  });
});

describe('a login hint', () => {
  const approveWithHint = async (hint: string) => {
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
    expect(await approveWithHint(hint)).toEqual([200, 'person-ada']);
  });

  it.each(['nobody', 'user|nobody', 'email|nobody@example.org', 'wallet|0x', 'nope|ada'])(
    '%s names nobody, and the approval fails',
    async (hint) => {
      expect(await approveWithHint(hint)).toEqual([404, undefined]);
    },
  );
});

describe('unknown scopes', () => {
  // S54
  it('are ignored next to known ones, at authorization and at refresh', async () => {
    const scope = 'openid nope kyc:read custom/thing';
    const tokens = await logIn(started, { scope });
    expect(tokens.scope).toBe('openid kyc:read');
    const next = await refresh(started, tokens.refresh_token, { scope });
    expect([next.status, await next.json()]).toMatchObject([200, { scope: 'openid kyc:read' }]);
  });

  // S54, S101
  it('are named in the error of a refresh without known scopes, which does not consume the token', async () => {
    const tokens = await logIn(started);
    const refused = await refresh(started, tokens.refresh_token, { scope: 'nope' });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: 'invalid_scope', error_description: 'unknown scope: nope', context: { scopes: ['nope'] } },
    ]);
    expect((await refresh(started, tokens.refresh_token)).status).toBe(200);
  });

  // S72
  it('in an approval are named in its error if they were not requested', async () => {
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
  it('shows the application, the requested claims and the return address, and both decisions next to each other', async () => {
    const { cookie, authorizationId } = await begin(started);
    const response = await fetchConsent(cookie, authorizationId);
    const markup = await response.text();
    expect(response.status).toBe(200);
    for (const text of [
      'Harbour Wallet',
      'Harbour Payments Ltd',
      'http://127.0.0.1',
      'Your identity checks',
      'Who you are',
      '>Share<',
      '>Do not share<',
      'Nothing is shared without your consent',
    ]) {
      expect(markup).toContain(text);
    }
    expect(markup).not.toMatch(/<script(?! src="\/assets\/)/);
  });

  // S64
  it('cannot be framed, runs scripts of the service only and sends no referrer', async () => {
    const { cookie, authorizationId } = await begin(started);
    const { headers } = await fetchConsent(cookie, authorizationId);
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self';",
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
  it('shows caller-supplied strings as text', async () => {
    const hint = '"><img src=x onerror=alert(1)></select></script>';
    const { cookie, authorizationId } = await begin(started, { login_hint: hint, state: hint });
    const markup = await (await fetchConsent(cookie, authorizationId)).text();
    expect(markup).toContain('&lt;img src=x');
    const name = encodeURIComponent('"><img src=x>');
    const query = `${authorizationQuery()}&${name}=1&${name}=2`;
    const problem = await (await authorize(started, query)).text();
    expect(problem).toContain('&lt;img src=x');
    for (const page of [markup, problem]) expect(page).not.toContain('<img src=x');
  });

  // S60
  it('is shown only in the browser that began the authorization', async () => {
    const [mine, other] = [await begin(started), await begin(started)];
    expect((await fetchConsent(other.cookie, mine.authorizationId)).status).toBe(404);
    expect((await fetchConsent('', mine.authorizationId)).status).toBe(404);
    expect((await fetchConsent(mine.cookie, mine.authorizationId)).status).toBe(200);
    const form = await formOf(mine.cookie, mine.authorizationId);
    form.set('action', 'approve');
    expect((await submit(other.cookie, form)).status).toBe(404);
  });

  // S65
  it('rejects a form from another origin, and a form without its CSRF token', async () => {
    const { cookie, authorizationId } = await begin(started);
    const form = await formOf(cookie, authorizationId);
    form.set('action', 'approve');
    expect((await submit(cookie, form, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await submit(cookie, form, { Origin: 'null' })).status).toBe(403);
    const crossSite = { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' };
    expect((await submit(cookie, form, crossSite)).status).toBe(403);
    expect((await submit(cookie, form, { ...crossSite, Origin: origin })).status).toBe(403);
    form.set('proof', 'x'.repeat(43));
    expect((await submit(cookie, form)).status).toBe(403);
    const { authorization } = await started.service.authorizations.get(authorizationId);
    expect(authorization.status).toBe('pending_admin');
  });

  // S66, D14
  it('binds the authorization to the browser by a cookie with `HttpOnly` and `SameSite=Lax`', async () => {
    const response = await authorize(started, authorizationQuery());
    expect(response.headers.get('set-cookie')).toMatch(
      /^proviso=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  // S56, S57, V4
  it('redirects by 303 with code, state and issuer, and grants only the ticked scopes', async () => {
    const pending = await begin(started);
    const form = await formOf(pending.cookie, pending.authorizationId);
    form.set('action', 'approve');
    form.set('person', 'fatima');
    form.delete('scope.kyc:read');
    const response = await submit(pending.cookie, form);
    const location = new URL(response.headers.get('location') ?? '');
    expect(response.status).toBe(303);
    expect([...location.searchParams.keys()]).toEqual(['code', 'state', 'iss']);
    const { authorization } = await started.service.authorizations.get(pending.authorizationId);
    expect(authorization).toMatchObject({
      status: 'approved',
      userId: 'person-fatima',
      grantedScopes: ['openid', 'identity:read'],
    });
  });

  // V4, S72
  it('rejects an approval without any scope', async () => {
    const pending = await begin(started);
    const form = await formOf(pending.cookie, pending.authorizationId);
    for (const name of [...form.keys()]) if (name.startsWith('scope.')) form.delete(name);
    form.set('action', 'approve');
    expect((await submit(pending.cookie, form)).status).toBe(400);
  });

  // V6, S75
  it('requires palm verification before an approval of sensitive scopes', async () => {
    const [one, two] = [
      await begin(started, { scope: 'identity:legal_name' }),
      await begin(started, { scope: 'identity:legal_name' }),
    ];
    const form = await formOf(one.cookie, one.authorizationId);
    form.set('action', 'approve');
    form.set('scope.identity:legal_name', 'on');
    expect((await submit(one.cookie, form)).status).toBe(403);
    form.set('action', 'palm');
    expect(await (await fetchConsent(one.cookie, one.authorizationId)).text()).not.toContain('>Share<');
    expect((await submit(one.cookie, form)).status).toBe(303);
    expect(await (await fetchConsent(one.cookie, one.authorizationId)).text()).toContain('>Share<');
    form.set('action', 'approve');
    expect((await submit(one.cookie, form)).status).toBe(303);
    const otherForm = await formOf(two.cookie, two.authorizationId);
    otherForm.set('action', 'approve');
    otherForm.set('scope.identity:legal_name', 'on');
    expect((await submit(two.cookie, otherForm)).status).toBe(403);
  });

  // V1, V6
  it('requires no palm verification of API callers in the sandbox, and marks the response as simulated', async () => {
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
  it('cannot be used after a decision or after the request expired', async () => {
    const [decided, late] = [await begin(started), await begin(started)];
    await approve(started, decided);
    expect((await fetchConsent(decided.cookie, decided.authorizationId)).status).toBe(409);
    started.clock.moveTo(STARTED_AT + 900_000);
    expect((await fetchConsent(late.cookie, late.authorizationId)).status).toBe(409);
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

  // V3, S68
  it('has the status denied once the request expired, for which the response to the application states the reason', async () => {
    const pending = await begin(started);
    const shown = async () => (await context(pending.authorizationId)).json();
    started.clock.moveTo(STARTED_AT + 899_999);
    const before = await shown();
    started.clock.moveTo(STARTED_AT + 960_000);
    const after = await shown();
    const result = await fetch(
      `${started.url}/oauth/authorize/result?authorization_id=${pending.authorizationId}`,
      { redirect: 'manual', headers: { Cookie: pending.cookie } },
    );
    started.clock.moveTo(STARTED_AT);
    expect(before).toMatchObject({ status: 'pending_admin' });
    expect(after).toMatchObject({ status: 'denied', metadata: { updated_at: '2026-06-01T12:15:00.000Z' } });
    const { searchParams } = new URL(result.headers.get('location') ?? '');
    expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual([
      'access_denied',
      'The request expired.',
    ]);
  });

  // D4, S61
  it('has the members of the contract, and neither code nor challenge', async () => {
    const pending = await begin(started, { nonce: 'n' });
    const shown = (await (await context(pending.authorizationId)).json()) as Record<string, unknown>;
    expect(Object.keys(shown)).toEqual([
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
    const code = await approve(started, pending);
    const approved = await (await context(pending.authorizationId)).text();
    expect(JSON.parse(approved)).toMatchObject({
      status: 'approved',
      granted_scopes: ['openid', 'identity:read', 'kyc:read'],
      code_expires_at: '2026-06-01T12:01:00.000Z',
    });
    for (const secret of [code, pending.verifier, 'challenge', 'hash'])
      expect(approved).not.toContain(secret);
  });

  // S70
  it('is not found for an unknown or malformed id, with the same response', async () => {
    const responses = await Promise.all(
      ['x'.repeat(22), 'x', '%F0%9F%8C%8D'].map(async (id) => [
        (await context(id)).status,
        await (await context(id)).text(),
      ]),
    );
    expect(new Set(responses.map(([status]) => status))).toEqual(new Set([404]));
    expect(new Set(responses.map(([, text]) => text)).size).toBe(1);
    expect((await context('')).status).toBe(400);
  });
});

// V1
describe('approving and denying through the API', () => {
  const decide = (what: string, body: unknown) => postJson(started, `/oauth/authorize/${what}`, body);

  it('returns the members of the contract', async () => {
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
    ['scopes that are not a list', { scopes: 'kyc:read' }, 400, 'E4000'],
    ['scopes that are not strings', { scopes: [1] }, 400, 'E4000'],
    ['internal members', { status: 'approved', user_id: 'person-ada' }, 400, 'E4000'],
  ])('fails with %s and changes nothing', async (_what, changes, status, code) => {
    const { authorizationId } = await begin(started);
    const before = await started.store.findAuthorization(authorizationId);
    const response = await decide('approve', { authorization_id: authorizationId, ...changes });
    expect([response.status, await response.json()]).toMatchObject([status, { error_code: code }]);
    expect(await started.store.findAuthorization(authorizationId)).toEqual(before);
  });

  // V3, V4, S73
  it('is possible once: a second decision is rejected', async () => {
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

  // V3, S73
  it('is rejected with the status of the authorization after a denial, also if the person of the hint is unknown', async () => {
    const { authorizationId } = await begin(started, { login_hint: 'nobody' });
    await decide('deny', { authorization_id: authorizationId });
    const response = await decide('approve', { authorization_id: authorizationId });
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { error: 'invalid_transition', context: { status: 'denied' } },
    ]);
  });

  // V4, S74, S186
  it('lets exactly one of fifty concurrent decisions succeed', async () => {
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
  it('is not allowed from browsers of other origins', async () => {
    for (const [action, method] of [
      ['approve', 'OPTIONS'],
      ['approve', 'POST'],
      ['deny', 'OPTIONS'],
      ['deny', 'POST'],
    ] as const) {
      const response = await fetch(`${started.url}/oauth/authorize/${action}`, {
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
  it('redirects a denial only in the browser that began the authorization, and never returns a code', async () => {
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
