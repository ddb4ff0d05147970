/** Client authentication at the token, revocation and introspection endpoints: only by the registered method (S84, S90–S92). */
import { importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  SANDBOX_BASIC_CLIENT_ID,
  SANDBOX_CLIENT_SECRET,
  SANDBOX_CONDITIONS_CLIENT_ID,
  SANDBOX_CONFIDENTIAL_CLIENT_ID,
  SANDBOX_PKCE_CLIENT_ID,
  SANDBOX_POST_CLIENT_ID,
  SANDBOX_PUBLIC_CLIENT_ID,
  SANDBOX_SIGNING_CLIENT_ID,
  SANDBOX_SIGNING_KEY,
} from '../../src/service/index.js';
import { approve, begin, isTokenValid, postJson, redemption, type Tokens } from '../support/oauth-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const REDIRECT_URI = 'http://127.0.0.1/callback';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

/** The body members and headers with which a client authenticates. */
type Authentication = Readonly<{ members: object; headers: Readonly<Record<string, string>> }>;
type Authenticate = (clientId: string) => Authentication | Promise<Authentication>;

let assertions = 0;

const withIdOnly: Authenticate = (client_id) => ({ members: { client_id }, headers: {} });
const withSecretInBody: Authenticate = (client_id) => ({
  members: { client_id, client_secret: SANDBOX_CLIENT_SECRET },
  headers: {},
});
const withBasicHeader: Authenticate = (clientId) => {
  const joined = Buffer.from(`${clientId}:${SANDBOX_CLIENT_SECRET}`).toString('base64');
  return { members: {}, headers: { Authorization: `Basic ${joined}` } };
};
const withAssertion: Authenticate = async (clientId) => {
  const seconds = STARTED_AT / 1_000;
  assertions += 1;
  const claims = { iss: clientId, sub: clientId, aud: started.url, jti: `a${assertions}`, exp: seconds + 60 };
  const { kid, alg } = SANDBOX_SIGNING_KEY;
  const client_assertion = await new SignJWT(claims)
    .setProtectedHeader({ alg, kid })
    .sign(await importJWK({ ...SANDBOX_SIGNING_KEY }, alg));
  return { members: { client_assertion, client_assertion_type: ASSERTION_TYPE }, headers: {} };
};

const METHODS = {
  idAlone: withIdOnly,
  inHeader: withBasicHeader,
  inBody: withSecretInBody,
  signed: withAssertion,
};
type MethodName = keyof typeof METHODS;

/** The accepted methods: at token and revoke, at introspect, and at user-token. */
const METHODS_BY_CLIENT: readonly [
  clientId: string,
  token: readonly MethodName[],
  introspect: readonly MethodName[],
  userToken: readonly MethodName[],
][] = [
  [SANDBOX_PUBLIC_CLIENT_ID, ['idAlone'], [], []],
  [SANDBOX_PKCE_CLIENT_ID, ['idAlone'], [], ['inHeader', 'inBody']],
  [SANDBOX_CONFIDENTIAL_CLIENT_ID, ['inHeader', 'inBody'], ['inHeader', 'inBody'], ['inHeader', 'inBody']],
  [SANDBOX_BASIC_CLIENT_ID, ['inHeader'], ['inHeader'], ['inHeader', 'inBody']],
  [SANDBOX_POST_CLIENT_ID, ['inBody'], ['inBody'], ['inHeader', 'inBody']],
  [SANDBOX_SIGNING_CLIENT_ID, ['signed'], ['signed'], ['signed']],
];

/**
 * Returns the methods by which a client authenticates: those that are not answered with 401. The rest of a request may be invalid, since
 * `invalid_client` takes precedence over every other error.
 */
async function acceptedMethods(path: string, clientId: string, body: object): Promise<readonly MethodName[]> {
  const accepted: MethodName[] = [];
  for (const name of Object.keys(METHODS) as MethodName[]) {
    const { members, headers } = await METHODS[name](clientId);
    const { status } = await postJson(started, path, { ...body, ...members }, headers);
    if (status !== 401) accepted.push(name);
  }
  return accepted;
}

