/** Revoked applications, and rows that the service itself never writes (S76, S86, S132, S187). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  approve,
  authorizationQuery,
  authorize,
  begin,
  isTokenValid,
  logIn,
  type PendingAuthorization,
  PUBLIC,
  postJson,
  redemption,
  refresh,
} from '../support/oauth-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeEach(async () => {
  started = await startService();
});

afterEach(async () => {
  await started.stop();
});

async function revokeApplication(): Promise<void> {
  await started.runSql(`UPDATE application SET revoked_at = 1 WHERE client_id = '${PUBLIC.clientId}'`);
}

/** Signs a person in, in a new browser. Returns a function that reads the grants page. */
async function signIn(person: string): Promise<() => Promise<string>> {
  const { origin } = new URL(started.url);
  const page = await fetch(`${origin}/sign-in`);
  const proof = /name="proof" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  const cookiesOf = ({ headers }: Response) => headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const signedIn = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookiesOf(page).join('; '), Origin: origin },
    body: new URLSearchParams({ proof, person }),
  });
  const Cookie = [...cookiesOf(page), ...cookiesOf(signedIn)].join('; ');
  return async () => (await fetch(`${origin}/grants`, { headers: { Cookie } })).text();
}

describe('a revoked application', () => {
  it('gets no sandbox token, and the error says that it is revoked', async () => {
    await revokeApplication();
    await expect(started.token('ada', 'openid')).rejects.toThrow('the application sandbox-public is revoked');
  });

  // S45, S76, S89, S132
  it('loses all its tokens at once, and gets no new ones', async () => {
    const tokens = await logIn(started);
    const [pending, approved] = [await begin(started), await begin(started)];
    const code = await approve(started, approved);
    await revokeApplication();
    expect(await isTokenValid(started, tokens.access_token)).toBe(false);
    expect((await refresh(started, tokens.refresh_token)).status).toBe(401);
    expect((await postJson(started, '/oauth/token', redemption(approved, code))).status).toBe(401);
    expect((await authorize(started, authorizationQuery())).status).toBe(400);
    const refused = await postJson(started, '/oauth/authorize/approve', {
      authorization_id: pending.authorizationId,
    });
    expect([refused.status, await refused.json()]).toMatchObject([401, { error_code: 'E4006' }]);
  });

  // S45, S62
  it('gets no decision of the person: neither its pending requests nor the result of a denial lead back to it', async () => {
    const [pending, denied] = [await begin(started), await begin(started)];
    await postJson(started, '/oauth/authorize/deny', { authorization_id: denied.authorizationId });
    const origin = new URL(started.url).origin;
    const open = async (
      { cookie }: PendingAuthorization,
      url: string,
      form?: Readonly<Record<string, string>>,
    ) =>
      await fetch(url, {
        redirect: 'manual',
        headers: { Cookie: cookie, Origin: origin },
        ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      });
    const consent = `${origin}/consent?authorization_id=${pending.authorizationId}`;
    const result = `${started.url}/oauth/authorize/result?authorization_id=${denied.authorizationId}`;
    const page = await (await open(pending, consent)).text();
    expect((await open(denied, result)).headers.get('location')).toContain('error=access_denied');
    const form = {
      authorization_id: pending.authorizationId,
      proof: /name="proof" value="([^"]+)"/.exec(page)?.[1] ?? '',
    };
    await revokeApplication();
    for (const response of [
      await open(pending, consent),
      await open(pending, `${origin}/consent`, { ...form, action: 'deny' }),
      await open(pending, `${origin}/consent`, { ...form, action: 'approve', 'scope.openid': 'on' }),
      await open(denied, result),
    ]) {
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
      expect(await response.text()).toContain('Unknown app');
    }
    const byApi = await postJson(started, '/oauth/authorize/deny', {
      authorization_id: pending.authorizationId,
    });
    expect([byApi.status, await byApi.json()]).toMatchObject([401, { error_code: 'E4006' }]);
    const { authorization } = await started.service.authorizations.get(pending.authorizationId);
    expect(authorization.status).toBe('pending_admin');
    const ended = await open(denied, `${origin}/consent?authorization_id=${denied.authorizationId}`);
    expect(ended.status).toBe(409);
    expect(await ended.text()).not.toContain('class="button"');
  });

  // S120, V11
  it('is listed as ended on the grants page, without a button to undo', async () => {
    const person = 'person-ada';
    await logIn(started, { login_hint: 'ada' });
    const stateOf = async () => (await started.service.grants.listAccess(person)).map(({ state }) => state);
    expect(await stateOf()).toEqual(['active']);
    await started.service.grants.withdraw(person, PUBLIC.clientId);
    expect(await stateOf()).toEqual(['withdrawn']);
    const readGrantsPage = await signIn('ada');
    expect(await readGrantsPage()).toContain('value="undo"');
    await revokeApplication();
    expect(await stateOf()).toEqual(['ended']);
    const page = await readGrantsPage();
    expect(page).toContain('<ul class="over"');
    expect(page).not.toContain('value="undo"');
    expect(await started.service.grants.restore(person, PUBLIC.clientId)).toBe(false);
  });

  // S120, V11
  it('is listed as having had access until it was revoked, however long ago its last token was issued', async () => {
    await logIn(started, { login_hint: 'ada' });
    const revokedAt = STARTED_AT + 90 * 86_400_000;
    started.clock.moveTo(revokedAt);
    await started.store.updateApplication(PUBLIC.clientId, { revokedAt, updatedAt: revokedAt });
    started.clock.moveTo(revokedAt + 86_400_000);
    expect(await started.service.grants.listAccess('person-ada')).toMatchObject([
      { state: 'ended', since: STARTED_AT, lastUsedAt: STARTED_AT, endedAt: revokedAt },
    ]);
  });
});

