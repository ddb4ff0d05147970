/** Discovery documents, user information, and CORS (S22, S23, S139, S181, S182). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_CATALOGUE } from '../../src/service/index.js';
import { AS_CONFIDENTIAL, isTokenValid, logIn } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

interface Metadata {
  readonly claims_supported: readonly string[];
}

let started: StartedService;
let origin: string;

beforeAll(async () => {
  started = await startService();
  origin = new URL(started.url).origin;
});

afterAll(() => started.stop());

async function readDocument(path: string): Promise<Record<string, string & string[]>> {
  return (await (await fetch(`${origin}${path}`)).json()) as Record<string, string & string[]>;
}

describe('discovery', () => {
  const DOCUMENT_PATHS = [
    '/v2/.well-known/openid-configuration',
    '/.well-known/openid-configuration/v2',
    '/.well-known/oauth-authorization-server/v2',
    '/v2/.well-known/oauth-authorization-server',
  ];

  // S181
  it.each(DOCUMENT_PATHS)('is served at %s with the exact issuer, and is cacheable', async (path) => {
    const response = await fetch(`${origin}${path}`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    expect(((await response.json()) as { issuer: string }).issuer).toBe(started.url);
  });

  // S182
  it.each([...DOCUMENT_PATHS.slice(0, 1), '/v2/.well-known/hp-configuration'])(
    'names only endpoints that exist: %s',
    async (path) => {
      const metadata = await readDocument(path);
      const urls = Object.entries(metadata).filter(
        ([name]) => name.endsWith('_endpoint') || name === 'jwks_uri',
      );
      expect(urls.length).toBeGreaterThan(5);
      for (const [name, url] of urls) {
        const statuses = await Promise.all(
          ['GET', 'POST'].map(async (method) => (await fetch(url, { method, redirect: 'manual' })).status),
        );
        expect(
          statuses.every((status) => status === 404),
          `${name}: ${statuses}`,
        ).toBe(false);
      }
      expect(metadata['code_challenge_methods_supported']).toEqual(['S256']);
    },
  );

  it('lists the supported values of `prompt` and `ui_locales`', async () => {
    const metadata = await readDocument(DOCUMENT_PATHS[0] ?? '');
    expect(metadata['prompt_values_supported']).toEqual(['none', 'login', 'consent', 'select_account']);
    // S381
    expect(metadata['ui_locales_supported']).toEqual(['en', 'de', 'fr', 'es', 'pt', 'ar']);
  });

  // S182
  it('lists in `claims_supported` only the user information that a scope of the catalogue covers', async () => {
    const removed = ['profile', 'phone', 'address'];
    const scopes = DEFAULT_CATALOGUE.scopes.filter(({ name }) => !removed.includes(name));
    const other = await startService({ options: { catalogue: { ...DEFAULT_CATALOGUE, scopes } } });
    const claimsOf = async ({ url }: StartedService) =>
      ((await (await fetch(`${url}/.well-known/openid-configuration`)).json()) as Metadata).claims_supported;
    try {
      const [all, some] = [await claimsOf(started), await claimsOf(other)];
      const hidden = ['name', 'birthdate', 'phone_number', 'phone_number_verified', 'address'];
      expect(all).toEqual(expect.arrayContaining([...hidden, 'email', 'email_verified', 'sub', 'at_hash']));
      expect(some).toEqual(all.filter((claim) => !hidden.includes(claim)));
    } finally {
      await other.stop();
    }
  });

  // S7
  it('depends on configuration only, never on forwarding headers', async () => {
    const plain = await readDocument(DOCUMENT_PATHS[0] ?? '');
    const response = await fetch(`${origin}${DOCUMENT_PATHS[0]}`, {
      headers: {
        'X-Forwarded-Host': 'evil.example',
        Forwarded: 'host=evil.example',
        'X-Forwarded-Proto': 'https',
      },
    });
    expect(await response.json()).toEqual(plain);
  });
});

describe('user information', () => {
  const info = async (accessToken: string, method = 'GET') =>
    (await (
      await fetch(`${started.url}/userinfo`, { method, headers: { Authorization: `Bearer ${accessToken}` } })
    ).json()) as Record<string, unknown>;

  // S139
  it('contains the claims that the scopes cover, and no others', async () => {
    const [full, little] = [await logIn(started), await logIn(started, { scope: 'openid kyc:read' })];
    expect(await info(full.access_token)).toEqual({
      sub: full.app_scoped_user_id,
      iss: started.url,
      aud: 'sandbox-public',
      authorization_id: full.authorization_id,
      scopes: ['openid', 'identity:read', 'kyc:read'],
      service_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      email: 'ada@example.org',
      email_verified: true,
      updated_at: '2026-04-02T00:00:00.000Z',
    });
    const { service_id } = await info(full.access_token);
    const elsewhere = await info((await logIn(started, AS_CONFIDENTIAL)).access_token);
    const stored = '6f1c1c1e-3f43-4c0a-9c7e-0f3f3b9f7a01';
    expect(new Set([stored, service_id, elsewhere['service_id']]).size).toBe(3);
    expect(Object.keys(await info(little.access_token))).toEqual([
      'sub',
      'iss',
      'aud',
      'authorization_id',
      'scopes',
    ]);
  });

  // S139
  it('responds to GET and POST, and accepts a token in a form body', async () => {
    const { access_token } = await logIn(started);
    expect(await info(access_token, 'POST')).toEqual(await info(access_token));
    const post = (body: URLSearchParams | string, headers: Record<string, string> = {}) =>
      fetch(`${started.url}/userinfo`, { method: 'POST', body, headers });
    const inBody = await post(new URLSearchParams({ access_token }));
    expect([inBody.status, await inBody.json()]).toEqual([200, await info(access_token)]);
    const inBoth = await post(new URLSearchParams({ access_token }), {
      Authorization: `Bearer ${access_token}`,
    });
    expect([inBoth.status, await inBoth.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    const refused = [
      await post(new URLSearchParams({ access_token: `${access_token}x` })),
      await post(new URLSearchParams({ access_token: 'x'.repeat(5_000) })),
      await post(new URLSearchParams({ token: access_token })),
      await post(JSON.stringify({ access_token }), { 'Content-Type': 'application/json' }),
      await fetch(`${started.url}/userinfo?access_token=${access_token}`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(await isTokenValid(started, access_token)).toBe(true);
  });
});

describe('browsers of other origins', () => {
  const preflight = (path: string, from: string) =>
    fetch(`${origin}${path}`, {
      method: 'OPTIONS',
      headers: { Origin: from, 'Access-Control-Request-Method': 'POST' },
    });

  // S23
  it('may call the token endpoints, user information and queries in the sandbox, without cookies, and read the keys', async () => {
    for (const path of ['/v2/oauth/token', '/v2/oauth/revoke', '/v2/userinfo', '/v2/queries/evaluate']) {
      const { status, headers } = await preflight(path, 'https://any.example');
      expect([
        status,
        headers.get('access-control-allow-origin'),
        headers.get('access-control-allow-credentials'),
      ]).toEqual([204, 'https://any.example', null]);
    }
    const { headers } = await fetch(`${started.url}/.well-known/jwks.json`, {
      headers: { Origin: 'https://any.example' },
    });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  // S23
  it('can read the errors of a token request', async () => {
    const response = await fetch(`${started.url}/oauth/token`, {
      method: 'POST',
      headers: { Origin: 'https://any.example' },
      body: new URLSearchParams({ a: 'b' }),
    });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
      401,
      'https://any.example',
    ]);
  });

  // S22
  it.each([
    '/v2/oauth/authorize',
    '/v2/oauth/authorize/approve',
    '/v2/oauth/authorize/deny',
    '/v2/oauth/authorize/context',
    '/v2/oauth/introspect',
    '/consent',
  ])('may not call %s', async (path) => {
    for (const from of ['https://any.example', 'null', origin]) {
      const { headers } = await preflight(path, from);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('browsers of other origins in production', () => {
  // S23
  it('may call only from the exact origin of a registered redirect URI', async () => {
    const production = await startService();
    // The seeded people and applications of the sandbox, under the production rule for origins.
    const service = {
      ...production.service,
      environment: { ...production.service.environment, seeded: false },
    };
    const { requestListener } = await import('../../src/http/index.js');
    production.server.removeAllListeners('request');
    production.server.on(
      'request',
      requestListener(service, { createRequestId: () => 'r', onFailure: () => undefined }),
    );
    const allowed = async (from: string) => {
      const response = await fetch(`${production.url}/oauth/token`, {
        method: 'OPTIONS',
        headers: { Origin: from, 'Access-Control-Request-Method': 'POST' },
      });
      expect(response.headers.get('vary')).toBe('Origin');
      return response.headers.get('access-control-allow-origin');
    };
    for (const from of ['https://meridian.example', 'http://localhost:3000'])
      expect(await allowed(from)).toBe(from);
    const others = [
      'https://meridian.example.evil.example',
      'https://evil-meridian.example',
      'http://meridian.example',
      'https://meridian.example:8443',
      'https://Meridian.example',
      'https://meridian.exampl',
      'http://localhost:300',
      'http://localhost',
      'https:',
      'https:/',
      'https://',
      'http:',
      'https://meridian.example/',
      'https://meridian.example/callback',
      'https://meridian.example:443',
      'https://user@meridian.example',
      'null',
      'https://any.example',
    ];
    for (const from of others) expect(await allowed(from), from).toBeNull();
    await production.stop();
  });
});
