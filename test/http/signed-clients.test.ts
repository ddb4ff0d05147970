/** Client authentication with `private_key_jwt` (RFC 7523, S91, S180). */
import { KeyObject } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import * as openid from 'openid-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../support/call.js';
import { malleated, signJws } from '../support/credential-issuer.js';
import { approve, begin, postJson, redemption, type Tokens } from '../support/oauth-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const CLIENT_ID = 'signing';
const REDIRECT_URI = 'https://signing.example/callback';
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const SECONDS = STARTED_AT / 1_000;

let started: StartedService;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;

beforeEach(async () => {
  keys = await generateKeyPair('ES256', { extractable: true });
  started = await startService();
  await started.store.upsertApplication({
    clientId: CLIENT_ID,
    name: 'Signing',
    organizationId: 'org-signing',
    redirectUris: [REDIRECT_URI],
    scopes: ['openid', 'kyc:read'],
    idTokenAlgorithm: 'ES256',
    createdAt: 1,
    keys: [{ kty: 'EC', ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }],
  });
});

afterEach(() => started.stop());

let assertionCount = 0;

/** Returns an assertion with a new `jti` that is valid except for the given members. */
async function createAssertion(
  changes: JWTPayload = {},
  by = keys.privateKey,
  header: object = {},
): Promise<string> {
  assertionCount += 1;
  const claims = {
    iss: CLIENT_ID,
    sub: CLIENT_ID,
    aud: started.url,
    jti: `jti-${assertionCount}`,
    exp: SECONDS + 60,
  };
  return await new SignJWT({ ...claims, ...changes })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header })
    .sign(by);
}

/** The client's key, for assertions that jose would refuse to sign. */
function signingKey() {
  return { privateKey: KeyObject.from(keys.privateKey) };
}

async function introspect(text: string, more: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const body = { token: 'x', client_assertion: text, client_assertion_type: TYPE, ...more };
  return (await postJson(started, '/oauth/introspect', body)).status;
}