describe('a client', () => {
  // S90–S92
  it.each(METHODS_BY_CLIENT)(
    '%s authenticates by its registered method only; for a user token, a secret is accepted in the header and in the body',
    async (...row) => {
      const [clientId, token, introspect, userToken] = row;
      const refresh = { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43) };
      expect(await acceptedMethods('/oauth/token', clientId, refresh)).toEqual(token);
      expect(await acceptedMethods('/oauth/revoke', clientId, { token: 'x' })).toEqual(token);
      expect(await acceptedMethods('/oauth/introspect', clientId, { token: 'x' })).toEqual(introspect);
      expect(await acceptedMethods('/oauth/client/user-token', clientId, { email: 'x@y' })).toEqual(
        userToken,
      );
    },
  );

  it.each(METHODS_BY_CLIENT)('%s completes a flow: code, tokens, refresh, revocation', async (...row) => {
    const [clientId, [method = 'idAlone']] = row;
    const pending = await begin(started, { client_id: clientId, redirect_uri: REDIRECT_URI });
    const code = await approve(started, pending);
    const post = async (path: string, body: object) => {
      const { members, headers } = await METHODS[method](clientId);
      return await postJson(started, path, { ...body, ...members }, headers);
    };
    const { client_id: _id, client_secret: _secret, ...grant } = redemption(pending, code);
    const redeemed = await post('/oauth/token', grant);
    expect(redeemed.status).toBe(200);
    const { refresh_token } = (await redeemed.json()) as Tokens;
    const refreshed = await post('/oauth/token', { grant_type: 'refresh_token', refresh_token });
    const { access_token, refresh_token: token } = (await refreshed.json()) as Tokens;
    expect(await isTokenValid(started, access_token)).toBe(true);
    expect(await (await post('/oauth/revoke', { token })).json()).toMatchObject({ revoked: true });
    expect(await isTokenValid(started, access_token)).toBe(false);
  });

  // S121
  it('that is registered with `none` but has a secret uses the secret for user tokens', async () => {
    const pending = await begin(started, { client_id: SANDBOX_PKCE_CLIENT_ID, redirect_uri: REDIRECT_URI });
    const redeemed = await postJson(
      started,
      '/oauth/token',
      redemption(pending, await approve(started, pending)),
    );
    expect(redeemed.status).toBe(200);
    const { members } = await withSecretInBody(SANDBOX_PKCE_CLIENT_ID);
    const named = { ...members, email: 'ada@example.org' };
    const response = await postJson(started, '/oauth/client/user-token', named);
    const { access_token } = (await response.json()) as Tokens;
    expect([response.status, await isTokenValid(started, access_token)]).toEqual([200, true]);
  });

  it.each([SANDBOX_PKCE_CLIENT_ID, SANDBOX_BASIC_CLIENT_ID, SANDBOX_POST_CLIENT_ID])(
    '%s lists its grants with its secret',
    async (clientId) => {
      const { headers } = await withBasicHeader(clientId);
      const response = await fetch(`${started.url}/authorizations`, { headers });
      expect(response.status).toBe(200);
    },
  );
});

describe('the sandbox', () => {
  // V1
  it('has an application for each method and one for conditions, also in a store that an earlier version seeded', async () => {
    const ids = [...METHODS_BY_CLIENT.map(([clientId]) => clientId), SANDBOX_CONDITIONS_CLIENT_ID].sort();
    const listed = async ({ store }: StartedService) =>
      (await store.listApplications()).map(({ clientId }) => clientId);
    expect(await listed(started)).toEqual(ids);
    const older = await startService({
      wrap: (store) => ({
        ...store,
        seedOnce: ({ applications, people }) =>
          store.seedOnce({ applications: applications.slice(0, 2), people }).then(() => false),
      }),
    });
    expect(await listed(older)).toEqual(ids);
    await older.stop();
  });
});
