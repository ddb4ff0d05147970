/** OpenID Connect RP-Initiated Logout 1.0: confirmation, sign-out, and redirect (S250–S258). */
import { CompactSign, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Application, rotateSigningKeys, type SigningKey } from '../../src/service/index.js';
import { systemSigner } from '../../src/system/signer.js';
import {
  claimsOf,
  cookiesOf,
  type ExternalLogin,
  formOf,
  type Jar,
  startWithExternalLogin,
} from '../support/external-login.js';
import { PUBLIC } from '../support/oauth-client.js';
import { startService } from '../support/start-service.js';

const REDIRECT_URI = 'https://harbour.example/signed-out';
const WITH_QUERY = 'https://harbour.example/signed-out?from=proviso';
const LOOPBACK = 'http://127.0.0.1:4711/signed-out';
const HOUR_MS = 3_600_000;

let login: ExternalLogin;
let jar: Jar;
let other: Application;

beforeAll(async () => {
  login = await startWithExternalLogin();
  const { store } = login.started;
  const application = await store.findApplication(PUBLIC.clientId);
  if (application === undefined) throw new Error('the application is not registered');
  const postLogoutRedirectUris = [REDIRECT_URI, WITH_QUERY, LOOPBACK];
  await store.upsertApplication({ ...application, postLogoutRedirectUris });
  other = {
    ...application,
    clientId: 'other',
    name: 'Quay',
    organizationId: 'o2',
    postLogoutRedirectUris: ['https://quay.example/bye'],
  };
  await store.upsertApplication(other);
});

afterAll(() => login.started.stop());

beforeEach(() => {
  jar = new Map();
  // The tests share their people: a sign-out of one test must not be in the same millisecond as that of another.
  login.started.clock.moveTo(login.started.clock.now() + 10_000);
});

/** Signs a person in and returns the ID token that the application received. */
async function signInForToken(at: Jar, person: string, changes = {}): Promise<string> {
  const pending = await login.begin(at, changes);
  await login.signIn(at, person, pending.id);
  const { location } = await login.decide(at, pending.id, 'approve');
  const { id_token: idToken } = await login.redeem(pending, location);
  if (idToken === undefined) throw new Error('the token response has no ID token');
  return idToken;
}

function logOut(at: Jar, parameters: Readonly<Record<string, string>>) {
  return login.visit(at, `/v2/oauth/logout?${new URLSearchParams(parameters)}`);
}

async function isSignedIn(at: Jar): Promise<boolean> {
  return (await login.visit(at, '/grants')).status === 200;
}

