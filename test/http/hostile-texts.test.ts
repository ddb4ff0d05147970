/** Hostile strings in headers, logs, redirects and pages: each is encoded, escaped or rejected (S2, S6, S18, S25, S26, S33, S35, S55, S63, S199). */
import { beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import { call } from '../support/call.js';
import { useHostileInputService } from '../support/hostile-input-service.js';
import { HOSTILE_STRINGS, PROTOTYPE_NAMES } from '../support/hostile-strings.js';
import { approve, authorizationQuery, begin, logIn, PUBLIC, redemption } from '../support/oauth-client.js';
import { sendRaw } from '../support/raw-request.js';
import type { StartedService } from '../support/start-service.js';

const CHECK = { check: { claim: 'kyc.level', operator: 'isDefined' } };

let started: StartedService;
let token: string;
const service = useHostileInputService();

beforeAll(() => {
  ({ started, token } = service());
});

/** Parameters of an authorization request, one of them unknown. */
const PARAMETERS = [
  'state',
  'nonce',
  'login_hint',
  'locale',
  'scope',
  'client_id',
  'redirect_uri',
  'prompt',
  'extra',
];
const HOSTILE_ENTRIES = Object.entries(HOSTILE_STRINGS);
/** The strings that are not rejected for U+0000. */
const STORABLE = HOSTILE_ENTRIES.filter(([, text]) => !text.includes('\0'));
/** The strings that `state` and `nonce` accept, of at most 512 bytes. */
const SHORT = STORABLE.filter(([, text]) => Buffer.byteLength(text) <= 512);

function get(target: string, lines = ''): Promise<string> {
  return sendRaw(
    started.port,
    `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${started.port}\r\n${lines}Connection: close\r\n\r\n`,
  );
}

/** Parses a raw response: its status, and its headers, one per line. */
function headOf(received: string): {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
} {
  const [statusLine = '', ...lines] = (received.split('\r\n\r\n')[0] ?? '').split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [, name = '', value = ''] = /^([a-z-]+): ([\x20-\x7e]*)$/i.exec(line) ?? [];
    expect([line, name]).not.toEqual([line, '']);
    return [name.toLowerCase(), value];
  });
  expect(headers.map(([name]) => name)).not.toContain('x-injected');
  return { status: Number(statusLine.split(' ')[1]), headers: new Map(headers) };
}

