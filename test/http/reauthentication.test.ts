/** `prompt` and `max_age`: required sign-in, parameters of an external login, and `auth_time` (OpenID Connect Core §3.1.2.1, S59). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  claimsOf,
  type ExternalLogin,
  formOf,
  type Jar,
  nextOf,
  startWithExternalLogin,
} from '../support/external-login.js';
import { STARTED_AT } from '../support/start-service.js';

const SECONDS = STARTED_AT / 1_000;
const MINUTE_MS = 60_000;
const NOW = { auth_time: SECONDS };

let login: ExternalLogin;
let jar: Jar;

beforeAll(async () => {
  login = await startWithExternalLogin();
});

afterAll(() => login.started.stop());

beforeEach(() => {
  login.started.clock.moveTo(STARTED_AT);
  jar = new Map();
});

describe('a session from before a request for a new sign-in', () => {
  const DEMANDS: readonly (readonly [what: string, parameters: Readonly<Record<string, string>>])[] = [
    ['prompt=login', { prompt: 'login' }],
    ['prompt=consent login', { prompt: 'consent login' }],
    ['max_age=0', { max_age: '0' }],
    ['a max_age that has passed', { max_age: '59' }],
  ];

  it.each(DEMANDS)(
    'does not approve by form or API, whether or not the CSRF token is bound to it: %s',
    async (_what, more) => {
      await login.signIn(jar, 'frank', '', NOW);
      login.started.clock.moveTo(STARTED_AT + MINUTE_MS);
      const otherJar = new Map(jar);
      const { id } = await login.begin(jar, more);
      const consentPage = await login.visit(otherJar, `/consent?authorization_id=${id}`);
      expect([consentPage.status, consentPage.location]).toEqual([303, `/sign-in?authorization_id=${id}`]);
      const ticked = { 'scope.openid': 'on', 'scope.kyc:read': 'on' };
      const browserBinding = otherJar.get('proviso') ?? '';
      for (const session of [undefined, otherJar.get('proviso-person')]) {
        const proof = login.started.service.sessions.csrfToken({
          browserBinding,
          purpose: `consent:${id}`,
          session,
        });
        const form = { authorization_id: id, proof, action: 'approve', ...ticked };
        const submitted = await login.visit(otherJar, '/consent', form);
        expect([submitted.status, nextOf(submitted)]).toEqual([200, `/sign-in?authorization_id=${id}`]);
      }
      const refused = await login.approve(otherJar, id);
      expect([refused.status, await refused.json()]).toMatchObject([
        403,
        { error_subcode: 'reauthentication_required', error: 'access_denied' },
      ]);
      expect(await login.statusOf(id)).toBe('pending_admin');
    },
  );

  it('does not approve if the session and the request began in the same millisecond', async () => {
    await login.signIn(jar, 'frank', '', NOW);
    const { id } = await login.begin(jar, { prompt: 'login' });
    expect((await login.approve(jar, id)).status).toBe(403);
  });

  it.each([{ prompt: 'login' }, { max_age: '0' }])(
    'does not approve if the clock of its sign-in was 4 s ahead of the clock of the request: %o',
    async (demand) => {
      login.started.clock.moveTo(STARTED_AT + 4_000);
      await login.signIn(jar, 'frank', '', { auth_time: SECONDS + 4 });
      login.started.clock.moveTo(STARTED_AT);
      const { id } = await login.begin(jar, demand);
      expect((await login.approve(jar, id)).status).toBe(403);
      await login.signIn(jar, 'frank', id, NOW);
      expect((await login.approve(jar, id)).status).toBe(200);
    },
  );

  it('does not approve if it satisfied an earlier request only', async () => {
    const first = await login.begin(jar, { prompt: 'login' });
    await login.signIn(jar, 'frank', first.id, NOW);
    const second = await login.begin(jar, { prompt: 'login' });
    expect((await login.approve(jar, second.id)).status).toBe(403);
    expect((await login.approve(jar, first.id)).status).toBe(200);
  });

  it('stays valid elsewhere: the request does not sign anyone out', async () => {
    await login.signIn(jar, 'frank', '', NOW);
    await login.begin(jar, { prompt: 'login' });
    expect((await login.visit(jar, '/grants')).status).toBe(200);
  });

  it('approves if it is exactly as old as `max_age`, or if no new sign-in is required', async () => {
    await login.signIn(jar, 'frank', '', NOW);
    login.started.clock.moveTo(STARTED_AT + MINUTE_MS);
    for (const more of [{ max_age: '60' }, {}, { prompt: 'consent' }]) {
      const { id } = await login.begin(jar, more);
      expect((await login.approve(jar, id)).status).toBe(200);
    }
  });

  it('does not satisfy `max_age` without `auth_time` from the external login', async () => {
    await login.signIn(jar, 'frank');
    const { id } = await login.begin(jar, { max_age: '3600' });
    expect((await login.approve(jar, id)).status).toBe(403);
  });
});

describe('the external login', () => {
  const parametersSent = async (id: string, more = '') => {
    const { searchParams } = await login.redirectToLogin(jar, id, more);
    return [searchParams.get('prompt'), searchParams.get('max_age')];
  };

  it('receives `prompt` and `max_age` of the request, only from the browser that began it', async () => {
    const restricted = await login.begin(jar, { prompt: 'login select_account', max_age: '600' });
    const plain = await login.begin(jar);
    expect(await parametersSent(restricted.id)).toEqual(['login select_account', '600']);
    expect(await parametersSent(plain.id)).toEqual([null, null]);
    const choosing = await login.begin(jar, { prompt: 'select_account' });
    expect(await parametersSent(choosing.id, '&prompt=login')).toEqual(['select_account login', null]);
    jar = new Map();
    expect(await parametersSent(restricted.id)).toEqual([null, null]);
  });

  it.each([
    [{ prompt: 'login' }, ['login', null]],
    [{ max_age: '600' }, [null, '600']],
  ])(
    'also receives %o if only the palm is missing, and its assertion then allows the approval',
    async (demand, submitted) => {
      const { id } = await login.begin(jar, { ...demand, scope: 'openid identity:legal_name' });
      await login.signIn(jar, 'grace', id, NOW);
      expect((await login.approve(jar, id)).status).toBe(403);
      const palmStep = await login.decide(jar, id, 'palm');
      expect(nextOf(palmStep)).toBe(`/sign-in?authorization_id=${id}&verify=palm`);
      expect(await parametersSent(id, '&verify=palm')).toEqual(submitted);
      const target = await login.redirectToLogin(jar, id, '&verify=palm');
      const returned = await login.returnFromLogin(jar, target, { sub: 'grace', amr: ['palm'], ...NOW });
      expect([returned.status, (await login.approve(jar, id)).status]).toEqual([303, 200]);
    },
  );

  it.each([
    ['without `auth_time` is rejected', undefined, 403],
    ['from an hour before is rejected', SECONDS - 3_600, 403],
    ['from 5 s before is rejected', SECONDS - 5, 403],
    ['from 4 s before, within the clock tolerance, is accepted', SECONDS - 4, 303],
    ['of the same second is accepted', SECONDS, 303],
    ['from 5 s ahead, within the clock tolerance, is accepted', SECONDS + 5, 303],
    ['from 6 s ahead is rejected', SECONDS + 6, 403],
    ['with an `auth_time` that is not a number is rejected', String(SECONDS), 403],
  ])('with `prompt=login`, an assertion %s', async (_what, authTime, status) => {
    const { id } = await login.begin(jar, { prompt: 'login' });
    const claims = authTime === undefined ? {} : { auth_time: authTime };
    const returned = await login.signIn(jar, 'heidi', id, claims);
    expect([returned.status, jar.has('proviso-person')]).toEqual([status, status === 303]);
    expect((await login.approve(jar, id)).status).toBe(status === 303 ? 200 : 401);
  });

  it('can send an old `auth_time`, or none, if no new sign-in is required', async () => {
    for (const claims of [{}, { auth_time: SECONDS - 86_400 }]) {
      const { id } = await login.begin(jar);
      expect((await login.signIn(jar, 'ivan', id, claims)).status).toBe(303);
      expect((await login.approve(jar, id)).status).toBe(200);
    }
  });

  it('rejects an assertion older than `max_age`, with a page that asks the person to sign in again', async () => {
    const { id } = await login.begin(jar, { max_age: '60' });
    const { text } = await login.signIn(jar, 'judy', id, { auth_time: SECONDS - 3_600 });
    expect(text).toContain('Sign in again');
  });
});

describe('`auth_time` of the ID token', () => {
  const authTimeAfter = async (more: Readonly<Record<string, string>>, claims: object) => {
    const pending = await login.begin(jar, more);
    await login.signIn(jar, 'mike', pending.id, { ...claims });
    login.started.clock.moveTo(STARTED_AT + MINUTE_MS);
    const { location } = await login.decide(jar, pending.id, 'approve');
    return claimsOf((await login.redeem(pending, location)).id_token);
  };

  it("is that of the assertion, not the time of the browser's return", async () => {
    expect(await authTimeAfter({ max_age: '86400' }, { auth_time: SECONDS - 7_200 })).toMatchObject({
      auth_time: SECONDS - 7_200,
      iat: SECONDS + 60,
    });
    login.started.clock.moveTo(STARTED_AT);
    expect(await authTimeAfter({}, NOW)).toMatchObject({ auth_time: SECONDS });
  });

  it('is rounded down to a day for a session from before the request, unless the client sent `max_age`', async () => {
    const before = SECONDS - 90_061;
    expect(await authTimeAfter({}, { auth_time: before })).toMatchObject({
      auth_time: before - (before % 86_400),
    });
    login.started.clock.moveTo(STARTED_AT);
    expect(await authTimeAfter({ max_age: '100000' }, { auth_time: before })).toMatchObject({
      auth_time: before,
    });
  });

  it('is that of a sign-in for `prompt=login`, even if the clock of the external login is behind', async () => {
    expect(await authTimeAfter({ prompt: 'login' }, { auth_time: SECONDS - 4 })).toMatchObject({
      auth_time: SECONDS - 4,
    });
  });

  it('is present if `max_age` was sent', async () => {
    expect(await authTimeAfter({ max_age: '7200' }, { auth_time: SECONDS - 60 })).toMatchObject({
      auth_time: SECONDS - 60,
    });
  });

  it('is absent if the external login did not send it', async () => {
    expect(await authTimeAfter({}, {})).not.toHaveProperty('auth_time');
  });
});

it('a consent form for a recent session is rejected once an older session replaces it', async () => {
  await login.signIn(jar, 'old', '', NOW);
  const oldJar = new Map(jar);
  login.started.clock.moveTo(STARTED_AT + MINUTE_MS);
  const { id } = await login.begin(jar, { prompt: 'login' });
  await login.signIn(jar, 'old', id, { auth_time: SECONDS + 60 });
  const page = await login.visit(jar, `/consent?authorization_id=${id}`);
  const form = { ...formOf(page.text), authorization_id: id, action: 'approve', 'scope.openid': 'on' };
  expect(nextOf(await login.visit(new Map(oldJar), '/consent', form))).toBe(
    `/sign-in?authorization_id=${id}`,
  );
  expect((await login.visit(jar, '/consent', form)).location).toContain('code=');
});