async function signingKey(algorithm: SigningKey['algorithm']): Promise<SigningKey> {
  const key = (await login.started.store.listSigningKeys()).find((one) => one.algorithm === algorithm);
  if (key === undefined) throw new Error(`no signing key for ${algorithm}`);
  return key;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const CONFIRMATION = 'Sign out of Proviso?';
const SIGNED_OUT = 'You are signed out';

describe('a logout with an ID token of the signed-in person', () => {
  // S250, S253
  it('signs the person out at once, and redirects to the registered URI with an unchanged `state`', async () => {
    const hint = await signInForToken(jar, 'anna');
    const otherBrowser = new Map(jar);
    const response = await logOut(jar, {
      id_token_hint: hint,
      post_logout_redirect_uri: REDIRECT_URI,
      state: 'a b&c=ü',
      logout_hint: 'anna',
      ui_locales: 'de',
    });
    expect([response.status, response.location]).toEqual([303, `${REDIRECT_URI}?state=a%20b%26c%3D%C3%BC`]);
    expect([...jar.keys()]).toEqual(['proviso']);
    expect([await isSignedIn(jar), await isSignedIn(otherBrowser)]).toEqual([false, false]);
  });

  // S250
  it('accepts the longest ID token that the service issues', async () => {
    const hint = await signInForToken(jar, 'anna', { nonce: '\u0001'.repeat(512) });
    const response = await logOut(jar, { id_token_hint: hint, post_logout_redirect_uri: REDIRECT_URI });
    expect(response.location).toBe(REDIRECT_URI);
  });

  // S253
  it('keeps the query of the registered URI, and adds no `state` if none was sent', async () => {
    const first = await signInForToken(jar, 'anna');
    const plain = await logOut(jar, { id_token_hint: first, post_logout_redirect_uri: REDIRECT_URI });
    expect(plain.location).toBe(REDIRECT_URI);
    const second = await signInForToken(jar, 'anna');
    const parameters = { id_token_hint: second, post_logout_redirect_uri: WITH_QUERY, state: 's' };
    expect((await logOut(jar, parameters)).location).toBe(`${WITH_QUERY}&state=s`);
  });

  it('shows a page of the service if the request has no redirect URI', async () => {
    const response = await logOut(jar, { id_token_hint: await signInForToken(jar, 'anna') });
    expect([response.status, response.text.includes(SIGNED_OUT)]).toEqual([200, true]);
    expect(await isSignedIn(jar)).toBe(false);
  });

  // S250
  it('accepts an expired token whose key is no longer published', async () => {
    const { store, clock, url } = login.started;
    const hint = await signInForToken(jar, 'anna');
    await rotateSigningKeys({ store, clock, signer: systemSigner });
    clock.moveTo(clock.now() + 7 * HOUR_MS);
    const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as {
      readonly keys: readonly { readonly kid: string }[];
    };
    const [header = ''] = hint.split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { readonly kid: string };
    expect(keys.some((key) => key.kid === kid)).toBe(false);
    expect(Number(claimsOf(hint)['exp']) * 1_000).toBeLessThan(clock.now());
    expect(await isSignedIn(jar)).toBe(true);
    const response = await logOut(jar, { id_token_hint: hint, post_logout_redirect_uri: REDIRECT_URI });
    expect(response.location).toBe(REDIRECT_URI);
    expect(await isSignedIn(jar)).toBe(false);
  });

  // S254
  it('is rejected if `client_id` is not the `aud` of the token, and the person stays signed in', async () => {
    const hint = await signInForToken(jar, 'anna');
    const response = await logOut(jar, {
      id_token_hint: hint,
      client_id: other.clientId,
      post_logout_redirect_uri: 'https://quay.example/bye',
    });
    expect([response.status, response.location]).toEqual([400, null]);
    expect(response.text).toContain('client_id must be the aud of id_token_hint');
    expect(await isSignedIn(jar)).toBe(true);
    expect((await logOut(jar, { id_token_hint: hint, client_id: PUBLIC.clientId })).text).toContain(
      SIGNED_OUT,
    );
  });
});

describe('a logout with an ID token that does not identify the signed-in person', () => {
  // S250, S251
  it("asks for confirmation if the token is another person's", async () => {
    const hint = await signInForToken(new Map(), 'berta');
    await signInForToken(jar, 'anna');
    const page = await logOut(jar, { id_token_hint: hint, post_logout_redirect_uri: REDIRECT_URI });
    expect([page.status, page.location]).toEqual([200, null]);
    expect(page.text).toContain(CONFIRMATION);
    expect(page.text).toContain('<bdi>Harbour</bdi>');
    expect(page.text).toContain('<bdi>anna</bdi>');
    expect(page.text).not.toContain(hint);
    expect(await isSignedIn(jar)).toBe(true);
  });

  // S250, S254
  it.each([
    [
      'whose claims were altered',
      async (hint: string) => {
        const [header, , signature] = hint.split('.');
        return [header, encode({ ...claimsOf(hint), auth_time: 1 }), signature].join('.');
      },
    ],
    [
      'that another key signed, with the `kid` of a key of the service',
      async (hint: string) => {
        const { kid } = await signingKey('ES256');
        const { privateKey } = await generateKeyPair('ES256');
        return await new SignJWT(claimsOf(hint))
          .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
          .sign(privateKey);
      },
    ],
    [
      'that contains its own key in `jwk`',
      async (hint: string) => {
        const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
        const jwk = await exportJWK(publicKey);
        return await new SignJWT(claimsOf(hint))
          .setProtectedHeader({ alg: 'ES256', jwk, typ: 'JWT' })
          .sign(privateKey);
      },
    ],
    [
      'with `alg` `none`',
      async (hint: string) => {
        const { kid } = await signingKey('ES256');
        return `${encode({ alg: 'none', kid, typ: 'JWT' })}.${encode(claimsOf(hint))}.`;
      },
    ],
    [
      'with `alg` `none` and a signature',
      async (hint: string) => {
        const { kid } = await signingKey('ES256');
        return `${encode({ alg: 'none', kid, typ: 'JWT' })}.${encode(claimsOf(hint))}.AAAA`;
      },
    ],
    [
      'that is signed with the public key of the service as an HMAC secret',
      async (hint: string) => {
        const key = await signingKey('RS256');
        const secret = new TextEncoder().encode(JSON.stringify(systemSigner.toPublicJwk(key)));
        return await new SignJWT(claimsOf(hint))
          .setProtectedHeader({ alg: 'HS256', kid: key.kid })
          .sign(secret);
      },
    ],
    [
      'with an algorithm that is not the one of its key',
      async (hint: string) => {
        const { kid, privateJwk } = await signingKey('RS256');
        return await new SignJWT(claimsOf(hint))
          .setProtectedHeader({ alg: 'PS256', kid, typ: 'JWT' })
          .sign(await importJWK(JSON.parse(privateJwk) as JWK, 'PS256'));
      },
    ],
    [
      'with a critical extension',
      async (hint: string) => {
        const { kid, privateJwk } = await signingKey('ES256');
        return await new CompactSign(new TextEncoder().encode(JSON.stringify(claimsOf(hint))))
          .setProtectedHeader({ alg: 'ES256', kid, crit: ['b64'], b64: true })
          .sign(await importJWK(JSON.parse(privateJwk) as JWK, 'ES256'));
      },
    ],
    [
      'of another issuer',
      (hint: string) => signWithServiceKey({ ...claimsOf(hint), iss: 'https://other.example/v2' }),
    ],
    [
      'for an application that is not registered',
      (hint: string) => signWithServiceKey({ ...claimsOf(hint), aud: 'nobody' }),
    ],
    [
      'with an array as audience',
      (hint: string) => signWithServiceKey({ ...claimsOf(hint), aud: [PUBLIC.clientId] }),
    ],
    ['without a subject', (hint: string) => signWithServiceKey({ ...claimsOf(hint), sub: undefined })],
    ['that is no JWT', async () => 'not.a.token'],
    ['that is not base64url', async () => '%00.ü."'],
  ])('asks for confirmation and never redirects if the token is one %s', async (_what, forge) => {
    const hint = await forge(await signInForToken(jar, 'anna'));
    const parameters = {
      id_token_hint: hint,
      client_id: PUBLIC.clientId,
      post_logout_redirect_uri: REDIRECT_URI,
    };
    const page = await logOut(jar, parameters);
    expect([page.status, page.location]).toEqual([200, null]);
    expect(page.text).toContain(CONFIRMATION);
    expect(await isSignedIn(jar)).toBe(true);
    const confirmed = await login.visit(jar, '/sign-out', formOf(page.text));
    expect([confirmed.status, confirmed.location]).toEqual([200, null]);
    expect(confirmed.text).toContain(SIGNED_OUT);
    expect(await isSignedIn(jar)).toBe(false);
    expect(login.started.failures).toEqual([]);
  });

  // S250
  it('rejects a token that is longer than every token of the service, and never redirects', async () => {
    const hint = await signInForToken(jar, 'anna');
    const parameters = {
      id_token_hint: await signWithServiceKey({ ...claimsOf(hint), padding: 'A'.repeat(8_000) }),
      client_id: PUBLIC.clientId,
      post_logout_redirect_uri: REDIRECT_URI,
    };
    for (const page of [
      await logOut(jar, parameters),
      await login.visit(jar, '/v2/oauth/logout', parameters),
    ])
      expect([page.status, page.location]).toEqual([414, null]);
    expect(await isSignedIn(jar)).toBe(true);
  });

  // S250
  it("asks for confirmation if the token's application was revoked", async () => {
    await signInForToken(jar, 'anna');
    const anna = await login.started.store.findPerson('name', 'anna');
    const revoked = { ...other, clientId: 'revoked', revokedAt: 1 };
    await login.started.store.upsertApplication(revoked);
    const sub = login.started.service.people.subjectOf(revoked.organizationId, anna?.id ?? '');
    const claims = { iss: login.started.url, sub };
    const hint = await signWithServiceKey({ ...claims, aud: 'revoked' });
    expect((await logOut(jar, { id_token_hint: hint })).text).toContain(CONFIRMATION);
    // The same claims, for an active application.
    const activeHint = await signWithServiceKey({ ...claims, aud: other.clientId });
    expect((await logOut(jar, { id_token_hint: activeHint })).text).toContain(SIGNED_OUT);
  });
});

async function signWithServiceKey(claims: Readonly<Record<string, unknown>>): Promise<string> {
  return await systemSigner.sign(claims, await signingKey('ES256'));
}

describe('the post-logout redirect URI', () => {
  // S252
  it.each([
    ['another path', 'https://harbour.example/signed-out/'],
    ['another case', 'https://harbour.example/Signed-Out'],
    ['a query', `${REDIRECT_URI}?next=1`],
    ['another host', 'https://harbour.example.evil.example/signed-out'],
    ['another port on loopback', 'http://127.0.0.1:4712/signed-out'],
    ['no port on loopback', 'http://127.0.0.1/signed-out'],
    ['a redirect URI of the application', PUBLIC.redirectUri],
    ['one of another application', 'https://quay.example/bye'],
    ['a script', 'javascript:alert(1)'],
  ])('is rejected with an error page, and no person is signed out: %s', async (_what, uri) => {
    const hint = await signInForToken(jar, 'anna');
    for (const named of [{ id_token_hint: hint }, { client_id: PUBLIC.clientId }] as const) {
      const response = await logOut(jar, { ...named, post_logout_redirect_uri: uri });
      expect([response.status, response.location]).toEqual([400, null]);
      expect(response.text).toContain('does not match a registered URI');
      // In production, error pages do not list registered URIs.
      expect(response.text).not.toContain(REDIRECT_URI);
    }
    expect(await isSignedIn(jar)).toBe(true);
  });

  // S252
  it('may be a registered loopback URI with its port', async () => {
    const hint = await signInForToken(jar, 'anna');
    const response = await logOut(jar, { id_token_hint: hint, post_logout_redirect_uri: LOOPBACK });
    expect(response.location).toBe(LOOPBACK);
  });

  // S252
  it('is ignored if the request does not identify the application', async () => {
    const parameters = { post_logout_redirect_uri: REDIRECT_URI, state: 's' };
    expect(await logOut(jar, parameters)).toMatchObject({ status: 200, location: null });
    await signInForToken(jar, 'anna');
    const page = await logOut(jar, parameters);
    expect(page.text).toContain(CONFIRMATION);
    expect(page.text).not.toContain('harbour.example');
    const response = await login.visit(jar, '/sign-out', formOf(page.text));
    expect([response.status, response.location]).toEqual([200, null]);
  });

  // S252, S63
  it('is shown in the sandbox next to the registered ones, as text, if it is not registered', async () => {
    const sandbox = await startService();
    const query = new URLSearchParams({
      client_id: PUBLIC.clientId,
      post_logout_redirect_uri: 'http://localhost:3001/"><script>alert(1)</script>',
    });
    const response = await fetch(`${sandbox.url}/oauth/logout?${query}`);
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).toContain('http://localhost:3001/&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('http://localhost:3000/signed-out');
    expect(text).not.toContain('<script>alert');
    await sandbox.stop();
  });
});

describe('the confirmation of a logout', () => {
  const REQUEST = { client_id: PUBLIC.clientId, post_logout_redirect_uri: REDIRECT_URI, state: 'x"y' };

  // S251, S253
  it('signs the person out in every browser, and redirects with `state`', async () => {
    await signInForToken(jar, 'anna');
    const otherBrowser = new Map(jar);
    const page = await logOut(jar, REQUEST);
    expect(page.text).toContain('<bdi class="address" dir="ltr">https://harbour.example</bdi>');
    const form = { ...formOf(page.text), state: REQUEST.state };
    const response = await login.visit(jar, '/sign-out', form);
    expect([response.status, response.location]).toEqual([303, `${REDIRECT_URI}?state=x%22y`]);
    expect([await isSignedIn(jar), await isSignedIn(otherBrowser)]).toEqual([false, false]);
  });

  // S257, S64
  it('may submit its form only to the service and the origin of the registered URI, and cannot be framed', async () => {
    await signInForToken(jar, 'anna');
    const headersOf = async (parameters: Readonly<Record<string, string>>) =>
      (
        await fetch(`${login.started.url}/oauth/logout?${new URLSearchParams(parameters)}`, {
          headers: { Cookie: cookiesOf(jar) },
        })
      ).headers;
    const headers = await headersOf(REQUEST);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' https://harbour.example;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect((await headersOf({})).get('content-security-policy')).toContain("form-action 'self';");
  });

  // S257
  it('is rejected from another site, another page or another session', async () => {
    await signInForToken(jar, 'anna');
    const form = formOf((await logOut(jar, REQUEST)).text);
    const grants = formOf((await login.visit(jar, '/grants')).text);
    const otherPerson: Jar = new Map();
    await signInForToken(otherPerson, 'berta');
    const otherForm = formOf((await logOut(otherPerson, REQUEST)).text);
    const proofs = [{}, { proof: '' }, { proof: grants['proof'] ?? '' }, { proof: otherForm['proof'] ?? '' }];
    for (const proof of proofs) {
      const { proof: _proof, ...rest } = form;
      const response = await login.visit(jar, '/sign-out', { ...rest, ...proof });
      expect([response.status, response.location]).toEqual([403, null]);
    }
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      const foreign = await fetch(`${new URL(login.started.url).origin}/sign-out`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Cookie: cookiesOf(jar), ...headers } as Record<string, string>,
        body: new URLSearchParams(form),
      });
      expect(foreign.status).toBe(403);
    }
    expect(await isSignedIn(jar)).toBe(true);
    expect((await login.visit(jar, '/sign-out', form)).status).toBe(303);
  });

  // S257
  it('validates every field of its form again', async () => {
    await signInForToken(jar, 'anna');
    const form = formOf((await logOut(jar, REQUEST)).text);
    const altered = [
      { ...form, post_logout_redirect_uri: 'https://evil.example/' },
      { ...form, client_id: other.clientId },
      { ...form, client_id: 'nobody' },
    ];
    for (const one of altered) {
      const response = await login.visit(jar, '/sign-out', one);
      expect([response.status, response.location]).toEqual([400, null]);
    }
    expect(await isSignedIn(jar)).toBe(true);
    const { client_id: _id, ...nameless } = form;
    expect(await login.visit(jar, '/sign-out', nameless)).toMatchObject({ status: 200, location: null });
  });

  // S258
  it('redirects even if the person has already signed out', async () => {
    await signInForToken(jar, 'anna');
    const form = formOf((await logOut(jar, { ...REQUEST, state: 's' })).text);
    await login.visit(jar, '/sign-out', form);
    expect((await login.visit(jar, '/sign-out', form)).location).toBe(`${REDIRECT_URI}?state=s`);
  });

  // S251
  it('is required without parameters, and with a `client_id` only', async () => {
    await signInForToken(jar, 'anna');
    const bare = await login.visit(jar, '/v2/oauth/logout');
    expect([bare.text.includes(CONFIRMATION), bare.text.includes('Harbour')]).toEqual([true, false]);
    const named = await logOut(jar, { client_id: PUBLIC.clientId });
    expect([named.text.includes(CONFIRMATION), named.text.includes('Harbour')]).toEqual([true, true]);
    expect((await logOut(jar, { client_id: 'nobody' })).status).toBe(400);
    expect(await isSignedIn(jar)).toBe(true);
  });
});

