/** Token revocation and introspection (RFC 7009, RFC 7662, S108–S119). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AS_CONFIDENTIAL,
  CONFIDENTIAL,
  isTokenValid,
  logIn,
  PUBLIC,
  postJson,
  refresh,
} from '../support/oauth-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

const SECRET = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };

interface Revocation {
  readonly revoked: boolean;
  readonly revoked_count: number;
  readonly details: readonly Readonly<Record<string, string>>[];
}

const post = (body: unknown) => postJson(started, '/oauth/revoke', body);
const revoke = async (body: object) =>
  (await (await post({ client_id: PUBLIC.clientId, ...body })).json()) as Revocation;

describe('the revocation endpoint', () => {
  // V11, S110, S111
  it('ends only the access token that it gets', async () => {
    const tokens = await logIn(started);
    expect(await revoke({ token: tokens.access_token })).toEqual({
      revoked: true,
      revoked_count: 1,
      details: [
        {
          subject: 'token',
          status: 'revoked',
          token_type: 'access_token',
          authorization_id: tokens.authorization_id,
          client_id: PUBLIC.clientId,
          user_id: tokens.app_scoped_user_id,
          reason: 'requested',
        },
      ],
    });
    expect(await isTokenValid(started, tokens.access_token)).toBe(false);
    expect((await refresh(started, tokens.refresh_token)).status).toBe(200);
  });

  // S111
  it('ends the whole family of the refresh token that it gets', async () => {
    const tokens = await logIn(started);
    expect(await revoke({ token: tokens.refresh_token })).toMatchObject({
      details: [{ token_type: 'refresh_token' }],
    });
    expect([
      await isTokenValid(started, tokens.access_token),
      (await refresh(started, tokens.refresh_token)).status,
    ]).toEqual([false, 400]);
  });

  // S111
  it.each([true, 'true', '1'])('ends the authorization of a token with cascade %j', async (cascade) => {
    const tokens = await logIn(started);
    await revoke({ token: tokens.access_token, cascade });
    expect((await started.store.findAuthorization(tokens.authorization_id))?.status).toBe('revoked');
    expect((await refresh(started, tokens.refresh_token)).status).toBe(400);
  });

  // S115
  it.each([
    ['by its id', (id: string) => ({ authorization_id: id })],
    ['by a hint', (id: string) => ({ token: id, token_type_hint: 'authorization' })],
  ])('ends all tokens of an authorization %s', async (_how, body) => {
    const tokens = await logIn(started);
    expect(await revoke(body(tokens.authorization_id))).toMatchObject({
      revoked: true,
      details: [{ subject: 'authorization', status: 'revoked' }],
    });
    expect([
      await isTokenValid(started, tokens.access_token),
      (await refresh(started, tokens.refresh_token)).status,
    ]).toEqual([false, 400]);
  });

  // S113, S115
  it('reports each of several tokens and of their authorizations once', async () => {
    const [tokens, other] = [await logIn(started), await logIn(started)];
    const { access_token, refresh_token, authorization_id, app_scoped_user_id } = tokens;
    const common = {
      status: 'revoked',
      authorization_id,
      client_id: PUBLIC.clientId,
      user_id: app_scoped_user_id,
      reason: 'requested',
    };
    const accessEntry = { ...common, subject: 'token', token_type: 'access_token' };
    const refreshEntry = { ...common, subject: 'token', token_type: 'refresh_token' };
    const authorization = { ...common, subject: 'authorization' };
    expect(
      await revoke({
        token: refresh_token,
        tokens: [access_token, refresh_token, other.access_token],
        token_type_hint: 'authorization',
        authorization_id,
        cascade: 'true',
      }),
    ).toEqual({
      revoked: true,
      revoked_count: 5,
      details: [
        refreshEntry,
        accessEntry,
        { ...accessEntry, authorization_id: other.authorization_id },
        authorization,
        { ...authorization, authorization_id: other.authorization_id, reason: 'cascade' },
      ],
    });
    for (const { access_token: token } of [tokens, other])
      expect(await isTokenValid(started, token)).toBe(false);
  });

  // S115
  it('ends an authorization once if two members name it, and rejects the request if they name different ones', async () => {
    const { authorization_id } = await logIn(started);
    const hinted = { token: authorization_id, token_type_hint: 'authorization' };
    const contradictory = { client_id: PUBLIC.clientId, ...hinted, authorization_id: 'x'.repeat(22) };
    expect((await post(contradictory)).status).toBe(400);
    expect(await revoke({ ...hinted, authorization_id })).toMatchObject({
      revoked_count: 1,
      details: [{ subject: 'authorization', status: 'revoked', authorization_id }],
    });
  });

  // S112
  it('finds a token despite the hint `authorization`', async () => {
    const { access_token } = await logIn(started);
    expect(await revoke({ token: access_token, token_type_hint: 'authorization' })).toMatchObject({
      details: [{ subject: 'token', status: 'revoked' }],
    });
  });

  // S112
  it.each(['refresh_token', 'access_token', 'nonsense'])(
    'finds an access token with the hint %s',
    async (token_type_hint) => {
      const { access_token } = await logIn(started);
      expect(await revoke({ token: access_token, token_type_hint })).toMatchObject({ revoked: true });
    },
  );

  // S113
  it('reports one entry for each of several tokens, and counts a repeated token once', async () => {
    const [one, two] = [await logIn(started), await logIn(started)];
    const result = await revoke({
      tokens: [one.access_token, two.access_token, one.access_token, 'unknown'],
    });
    expect([result.revoked_count, result.details.map(({ status }) => status)]).toEqual([
      2,
      ['revoked', 'revoked', 'not_found'],
    ]);
  });

  // S108
  it.each(['x'.repeat(43), 'malformed', '🌍'])(
    'reports the unknown token %j without an error',
    async (token) => {
      expect(await revoke({ token })).toEqual({
        revoked: false,
        revoked_count: 0,
        details: [{ subject: 'token', status: 'not_found', reason: 'not_in_force' }],
      });
    },
  );

  // S109, S115
  it('reports a token of another client as unknown, and does not end it', async () => {
    const tokens = await logIn(started, AS_CONFIDENTIAL);
    for (const token of [tokens.access_token, tokens.refresh_token])
      expect(await revoke({ token })).toMatchObject({ revoked: false });
    expect(await revoke({ authorization_id: tokens.authorization_id })).toMatchObject({ revoked: false });
    expect(await isTokenValid(started, tokens.access_token)).toBe(true);
  });

  // S114
  it("rejects a wrong or missing secret for a confidential client's token", async () => {
    const tokens = await logIn(started, AS_CONFIDENTIAL);
    for (const client_secret of ['wrong', undefined]) {
      const response = await post({
        client_id: CONFIDENTIAL.clientId,
        client_secret,
        token: tokens.access_token,
      });
      expect([response.status, await response.json()]).toMatchObject([401, { error_code: 'E4006' }]);
    }
    expect(await isTokenValid(started, tokens.access_token)).toBe(true);
  });

  it('without client authentication ends a token, but not an authorization by its id', async () => {
    const tokens = await logIn(started, AS_CONFIDENTIAL);
    const refused = await post({ authorization_id: tokens.authorization_id });
    expect([refused.status, await refused.json()]).toMatchObject([401, { error_code: 'E4006' }]);
    expect(await isTokenValid(started, tokens.access_token)).toBe(true);
    const byHolder = (await (await post({ token: tokens.access_token })).json()) as Revocation;
    expect(byHolder.details).toMatchObject([
      { status: 'revoked', client_id: CONFIDENTIAL.clientId, user_id: tokens.app_scoped_user_id },
    ]);
    expect(await isTokenValid(started, tokens.access_token)).toBe(false);
  });

  it('without client authentication ends no authorization by cascade or by a hint', async () => {
    const tokens = await logIn(started, AS_CONFIDENTIAL);
    const bodies = [
      { token: tokens.access_token, cascade: true },
      { token: tokens.refresh_token, cascade: '1' },
      { tokens: [tokens.access_token], cascade: 'true' },
      { token: tokens.authorization_id, token_type_hint: 'authorization' },
    ];
    for (const body of bodies) {
      const response = await post(body);
      expect([response.status, await response.json()]).toMatchObject([401, { error: 'invalid_client' }]);
    }
    expect(await isTokenValid(started, tokens.access_token)).toBe(true);
    expect((await refresh(started, tokens.refresh_token, SECRET)).status).toBe(200);
    await revoke({ ...SECRET, token: tokens.access_token, cascade: true });
    expect((await started.store.findAuthorization(tokens.authorization_id))?.status).toBe('revoked');
  });

  // S117
  it('ends a token once, also if two requests for it are concurrent', async () => {
    const { refresh_token } = await logIn(started);
    const both = await Promise.all([revoke({ token: refresh_token }), revoke({ token: refresh_token })]);
    expect(both.map(({ revoked_count }) => revoked_count).sort()).toEqual([0, 1]);
    expect(await revoke({ token: refresh_token })).toMatchObject({ revoked: false });
  });

  // S34, S113
  it.each([
    {},
    { tokens: [] },
    { tokens: Array(101).fill('x') },
    { tokens: 'x' },
    { tokens: [1] },
    { token: 1 },
    { token: 'x', cascade: 'yes' },
  ])('rejects the malformed request %j', async (body) => {
    const response = await post({ client_id: PUBLIC.clientId, ...body });
    expect([response.status, await response.json()]).toMatchObject([400, { error_code: 'E4000' }]);
  });
});

describe('introspection', () => {
  const introspect = (body: object) => postJson(started, '/oauth/introspect', body);

  it('describes an active token to its confidential client (RFC 7662)', async () => {
    const tokens = await logIn(started, AS_CONFIDENTIAL);
    const seconds = STARTED_AT / 1_000;
    const accessEntry = await (await introspect({ ...SECRET, token: tokens.access_token })).json();
    expect(accessEntry).toEqual({
      active: true,
      scope: 'openid identity:read kyc:read',
      client_id: CONFIDENTIAL.clientId,
      sub: tokens.app_scoped_user_id,
      iss: started.url,
      aud: CONFIDENTIAL.clientId,
      token_type: 'Bearer',
      iat: seconds,
      exp: seconds + 3_600,
      authorization_id: tokens.authorization_id,
    });
    const refreshEntry = await (await introspect({ ...SECRET, token: tokens.refresh_token })).json();
    expect(refreshEntry).toMatchObject({ active: true, exp: seconds + 2_592_000 });
  });

  // S119
  it('returns only `active: false` for unknown, malformed, expired, revoked and foreign tokens', async () => {
    const [ownTokens, foreignTokens, revoked] = [
      await logIn(started, AS_CONFIDENTIAL),
      await logIn(started),
      await logIn(started, AS_CONFIDENTIAL),
    ];
    await post({ ...SECRET, authorization_id: revoked.authorization_id });
    const inactive = [
      'x',
      'x'.repeat(43),
      foreignTokens.access_token,
      foreignTokens.refresh_token,
      revoked.access_token,
      revoked.refresh_token,
    ];
    for (const token of inactive)
      expect(await (await introspect({ ...SECRET, token })).text()).toBe('{"active":false}');
    started.clock.moveTo(STARTED_AT + 3_600_000);
    expect(await (await introspect({ ...SECRET, token: ownTokens.access_token })).text()).toBe(
      '{"active":false}',
    );
    started.clock.moveTo(STARTED_AT);
  });

  // S118
  it.each([
    {},
    { client_id: PUBLIC.clientId },
    { client_id: CONFIDENTIAL.clientId },
    { ...SECRET, client_secret: 'wrong' },
  ])('is rejected for the client %j', async (client) => {
    const response = await introspect({ ...client, token: 'x' });
    expect([response.status, await response.json()]).toMatchObject([401, { error_code: 'E4006' }]);
  });
});
