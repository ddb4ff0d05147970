/** `POST /oauth/client/user-token`: tokens for people who have an active grant to the application (S121–S131). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AS_CONFIDENTIAL,
  approve,
  begin,
  CONFIDENTIAL,
  isTokenValid,
  logIn,
  PUBLIC,
  postJson,
  type Tokens,
} from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

const ADA_WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const CLIENT = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };

let started: StartedService;
let granted: Tokens;

beforeAll(async () => {
  started = await startService();
  // Without a login hint, the first person approves: ada.
  granted = await logIn(started, AS_CONFIDENTIAL);
  await logIn(started);
  await logIn(started, { ...AS_CONFIDENTIAL, login_hint: 'grace' });
});

afterAll(() => started.stop());

const requestUserToken = (body: object) =>
  postJson(started, '/oauth/client/user-token', { ...CLIENT, ...body });

describe('a client user token', () => {
  // S125, S130
  it.each([
    [{ email: 'ada@example.org' }],
    [{ email: 'ada@EXAMPLE.org' }],
    [{ evm_address: ADA_WALLET }],
    [{ evm_address: ADA_WALLET.toLowerCase() }],
    [{ identifier: 'email|ada@example.org' }],
    [{ identifier: `wallet|${ADA_WALLET}` }],
    [{ identifier: 'user|ada' }],
    [{ user_id: 'ada' }],
  ])('is issued for %j, with the scopes of the grant', async (selector) => {
    const response = await requestUserToken(selector);
    const body = (await response.json()) as Tokens;
    expect([response.status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3_600,
        issued_at: '2026-06-01T12:00:00.000Z',
        user_id: granted.app_scoped_user_id,
        client_id: CONFIDENTIAL.clientId,
        authorization_id: granted.authorization_id,
        scopes: ['openid', 'identity:read', 'kyc:read'],
      },
    ]);
    expect(await isTokenValid(started, body.access_token)).toBe(true);
  });

  // V5
  it('is issued for a pairwise id', async () => {
    expect((await requestUserToken({ user_id: granted.app_scoped_user_id })).status).toBe(200);
  });

  // S122, S126, S127
  it.each([
    [{ email: 'bruno@example.com' }], // exists, without a grant to this application
    [{ email: 'nobody@example.org' }],
    [{ email: 'Ada@example.org' }],
    [{ email: 'ad\u0430@example.org' }],
    [{ email: 'ada@example.org.' }],
    [{ email: 'ada@example.org ' }],
    [{ email: 'ada+tag@example.org' }],
    [{ email: 'ada' }],
    [{ evm_address: `0x${'0'.repeat(40)}` }],
    [{ user_id: 'person-ada' }],
    [{ identifier: 'id|nobody' }],
  ])('for %j is refused with the same response, whether the person exists or not', async (selector) => {
    const response = await requestUserToken(selector);
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        error: 'grant_not_found',
        error_code: 'E4046',
        error_description:
          'No person with this identifier has an active grant to this application whose scopes cover the identifier.',
        error_subcode: 'grant_not_found',
        context: {},
      },
    ]);
  });

  // S34, S38, S125, S128, S129
  it.each([
    {},
    { identifier: 'x' },
    { identifier: '__proto__|x' },
    { evm_address: '0x1' },
    { identifier: 'evm|0x1' },
    { evm_address: ADA_WALLET.replace('0x5a', '0x5A') }, // wrong checksum
    { email: 1 },
    { email: 'a@b', scopes: ['data.read'] },
  ])('is not issued for the malformed body %j', async (body) => {
    const response = await requestUserToken(body);
    expect([response.status, await response.json()]).toMatchObject([400, { error_code: 'E4000' }]);
  });

  // S125
  it('is issued if several selectors name one person; null selectors are ignored', async () => {
    const agreeing = {
      identifier: 'email|ada@example.org',
      user_id: granted.app_scoped_user_id,
      email: 'ada@example.org',
      evm_address: ADA_WALLET,
    };
    const responses = [
      await requestUserToken(agreeing),
      await requestUserToken({ ...agreeing, identifier: null, evm_address: null }),
      await requestUserToken({
        identifier: null,
        user_id: null,
        email: 'ada@example.org',
        evm_address: null,
      }),
    ];
    const userIds = await Promise.all(
      responses.map(async (response) => ((await response.json()) as { user_id: string }).user_id),
    );
    expect(userIds).toEqual(Array(3).fill(granted.app_scoped_user_id));
  });

  // S122, S125
  it.each([
    [{ user_id: 'ada', email: 'grace@example.net' }], // both people have a grant to this application
    [{ user_id: 'ada', email: 'bruno@example.com' }], // bruno has no grant to this application
    [{ user_id: 'ada', email: 'nobody@example.org' }],
    [{ user_id: 'nobody', email: 'ada@example.org' }],
    [{ identifier: 'id|ada', evm_address: `0x${'0'.repeat(40)}` }],
  ])('for %j, which does not name exactly one person, is refused with the same error', async (selectors) => {
    const response = await requestUserToken(selectors);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error_code: 'E4000', context: { problems: [{ pointer: '', code: 'selector' }] } },
    ]);
  });

  // S122
  it('for several selectors without any grant is refused as for one selector', async () => {
    const response = await requestUserToken({ email: 'bruno@example.com', user_id: 'nobody' });
    expect([response.status, await response.json()]).toMatchObject([404, { error_code: 'E4046' }]);
  });

  // S121
  it('requires client authentication: an unknown client and a wrong secret get the same response', async () => {
    const refused = [
      { client_id: 'nobody' },
      { client_secret: 'wrong' },
      { client_secret: undefined },
      { client_id: PUBLIC.clientId, client_secret: undefined },
    ];
    const bodies = await Promise.all(
      refused.map(async (body) => (await requestUserToken({ email: 'ada@example.org', ...body })).text()),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain('"E4006"');
  });

  // V3
  it('is not issued under a grant whose code expired unredeemed, and an issued one expires with that code', async () => {
    const settings = { codeLifetimeSeconds: 60, accessTokenLifetimeSeconds: 3_600 };
    const service = await startService({ settings });
    const credentials = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };
    const userToken = async (body: object) => {
      const response = await postJson(service, '/oauth/client/user-token', { ...credentials, ...body });
      return [response.status, (await response.json()) as Tokens] as const;
    };
    const introspect = async (token: string) =>
      (await postJson(service, '/oauth/introspect', { ...credentials, token })).json();
    try {
      // ada's only approval is never redeemed; neither is grace's second, wider approval after a redeemed
      // grant.
      const narrowGrant = await logIn(service, { ...AS_CONFIDENTIAL, login_hint: 'grace', scope: 'openid' });
      for (const login_hint of ['ada', 'grace'])
        await approve(service, await begin(service, { ...AS_CONFIDENTIAL, login_hint }));
      const [statusInTime, { access_token }] = await userToken({ user_id: 'ada' });
      expect([statusInTime, await isTokenValid(service, access_token)]).toEqual([200, true]);
      expect(await introspect(access_token)).toMatchObject({ active: true });
      service.clock.moveTo(service.clock.now() + 60_000);
      expect(await isTokenValid(service, access_token)).toBe(false);
      expect(await introspect(access_token)).toEqual({ active: false });
      expect((await userToken({ user_id: 'ada' }))[0]).toBe(404);
      expect((await userToken({ email: 'ada@example.org' }))[0]).toBe(404);
      expect(await userToken({ user_id: 'grace' })).toMatchObject([
        200,
        { authorization_id: narrowGrant.authorization_id, scopes: ['openid'] },
      ]);
    } finally {
      await service.stop();
    }
  });

  // S107, S130
  it('is invalid after the revocation of the grant', async () => {
    const pending = await begin(started, AS_CONFIDENTIAL);
    await approve(started, pending);
    const { access_token, authorization_id } = (await (
      await requestUserToken({ user_id: 'ada' })
    ).json()) as Tokens;
    expect(await isTokenValid(started, access_token)).toBe(true);
    await started.store.revokeAuthorization(authorization_id, started.clock.now());
    expect(await isTokenValid(started, access_token)).toBe(false);
  });
});