describe('a browser without a session', () => {
  // S258
  it('receives the response of a completed logout: the redirect, or the page of the service', async () => {
    const hint = await signInForToken(new Map(), 'anna');
    const parameters = { post_logout_redirect_uri: REDIRECT_URI, state: 's' };
    const to = `${REDIRECT_URI}?state=s`;
    expect((await logOut(jar, { ...parameters, id_token_hint: hint })).location).toBe(to);
    expect((await logOut(jar, { ...parameters, client_id: PUBLIC.clientId })).location).toBe(to);
    expect(
      (await logOut(jar, { ...parameters, client_id: PUBLIC.clientId, id_token_hint: 'x' })).location,
    ).toBe(null);
    const bare = await login.visit(jar, '/v2/oauth/logout');
    expect([bare.status, bare.text.includes(SIGNED_OUT)]).toEqual([200, true]);
    expect(jar.size).toBe(0);
  });
});

describe('a logout by POST', () => {
  const post = (body: Readonly<Record<string, string>>) =>
    fetch(`${login.started.url}/oauth/logout`, {
      method: 'POST',
      redirect: 'manual',
      // From the application's site, without the service's cookies.
      headers: { Origin: 'https://harbour.example', 'Sec-Fetch-Site': 'cross-site' },
      body: new URLSearchParams(body),
    });

  // S255
  it('is redirected to GET with the same parameters, which signs the person out', async () => {
    const hint = await signInForToken(jar, 'anna');
    const parameters = { id_token_hint: hint, post_logout_redirect_uri: REDIRECT_URI, state: 'a b&ü' };
    const response = await post(parameters);
    // Relative, so that a browser that reached the service under another name sends the cookies of that name.
    expect(response.headers.get('location')).toMatch(/^\/v2\/oauth\/logout\?/);
    const location = new URL(response.headers.get('location') ?? '', login.started.url);
    expect([response.status, response.headers.getSetCookie()]).toEqual([303, []]);
    expect(`${location.origin}${location.pathname}`).toBe(`${login.started.url}/oauth/logout`);
    expect(Object.fromEntries(location.searchParams)).toEqual(parameters);
    expect(await isSignedIn(jar)).toBe(true);
    expect((await login.visit(jar, location.href)).location).toBe(`${REDIRECT_URI}?state=a%20b%26%C3%BC`);
    expect(await isSignedIn(jar)).toBe(false);
  });

  // S255
  it('is rejected if its parameters do not fit into a URL', async () => {
    expect((await post({ state: 'x'.repeat(8_000) })).status).toBe(303);
    const response = await post({ state: 'x'.repeat(8_192) });
    expect([response.status, response.headers.get('location')]).toEqual([414, null]);
  });

  // S33
  it.each(['state=1&state=2', 'state=%ff'])('or by GET is rejected if it is malformed: %s', async (text) => {
    const url = `${login.started.url}/oauth/logout`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const statuses = [
      (await fetch(url, { method: 'POST', headers, body: text, redirect: 'manual' })).status,
      (await fetch(`${url}?${text}`, { redirect: 'manual' })).status,
    ];
    expect(statuses).toEqual([400, 400]);
  });
});

it('both discovery documents announce the logout endpoint', async () => {
  for (const name of ['openid-configuration', 'hp-configuration']) {
    const response = await fetch(`${login.started.url}/.well-known/${name}`);
    expect(await response.json()).toMatchObject({
      end_session_endpoint: `${login.started.url}/oauth/logout`,
    });
  }
});
