/** External sign-in: nonces are single-use, and an assertion from before a sign-out is rejected (S65, S66, S75). */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
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
  expect((await login.visit(at, '/grants', { ...formOf(text), action: 'sign_out' })).status).toBe(303);
}

it('refuses an assertion of a trip that began before the person signed out, for the session and for the palm', async () => {
  const { id } = await login.begin(jar, { scope: 'openid identity:legal_name' });
  await login.signIn(jar, 'anna', id);
  const held = await login.sentAway(jar, id, '&verify=palm');
  const heldForSession = await login.sentAway(jar);
  // At another browser: the sign-out counts for all of them.
  const other: Jar = new Map();
  await login.signIn(other, 'anna');
  for (const later of [1, 7_000]) {
    login.started.clock.moveTo(STARTED_AT + later);
    if (later === 1) await signOut(other);
    const returned = await login.comeBack(jar, later === 1 ? held : heldForSession, { sub: 'anna', ...PALM });
    expect([returned.status, (await login.approve(jar, id)).status]).toEqual([403, 401]);
  }
  const { authorization } = await login.started.service.authorizations.get(id);
  expect(authorization.palmVerifiedAt).toBeUndefined();
});

it('accepts a trip that begins in the millisecond of the sign-out, for the session and for the palm', async () => {
  const { id } = await login.begin(jar, { scope: 'openid identity:legal_name' });
  await login.signIn(jar, 'berta', id);
  await signOut(jar);
  expect((await login.signIn(jar, 'berta', id, PALM)).status).toBe(303);
  expect((await login.approve(jar, id)).status).toBe(200);
});

it('accepts the trip of a person to whom the sign-out of another person does not apply', async () => {
  const target = await login.sentAway(jar);
  const other: Jar = new Map();
  await login.signIn(other, 'carla');
  login.started.clock.moveTo(STARTED_AT + 1_000);
  await signOut(other);
  expect((await login.comeBack(jar, target, { sub: 'dora' })).status).toBe(303);
});

it('has another nonce on each trip, each of which signs in once', async () => {
  const [first, second] = [await login.sentAway(jar), await login.sentAway(jar)];
  expect(first.searchParams.get('nonce')).not.toBe(second.searchParams.get('nonce'));
  expect((await login.comeBack(jar, first, { sub: 'emma' })).status).toBe(303);
  // Signed by the login, for the same browser, with a `jti` of its own.
  expect((await login.comeBack(jar, first, { sub: 'mallory' })).status).toBe(403);
  expect((await login.visit(jar, '/grants')).text).toContain('emma');
  expect((await login.comeBack(jar, second, { sub: 'emma' })).status).toBe(303);
});

it('accepts a nonce for an hour, and only as the service created it', async () => {
  const late = await login.sentAway(jar);
  const nonce = late.searchParams.get('nonce') ?? '';
  const [start = '', random = '', signature = ''] = nonce.split('.');
  for (const forged of [
    '',
    `${Number(start) + 60_000}.${random}.${signature}`,
    `${start}.${'A'.repeat(22)}.${signature}`,
    `${start}.${random}.${'A'.repeat(43)}`,
    ` ${nonce}`,
  ])
    expect((await login.comeBack(jar, late, { sub: 'fay', nonce: forged })).status).toBe(403);
  const inTime = await login.sentAway(jar);
  login.started.clock.moveTo(STARTED_AT + HOUR_MS - 1);
  expect((await login.comeBack(jar, inTime, { sub: 'fay' })).status).toBe(303);
  login.started.clock.moveTo(STARTED_AT + HOUR_MS);
  expect((await login.comeBack(jar, late, { sub: 'fay' })).status).toBe(403);
});
