/** Palm verification is valid only for the verified person, and not for others at the same browser (V6, S75). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ADMINISTRATOR,
  type ExternalLogin,
  formOf,
  type Jar,
  startWithExternalLogin,
} from '../support/external-login.js';
import { begin, PUBLIC, postJson } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

const SENSITIVE = { scope: 'openid identity:legal_name' };
const PALM = { amr: ['pwd', 'palm'] };

describe('palm verification at an external login', () => {
  let login: ExternalLogin;
  let jar: Jar;

  beforeAll(async () => {
    login = await startWithExternalLogin({ administratorApproval: 'always' });
  });

  afterAll(() => login.started.stop());

  beforeEach(() => {
    jar = new Map();
  });

  // S75
  it('of another person does not allow the approval', async () => {
    const { id } = await login.begin(jar, SENSITIVE);
    await login.signIn(jar, 'victim', id);
    expect((await login.approve(jar, id)).status).toBe(403);
    await login.signIn(jar, 'mallory', id, PALM);
    await login.signIn(jar, 'victim', id);
    const byForm = await login.decide(jar, id, 'approve', { 'scope.identity:legal_name': 'on' });
    expect([byForm.status, byForm.location]).toEqual([403, null]);
    const byApi = await login.approve(jar, id);
    expect([byApi.status, await byApi.json()]).toMatchObject([403, { error: 'palm_verification_required' }]);
    expect(await login.statusOf(id)).toBe('pending_admin');
  });

  it('of the approving person allows the approval, by form and by API', async () => {
    for (const decide of [
      async (id: string) => (await login.decide(jar, id, 'approve')).status === 303,
      async (id: string) => (await login.approve(jar, id)).status === 200,
    ]) {
      const { id } = await login.begin(jar, SENSITIVE);
      await login.signIn(jar, 'grace', id, PALM);
      expect([await decide(id), await login.statusOf(id)]).toEqual([true, 'approved']);
    }
  });

  it('is requested from a person without it, and a verified person can decide', async () => {
    const { id } = await login.begin(jar, SENSITIVE);
    const page = async () => (await login.visit(jar, `/consent?authorization_id=${id}`)).text;
    await login.signIn(jar, 'anna', id, PALM);
    expect(await page()).toContain('>Share<');
    await login.signIn(jar, 'berta', id);
    const shown = await page();
    expect(shown).not.toContain('>Share<');
    expect(shown).toContain('Verify my palm');
    expect(shown).toContain('<bdi>berta</bdi>');
    await login.signIn(jar, 'anna', id, PALM);
    expect((await login.decide(jar, id, 'approve')).status).toBe(303);
  });

  it.each([
    ['for the same authorization', (id: string) => id],
    ['without an authorization', () => ''],
  ])('ends when another person signs in at the browser %s', async (_for, requestOf) => {
    const { id } = await login.begin(jar, SENSITIVE);
    await login.signIn(jar, 'anna', id, PALM);
    await login.signIn(jar, 'berta', requestOf(id));
    await login.signIn(jar, 'anna', id);
    expect((await login.approve(jar, id)).status).toBe(403);
    await login.signIn(jar, 'anna', id, PALM);
    expect((await login.approve(jar, id)).status).toBe(200);
  });

  it('ends when the person signs out, and can be repeated in the same millisecond', async () => {
    const { id } = await login.begin(jar, SENSITIVE);
    await login.signIn(jar, 'anna', id, PALM);
    const grants = await login.visit(jar, '/grants');
    await login.visit(jar, '/grants', { ...formOf(grants.text), action: 'sign_out' });
    await login.signIn(jar, 'anna', id);
    expect((await login.approve(jar, id)).status).toBe(403);
    await login.signIn(jar, 'anna', id, PALM);
    expect((await login.approve(jar, id)).status).toBe(200);
  });

  it('applies to the administrator’s approval only if it is the hinted person’s', async () => {
    const { id } = await login.begin(jar, { ...SENSITIVE, login_hint: 'hinted' });
    const approve = () =>
      postJson(
        login.started,
        '/oauth/authorize/approve',
        { authorization_id: id },
        { Authorization: `Bearer ${ADMINISTRATOR}` },
      );
    await login.signIn(jar, 'hinted', id);
    await login.signIn(jar, 'mallory', id, PALM);
    expect((await approve()).status).toBe(403);
    await login.signIn(jar, 'hinted', id, PALM);
    expect((await approve()).status).toBe(200);
  });
});

it('an approval fails if `login_hint` is one person’s name and another person’s e-mail', async () => {
  const login = await startWithExternalLogin({ administratorApproval: 'always' });
  const approveFor = async (hint: string) => {
    const { id } = await login.begin(new Map(), { login_hint: hint });
    const headers = { Authorization: `Bearer ${ADMINISTRATOR}` };
    return (await postJson(login.started, '/oauth/authorize/approve', { authorization_id: id }, headers))
      .status;
  };
  await login.signIn(new Map(), 'u-1001', '', { email: 'victim@people.example' });
  expect(await approveFor('victim@people.example')).toBe(200);
  await login.signIn(new Map(), 'victim@people.example', '', { email: 'mallory@people.example' });
  expect(await approveFor('victim@people.example')).toBe(404);
  expect(await approveFor('u-1001')).toBe(200);
  expect(await approveFor('mallory@people.example')).toBe(200);
  await login.signIn(new Map(), 'same@people.example', '', { email: 'same@people.example' });
  expect(await approveFor('same@people.example')).toBe(200);
  await login.started.stop();
});

describe('palm verification in the sandbox', () => {
  let started: StartedService;

  beforeAll(async () => {
    started = await startService();
  });

  afterAll(() => started.stop());

  // S75
  it.each([
    ['a request', {}],
    ['a request that names the other', { login_hint: 'grace' }],
    ['a request that names the first', { login_hint: 'hugo' }],
  ])(
    'of one person does not allow another to approve %s; the page then requests the palm of the other',
    async (_request, hint) => {
      const { cookie, authorizationId } = await begin(started, { scope: 'identity:legal_name', ...hint });
      const { origin } = new URL(started.url);
      const path = `/consent?authorization_id=${authorizationId}`;
      let cookies = cookie;
      const press = async (changes: Readonly<Record<string, string>>) => {
        const page = await (await fetch(`${origin}${path}`, { headers: { Cookie: cookies } })).text();
        // The browser sends the selected option.
        const [, person] = /<option value="([^"]+)" selected>/.exec(page) ?? [];
        const form = { ...formOf(page), ...(person === undefined ? {} : { person }), ...changes };
        const response = await fetch(`${origin}/consent`, {
          method: 'POST',
          redirect: 'manual',
          headers: { Cookie: cookies, Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(form),
        });
        const [session] = response.headers.getSetCookie();
        if (session !== undefined) cookies = `${cookie}; ${session.split(';')[0]}`;
        return response;
      };
      const ticked = { action: 'approve', 'scope.identity:legal_name': 'on' };
      expect((await press({ action: 'palm', person: 'hugo' })).headers.get('location')).toBe(path);
      expect((await press({ ...ticked, person: 'grace' })).headers.get('location')).toBe(path);
      const { authorization } = await started.service.authorizations.get(authorizationId);
      expect(authorization.status).toBe('pending_admin');
      const shown = await fetch(`${origin}${path}`, { headers: { Cookie: cookies } });
      expect(await shown.text()).toContain('Verify my palm');
      expect((await press({ action: 'palm' })).headers.get('location')).toBe(path);
      const approved = await press(ticked);
      expect(approved.headers.get('location')).toContain(`${PUBLIC.redirectUri}?code=`);
      const decided = await started.service.authorizations.get(authorizationId);
      expect(decided.authorization.userId).toBe('person-grace');
    },
  );
});
