/** Sessions and forms are bound to a person: signing out ends them everywhere, and a form is rejected for another person (S65, S66). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PRODUCTION } from '../../src/service/index.js';
import { systemDigest } from '../../src/system/node-ports.js';
import {
  ADMINISTRATOR,
  cookiesOf,
  type ExternalLogin,
  formOf,
  type Jar,
  startWithExternalLogin,
} from '../support/external-login.js';
import { postJson } from '../support/oauth-client.js';
import { startService } from '../support/start-service.js';

let login: ExternalLogin;
let jar: Jar;

beforeAll(async () => {
  login = await startWithExternalLogin();
});

afterAll(() => login.started.stop());

beforeEach(() => {
  jar = new Map();
  // The tests share their people: a sign-out of one test must not be in the same millisecond as that of another.
  login.started.clock.moveTo(login.started.clock.now() + 10_000);
});

async function signOut(at: Jar): Promise<void> {
  const { text } = await login.visit(at, '/grants');
  const sent = await login.visit(at, '/grants', { ...formOf(text), action: 'sign_out' });
  expect([sent.status, sent.location]).toEqual([303, '/sign-in']);
}

describe('signing out', () => {
  it('ends a copy of the session at another browser, for pages and for the interface', async () => {
    await login.signIn(jar, 'anna');
    const copy: Jar = new Map(jar);
    const { id } = await login.begin(copy);
    expect((await login.visit(copy, `/consent?authorization_id=${id}`)).status).toBe(200);
    const page = await login.visit(copy, `/consent?authorization_id=${id}`);
    await signOut(jar);
    expect(await login.visit(copy, '/grants')).toMatchObject({ status: 303, location: '/sign-in' });
    const location = `/sign-in?authorization_id=${id}`;
    expect(await login.visit(copy, `/consent?authorization_id=${id}`)).toMatchObject({ location });
    const form = { ...formOf(page.text), action: 'approve', 'scope.openid': 'on' };
    expect(await login.visit(copy, '/consent', form)).toMatchObject({ status: 303, location });
    expect((await login.approve(copy, id)).status).toBe(401);
    expect(await login.statusOf(id)).toBe('pending_admin');
  });

  it('ends the person’s other sessions, and nobody else’s', async () => {
    const [other, stranger]: [Jar, Jar] = [new Map(), new Map()];
    await login.signIn(jar, 'anna');
    await login.signIn(other, 'anna');
    await login.signIn(stranger, 'berta');
    await signOut(jar);
    expect((await login.visit(other, '/grants')).location).toBe('/sign-in');
    expect((await login.visit(stranger, '/grants')).status).toBe(200);
  });

  it('lets the person sign in again in the same millisecond', async () => {
    await login.signIn(jar, 'anna');
    await signOut(jar);
    await login.signIn(jar, 'anna');
    expect((await login.visit(jar, '/grants')).status).toBe(200);
    await signOut(jar);
    expect((await login.visit(jar, '/grants')).location).toBe('/sign-in');
  });

  it('holds on another instance', async () => {
    const instance = await startService({
      environment: PRODUCTION,
      wrap: () => login.started.store,
      options: { administratorTokenHash: systemDigest.sha256(ADMINISTRATOR) },
    });
    await login.signIn(jar, 'anna');
    const there = async () => {
      const headers = { Cookie: cookiesOf(jar) };
      const url = `${new URL(instance.url).origin}/grants`;
      return (await fetch(url, { redirect: 'manual', headers })).status;
    };
    expect(await there()).toBe(200);
    const copy = new Map(jar);
    await signOut(jar);
    jar = copy;
    expect(await there()).toBe(303);
    await instance.stop();
  });

  it('costs a request of somebody who is signed in no further read of the store', async () => {
    const reads: string[] = [];
    const watched = await startWithExternalLogin({}, (store) => ({
      ...store,
      findPerson: (by, value) => {
        reads.push(by);
        return store.findPerson(by, value);
      },
    }));
    await watched.signIn(jar, 'anna');
    reads.length = 0;
    await watched.visit(jar, '/grants');
    expect(reads).toEqual(['id']);
    await watched.started.stop();
  });
});

describe('a consent page', () => {
  const submit = (id: string, text: string, action: string) =>
    login.visit(jar, '/consent', { ...formOf(text), authorization_id: id, action, 'scope.openid': 'on' });

  it.each(['approve', 'deny', 'palm'])(
    'that was shown to Anna is shown anew when Berta, who signed in meanwhile, presses `%s`',
    async (action) => {
      const begun = await login.begin(jar);
      await login.signIn(jar, 'anna', begun.id);
      const page = await login.visit(jar, `/consent?authorization_id=${begun.id}`);
      await login.signIn(jar, 'berta', begun.id);
      const anew = await submit(begun.id, page.text, action);
      expect([anew.status, anew.location]).toEqual([403, null]);
      expect(anew.text).toContain('<bdi>berta</bdi>');
      expect(anew.text).toContain('This page was out of date');
      expect(await login.statusOf(begun.id)).toBe('pending_admin');
      const approved = await submit(begun.id, anew.text, 'approve');
      expect(approved.location).toContain('code=');
      const { authorization } = await login.started.service.authorizations.get(begun.id);
      const berta = await login.started.store.findPerson('name', 'berta');
      expect(authorization.userId).toBe(berta?.id);
    },
  );

  it('that was shown to Anna is not taken after she has signed out', async () => {
    const { id } = await login.begin(jar);
    await login.signIn(jar, 'anna', id);
    const page = await login.visit(jar, `/consent?authorization_id=${id}`);
    await signOut(jar);
    const sent = await submit(id, page.text, 'deny');
    expect([sent.location, await login.statusOf(id)]).toEqual([
      `/sign-in?authorization_id=${id}`,
      'pending_admin',
    ]);
  });
});

it('what one person approved is not shown to another who signs in at the same browser', async () => {
  const { id } = await login.begin(jar);
  const context = () =>
    fetch(`${login.started.url}/oauth/authorize/context?authorization_id=${id}`, {
      headers: { Cookie: cookiesOf(jar) },
    });
  await login.signIn(jar, 'anna', id);
  expect((await login.approve(jar, id)).status).toBe(200);
  expect((await context()).status).toBe(200);
  await login.signIn(jar, 'berta');
  expect((await context()).status).toBe(404);
});

describe('the administrator, where people sign in at an external login', () => {
  const asAdministrator = (at: ExternalLogin, path: string, id: string) =>
    postJson(at.started, path, { authorization_id: id }, { Authorization: `Bearer ${ADMINISTRATOR}` });

  it('does not approve for a person, and is told which setting would let them; denies and looks as before', async () => {
    const { id } = await login.begin(jar, { login_hint: 'anna' });
    await login.signIn(jar, 'anna', id);
    const refused = await asAdministrator(login, '/oauth/authorize/approve', id);
    const body = (await refused.json()) as { error_description: string };
    expect([refused.status, body]).toMatchObject([
      403,
      { error: 'access_denied', error_subcode: 'administrator_approval_disabled' },
    ]);
    expect(body.error_description).toContain('`administratorApproval` must be `always`');
    expect(await login.statusOf(id)).toBe('pending_admin');
    expect((await asAdministrator(login, '/oauth/authorize/deny', id)).status).toBe(200);
  });

  it('approves where the deployment says so', async () => {
    const lenient = await startWithExternalLogin({ administratorApproval: 'always' });
    const { id } = await lenient.begin(jar, { login_hint: 'anna' });
    await lenient.signIn(jar, 'anna', id);
    expect((await asAdministrator(lenient, '/oauth/authorize/approve', id)).status).toBe(200);
    await lenient.started.stop();
  });
});
