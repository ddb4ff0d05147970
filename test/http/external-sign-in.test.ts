/** External sign-in: nonces are single-use, and an assertion from before a sign-out is rejected (S65, S66, S75). */
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { type ExternalLogin, formOf, type Jar, startWithExternalLogin } from '../support/external-login.js';
import { STARTED_AT } from '../support/start-service.js';

const HOUR_MS = 3_600_000;
const PALM = { amr: ['pwd', 'palm'] };

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

async function signOut(at: Jar): Promise<void> {
  const { text } = await login.visit(at, '/grants');
  const page = await login.visit(at, '/grants', { ...formOf(text), action: 'sign_out' });
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('You are signed out')]);
}

it.each(['/grants', '/my-data'])(
  'a form of %s without a session shows a page with a link to the login, since `form-action` would block a redirect to it',
  async (path) => {
    const { status, text } = await login.visit(jar, path, { action: 'end', client_id: 'any' });
    expect([status, text]).toEqual([403, expect.stringContaining('<a class="button" href="/sign-in">')]);
  },
);

it('a sign-out without a session shows a page that redirects to the login', async () => {
  const { status, text } = await login.visit(jar, '/grants', { action: 'sign_out' });
  expect([status, text]).toEqual([200, expect.stringContaining('content="0; url=/sign-in"')]);
});

it('rejects an assertion of a sign-in that began before the person signed out, for a session and for a palm verification', async () => {
  const { id } = await login.begin(jar, { scope: 'openid identity:legal_name' });
  await login.signIn(jar, 'anna', id);
  const targetForPalm = await login.redirectToLogin(jar, id, '&verify=palm');
  const targetForSession = await login.redirectToLogin(jar);
  // In another browser: a sign-out applies to all of the person's browsers.
  const other: Jar = new Map();
  await login.signIn(other, 'anna');
  for (const elapsedMs of [1, 7_000]) {
    login.started.clock.moveTo(STARTED_AT + elapsedMs);
    if (elapsedMs === 1) await signOut(other);
    const returned = await login.returnFromLogin(jar, elapsedMs === 1 ? targetForPalm : targetForSession, {
      sub: 'anna',
      ...PALM,
    });
    expect([returned.status, (await login.approve(jar, id)).status]).toEqual([403, 401]);
  }
  const { authorization } = await login.started.service.authorizations.get(id);
  expect(authorization.palmVerifiedAt).toBeUndefined();
});

// V11, S66
it('rejects an assertion if the person signs out while it is accepted', async () => {
  const racing = await startWithExternalLogin({}, (store) => ({
    ...store,
    getOrCreatePerson: async (person) => {
      const found = await store.getOrCreatePerson(person);
      // A sign-out a millisecond after the sign-in began; the recorded instant includes the clock tolerance of five seconds.
      await store.endSessions(found.id, STARTED_AT + 1 + 5_000);
      return found;
    },
  }));
  onTestFinished(() => racing.started.stop());
  const returned = await racing.signIn(jar, 'anna');
  expect([returned.status, (await racing.visit(jar, '/grants')).status]).toEqual([403, 303]);
});

it('accepts a sign-in that begins in the millisecond of the sign-out, for a session and for a palm verification', async () => {
  const { id } = await login.begin(jar, { scope: 'openid identity:legal_name' });
  await login.signIn(jar, 'berta', id);
  await signOut(jar);
  expect((await login.signIn(jar, 'berta', id, PALM)).status).toBe(303);
  expect((await login.approve(jar, id)).status).toBe(200);
});

it('accepts a sign-in of one person after another person signed out', async () => {
  const target = await login.redirectToLogin(jar);
  const other: Jar = new Map();
  await login.signIn(other, 'carla');
  login.started.clock.moveTo(STARTED_AT + 1_000);
  await signOut(other);
  expect((await login.returnFromLogin(jar, target, { sub: 'dora' })).status).toBe(303);
});

it('creates a new nonce for each external sign-in, and accepts it once', async () => {
  const [first, second] = [await login.redirectToLogin(jar), await login.redirectToLogin(jar)];
  expect(first.searchParams.get('nonce')).not.toBe(second.searchParams.get('nonce'));
  expect((await login.returnFromLogin(jar, first, { sub: 'emma' })).status).toBe(303);
  // A second assertion with a new `jti`, signed by the external login for the same browser.
  expect((await login.returnFromLogin(jar, first, { sub: 'mallory' })).status).toBe(403);
  expect((await login.visit(jar, '/grants')).text).toContain('emma');
  expect((await login.returnFromLogin(jar, second, { sub: 'emma' })).status).toBe(303);
});

it('accepts a nonce for an hour, and rejects altered nonces', async () => {
  const late = await login.redirectToLogin(jar);
  const nonce = late.searchParams.get('nonce') ?? '';
  const [start = '', random = '', signature = ''] = nonce.split('.');
  for (const forged of [
    '',
    `${Number(start) + 60_000}.${random}.${signature}`,
    `${start}.${'A'.repeat(22)}.${signature}`,
    `${start}.${random}.${'A'.repeat(43)}`,
    ` ${nonce}`,
  ])
    expect((await login.returnFromLogin(jar, late, { sub: 'fay', nonce: forged })).status).toBe(403);
  const punctual = await login.redirectToLogin(jar);
  login.started.clock.moveTo(STARTED_AT + HOUR_MS - 1);
  expect((await login.returnFromLogin(jar, punctual, { sub: 'fay' })).status).toBe(303);
  login.started.clock.moveTo(STARTED_AT + HOUR_MS);
  expect((await login.returnFromLogin(jar, late, { sub: 'fay' })).status).toBe(403);
});
