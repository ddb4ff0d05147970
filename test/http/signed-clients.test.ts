/** Client authentication with `private_key_jwt` (RFC 7523, S91, S180). */
import { KeyObject } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import * as openid from 'openid-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../support/call.js';
import { malleated, signJws } from '../support/credential-issuer.js';
import { approve, begin, postJson, redemption } from '../support/oauth-client.js';
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
  await started.store.recordApplication({
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

let made = 0;

/** A right assertion, with changes; another each time. */
async function assertion(
  changes: JWTPayload = {},
  by = keys.privateKey,
  header: object = {},
): Promise<string> {
  made += 1;
  const claims = { iss: CLIENT_ID, sub: CLIENT_ID, aud: started.url, jti: `jti-${made}`, exp: SECONDS + 60 };
  return await new SignJWT({ ...claims, ...changes })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header })
    .sign(by);
}

/** The client's key, to sign texts that jose would not. */
function signingKey() {
  return { privateKey: KeyObject.from(keys.privateKey) };
}

async function introspect(text: string, more: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const body = { token: 'x', client_assertion: text, client_assertion_type: TYPE, ...more };
  return (await postJson(started, '/oauth/introspect', body)).status;
}

describe('a client that signs', () => {
  // S91
  it('is known by its assertion at every endpoint, once each', async () => {
    const begun = await begin(started, {
      client_id: CLIENT_ID,
      redirect_uri: REDIRECT_URI,
      scope: 'openid kyc:read',
    });
    const code = await approve(started, begun);
    const signed = {
      client_assertion: await assertion(),
      client_assertion_type: TYPE,
    };
    const redeemed = await postJson(started, '/oauth/token', redemption(begun, code, signed));
    expect(redeemed.status).toBe(200);
    const once = await assertion();
    expect([await introspect(once), await introspect(once)]).toEqual([200, 401]);
    expect(await introspect(await assertion(), { client_id: CLIENT_ID })).toBe(200);
  });

  it('of several uses of one assertion at once has one', async () => {
    const once = await assertion();
    const statuses = await Promise.all(Array.from({ length: 10 }, () => introspect(once)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  // S91
  it('has no other way: neither a secret nor its id alone', async () => {
    const body = { token: 'x', client_id: CLIENT_ID };
    expect((await postJson(started, '/oauth/introspect', body)).status).toBe(401);
    expect((await postJson(started, '/oauth/introspect', { ...body, client_secret: 'x' })).status).toBe(401);
    const grant = { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43), client_id: CLIENT_ID };
    expect((await postJson(started, '/oauth/token', grant)).status).toBe(401);
  });

  // S182
  it('is told in discovery, and is what openid-client does', async () => {
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

describe('an assertion', () => {
  it.each([
    ['of another client', { iss: 'sandbox-confidential' }],
    ['for somebody else', { aud: 'https://other.example' }],
    ['for several', { aud: ['https://other.example', 'x'] }],
    ['that is over', { exp: SECONDS - 6 }],
    ['that lives for an hour', { exp: SECONDS + 3_600 }],
    ['without an id', { jti: undefined }],
    ['without an end', { exp: undefined }],
  ])('%s is refused', async (_what, changes) => {
    expect(await introspect(await assertion(changes as JWTPayload))).toBe(401);
  });

  it('for an endpoint of this service in place of its issuer URL is refused, so that none can be injected', async () => {
    const url = started.url;
    for (const aud of [`${url}/oauth/token`, `${url}/oauth/introspect`, `${url}/`, [url], [url, url]]) {
      expect(await introspect(await assertion({ aud }))).toBe(401);
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
  ])('with the typ %j is answered %i, so that no other token of the client is one', async (typ, status) => {
    const claims = { iss: CLIENT_ID, sub: CLIENT_ID, aud: started.url, jti: 'typed', exp: SECONDS + 60 };
    const signed = signJws({ alg: 'ES256', kid: 'k1', typ }, claims, signingKey());
    expect(await introspect(signed)).toBe(status);
  });

  it('with a member twice is refused, in its header and in its payload', async () => {
    const claims = { iss: CLIENT_ID, sub: CLIENT_ID, aud: started.url, exp: SECONDS + 60 };
    const right = JSON.stringify({ ...claims, jti: 'unique' });
    const twice = right.replace('{', `{"jti":"other",`);
    const header = '{"alg":"ES256","kid":"k1"}';
    expect(await introspect(signJws(header, twice, signingKey()))).toBe(401);
    expect(await introspect(signJws('{"alg":"ES256","kid":"k1","kid":"k1"}', right, signingKey()))).toBe(401);
    expect(await introspect(signJws(header, right, signingKey()))).toBe(200);
  });

  it('is used up by its jti, whatever becomes of its text', async () => {
    const claims = { iss: CLIENT_ID, sub: CLIENT_ID, aud: started.url, jti: 'once', exp: SECONDS + 60 };
    const signed = signJws({ alg: 'ES256', kid: 'k1' }, claims, signingKey());
    const signedAgain = signJws({ alg: 'ES256' }, { ...claims, exp: SECONDS + 61 }, signingKey());
    const texts = [signed, malleated(signed), signedAgain];
    const statuses: number[] = [];
    for (const text of texts) statuses.push(await introspect(text));
    expect(statuses).toEqual([200, 401, 401]);
  });

  // S180
  it('by another key is refused, whatever its header says of keys', async () => {
    const other = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(other.publicKey);
    for (const header of [{}, { jwk }, { jku: 'https://evil.example/keys' }]) {
      expect(await introspect(await assertion({}, other.privateKey, header))).toBe(401);
    }
  });

  it('of a client that does not sign, or that is none, is refused', async () => {
    for (const sub of ['sandbox-public', 'sandbox-confidential', 'nobody', '']) {
      expect(await introspect(await assertion({ iss: sub, sub }))).toBe(401);
    }
    expect(await introspect('no.assertion.at all')).toBe(401);
  });

  // S91
  it('stands alone: no secret, no header, no other id and no other type beside it', async () => {
    expect(await introspect(await assertion(), { client_secret: 'x' })).toBe(400);
    expect(await introspect(await assertion(), { client_id: 'sandbox-public' })).toBe(400);
    expect(await introspect(await assertion(), { client_assertion_type: 'saml' })).toBe(400);
    const body = { token: 'x', client_assertion: await assertion(), client_assertion_type: TYPE };
    const basic = { Authorization: `Basic ${Buffer.from('a:b').toString('base64')}` };
    expect((await postJson(started, '/oauth/introspect', body, basic)).status).toBe(400);
  });
});
