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
  nextOf,
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
  const submitted = await login.visit(at, '/grants', { ...formOf(text), action: 'sign_out' });
  expect([submitted.status, submitted.text]).toEqual([200, expect.stringContaining('You are signed out')]);
}

describe('a sign-out', () => {
  it('ends a copied session in another browser, for pages and for the API', async () => {
    await login.signIn(jar, 'anna');
    const copiedJar: Jar = new Map(jar);
    const { id } = await login.begin(copiedJar);
    expect((await login.visit(copiedJar, `/consent?authorization_id=${id}`)).status).toBe(200);
    const page = await login.visit(copiedJar, `/consent?authorization_id=${id}`);
    await signOut(jar);
    expect(await login.visit(copiedJar, '/grants')).toMatchObject({ status: 303, location: '/sign-in' });
    const location = `/sign-in?authorization_id=${id}`;
    expect(await login.visit(copiedJar, `/consent?authorization_id=${id}`)).toMatchObject({ location });
    const form = { ...formOf(page.text), action: 'approve', 'scope.openid': 'on' };
    expect(nextOf(await login.visit(copiedJar, '/consent', form))).toBe(location);
    expect((await login.approve(copiedJar, id)).status).toBe(401);
    expect(await login.statusOf(id)).toBe('pending_admin');
  });

  it('ends the person’s other sessions, and no one else’s', async () => {
    const [other, otherPerson]: [Jar, Jar] = [new Map(), new Map()];
    await login.signIn(jar, 'anna');
    await login.signIn(other, 'anna');
    await login.signIn(otherPerson, 'berta');
    await signOut(jar);
    expect((await login.visit(other, '/grants')).location).toBe('/sign-in');
    expect((await login.visit(otherPerson, '/grants')).status).toBe(200);
  });

  it('does not prevent a new sign-in in the same millisecond', async () => {
    await login.signIn(jar, 'anna');
    await signOut(jar);
    await login.signIn(jar, 'anna');
    expect((await login.visit(jar, '/grants')).status).toBe(200);
    await signOut(jar);
    expect((await login.visit(jar, '/grants')).location).toBe('/sign-in');
  });

  it('applies at other instances', async () => {
    const instance = await startService({
      environment: PRODUCTION,
      wrap: () => login.started.store,
      options: { administratorTokenHash: systemDigest.sha256(ADMINISTRATOR) },
    });
    await login.signIn(jar, 'anna');
    const statusAtInstance = async () => {
      const headers = { Cookie: cookiesOf(jar) };
      const url = `${new URL(instance.url).origin}/grants`;
      return (await fetch(url, { redirect: 'manual', headers })).status;
    };
    expect(await statusAtInstance()).toBe(200);
    const copiedJar = new Map(jar);
    await signOut(jar);
    jar = copiedJar;
    expect(await statusAtInstance()).toBe(303);
    await instance.stop();
  });

  it('adds no read of the store to requests of a signed-in person', async () => {
    const used: string[] = [];
    const countingLogin = await startWithExternalLogin(
      {},
      (store) =>
        new Proxy(store, {
          get: (target, name, receiver) => {
            used.push(String(name));
            return Reflect.get(target, name, receiver);
          },
        }),
    );
    await countingLogin.signIn(jar, 'anna');
    used.length = 0;
    await countingLogin.visit(jar, '/grants');
    // The person, and the contents of the page.
    expect(used).toEqual(['findPerson', 'listPersonGrants', 'listPersonGrants', 'listLearned']);
    await countingLogin.started.stop();
  });
});

