/** The sign-in page and the grants page (S65, S66, S120). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Application, PalmVerifier } from '../../src/service/index.js';
import { begin, isGood, logIn, PUBLIC } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;
let origin: string;

beforeAll(async () => {
  started = await startService();
  origin = new URL(started.url).origin;
});

afterAll(() => started.stop());

/** One browser's cookies, by name. */
type Jar = Map<string, string>;

async function visit(
  jar: Jar,
  path: string,
  form?: Readonly<Record<string, string>>,
  headers = {},
  at = origin,
) {
  const response = await fetch(`${at}${path}`, {
    redirect: 'manual',
    headers: {
      Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(form === undefined ? {} : { Origin: at, 'Content-Type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    jar.set(name, value);
  }
  const text = await response.text();
  return {
    status: response.status,
    location: response.headers.get('location'),
    cookie: response.headers.get('set-cookie'),
    text,
    proof: /name="proof" value="([^"]+)"/.exec(text)?.[1] ?? '',
  };
}

async function signedIn(person: string): Promise<Jar> {
  const jar: Jar = new Map();
  const { proof } = await visit(jar, '/sign-in');
  expect((await visit(jar, '/sign-in', { proof, person })).location).toBe('/grants');
  return jar;
}

describe('signing in', () => {
  // S46
  it('leads to pages of ours alone, whatever the address says', async () => {
    const jar: Jar = new Map();
    const { proof } = await visit(jar, '/sign-in?authorization_id=https://evil.example');
    const sent = await visit(jar, '/sign-in', { proof, person: 'ada', authorization_id: '//evil.example' });
    expect(sent).toMatchObject({ status: 303, location: '/consent?authorization_id=%2F%2Fevil.example' });
    expect(sent.cookie).toMatch(/^proviso-person=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  // S65
  it('takes no form of another page, none without its proof, and nobody who is not there', async () => {
    const jar: Jar = new Map();
    const { proof } = await visit(jar, '/sign-in');
    const foreign = await visit(
      jar,
      '/sign-in',
      { proof, person: 'ada' },
      { Origin: 'https://evil.example' },
    );
    const unproved = await visit(jar, '/sign-in', { proof: 'x'.repeat(43), person: 'ada' });
    const nobody = await visit(jar, '/sign-in', { proof, person: 'nobody' });
    expect([foreign.status, unproved.status, nobody.status]).toEqual([403, 403, 400]);
    expect(jar.has('proviso-person')).toBe(false);
  });

  it('lets nobody choose who they are where people are not made up', async () => {
    const other = await startService({ environment: { seeded: false } });
    const page = await (await fetch(`${new URL(other.url).origin}/sign-in`)).text();
    expect(page).not.toContain('ada');
    expect(page).not.toContain('name="person"');
    await other.stop();
  });

  // S66
  it('is what a deployment makes of it: who is not signed in decides on nothing, and nobody says who they are by themselves', async () => {
    const user = { id: 'person-1', name: 'Zoë', about: '' };
    const application: Application = {
      clientId: PUBLIC.clientId,
      name: 'Harbour',
      organizationId: 'org',
      redirectUris: [PUBLIC.redirectUri],
      scopes: ['openid'],
      idTokenAlgorithm: 'ES256',
      createdAt: 0,
    };
    const verify = async (sent: ReadonlyMap<string, string>) =>
      sent.get('assertion') === 'signed' ? user : undefined;
    const other = await startService({
      environment: { seeded: false },
      options: { signIn: { choices: async () => [], verify } },
    });
    await other.store.seedOnce({ applications: [application], people: [{ person: user, credentials: [] }] });
    const at = new URL(other.url).origin;
    const begun = await begin(other, { scope: 'openid' });
    const [name = '', key = ''] = begun.cookie.split('=');
    const jar: Jar = new Map([[name, key]]);
    const consentPath = `/consent?authorization_id=${begun.authorizationId}`;

    const asked = await visit(jar, consentPath, undefined, {}, at);
    expect(asked.location).toBe(`/sign-in?authorization_id=${begun.authorizationId}`);
    const decision = {
      authorization_id: begun.authorizationId,
      proof: other.service.sessions.csrfToken({
        browserBinding: key,
        purpose: `consent:${begun.authorizationId}`,
      }),
      action: 'approve',
      'scope.openid': 'on',
    };
    expect((await visit(jar, '/consent', decision, {}, at)).location).toBe(asked.location);
    expect((await visit(jar, '/consent', { ...decision, person: 'Zoë' }, {}, at)).status).toBe(404);

    const { proof } = await visit(jar, '/sign-in', undefined, {}, at);
    const sent = { proof, authorization_id: begun.authorizationId };
    expect((await visit(jar, '/sign-in', { ...sent, person: 'Zoë' }, {}, at)).status).toBe(400);
    expect((await visit(jar, '/sign-in', { ...sent, assertion: 'signed' }, {}, at)).location).toBe(
      consentPath,
    );
    expect((await visit(jar, consentPath, undefined, {}, at)).text).toContain('Zoë');
    // That form was for nobody: the page is shown anew, for who is signed in now.
    const anew = await visit(jar, '/consent', decision, {}, at);
    expect(anew.status).toBe(403);
    const mine = { ...decision, proof: anew.proof };
    expect((await visit(jar, '/consent', mine, {}, at)).location).toContain('code=');
    const { authorization } = await other.service.authorizations.get(begun.authorizationId);
    expect(authorization.userId).toBe(user.id);
    await other.stop();
  });
});

describe('verification by palm', () => {
  // V6
  it('is done by the reader that a deployment brings, and by nothing where it brings none', async () => {
    const sent = new Map([['reading', 'right']]);
    const asked: string[] = [];
    const palm: PalmVerifier = {
      verify: async ({ name }, authorizationId, shown) => {
        asked.push(`${name} ${authorizationId}`);
        return shown.get('reading') === 'right';
      },
    };
    const [bare, equipped] = [
      await startService({ environment: { seeded: false } }),
      await startService({ options: { palm } }),
    ];
    await bare.store.getOrCreatePerson({ id: 'person-1', name: 'Zoë', about: '' });
    expect(await bare.service.authorizations.verifyPalm('any', 'person-1', sent)).toBe(false);
    expect(await equipped.service.authorizations.verifyPalm('any', 'person-hugo', sent)).toBe(true);
    expect(await equipped.service.authorizations.verifyPalm('any', 'person-hugo', new Map())).toBe(false);
    expect(asked).toEqual(['hugo any', 'hugo any']);
    await bare.stop();
    await equipped.stop();
  });
});

describe('one’s own grants', () => {
  // S65, S120
  it('are ended by their person alone: not by another’s form, nor without its proof', async () => {
    const { access_token: token } = await logIn(started, { login_hint: 'ada' });
    const [ada, hugo] = [await signedIn('ada'), await signedIn('hugo')];
    const [mine, other] = [await visit(ada, '/grants'), await visit(hugo, '/grants')];
    const form = { action: 'end', client_id: 'sandbox-public' };
    expect((await visit(ada, '/grants', { ...form, proof: other.proof })).status).toBe(403);
    expect((await visit(ada, '/grants', { ...form, proof: mine.proof }, { Origin: 'null' })).status).toBe(
      403,
    );
    expect((await visit(hugo, '/grants', { ...form, proof: other.proof })).status).toBe(303);
    expect((await visit(new Map(), '/grants', { ...form, proof: mine.proof })).location).toBe('/sign-in');
    expect(await isGood(started, token)).toBe(true);
    expect((await visit(ada, '/grants', { ...form, proof: mine.proof })).status).toBe(303);
    expect(await isGood(started, token)).toBe(false);
  });

  // V3, S145
  it('end for the application as well: its list says so, and says it when they come back', async () => {
    const { access_token: token, authorization_id: id } = await logIn(started, { login_hint: 'emeka' });
    const jar = await signedIn('emeka');
    const { proof } = await visit(jar, '/grants');
    const form = { proof, client_id: 'sandbox-public' };
    const context = async () => {
      const response = await fetch(`${started.url}/oauth/authorize/context?authorization_id=${id}`);
      return ((await response.json()) as { status: string }).status;
    };
    await visit(jar, '/grants', { ...form, action: 'end' });
    expect([await context(), await isGood(started, token)]).toEqual(['revoked', false]);
    // Pressing it once more takes nothing away from the undo.
    await visit(jar, '/grants', { ...form, action: 'end' });
    await visit(jar, '/grants', { ...form, action: 'undo' });
    expect([await context(), await isGood(started, token)]).toEqual(['consumed', true]);
    expect((await visit(jar, '/grants', { ...form, action: 'undo' })).status).toBe(409);
    expect((await visit(jar, '/grants', { ...form, action: 'other' })).status).toBe(400);
  });

  // S66
  it('are shown to nobody after signing out', async () => {
    const jar = await signedIn('grace');
    const { proof } = await visit(jar, '/grants');
    const sent = await visit(jar, '/grants', { proof, action: 'sign_out' });
    expect(sent.cookie).toBe('proviso-person=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
    expect(await visit(jar, '/grants')).toMatchObject({ status: 303, location: '/sign-in' });
  });
});

describe('what pages are made of', () => {
  // S2
  it('is kept for good under its version, asked for again under its name, and nothing else is there', async () => {
    const page = (await visit(new Map(), '/sign-in')).text;
    const [, versioned = ''] = /href="(\/assets\/design\.css\?v=[\w-]+)"/.exec(page) ?? [];
    const cacheOf = async (path: string) => {
      const response = await fetch(`${origin}${path}`);
      return [response.status, response.headers.get('content-type'), response.headers.get('cache-control')];
    };
    const css = 'text/css; charset=utf-8';
    expect(await cacheOf(versioned)).toEqual([200, css, 'public, max-age=31536000, immutable']);
    expect(await cacheOf('/assets/design.css')).toEqual([200, css, 'no-cache']);
    expect(await cacheOf('/assets/design.css?v=old')).toEqual([200, css, 'no-cache']);
    expect((await cacheOf('/assets/pages.js'))[1]).toBe('text/javascript; charset=utf-8');
    expect((await cacheOf('/assets/mark.svg'))[1]).toBe('image/svg+xml; charset=utf-8');
    for (const name of ['constructor', '__proto__', 'other.css', '..%2fdesign.css'])
      expect((await cacheOf(`/assets/${name}`))[0]).toBe(404);
  });
});
