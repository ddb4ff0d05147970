/** The sign-in page and the grants page (S65, S66, S120). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Application, PalmVerifier } from '../../src/service/index.js';
import { begin, isTokenValid, logIn, PUBLIC } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;
let origin: string;

beforeAll(async () => {
  started = await startService();
  origin = new URL(started.url).origin;
});

afterAll(() => started.stop());

/** The cookies of one browser, by name. */
type Jar = Map<string, string>;

async function visit(
  jar: Jar,
  path: string,
  form?: Readonly<Record<string, string>>,
  headers = {},
  baseOrigin = origin,
) {
  const response = await fetch(`${baseOrigin}${path}`, {
    redirect: 'manual',
    headers: {
      Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(form === undefined
        ? {}
        : { Origin: baseOrigin, 'Content-Type': 'application/x-www-form-urlencoded' }),
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

async function signIn(person: string): Promise<Jar> {
  const jar: Jar = new Map();
  const { proof } = await visit(jar, '/sign-in');
  expect((await visit(jar, '/sign-in', { proof, person })).location).toBe('/grants');
  return jar;
}

describe('the sign-in page', () => {
  // S46
  it('redirects to pages of the service only, whatever the parameters contain', async () => {
    const jar: Jar = new Map();
    const { proof } = await visit(jar, '/sign-in?authorization_id=https://evil.example');
    const submitted = await visit(jar, '/sign-in', {
      proof,
      person: 'ada',
      authorization_id: '//evil.example',
    });
    expect(submitted).toMatchObject({
      status: 303,
      location: '/consent?authorization_id=%2F%2Fevil.example',
    });
    expect(submitted.cookie).toMatch(/^proviso-person=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  // S65
  it('rejects a form from another origin, a form without its CSRF token, and an unknown person', async () => {
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

  it('offers no choice of people in production', async () => {
    const other = await startService({ environment: { seeded: false } });
    const page = await (await fetch(`${new URL(other.url).origin}/sign-in`)).text();
    expect(page).not.toContain('ada');
    expect(page).not.toContain('name="person"');
    await other.stop();
  });

  // S66
  it("verifies the deployment's assertion: a decision requires a session, and a form cannot choose the person", async () => {
    const person = { id: 'person-1', name: 'Zoë', about: '' };
    const application: Application = {
      clientId: PUBLIC.clientId,
      name: 'Harbour',
      organizationId: 'org',
      redirectUris: [PUBLIC.redirectUri],
      scopes: ['openid'],
      idTokenAlgorithm: 'ES256',
      createdAt: 0,
    };
    const verify = async (submitted: ReadonlyMap<string, string>) =>
      submitted.get('assertion') === 'signed' ? person : undefined;
    const other = await startService({
      environment: { seeded: false },
      options: { signIn: { choices: async () => [], verify } },
    });
    await other.store.seedOnce({ applications: [application], people: [{ person, credentials: [] }] });
    const baseOrigin = new URL(other.url).origin;
    const pending = await begin(other, { scope: 'openid' });
    const [name = '', key = ''] = pending.cookie.split('=');
    const jar: Jar = new Map([[name, key]]);
    const consentPath = `/consent?authorization_id=${pending.authorizationId}`;

    const consentPage = await visit(jar, consentPath, undefined, {}, baseOrigin);
    expect(consentPage.location).toBe(`/sign-in?authorization_id=${pending.authorizationId}`);
    const decision = {
      authorization_id: pending.authorizationId,
      proof: other.service.sessions.csrfToken({
        browserBinding: key,
        purpose: `consent:${pending.authorizationId}`,
      }),
      action: 'approve',
      'scope.openid': 'on',
    };
    expect((await visit(jar, '/consent', decision, {}, baseOrigin)).location).toBe(consentPage.location);
    expect((await visit(jar, '/consent', { ...decision, person: 'Zoë' }, {}, baseOrigin)).status).toBe(404);

    const { proof } = await visit(jar, '/sign-in', undefined, {}, baseOrigin);
    const submitted = { proof, authorization_id: pending.authorizationId };
    expect((await visit(jar, '/sign-in', { ...submitted, person: 'Zoë' }, {}, baseOrigin)).status).toBe(400);
    expect(
      (await visit(jar, '/sign-in', { ...submitted, assertion: 'signed' }, {}, baseOrigin)).location,
    ).toBe(consentPath);
    expect((await visit(jar, consentPath, undefined, {}, baseOrigin)).text).toContain('Zoë');
    // The form was issued without a session: the page is shown again, for the signed-in person.
    const reshown = await visit(jar, '/consent', decision, {}, baseOrigin);
    expect(reshown.status).toBe(403);
    const ownPage = { ...decision, proof: reshown.proof };
    expect((await visit(jar, '/consent', ownPage, {}, baseOrigin)).location).toContain('code=');
    const { authorization } = await other.service.authorizations.get(pending.authorizationId);
    expect(authorization.userId).toBe(person.id);
    await other.stop();
  });
});

describe('palm verification', () => {
  // V6
  it("uses the deployment's reader, and fails in production without one", async () => {
    const submitted = new Map([['reading', 'right']]);
    const calls: string[] = [];
    const palm: PalmVerifier = {
      verify: async ({ name }, authorizationId, form) => {
        calls.push(`${name} ${authorizationId}`);
        return form.get('reading') === 'right';
      },
    };
    const [withoutReader, withReader] = [
      await startService({ environment: { seeded: false } }),
      await startService({ options: { palm } }),
    ];
    await withoutReader.store.getOrCreatePerson({ id: 'person-1', name: 'Zoë', about: '' });
    expect(await withoutReader.service.authorizations.verifyPalm('any', 'person-1', submitted)).toBe(false);
    expect(await withReader.service.authorizations.verifyPalm('any', 'person-hugo', submitted)).toBe(true);
    expect(await withReader.service.authorizations.verifyPalm('any', 'person-hugo', new Map())).toBe(false);
    expect(calls).toEqual(['hugo any', 'hugo any']);
    await withoutReader.stop();
    await withReader.stop();
  });
});

describe('the grants page', () => {
  // S65, S120
  it("ends grants for their person only, with that person's CSRF token", async () => {
    const { access_token: token } = await logIn(started, { login_hint: 'ada' });
    const [ada, hugo] = [await signIn('ada'), await signIn('hugo')];
    const [ownPage, other] = [await visit(ada, '/grants'), await visit(hugo, '/grants')];
    const form = { action: 'end', client_id: 'sandbox-public' };
    // The form of another session: the page is shown again for the signed-in person, and says that nothing was changed.
    const outdated = await visit(ada, '/grants', { ...form, proof: other.proof });
    expect(outdated.status).toBe(403);
    expect(outdated.text).toContain('Nothing was changed.');
    expect(outdated.text).toContain('<bdi>ada</bdi>');
    expect(outdated.proof).toBe(ownPage.proof);
    expect((await visit(ada, '/grants', { ...form, proof: ownPage.proof }, { Origin: 'null' })).status).toBe(
      403,
    );
    expect((await visit(hugo, '/grants', { ...form, proof: other.proof })).status).toBe(303);
    // After the end of the session: the page does not claim that sharing was stopped.
    const withoutSession = await visit(new Map(), '/grants', { ...form, proof: ownPage.proof });
    expect(withoutSession.status).toBe(403);
    expect(withoutSession.text).toContain('Your session has ended, so this request changed nothing.');
    expect(withoutSession.text).toContain('href="/sign-in"');
    expect(await isTokenValid(started, token)).toBe(true);
    expect((await visit(ada, '/grants', { ...form, proof: ownPage.proof })).status).toBe(303);
    expect(await isTokenValid(started, token)).toBe(false);
  });

  // V3, S145
  it("ends and restores a grant, and the authorization's context shows both", async () => {
    const { access_token: token, authorization_id: id } = await logIn(started, { login_hint: 'emeka' });
    const jar = await signIn('emeka');
    const { proof } = await visit(jar, '/grants');
    const form = { proof, client_id: 'sandbox-public' };
    const context = async () => {
      const response = await fetch(`${started.url}/oauth/authorize/context?authorization_id=${id}`);
      return ((await response.json()) as { status: string }).status;
    };
    await visit(jar, '/grants', { ...form, action: 'end' });
    expect([await context(), await isTokenValid(started, token)]).toEqual(['revoked', false]);
    // Ending a grant twice does not prevent the restoration.
    await visit(jar, '/grants', { ...form, action: 'end' });
    await visit(jar, '/grants', { ...form, action: 'undo' });
    expect([await context(), await isTokenValid(started, token)]).toEqual(['consumed', true]);
    expect((await visit(jar, '/grants', { ...form, action: 'undo' })).status).toBe(409);
    const unknown = await visit(jar, '/grants', { ...form, action: 'other' });
    expect(unknown.status).toBe(400);
    expect(unknown.text).toContain('/action: `action` must be one of `end`, `undo`, `forget`, `sign_out`.');
  });

  // S66
  it('is not shown after signing out', async () => {
    const jar = await signIn('grace');
    const { proof } = await visit(jar, '/grants');
    const submitted = await visit(jar, '/grants', { proof, action: 'sign_out' });
    expect(submitted.cookie).toBe('proviso-person=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
    expect((await visit(jar, '/grants', { proof, action: 'sign_out' })).location).toBe('/sign-in');
    expect(await visit(jar, '/grants')).toMatchObject({ status: 303, location: '/sign-in' });
  });
});

describe('an asset of the pages', () => {
  // S2
  it('is cached forever under its versioned URL, revalidated without version, and 404 for unknown names', async () => {
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