describe('the schema rejects', () => {
  const insert = (columns: Readonly<Record<string, string | number | null>>) => {
    const row = {
      id: 'x',
      client_id: PUBLIC.clientId,
      status: 'pending_admin',
      redirect_uri: 'x',
      requested_scopes: '[]',
      created_at: 1,
      request_expires_at: 1,
      updated_at: 1,
      ...columns,
    };
    const values = Object.values(row).map((value) => (typeof value === 'string' ? `'${value}'` : value));
    return started.runSql(`INSERT INTO authorization_record (${Object.keys(row)}) VALUES (${values})`);
  };

  // S187
  it.each([
    // S86
    ['a code without a challenge', { code_hash: 'h'.repeat(43), code_expires_at: 1 }],
    ['a code without expiry', { code_hash: 'h'.repeat(43), code_challenge: 'c'.repeat(43) }],
    ['a malformed hash', { code_hash: 'h', code_challenge: 'c'.repeat(43), code_expires_at: 1 }],
    // V3
    ['an unknown status', { status: 'granted' }],
    ['an approval without a person', { status: 'approved', granted_scopes: '[]' }],
    ['a consumed authorization without granted scopes', { status: 'consumed', person_id: 'person-ada' }],
    ['an unknown application', { client_id: 'nobody' }],
  ])('%s', async (_what, columns) => {
    await expect(insert(columns)).rejects.toThrow();
    await insert({});
  });

  // S187
  it('a second active generation of a family', async () => {
    await logIn(started);
    const copy = (generation: number) =>
      started.runSql(
        `INSERT INTO refresh_token SELECT '${'x'.repeat(42)}${generation}', authorization_id, family_id, ${generation}, issued_at, expires_at, rotated_at, revoked_at, jkt FROM refresh_token`,
      );
    await expect(copy(1)).rejects.toThrow(/unique/i);
    await expect(copy(2)).rejects.toThrow(/unique/i);
  });
});