describe('a client with private_key_jwt', () => {
  // S91
  it('authenticates at the token, introspection, revocation and user-token endpoints, once with each assertion', async () => {
    const pending = await begin(started, {
      client_id: CLIENT_ID,
      redirect_uri: REDIRECT_URI,
      scope: 'openid kyc:read',
    });
    const code = await approve(started, pending);
    const signed = {
      client_assertion: await createAssertion(),
      client_assertion_type: TYPE,
    };
    const redeemed = await postJson(started, '/oauth/token', redemption(pending, code, signed));
    expect(redeemed.status).toBe(200);
    const usedAssertion = await createAssertion();
    expect([await introspect(usedAssertion), await introspect(usedAssertion)]).toEqual([200, 401]);
    expect(await introspect(await createAssertion(), { client_id: CLIENT_ID })).toBe(200);
    const { app_scoped_user_id } = (await redeemed.json()) as Tokens;
    for (const [path, body] of [
      ['/oauth/client/user-token', { user_id: app_scoped_user_id }],
      ['/oauth/revoke', { authorization_id: pending.authorizationId }],
    ] as const) {
      const assertion = { client_assertion: await createAssertion(), client_assertion_type: TYPE };
      const responses = [
        await postJson(started, path, { ...body, ...assertion }),
        await postJson(started, path, { ...body, ...assertion }),
      ];
      expect([path, ...responses.map(({ status }) => status)]).toEqual([path, 200, 401]);
    }
  });

  it('can use an assertion once, even concurrently', async () => {
    const usedAssertion = await createAssertion();
    const statuses = await Promise.all(Array.from({ length: 10 }, () => introspect(usedAssertion)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  // S91
  it('cannot authenticate by a secret or by its id only', async () => {
    const body = { token: 'x', client_id: CLIENT_ID };
    expect((await postJson(started, '/oauth/introspect', body)).status).toBe(401);
    expect((await postJson(started, '/oauth/introspect', { ...body, client_secret: 'x' })).status).toBe(401);
    const grant = { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43), client_id: CLIENT_ID };
    expect((await postJson(started, '/oauth/token', grant)).status).toBe(401);
  });

  // S182
  it('finds the method in the discovery document, and can use openid-client', async () => {
    const { body } = await call(started, '/.well-known/openid-configuration');
    expect(body.token_endpoint_auth_methods_supported).toEqual([
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
      'none',
    ]);
    expect(body.token_endpoint_auth_signing_alg_values_supported).toContain('ES256');
    started.clock.moveTo(Math.floor(Date.parse(new Date().toISOString()) / 1_000) * 1_000);
    const configuration = await openid.discovery(
      new URL(started.url),
      CLIENT_ID,
      undefined,
      openid.PrivateKeyJwt({ key: keys.privateKey, kid: 'k1' }),
      { execute: [openid.allowInsecureRequests] },
    );
    expect(await openid.tokenIntrospection(configuration, 'x')).toEqual({ active: false });
  });
});

describe('a client assertion', () => {
  it.each([
    ['of another client', { iss: 'sandbox-confidential' }],
    ['for another audience', { aud: 'https://other.example' }],
    ['for several audiences', { aud: ['https://other.example', 'x'] }],
    ['that has expired', { exp: SECONDS - 6 }],
    ['with a lifetime of an hour', { exp: SECONDS + 3_600 }],
    ['without jti', { jti: undefined }],
    ['without exp', { exp: undefined }],
  ])('%s is rejected', async (_what, changes) => {
    expect(await introspect(await createAssertion(changes as JWTPayload))).toBe(401);
  });

  it('whose audience is an endpoint URL or an array instead of the issuer is rejected, which prevents audience injection', async () => {
    const url = started.url;
    for (const aud of [`${url}/oauth/token`, `${url}/oauth/introspect`, `${url}/`, [url], [url, url]]) {
      expect(await introspect(await createAssertion({ aud }))).toBe(401);
    }
  });

  it.each([
    ['JWT', 200],
    ['jwt', 200],
    ['client-authentication+jwt', 200],
    ['application/client-authentication+jwt', 200],
    ['at+jwt', 401],
    ['sign-in+jwt', 401],
    ['vc+jwt', 401],
    ['', 401],
    [null, 401],
    [['JWT'], 401],
  ])(
    'with the typ %j is answered with %i, so that other tokens of the client are not accepted',
    async (typ, status) => {
      const claims = { iss: CLIENT_ID, sub: CLIENT_ID, aud: started.url, jti: 'typed', exp: SECONDS + 60 };
      const signed = signJws({ alg: 'ES256', kid: 'k1', typ }, claims, signingKey());
      expect(await introspect(signed)).toBe(status);
    },
  );

  it('with a repeated member in header or payload is rejected', async () => {
    const claims = { iss: CLIENT_ID, sub: CLIENT_ID, aud: started.url, exp: SECONDS + 60 };
    const valid = JSON.stringify({ ...claims, jti: 'unique' });
    const repeated = valid.replace('{', `{"jti":"other",`);
    const header = '{"alg":"ES256","kid":"k1"}';
    expect(await introspect(signJws(header, repeated, signingKey()))).toBe(401);
    expect(await introspect(signJws('{"alg":"ES256","kid":"k1","kid":"k1"}', valid, signingKey()))).toBe(401);
    expect(await introspect(signJws(header, valid, signingKey()))).toBe(200);
  });

  it('is consumed by its jti, even if it is re-encoded or signed again', async () => {
    const claims = { iss: CLIENT_ID, sub: CLIENT_ID, aud: started.url, jti: 'once', exp: SECONDS + 60 };
    const signed = signJws({ alg: 'ES256', kid: 'k1' }, claims, signingKey());
    const signedAgain = signJws({ alg: 'ES256' }, { ...claims, exp: SECONDS + 61 }, signingKey());
    const texts = [signed, malleated(signed), signedAgain];
    const statuses: number[] = [];
    for (const text of texts) statuses.push(await introspect(text));
    expect(statuses).toEqual([200, 401, 401]);
  });

  // S180
  it('signed with another key is rejected, whatever keys its header names', async () => {
    const other = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(other.publicKey);
    for (const header of [{}, { jwk }, { jku: 'https://evil.example/keys' }]) {
      expect(await introspect(await createAssertion({}, other.privateKey, header))).toBe(401);
    }
  });

  it.each([
    { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' },
    { kty: 'EC', crv: 'P-256' },
    { kty: 'RSA', n: 'AAAA', e: 'AQAB' },
    { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' },
  ])('of a client whose key is malformed is rejected: %j', async (key) => {
    const application = await started.store.findApplication(CLIENT_ID);
    if (application === undefined) throw new Error('the client is not registered');
    await started.store.upsertApplication({ ...application, keys: [key] });
    const algorithm = { EC: 'ES256', RSA: 'RS256', OKP: 'EdDSA' }[key.kty] ?? '';
    const by = await generateKeyPair(algorithm, { extractable: true });
    const assertion = await createAssertion({}, by.privateKey, { alg: algorithm, kid: undefined });
    expect(await introspect(assertion)).toBe(401);
  });

  // S180
  it('of a client without keys, or of an unknown client, is rejected', async () => {
    for (const sub of ['sandbox-public', 'sandbox-confidential', 'nobody', '']) {
      expect(await introspect(await createAssertion({ iss: sub, sub }))).toBe(401);
    }
    expect(await introspect('no.assertion.at all')).toBe(401);
  });

  // S91
  it('is rejected together with a secret, a Basic header, another client id or another type', async () => {
    expect(await introspect(await createAssertion(), { client_secret: 'x' })).toBe(400);
    expect(await introspect(await createAssertion(), { client_id: 'sandbox-public' })).toBe(400);
    expect(await introspect(await createAssertion(), { client_assertion_type: 'saml' })).toBe(400);
    const body = { token: 'x', client_assertion: await createAssertion(), client_assertion_type: TYPE };
    const basic = { Authorization: `Basic ${Buffer.from('a:b').toString('base64')}` };
    expect((await postJson(started, '/oauth/introspect', body, basic)).status).toBe(400);
  });
});
