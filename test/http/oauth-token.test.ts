/** The token endpoint: single use of codes and refresh tokens (V7–V11, S78–S107). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  AS_CONFIDENTIAL,
  approve,
  begin,
  CONFIDENTIAL,
  isTokenValid,
  logIn,
  type PendingAuthorization,
  PUBLIC,
  postJson,
  redemption,
  refresh,
  type Tokens,
} from '../support/oauth-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const DAY_MS = 86_400_000;

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

beforeEach(() => started.clock.moveTo(STARTED_AT));

afterAll(() => started.stop());

const requestToken = (body: unknown, headers = {}) => postJson(started, '/oauth/token', body, headers);

async function outcome(response: Response): Promise<readonly [number, string]> {
  const { error_code } = (await response.json()) as { error_code: string };
  return [response.status, error_code];
}

async function beginApproved(
  changes = {},
): Promise<{ readonly pending: PendingAuthorization; readonly code: string }> {
  const pending = await begin(started, changes);
  return { pending, code: await approve(started, pending) };
}

describe('an authorization code', () => {
  // S78
  it('is redeemed; the response has exactly the members of the contract', async () => {
    const { pending, code } = await beginApproved({ nonce: 'n-1' });
    const response = await requestToken(redemption(pending, code));
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await response.json()).toEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9._-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: 'openid identity:read kyc:read',
      granted_scopes: ['openid', 'identity:read', 'kyc:read'],
      authorization_id: pending.authorizationId,
      app_scoped_user_id: expect.stringMatching(/^usr_/),
      issued_at: '2026-06-01T12:00:00.000Z',
      refresh_token: expect.stringMatching(/^[A-Za-z0-9._-]{43}$/),
      refresh_token_expires_in: 2_592_000,
      refresh_issued_at: '2026-06-01T12:00:00.000Z',
      id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
  });

  // D13, S94
  it('is redeemed by a form as well as by JSON', async () => {
    const { pending, code } = await beginApproved();
    const response = await fetch(`${started.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(redemption(pending, code)),
    });
    expect([response.status, Object.keys((await response.json()) as object)]).toEqual([
      200,
      expect.arrayContaining(['access_token', 'scope']),
    ]);
  });

  // S79, S82, S84, S87
  it.each([
    ['another code', { code: 'x'.repeat(43) }],
    ['a malformed code', { code: 'x' }],
    ['another redirect URI', { redirect_uri: 'http://localhost:3000/callback' }],
    ['another verifier', { code_verifier: 'v'.repeat(43) }],
    [
      'another client, authenticated',
      { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret },
    ],
  ])('is not redeemed with %s, with the same error for all, and stays valid', async (_what, changes) => {
    const { pending, code } = await beginApproved();
    const wrong = await requestToken(redemption(pending, code, changes));
    expect([wrong.status, await wrong.json()]).toEqual([
      400,
      {
        error: 'invalid_grant',
        error_code: 'E4005',
        error_description: expect.any(String),
        error_subcode: 'invalid_grant',
        context: {},
      },
    ]);
    expect((await requestToken(redemption(pending, code))).status).toBe(200);
  });

  // S85
  it.each(['short', 'x'.repeat(129), `${'x'.repeat(42)}+`, ''])(
    'with the malformed verifier %j is rejected as a malformed request',
    async (code_verifier) => {
      const { pending, code } = await beginApproved();
      expect(await outcome(await requestToken(redemption(pending, code, { code_verifier })))).toEqual([
        400,
        'E4000',
      ]);
    },
  );

  // S82
  it('is revoked after five failed redemptions, and not after four', async () => {
    const statuses: number[] = [];
    for (const failures of [4, 5]) {
      const { pending, code } = await beginApproved();
      for (let attempt = 0; attempt < failures; attempt += 1)
        await requestToken(redemption(pending, code, { code_verifier: 'v'.repeat(43) }));
      statuses.push((await requestToken(redemption(pending, code))).status);
    }
    expect(statuses).toEqual([200, 400]);
  });

  // V8, S80
  it('that is redeemed a second time revokes all tokens issued for it', async () => {
    const { pending, code } = await beginApproved();
    const tokens = (await (await requestToken(redemption(pending, code))).json()) as Tokens;
    expect(await isTokenValid(started, tokens.access_token)).toBe(true);
    expect(await outcome(await requestToken(redemption(pending, code)))).toEqual([400, 'E4005']);
    expect(await isTokenValid(started, tokens.access_token)).toBe(false);
    expect(await outcome(await refresh(started, tokens.refresh_token))).toEqual([400, 'E4005']);
  });

  // D15, S81
  it('does not revoke its tokens when it is redeemed again without the right verifier or client', async () => {
    const { pending, code } = await beginApproved();
    const tokens = (await (await requestToken(redemption(pending, code))).json()) as Tokens;
    for (const changes of [
      { code_verifier: 'v'.repeat(43) },
      { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret },
    ]) {
      await requestToken(redemption(pending, code, changes));
    }
    expect(await isTokenValid(started, tokens.access_token)).toBe(true);
  });

  // V8, S88
  it('expires after a minute, to the millisecond', async () => {
    const outcomes: number[] = [];
    for (const after of [59_999, 60_000, 60_001]) {
      started.clock.moveTo(STARTED_AT);
      const { pending, code } = await beginApproved();
      started.clock.moveTo(STARTED_AT + after);
      outcomes.push((await requestToken(redemption(pending, code))).status);
    }
    expect(outcomes).toEqual([200, 400, 400]);
  });

  // S89
  it('of a revoked authorization is rejected', async () => {
    const { pending, code } = await beginApproved();
    await started.store.revokeAuthorization(pending.authorizationId, STARTED_AT);
    expect(await outcome(await requestToken(redemption(pending, code)))).toEqual([400, 'E4005']);
  });

  // V8, S83
  it('is redeemed by exactly one of two hundred concurrent requests; the others count as replays, and revoke its tokens', async () => {
    const { pending, code } = await beginApproved();
    const responses = await Promise.all(
      Array.from({ length: 200 }, () => requestToken(redemption(pending, code))),
    );
    const succeeded = responses.filter(({ status }) => status === 200);
    const failed = await Promise.all(responses.filter(({ status }) => status !== 200).map(outcome));
    expect([succeeded.length, failed.length, new Set(failed.map(String))]).toEqual([
      1,
      199,
      new Set(['400,E4005']),
    ]);
    const tokens = (await succeeded[0]?.json()) as Tokens;
    expect(await isTokenValid(started, tokens.access_token)).toBe(false);
  });
});

describe('a token request', () => {
  it.each([
    ['no client', { client_id: undefined }, 401, 'E4006'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'E4006'],
    // S91
    ['a public client with a secret', { client_secret: 'x' }, 401, 'E4006'],
    // S34
    ['a client id that is not a string', { client_id: true }, 400, 'E4000'],
    // S35
    ['a client id that contains U+0000', { client_id: 'a\0' }, 400, 'E4000'],
  ])('with %s fails', async (_what, changes, status, code) => {
    const { pending, code: redeemed } = await beginApproved();
    expect(await outcome(await requestToken(redemption(pending, redeemed, changes)))).toEqual([status, code]);
  });

  // S91, S133
  it('requires the secret of a confidential client, and rejects wrong ones of any length', async () => {
    const { pending, code } = await beginApproved(AS_CONFIDENTIAL);
    for (const client_secret of [undefined, '', 'wrong', 'x'.repeat(10_000)]) {
      expect(await outcome(await requestToken(redemption(pending, code, { client_secret })))).toEqual([
        401,
        'E4006',
      ]);
    }
    expect((await requestToken(redemption(pending, code))).status).toBe(200);
  });

  const basic = (pair: string) => ({ Authorization: `Basic ${Buffer.from(pair).toString('base64')}` });

  // S92
  it.each([
    ['right', basic(`${CONFIDENTIAL.clientId}:${CONFIDENTIAL.secret}`), 200],
    ['right and form-encoded', basic(`sandbox%2Dconfidential:${CONFIDENTIAL.secret}`), 200],
    ['wrong', basic(`${CONFIDENTIAL.clientId}:wrong`), 401],
    ['without a colon', basic(CONFIDENTIAL.clientId), 401],
    ['with a colon in the secret', basic(`${CONFIDENTIAL.clientId}:a:b`), 401],
    ['empty', basic(''), 401],
    ['no base64', { Authorization: 'Basic !!!' }, 401],
    ['no UTF-8', { Authorization: 'Basic /////w==' }, 401],
    ['with a broken escape', basic(`%zz:${CONFIDENTIAL.secret}`), 401],
    ['another scheme', { Authorization: 'Bearer x' }, 401],
  ])(
    'with an `Authorization` header is accepted with the right Basic credentials only: %s',
    async (_what, headers, status) => {
      const { pending, code } = await beginApproved(AS_CONFIDENTIAL);
      const response = await requestToken(
        redemption(pending, code, { client_secret: undefined, client_id: undefined }),
        headers,
      );
      expect(response.status).toBe(status);
      const challenged = status === 401 && headers.Authorization.startsWith('Basic');
      expect(response.headers.get('www-authenticate')).toBe(challenged ? 'Basic realm="proviso"' : null);
    },
  );

  // S90
  it('with two authentication methods, or with two client ids, is rejected', async () => {
    const { pending, code } = await beginApproved(AS_CONFIDENTIAL);
    const headers = basic(`${CONFIDENTIAL.clientId}:${CONFIDENTIAL.secret}`);
    expect(await outcome(await requestToken(redemption(pending, code), headers))).toEqual([400, 'E4000']);
    const other = redemption(pending, code, { client_secret: undefined, client_id: PUBLIC.clientId });
    expect(await outcome(await requestToken(other, headers))).toEqual([400, 'E4000']);
  });

  // S34, S87, S93
  it.each([
    ['no grant_type', { grant_type: undefined }, 'E4000'],
    ['the grant type password', { grant_type: 'password' }, 'E4007'],
    ['the grant type client_credentials', { grant_type: 'client_credentials' }, 'E4007'],
    ['the grant type implicit', { grant_type: 'implicit' }, 'E4007'],
    ['no code', { code: undefined }, 'E4000'],
    ['no redirect_uri', { redirect_uri: undefined }, 'E4000'],
    ['no code_verifier', { code_verifier: undefined }, 'E4000'],
    ['an array as the code', { code: ['x'] }, 'E4000'],
  ])('with %s is rejected', async (_what, changes, code) => {
    const { pending, code: redeemed } = await beginApproved();
    expect(await outcome(await requestToken(redemption(pending, redeemed, changes)))).toEqual([400, code]);
  });

  // D12, S38, S39
  it('succeeds if it has unknown parameters, or members that only the service sets, which are ignored', async () => {
    const { pending, code } = await beginApproved();
    const response = await requestToken(
      redemption(pending, code, { extra: { deep: [1] }, granted_scopes: ['data.read'], user_id: 'x' }),
    );
    expect(await response.json()).toMatchObject({ granted_scopes: ['openid', 'identity:read', 'kyc:read'] });
  });

  // S33
  it.each(['grant_type', 'client_id', 'code'])('with a repeated %s in a form is rejected', async (name) => {
    const { pending, code } = await beginApproved();
    const body = new URLSearchParams(redemption(pending, code));
    body.append(name, 'x');
    const response = await fetch(`${started.url}/oauth/token`, { method: 'POST', body });
    expect(await outcome(response)).toEqual([400, 'E4000']);
  });
});

describe('a refresh token', () => {
  // V9, S97
  it('is replaced at each use, and the use of an earlier one ends the grant', async () => {
    const first = await logIn(started);
    const second = (await (await refresh(started, first.refresh_token)).json()) as Tokens;
    expect(await isTokenValid(started, second.access_token)).toBe(true);
    expect(await outcome(await refresh(started, first.refresh_token))).toEqual([400, 'E4005']);
    expect([
      await isTokenValid(started, first.access_token),
      await isTokenValid(started, second.access_token),
    ]).toEqual([false, false]);
    expect(await outcome(await refresh(started, second.refresh_token))).toEqual([400, 'E4005']);
  });

  // S99
  it('rotates three times at the same instant, since rotations are counted and not timed', async () => {
    const tokens = [await logIn(started)];
    for (let round = 0; round < 3; round += 1)
      tokens.push((await (await refresh(started, tokens.at(-1)?.refresh_token ?? '')).json()) as Tokens);
    expect(await isTokenValid(started, tokens[3]?.access_token ?? '')).toBe(true);
    expect((await refresh(started, tokens[0]?.refresh_token ?? '')).status).toBe(400);
    expect(await isTokenValid(started, tokens[3]?.access_token ?? '')).toBe(false);
  });

  // S98
  it('is rotated by exactly one of two hundred concurrent requests, and its family is then revoked', async () => {
    const { refresh_token } = await logIn(started);
    const responses = await Promise.all(Array.from({ length: 200 }, () => refresh(started, refresh_token)));
    const succeeded = responses.filter(({ status }) => status === 200);
    const failed = await Promise.all(responses.filter(({ status }) => status !== 200).map(outcome));
    expect([succeeded.length, new Set(failed.map(String))]).toEqual([1, new Set(['400,E4005'])]);
    const tokens = (await succeeded[0]?.json()) as Tokens;
    expect(await isTokenValid(started, tokens.access_token)).toBe(false);
  });

  // V9, D17, S100
  it('expires thirty days after the first one of its family, however often it rotates', async () => {
    let { refresh_token } = await logIn(started);
    for (let day = 1; day < 30; day += 1) {
      started.clock.moveTo(STARTED_AT + day * DAY_MS);
      const next = (await (await refresh(started, refresh_token)).json()) as Tokens & {
        refresh_token_expires_in: number;
      };
      expect(next.refresh_token_expires_in).toBe((30 - day) * 86_400);
      refresh_token = next.refresh_token;
    }
    started.clock.moveTo(STARTED_AT + 30 * DAY_MS);
    expect(await outcome(await refresh(started, refresh_token))).toEqual([400, 'E4005']);
    // The expiry is reported, whatever else is wrong with the request.
    const scope = 'financial:net_worth';
    expect(await outcome(await refresh(started, refresh_token, { scope }))).toEqual([400, 'E4005']);
  });

  // S102
  it("is bound to its client: another client's attempt has no effect", async () => {
    const { refresh_token, access_token } = await logIn(started);
    const foreign = await refresh(started, refresh_token, {
      client_id: CONFIDENTIAL.clientId,
      client_secret: CONFIDENTIAL.secret,
    });
    expect(await outcome(foreign)).toEqual([400, 'E4005']);
    expect(await isTokenValid(started, access_token)).toBe(true);
    expect((await refresh(started, refresh_token)).status).toBe(200);
  });

  // S103
  it('can narrow the scopes but not widen them, and the next refresh starts from the grant again', async () => {
    const { refresh_token } = await logIn(started);
    const narrowed = (await (await refresh(started, refresh_token, { scope: 'openid' })).json()) as Tokens;
    expect(narrowed.scope).toBe('openid');
    expect(
      await outcome(await refresh(started, narrowed.refresh_token, { scope: 'openid data.read' })),
    ).toEqual([400, 'E4007']);
    const full = (await (await refresh(started, narrowed.refresh_token)).json()) as Tokens;
    expect(full.scope).toBe('openid identity:read kyc:read');
    const membersFor = async (token: string) => {
      const info = await fetch(`${started.url}/userinfo`, { headers: { Authorization: `Bearer ${token}` } });
      return Object.keys((await info.json()) as object);
    };
    expect(await membersFor(full.access_token)).toContain('email');
    expect(await membersFor(narrowed.access_token)).toEqual([
      'sub',
      'iss',
      'aud',
      'authorization_id',
      'scopes',
    ]);
  });

  // S104
  it('is not accepted as another kind of token, nor another kind as a refresh token', async () => {
    const { pending, code } = await beginApproved();
    const tokens = await logIn(started);
    const { id_token = '' } = tokens;
    expect(id_token).not.toBe('');
    for (const other of [tokens.access_token, code, id_token])
      expect((await refresh(started, other)).status).toBe(400);
    for (const other of [tokens.refresh_token, code, id_token])
      expect(await isTokenValid(started, other)).toBe(false);
    for (const other of [tokens.access_token, tokens.refresh_token])
      expect((await requestToken(redemption(pending, other))).status).toBe(400);
  });

  // S107
  it('ends when its authorization is revoked', async () => {
    const tokens = await logIn(started);
    await started.store.revokeAuthorization(tokens.authorization_id, STARTED_AT);
    expect([
      await isTokenValid(started, tokens.access_token),
      (await refresh(started, tokens.refresh_token)).status,
    ]).toEqual([false, 400]);
  });

  // V9, V11, S103
  it('gives no scopes beyond the grant if the person restores the withdrawn grant during the refresh', async () => {
    const actions: (() => Promise<unknown>)[] = [];
    const restoring = await startService({
      wrap: (store) => ({
        ...store,
        findRefreshToken: async (tokenHash) => {
          const found = await store.findRefreshToken(tokenHash);
          await actions.shift()?.();
          return found;
        },
      }),
    });
    const { refresh_token: token } = await logIn(restoring, { scope: 'openid', login_hint: 'ada' });
    const { id = '' } = (await restoring.store.findPerson('name', 'ada')) ?? {};
    await restoring.service.grants.withdraw(id, PUBLIC.clientId);
    actions.push(() => restoring.service.grants.restore(id, PUBLIC.clientId));
    expect(await outcome(await refresh(restoring, token, { scope: 'kyc:read' }))).toEqual([400, 'E4005']);
    expect((await refresh(restoring, token)).status).toBe(200);
    await restoring.stop();
  });
});