describe.each(PARAMETERS)('an authorization request whose %s', (name) => {
  // S25, S46, S54, S55, S57
  it.each(HOSTILE_ENTRIES)(
    'contains %s is redirected with the value encoded, or rejected',
    async (_what, text) => {
      const received = await get(`/v2/oauth/authorize?${authorizationQuery({ [name]: text })}`);
      const { status, headers } = headOf(received);
      expect([303, 400, 414]).toContain(status);
      if (status !== 303) return;
      const location = headers.get('location') ?? '';
      const { origin } = new URL(started.url);
      const isExpected =
        location.startsWith(`${PUBLIC.redirectUri}?`) || location.startsWith(`${origin}/consent?`);
      expect([location, isExpected]).toEqual([location, true]);
      const state = new URL(location).searchParams.get('state');
      if (name === 'state' && state !== null) expect(state).toBe(text);
    },
  );

  // S18, S35
  it('contains malformed UTF-8 or U+0000 is rejected', async () => {
    const others = authorizationQuery({ [name]: undefined });
    for (const value of ['%c0%af', '%ed%a0%80', '%ff', '%00', 'x%00y', '%', '%zz'])
      expect(headOf(await get(`/v2/oauth/authorize?${others}&${name}=${value}`)).status).toBe(400);
    for (const bytes of ['\u00ff', '\u00c0\u00af']) {
      const request = `GET /v2/oauth/authorize?${others}&${name}=${bytes} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      expect(headOf(await sendRaw(started.port, Buffer.from(request, 'latin1'))).status).toBe(400);
    }
  });

  // S33
  it('is repeated is rejected', async () => {
    const query = authorizationQuery({ [name]: 'x' });
    expect(headOf(await get(`/v2/oauth/authorize?${query}&${name}=x`)).status).toBe(400);
  });
});

// S55
it('a state with a literal question mark in the query is returned unchanged', async () => {
  const others = authorizationQuery({ state: undefined, prompt: 'none' });
  const { headers } = headOf(await get(`/v2/oauth/authorize?state=a?b?c&${others}`));
  const location = new URL(headers.get('location') ?? '');
  expect([location.searchParams.get('error'), location.searchParams.get('state')]).toEqual([
    'login_required',
    'a?b?c',
  ]);
});

describe('a string in an authorization request', () => {
  // S25, S55, S63
  it.each(SHORT)(
    '%s is returned to the client byte for byte, and shown as text on the page',
    async (_what, text) => {
      const hint = Buffer.byteLength(text) > 256 ? undefined : text;
      const pending = await begin(started, { state: text, nonce: text, login_hint: hint });
      expect(pending.authorizationId).not.toBe('');
      const id = pending.authorizationId;
      const { origin } = new URL(started.url);
      const page = await (
        await fetch(`${origin}/consent?authorization_id=${id}`, { headers: { Cookie: pending.cookie } })
      ).text();
      expect(page).not.toMatch(/<script>alert|<img src=x|<svg onload|href="javascript:/i);
      const context = await call(started, `/oauth/authorize/context?authorization_id=${id}`);
      expect([context.body.state, context.body.nonce]).toEqual([text, text]);
      const denied = await call(started, '/oauth/authorize/deny', undefined, {
        authorization_id: id,
        reason: text,
      });
      expect([denied.status, denied.body.state]).toEqual([200, text]);
      const result = await get(
        `/v2/oauth/authorize/result?authorization_id=${id}`,
        `Cookie: ${pending.cookie}\r\n`,
      );
      const { status, headers } = headOf(result);
      expect(status).toBe(303);
      expect(new URL(headers.get('location') ?? '').searchParams.get('state')).toBe(text);
    },
  );
});

describe('a consent page', () => {
  // S63
  it.each(STORABLE)('shows an application, a purpose and a person named %s as text', async (what, text) => {
    const clientId = `hostile-${HOSTILE_ENTRIES.findIndex(([one]) => one === what)}`;
    const redirectUris = [PUBLIC.redirectUri];
    await started.store.upsertApplication({
      ...{
        clientId,
        name: text,
        purpose: text,
        organizationId: 'o',
        redirectUris,
        scopes: ['openid', 'kyc:read'],
      },
      ...{ idTokenAlgorithm: 'ES256', createdAt: 1 },
    });
    const pending = await begin(started, {
      client_id: clientId,
      scope: 'openid kyc:read',
      login_hint: [...text].slice(0, 64).join(''),
    });
    const { origin } = new URL(started.url);
    const response = await fetch(`${origin}/consent?authorization_id=${pending.authorizationId}`, {
      headers: { Cookie: pending.cookie },
    });
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(page).not.toMatch(/<script>alert|<img src=x|<svg onload|href="javascript:/i);
    // No event handler from the injected strings remains.
    expect(page.match(/<[a-z][^>]*\son[a-z]+=/gi)).toBeNull();
  });
});

describe('a request header', () => {
  // S26, S199
  it.each(HOSTILE_ENTRIES)(
    'that sets the request id to %s is replaced, or has safe characters only',
    async (_what, text) => {
      const value = Buffer.from(text.replaceAll(/[\r\n\0]/g, ' ')).toString('latin1');
      const request = `GET /v2/health HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${value}\r\nConnection: close\r\n\r\n`;
      const { headers } = headOf(await sendRaw(started.port, Buffer.from(request, 'latin1')));
      const id = headers.get('x-request-id') ?? '';
      expect(id).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    },
  );

  // S6, S25
  it.each(['\n', '\r', '\0', '\r\n '])(
    'that contains %j is rejected, and no injected header is parsed',
    async (separator) => {
      const received = await sendRaw(
        started.port,
        `GET /v2/health HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: a${separator}X-Injected: 1\r\nConnection: close\r\n\r\n`,
      );
      const { status, headers } = headOf(received);
      expect([status, headers.get('x-request-id')?.includes('Injected')]).toEqual([400, false]);
    },
  );

  // S8
  it.each(PROTOTYPE_NAMES)('named %s has no effect, with and without a body', async (name) => {
    expect(headOf(await get('/v2/health', `${name}: x\r\n`)).status).toBe(200);
    const body = JSON.stringify({ query: CHECK });
    const received = await sendRaw(
      started.port,
      `POST /v2/queries/evaluate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${name}: x\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(headOf(received).status).toBe(200);
  });

  // S92, S135
  it.each(HOSTILE_ENTRIES)(
    'with credentials or a cookie of %s does not authenticate',
    async (_what, text) => {
      const value = Buffer.from(text.replaceAll(/[\r\n\0]/g, '')).toString('latin1');
      const basic = Buffer.from(`${text}:${text}`).toString('base64');
      for (const line of [`Authorization: Bearer ${value}`, `Authorization: Basic ${basic}`]) {
        const request = `GET /v2/userinfo HTTP/1.1\r\nHost: localhost\r\n${line}\r\nConnection: close\r\n\r\n`;
        const { status } = headOf(await sendRaw(started.port, Buffer.from(request, 'latin1')));
        expect([400, 401]).toContain(status);
      }
      // Only pages read cookies.
      const request = `GET /grants HTTP/1.1\r\nHost: 127.0.0.1:${started.port}\r\nCookie: proviso=${value}; proviso-person=${value}\r\nConnection: close\r\n\r\n`;
      const { status, headers } = headOf(await sendRaw(started.port, Buffer.from(request, 'latin1')));
      expect([
        [400, undefined],
        [303, '/sign-in'],
      ]).toContainEqual([status, headers.get('location')]);
    },
  );
});

describe('a request path', () => {
  // S2, S18, S35
  it.each([
    ['/v2/presets/%c0%af', 404],
    ['/v2/presets/%00', 404],
    ['/v2/presets/%ff', 404],
    ['/v2/presets/x%0d%0aX-Injected:%201', 404],
    ['/assets/..%2f..%2fpackage.json', 404],
    ['/assets/design.css%00.svg', 404],
    ['/v2/%2e%2e/v2/presets', 404],
    ['/v2/\u00ff', 400],
    ['/v2/health\u0000', 400],
  ])('%j is rejected', async (path, expected) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    expect(headOf(await sendRaw(started.port, Buffer.from(request, 'latin1'))).status).toBe(expected);
  });

  // S25, S70
  it.each(HOSTILE_ENTRIES)(
    'with %s as an id finds no credential, and as the id of an authorization redirects to no other origin',
    async (_what, text) => {
      const encoded = encodeURIComponent(text).slice(0, 4_000);
      const revocation = await call(
        started,
        `/credentials/${encoded}`,
        SANDBOX_ADMINISTRATOR_TOKEN,
        undefined,
        'DELETE',
      );
      expect(revocation.status).toBe(404);
      const { status, headers } = headOf(await get(`/sign-in?authorization_id=${encoded}`));
      expect([200, 303, 400]).toContain(status);
      expect(headers.get('location') ?? '/').toMatch(/^\/(?!\/)/);
      expect([303, 400]).toContain(
        headOf(await get(`/v2/oauth/authorize?authorization_id=${encoded}`)).status,
      );
    },
  );
});

// S79, S85
it('a token request with a hostile string is rejected, and a valid login still succeeds', async () => {
  for (const [, text] of HOSTILE_ENTRIES) {
    const pending = await begin(started);
    const code = await approve(started, pending);
    for (const name of ['code', 'code_verifier', 'redirect_uri', 'client_id', 'grant_type']) {
      const body = redemption(pending, code, { [name]: text });
      const { status } = await call(started, '/oauth/token', undefined, body);
      expect([name, status === 400 || status === 401]).toEqual([name, true]);
    }
  }
  expect((await logIn(started)).access_token).toMatch(/^[A-Za-z0-9._-]+$/);
});