describe('a consent page', () => {
  const submit = (id: string, text: string, action: string) =>
    login.visit(jar, '/consent', { ...formOf(text), authorization_id: id, action, 'scope.openid': 'on' });

  it.each(['approve', 'deny', 'palm'])(
    'shown to Anna is shown again to Berta, who signed in meanwhile, when she presses `%s`',
    async (action) => {
      const pending = await login.begin(jar);
      await login.signIn(jar, 'anna', pending.id);
      const page = await login.visit(jar, `/consent?authorization_id=${pending.id}`);
      await login.signIn(jar, 'berta', pending.id);
      const reshown = await submit(pending.id, page.text, action);
      expect([reshown.status, reshown.location]).toEqual([403, null]);
      expect(reshown.text).toContain('<bdi>berta</bdi>');
      expect(reshown.text).toContain('This page was out of date');
      expect(await login.statusOf(pending.id)).toBe('pending_admin');
      const approved = await submit(pending.id, reshown.text, 'approve');
      expect(approved.location).toContain('code=');
      const { authorization } = await login.started.service.authorizations.get(pending.id);
      const berta = await login.started.store.findPerson('name', 'berta');
      expect(authorization.userId).toBe(berta?.id);
    },
  );

  it('that is shown again has the boxes ticked that were ticked in the submitted form', async () => {
    const pending = await login.begin(jar);
    await login.signIn(jar, 'anna', pending.id);
    const page = await login.visit(jar, `/consent?authorization_id=${pending.id}`);
    const ticked = (text: string) =>
      [...text.matchAll(/name="(scope\.[^"]+)"[^>]* checked/g)].map(([, name]) => name);
    expect(ticked(page.text).length).toBeGreaterThan(1);
    await login.signIn(jar, 'berta', pending.id);
    const { proof = '' } = formOf(page.text);
    const reshown = await login.visit(jar, '/consent', {
      proof,
      authorization_id: pending.id,
      action: 'approve',
      'scope.openid': 'on',
    });
    expect(ticked(reshown.text)).toEqual(['scope.openid']);
  });

  it('shown to Anna is rejected after she signed out', async () => {
    const { id } = await login.begin(jar);
    await login.signIn(jar, 'anna', id);
    const page = await login.visit(jar, `/consent?authorization_id=${id}`);
    await signOut(jar);
    const submitted = await submit(id, page.text, 'deny');
    expect([nextOf(submitted), await login.statusOf(id)]).toEqual([
      `/sign-in?authorization_id=${id}`,
      'pending_admin',
    ]);
  });
});

it('an authorization that one person approved is not visible to another person in the same browser', async () => {
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

describe('the administrator, with an external login,', () => {
  const asAdministrator = (at: ExternalLogin, path: string, id: string) =>
    postJson(at.started, path, { authorization_id: id }, { Authorization: `Bearer ${ADMINISTRATOR}` });

  it('cannot approve for a person, with an error that names the setting, but can deny and read', async () => {
    const { id } = await login.begin(jar, { login_hint: 'anna' });
    await login.signIn(jar, 'anna', id);
    const refused = await asAdministrator(login, '/oauth/authorize/approve', id);
    const body = (await refused.json()) as { error_description: string };
    expect([refused.status, body]).toMatchObject([
      403,
      { error: 'access_denied', error_subcode: 'administrator_approval_disabled' },
    ]);
    expect(body.error_description).toContain('unless the setting `administratorApproval` is `always`');
    const context = await fetch(`${login.started.url}/oauth/authorize/context?authorization_id=${id}`, {
      headers: { Authorization: `Bearer ${ADMINISTRATOR}` },
    });
    expect([context.status, await context.json()]).toMatchObject([200, { status: 'pending_admin' }]);
    expect((await asAdministrator(login, '/oauth/authorize/deny', id)).status).toBe(200);
    expect(await login.statusOf(id)).toBe('denied');
  });

  it('can approve if the deployment allows it', async () => {
    const lenient = await startWithExternalLogin({ administratorApproval: 'always' });
    const { id } = await lenient.begin(jar, { login_hint: 'anna' });
    await lenient.signIn(jar, 'anna', id);
    expect((await asAdministrator(lenient, '/oauth/authorize/approve', id)).status).toBe(200);
    await lenient.started.stop();
  });
});
