/** DPoP-bound tokens (RFC 9449, S270–S283). */
import { createHmac, sign as signBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import { call, type HttpResponse } from '../support/call.js';
import { encode, malleated } from '../support/credential-issuer.js';
import {
  callWith,
  callWithCredentials,
  createDpopKey,
  type DpopKey,
  dpopProof,
  redeemWith,
  requestTokens,
} from '../support/dpop.js';
import { createKeyPair } from '../support/key-pair.js';
import {
  AS_CONFIDENTIAL,
  approve,
  authorizationQuery,
  authorize,
  begin,
  CONFIDENTIAL,
  logIn,
  PUBLIC,
  postJson,
  redemption,
  refresh,
  type Tokens,
} from '../support/oauth-client.js';
import { beginPushed, pushRequest } from '../support/pushed-requests.js';
import { sendRaw } from '../support/raw-request.js';
import { type StartedService, startService } from '../support/start-service.js';

const ALGORITHMS = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA', 'Ed25519'];
const ALGS = `algs="${ALGORITHMS.join(' ')}"`;
const CLIENT_SECRET = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };
const BOUND = { client_id: 'bound', redirect_uri: 'https://bound.example/callback' };
const QUERY = { query: { check: { claim: 'kyc.level', operator: 'isDefined' } } };

const PRESETS = { presets: ['kyc_level'] };

let started: StartedService;
let key: DpopKey;
let other: DpopKey;

beforeEach(async () => {
  started = await startService();
  [key, other] = [createDpopKey(), createDpopKey()];
});

afterEach(() => started.stop());

/** Completes a login, with a proof by this key at the token endpoint. */
async function logInWith(by: DpopKey, changes: Readonly<Record<string, string>> = {}): Promise<Tokens> {
  const pending = await begin(started, changes);
  const redeemed = await redeemWith(started, by, pending, await approve(started, pending));
  expect(redeemed).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
  return redeemed.body as Tokens;
}

function refreshWith(by: DpopKey | undefined, token: string, changes: object = {}): Promise<HttpResponse> {
  const body = { grant_type: 'refresh_token', refresh_token: token, client_id: PUBLIC.clientId, ...changes };
  const proofs = by === undefined ? [] : [dpopProof(started, by, { path: '/oauth/token' })];
  return requestTokens(started, body, ...proofs);
}

function htuOf(path: string) {
  return { htu: `${started.url}${path}` };
}

/** Registers a public application that requires DPoP-bound access tokens. */
async function registerBoundApplication(changes: object = {}): Promise<void> {
  await started.store.upsertApplication({
    clientId: BOUND.client_id,
    name: 'Bound',
    organizationId: 'org-bound',
    redirectUris: [BOUND.redirect_uri],
    scopes: ['openid', 'identity:read', 'kyc:read'],
    idTokenAlgorithm: 'ES256',
    createdAt: 1,
    dpopBoundAccessTokens: true,
    ...changes,
  });
}

describe('a token that was issued with a proof', () => {
  // S276, S278
  it('has the type DPoP, and gives access to every resource with proofs by its key', async () => {
    const tokens = await logInWith(key, { scope: 'openid data.read kyc:read' });
    const calls = [
      await callWith(started, key, tokens, { path: '/userinfo' }),
      await callWith(started, key, tokens, { path: '/userinfo', method: 'POST' }),
      await callWith(started, key, tokens, { path: '/credentials' }),
      await callWith(started, key, tokens, {
        path: '/authorizations?limit=1',
        payload: htuOf('/authorizations'),
      }),
      await callWith(started, key, tokens, { path: '/presets/kyc_level' }),
      await callWith(started, key, tokens, { path: '/queries/evaluate', method: 'POST' }, QUERY),
      await callWith(started, key, tokens, { path: '/presets/batch', method: 'POST' }, PRESETS),
    ];
    for (const { status, headers } of calls) expect([status, headers.get('dpop-nonce')]).toEqual([200, null]);
  });

  // S277
  it('is rejected as a bearer token, in the header and in a form, with and without a proof', async () => {
    const { access_token: accessToken } = await logInWith(key);
    const proof = dpopProof(started, key, { path: '/userinfo', method: 'GET', accessToken });
    const bearer = { scheme: 'Bearer', accessToken, path: '/userinfo' };
    const sendForm = (headers: Readonly<Record<string, string>>) =>
      fetch(`${started.url}/userinfo`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ access_token: accessToken }),
      });
    for (const { status, headers } of [
      await callWithCredentials(started, bearer),
      await callWithCredentials(started, { ...bearer, proof }),
      await sendForm({}),
      await sendForm({ DPoP: dpopProof(started, key, { path: '/userinfo', accessToken }) }),
    ]) {
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
    }
  });

  // S276
  it('is rejected with a proof by another key, and with a proof for another token', async () => {
    const [tokens, foreign] = [await logInWith(key), await logInWith(other)];
    const path = '/userinfo';
    const rejected = [
      await callWith(started, other, tokens, { path }),
      await callWith(started, key, tokens, { path, accessToken: foreign.access_token }),
      await callWith(started, key, tokens, { path, payload: { ath: undefined } }),
      await callWith(started, key, tokens, { path, payload: { ath: [tokens.access_token] } }),
      // The proof is valid for a token that is bound to its key, but is presented with a token that is bound to another key.
      await callWith(started, key, foreign, { path, accessToken: tokens.access_token }),
    ];
    for (const { status, body, headers } of rejected) {
      expect([status, body.error, body.error_subcode]).toEqual([
        401,
        'invalid_dpop_proof',
        'token_proof_invalid',
      ]);
      expect(headers.get('www-authenticate')).toBe(`DPoP error="invalid_dpop_proof", ${ALGS}`);
    }
  });

  // S278
  it('is introspected with the thumbprint of its key', async () => {
    const bound = await logInWith(key, AS_CONFIDENTIAL);
    const introspect = async (token: string) =>
      await (await postJson(started, '/oauth/introspect', { ...CLIENT_SECRET, token })).json();
    expect(await introspect(bound.access_token)).toMatchObject({
      active: true,
      token_type: 'DPoP',
      cnf: { jkt: key.jkt },
    });
    expect(await introspect(bound.refresh_token)).not.toHaveProperty('cnf');
    const unbound = await introspect((await logIn(started, AS_CONFIDENTIAL)).access_token);
    expect(unbound).toMatchObject({ active: true, token_type: 'Bearer' });
    expect(unbound).not.toHaveProperty('cnf');
  });

  it('is also issued by the client user-token endpoint', async () => {
    const { app_scoped_user_id: userId } = await logIn(started, AS_CONFIDENTIAL);
    const path = '/oauth/client/user-token';
    const headers = { DPoP: dpopProof(started, key, { path }) };
    const issued = await postJson(started, path, { ...CLIENT_SECRET, user_id: userId }, headers);
    const tokens = (await issued.json()) as Tokens;
    expect(tokens).toMatchObject({ token_type: 'DPoP' });
    expect((await callWith(started, key, tokens, { path: '/userinfo' })).status).toBe(200);
    expect((await callWith(started, other, tokens, { path: '/userinfo' })).status).toBe(401);
    expect((await call(started, '/userinfo', tokens.access_token)).status).toBe(401);
  });
});

describe('a token that was issued without a proof', () => {
  // S277
  it('is a bearer token, and is rejected under the DPoP scheme even with a valid proof', async () => {
    const tokens = await logIn(started);
    expect(tokens).toMatchObject({ token_type: 'Bearer' });
    const { status, body, headers } = await callWith(started, key, tokens, { path: '/userinfo' });
    expect([status, body.error_subcode]).toEqual([401, 'token_invalid']);
    expect(headers.get('www-authenticate')).toBe(`DPoP error="invalid_token", ${ALGS}`);
    expect((await call(started, '/userinfo', tokens.access_token)).status).toBe(200);
  });

  it('gives access as Bearer even if an invalid proof is sent with it', async () => {
    const { access_token: accessToken } = await logIn(started);
    const sent = { scheme: 'Bearer', accessToken, proof: 'no proof at all', path: '/userinfo' };
    expect((await callWithCredentials(started, sent)).status).toBe(200);
  });

  it('of the administrator is rejected with the scheme DPoP, and accepted with Bearer', async () => {
    const ingestion = { accessToken: SANDBOX_ADMINISTRATOR_TOKEN, path: '/credentials', method: 'POST' };
    const refused = await callWithCredentials(started, { ...ingestion, scheme: 'DPoP' }, {});
    expect([refused.status, refused.body.error_subcode]).toEqual([401, 'token_missing']);
    const accepted = await callWithCredentials(started, { ...ingestion, scheme: 'Bearer' }, {});
    expect([accepted.status, accepted.body.error_subcode]).toEqual([400, 'malformed_body']);
  });
});

const rsa = (bits: number) => createKeyPair({ rsa: bits });
const exportPublic = ({ publicKey }: ReturnType<typeof rsa>) => publicKey.export({ format: 'jwk' });

/** Name, proof and expected message. */
const WRONG_PROOFS: readonly (readonly [string, (right: () => string) => string | undefined, string])[] = [
  [
    'a string that is not a JWT',
    () => 'x',
    'the DPoP proof must be one compact JWT without repeated members',
  ],
  ['an empty string', () => '', 'the DPoP proof must be one compact JWT without repeated members'],
  [
    'two proofs in one value',
    (right) => `${right()}, ${right()}`,
    'the DPoP proof must be one compact JWT without repeated members',
  ],
  ['4,097 characters long', () => 'x'.repeat(4_097), 'the DPoP proof must have at most 4096 characters'],
  [
    'a JWT with another signature',
    (right) => `${right().slice(0, -8)}AAAAAAAA`,
    'the DPoP proof must have a signature that verifies with the key in jwk',
  ],
];

const WRONG_MEMBERS: readonly (readonly [
  string,
  { readonly header?: object; readonly payload?: object },
  string,
])[] = [
  ['another typ', { header: { typ: 'JWT' } }, 'the DPoP proof must have the typ dpop+jwt'],
  ['no typ', { header: { typ: undefined } }, 'the DPoP proof must have the typ dpop+jwt'],
  [
    'the algorithm none',
    { header: { alg: 'none' } },
    `the DPoP proof must have an alg of ${ALGORITHMS.join(', ')}`,
  ],
  [
    'a symmetric algorithm',
    { header: { alg: 'HS256' } },
    `the DPoP proof must have an alg of ${ALGORITHMS.join(', ')}`,
  ],
  [
    'no key',
    { header: { jwk: undefined } },
    'the DPoP proof must have a public key in jwk, with the members of its type and without private ones',
  ],
  [
    'a symmetric key',
    { header: { jwk: { kty: 'oct', k: 'AAAA' } } },
    'the DPoP proof must have a public key in jwk, with the members of its type and without private ones',
  ],
  [
    'a key without its public members',
    { header: { jwk: { kty: 'EC', crv: 'P-256', x: 'AAAA' } } },
    'the DPoP proof must have a public key in jwk, with the members of its type and without private ones',
  ],
  ['no jti', { payload: { jti: undefined } }, 'the DPoP proof must have a jti of 1 to 256 characters'],
  ['an empty jti', { payload: { jti: '' } }, 'the DPoP proof must have a jti of 1 to 256 characters'],
  [
    'a long jti',
    { payload: { jti: 'j'.repeat(257) } },
    'the DPoP proof must have a jti of 1 to 256 characters',
  ],
  [
    'a jti that is a number',
    { payload: { jti: 1 } },
    'the DPoP proof must have a jti of 1 to 256 characters',
  ],
  [
    'another method',
    { payload: { htm: 'PUT' } },
    'the DPoP proof must have the method of the request as htm',
  ],
  [
    'the method in lower case',
    { payload: { htm: 'post' } },
    'the DPoP proof must have the method of the request as htm',
  ],
  ['no method', { payload: { htm: undefined } }, 'the DPoP proof must have the method of the request as htm'],
  [
    'another URL',
    { payload: { htu: 'https://evil.example/v2/oauth/token' } },
    'the DPoP proof must have the URL of the request as htu',
  ],
  ['no URL', { payload: { htu: undefined } }, 'the DPoP proof must have the URL of the request as htu'],
  [
    'a path alone',
    { payload: { htu: '/v2/oauth/token' } },
    'the DPoP proof must have the URL of the request as htu',
  ],
  [
    'an expiry in the past',
    { payload: { exp: 1 } },
    'the DPoP proof must have an exp in the future and an nbf in the past, as numbers, if it has these members',
  ],
  [
    'a start in the future',
    { payload: { nbf: 9_999_999_999 } },
    'the DPoP proof must have an exp in the future and an nbf in the past, as numbers, if it has these members',
  ],
  [
    'an expiry that is text',
    { payload: { exp: 'tomorrow' } },
    'the DPoP proof must have an exp in the future and an nbf in the past, as numbers, if it has these members',
  ],
];

describe('a DPoP proof', () => {
  /** Sends a token request in which only the proofs can be wrong. */
  async function redeemWithProofs(proofs: readonly string[]): Promise<HttpResponse> {
    const pending = await begin(started);
    return await requestTokens(started, redemption(pending, await approve(started, pending)), ...proofs);
  }

  const rejectedWith = (description: string) => ({
    status: 400,
    body: {
      error: 'invalid_dpop_proof',
      error_code: 'E4043',
      error_subcode: 'invalid_dpop_proof',
      error_description: description,
    },
  });

  // S270
  it.each(WRONG_PROOFS)(
    'that is %s is rejected with a message that names the violated rule',
    async (_what, wrong, description) => {
      const right = () => dpopProof(started, key, { path: '/oauth/token' });
      expect(await redeemWithProofs([wrong(right) ?? ''])).toMatchObject(rejectedWith(description));
    },
  );

  // S271, S272
  it.each(WRONG_MEMBERS)(
    'with %s is rejected with a message that names the violated rule',
    async (_what, changes, description) => {
      const proof = dpopProof(started, key, { path: '/oauth/token', ...changes } as never);
      expect(await redeemWithProofs([proof])).toMatchObject(rejectedWith(description));
    },
  );

  // S271
  it('with a private key is rejected although its signature verifies', async () => {
    const jwk = key.privateKey.export({ format: 'jwk' });
    const proof = dpopProof(started, key, { path: '/oauth/token', header: { jwk } });
    const description =
      'the DPoP proof must have a public key in jwk, with the members of its type and without private ones';
    expect(await redeemWithProofs([proof])).toMatchObject(rejectedWith(description));
  });

  // S271
  it('signed by HMAC, with the public key or a key in the proof as secret, is rejected', async () => {
    const [, payload = ''] = dpopProof(started, key, { path: '/oauth/token' }).split('.');
    const secret = 'secret'.repeat(6);
    const oct = { kty: 'oct', k: Buffer.from(secret).toString('base64url') };
    for (const [jwk, hmacKey] of [
      [key.jwk, JSON.stringify(key.jwk)],
      [oct, secret],
    ] as const) {
      const content = `${encode({ alg: 'HS256', typ: 'dpop+jwt', jwk })}.${payload}`;
      const mac = createHmac('sha256', hmacKey).update(content).digest('base64url');
      const description = `the DPoP proof must have an alg of ${ALGORITHMS.join(', ')}`;
      expect(await redeemWithProofs([`${content}.${mac}`])).toMatchObject(rejectedWith(description));
    }
  });

  // S271, S282
  it('is accepted for each algorithm in the discovery document, and rejected for an RSA key below 2048 or over 4096 bits', async () => {
    const { body } = await call(started, '/.well-known/openid-configuration');
    expect(body.dpop_signing_alg_values_supported).toEqual(ALGORITHMS);
    const ed25519 = createKeyPair('ed25519');
    const p384 = createKeyPair('P-384');
    const small = rsa(2_048);
    const pss = { padding: 6, saltLength: 32 };
    const by = (alg: string, jwk: object, sign: (content: Buffer) => Buffer): string => {
      const [, payload = ''] = dpopProof(started, key, { path: '/oauth/token' }).split('.');
      const content = `${encode({ alg, typ: 'dpop+jwt', jwk })}.${payload}`;
      return `${content}.${sign(Buffer.from(content)).toString('base64url')}`;
    };
    const okp = ed25519.publicKey.export({ format: 'jwk' });
    const proofs = [
      dpopProof(started, key, { path: '/oauth/token' }),
      by('ES384', p384.publicKey.export({ format: 'jwk' }), (content) =>
        signBytes('sha384', content, { key: p384.privateKey, dsaEncoding: 'ieee-p1363' }),
      ),
      by('PS256', exportPublic(small), (content) =>
        signBytes('sha256', content, { key: small.privateKey, ...pss }),
      ),
      by('RS256', exportPublic(small), (content) => signBytes('sha256', content, small.privateKey)),
      by('EdDSA', okp, (content) => signBytes(null, content, ed25519.privateKey)),
      by('Ed25519', okp, (content) => signBytes(null, content, ed25519.privateKey)),
    ];
    for (const proof of proofs) {
      expect(await redeemWithProofs([proof])).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    }
    // The modulus is rejected before the signature is verified.
    const modulus = Buffer.alloc(513, 0xff).toString('base64url');
    const tooLarge = by('RS256', { kty: 'RSA', e: 'AQAB', n: modulus }, () => Buffer.alloc(513));
    const tiny = rsa(1_024);
    const tooSmall = by('RS256', exportPublic(tiny), (content) =>
      signBytes('sha256', content, tiny.privateKey),
    );
    const description = 'the DPoP proof must have an RSA key of 2048 to 4096 bits';
    for (const proof of [tooLarge, tooSmall])
      expect(await redeemWithProofs([proof])).toMatchObject(rejectedWith(description));
  });

  // S270
  it('must be the only one: a request with two DPoP headers is rejected', async () => {
    const pending = await begin(started);
    const body = JSON.stringify(redemption(pending, await approve(started, pending)));
    const proofs = [1, 2].map(() => `DPoP: ${dpopProof(started, key, { path: '/oauth/token' })}`);
    const head = [
      'POST /v2/oauth/token HTTP/1.1',
      `Host: 127.0.0.1:${started.port}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    const send = (lines: readonly string[]) =>
      sendRaw(started.port, `${[...head, ...lines].join('\r\n')}\r\n\r\n${body}`);
    const refused = await send(proofs);
    expect(refused).toMatch(/^HTTP\/1\.1 400 /);
    expect(refused).toContain('the request must have exactly one DPoP header');
    // The rejected request did not consume the second proof.
    expect(await send(proofs.slice(1))).toMatch(/^HTTP\/1\.1 200 /);
  });

  // S272
  it('matches the URL without query and fragment, after normalization', async () => {
    const { url } = started;
    const { host } = new URL(url);
    for (const htu of [
      `${url}/oauth/token?x=1#y`,
      `HTTP://${host}/v2/oauth/token`,
      `${url}/oauth/%74oken`,
      `${url}/x/../oauth/token`,
    ]) {
      const proof = dpopProof(started, key, { path: '', payload: { htu } });
      expect([htu, (await redeemWithProofs([proof])).status]).toEqual([htu, 200]);
    }
    for (const htu of [
      `${url}/oauth/token/`,
      `${url}/oauth/Token`,
      `${url}/oauth%2Ftoken`,
      `${url}/oauth/introspect`,
      `http://user@${host}/v2/oauth/token`,
      `https://${host}/v2/oauth/token`,
      'http://127.0.0.1/v2/oauth/token',
    ]) {
      const proof = dpopProof(started, key, { path: '', payload: { htu } });
      expect([htu, (await redeemWithProofs([proof])).status]).toEqual([htu, 400]);
    }
  });

  // S273
  it('is accepted within 60 seconds before and after its `iat`', async () => {
    const seconds = started.clock.now() / 1_000;
    const statusAt = async (iat: unknown) =>
      (await redeemWithProofs([dpopProof(started, key, { path: '/oauth/token', payload: { iat } })])).status;
    for (const iat of [seconds - 60, seconds, seconds + 60]) expect(await statusAt(iat)).toBe(200);
    for (const iat of [seconds - 61, seconds + 61, String(seconds), undefined, null, seconds * 1_000])
      expect(await statusAt(iat)).toBe(400);
  });

  // S274
  it('is accepted once, by the token endpoint and by resources, and then rejected, also with its other valid ECDSA signature', async () => {
    const tokens = await logInWith(key);
    const path = '/userinfo';
    const { access_token: accessToken } = tokens;
    const proof = dpopProof(started, key, { path, method: 'GET', accessToken });
    const presented = { scheme: 'DPoP', accessToken, path };
    expect((await callWithCredentials(started, { ...presented, proof })).status).toBe(200);
    for (const replayed of [proof, malleated(proof)]) {
      const refused = await callWithCredentials(started, { ...presented, proof: replayed });
      expect([refused.status, refused.body.error_description]).toEqual([
        401,
        'each proof must have a new jti',
      ]);
    }
    const usedProof = dpopProof(started, key, { path: '/oauth/token' });
    expect((await redeemWithProofs([usedProof])).status).toBe(200);
    for (const replayed of [usedProof, malleated(usedProof)])
      expect(await redeemWithProofs([replayed])).toMatchObject(
        rejectedWith('each proof must have a new jti'),
      );
  });

  // S274
  it('is accepted once if it is used concurrently', async () => {
    const { access_token: accessToken } = await logInWith(key);
    const path = '/userinfo';
    const proof = dpopProof(started, key, { path, method: 'GET', accessToken });
    const uses = await Promise.all(
      Array.from({ length: 10 }, () =>
        callWithCredentials(started, { scheme: 'DPoP', accessToken, proof, path }),
      ),
    );
    expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  // S274
  it('does not prevent proofs by other keys from using the same jti', async () => {
    const payload = { jti: 'same' };
    for (const by of [key, other]) {
      const proof = dpopProof(started, by, { path: '/oauth/token', payload });
      expect((await redeemWithProofs([proof])).status).toBe(200);
    }
  });

  // S270, S282
  it('is required by resources, which respond with a challenge', async () => {
    const { access_token: accessToken } = await logInWith(key);
    const refused = await callWithCredentials(started, { scheme: 'DPoP', accessToken, path: '/userinfo' });
    expect([refused.status, refused.body.error_description]).toEqual([
      401,
      'the request must have exactly one DPoP header',
    ]);
    expect(refused.headers.get('www-authenticate')).toBe(`DPoP error="invalid_dpop_proof", ${ALGS}`);
  });
});

describe('a request with the DPoP scheme', () => {
  // S282
  it('gets challenges with the DPoP scheme only', async () => {
    const openidOnly = await logInWith(key, { scope: 'openid' });
    const path = '/queries/evaluate';
    const missing = await callWith(started, key, openidOnly, { path, method: 'POST' }, QUERY);
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringMatching(/^DPoP error="insufficient_scope", scope="[^"]+", algs="ES256 /),
    ]);
    const unknown = { access_token: 'x'.repeat(43) };
    const refused = await callWith(started, key, unknown, { path: '/userinfo' });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `DPoP error="invalid_token", ${ALGS}`,
    ]);
  });
});

describe('a refresh token', () => {
  // S279
  it('of a public client is bound to the key of the proof with which it was issued, and so is its successor', async () => {
    const first = await logInWith(key);
    for (const wrong of [other, undefined]) {
      const refused = await refreshWith(wrong, first.refresh_token);
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant']);
    }
    const second = await refreshWith(key, first.refresh_token);
    expect(second).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    expect((await refreshWith(other, second.body.refresh_token)).status).toBe(400);
    expect((await refreshWith(key, second.body.refresh_token)).status).toBe(200);
    const { body } = second;
    expect((await callWith(started, key, body, { path: '/userinfo' })).status).toBe(200);
    expect((await callWith(started, other, body, { path: '/userinfo' })).status).toBe(401);
  });

  // S279
  it('that was issued without a proof is bound to the key of the first proof', async () => {
    const bearer = await logIn(started);
    const bound = await refreshWith(key, bearer.refresh_token);
    expect(bound).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    expect((await refreshWith(undefined, bound.body.refresh_token)).status).toBe(400);
    expect((await refreshWith(key, bound.body.refresh_token)).status).toBe(200);
  });

  // S279
  it('of a confidential client is not bound: each access token is bound to the key of its own request', async () => {
    const first = await logInWith(key, AS_CONFIDENTIAL);
    const second = await refreshWith(other, first.refresh_token, CLIENT_SECRET);
    expect(second).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    expect((await callWith(started, other, second.body, { path: '/userinfo' })).status).toBe(200);
    const third = await refreshWith(undefined, second.body.refresh_token, CLIENT_SECRET);
    expect(third).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
  });

  // S97, S279
  it('ends the grant when it is replayed after rotation, with and without a proof', async () => {
    for (const by of [key, undefined]) {
      const first = await logInWith(key);
      const second = await refreshWith(key, first.refresh_token);
      expect((await refreshWith(by, first.refresh_token)).status).toBe(400);
      expect((await refreshWith(key, second.body.refresh_token)).status).toBe(400);
    }
  });
});

describe('a code that was requested for a key (`dpop_jkt`)', () => {
  // S280
  it('is redeemed with a proof by that key only; failed attempts do not consume it', async () => {
    const pending = await begin(started, { dpop_jkt: key.jkt });
    const code = await approve(started, pending);
    const refused = [
      await redeemWith(started, other, pending, code),
      await requestTokens(started, redemption(pending, code)),
    ];
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'invalid_grant'],
      [400, 'invalid_grant'],
    ]);
    expect(await redeemWith(started, key, pending, code)).toMatchObject({
      status: 200,
      body: { token_type: 'DPoP' },
    });
  });

  // S80, S81, S280
  it('ends its grant if it is redeemed again with the right key, but not with another key', async () => {
    const pending = await begin(started, { dpop_jkt: key.jkt });
    const code = await approve(started, pending);
    const { body } = await redeemWith(started, key, pending, code);
    expect((await redeemWith(started, other, pending, code)).status).toBe(400);
    expect((await callWith(started, key, body, { path: '/userinfo' })).status).toBe(200);
    expect((await redeemWith(started, key, pending, code)).status).toBe(400);
    expect((await callWith(started, key, body, { path: '/userinfo' })).status).toBe(401);
  });

  // S82
  it('is redeemed after four failed redemptions, and revoked by the fifth', async () => {
    for (const [failures, status] of [
      [4, 200],
      [5, 400],
    ] as const) {
      const pending = await begin(started, { dpop_jkt: key.jkt });
      const code = await approve(started, pending);
      for (let times = 0; times < failures; times += 1) await redeemWith(started, other, pending, code);
      expect((await redeemWith(started, key, pending, code)).status).toBe(status);
    }
  });

  // S280
  it('cannot be requested with a malformed thumbprint', async () => {
    for (const jkt of ['x', `${key.jkt}=`, 'ä'.repeat(43)]) {
      const response = await authorize(started, authorizationQuery({ dpop_jkt: jkt }));
      const { searchParams } = new URL(response.headers.get('location') ?? '');
      expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual([
        'invalid_request',
        'dpop_jkt must be 43 characters of the base64url alphabet',
      ]);
    }
  });
});

describe('a pushed authorization request', () => {
  const PAR = '/oauth/par';

  // S280
  it('binds the code to the key of its proof, or to `dpop_jkt`', async () => {
    const requests = [
      await beginPushed(started, {}, { DPoP: dpopProof(started, key, { path: PAR }) }),
      await beginPushed(started, { dpop_jkt: key.jkt }),
      await beginPushed(started, { dpop_jkt: key.jkt }, { DPoP: dpopProof(started, key, { path: PAR }) }),
    ];
    for (const pending of requests) {
      const code = await approve(started, pending);
      expect((await redeemWith(started, other, pending, code)).body.error).toBe('invalid_grant');
      expect((await redeemWith(started, key, pending, code)).body.token_type).toBe('DPoP');
    }
  });

  // S272, S274, S280
  it('is rejected if its proof is by another key than `dpop_jkt`, was used before or is for another URL', async () => {
    const proof = dpopProof(started, key, { path: PAR });
    const refusals = [
      await pushRequest(started, { dpop_jkt: other.jkt }, { DPoP: proof }),
      await pushRequest(started, {}, { DPoP: proof }),
      await pushRequest(started, {}, { DPoP: dpopProof(started, key, { path: '/oauth/token' }) }),
    ];
    expect(refusals.map(({ status, body }) => [status, body.error, body.error_description])).toEqual([
      [400, 'invalid_dpop_proof', 'the DPoP proof must be signed by the key that dpop_jkt names'],
      [400, 'invalid_dpop_proof', 'each proof must have a new jti'],
      [400, 'invalid_dpop_proof', 'the DPoP proof must have the URL of the request as htu'],
    ]);
  });
});

describe('an application whose tokens must be bound (`dpop_bound_access_tokens`)', () => {
  // S281
  it('receives no token without a proof, and the attempt does not consume the code', async () => {
    await registerBoundApplication();
    const pending = await begin(started, { ...BOUND, scope: 'openid kyc:read' });
    const code = await approve(started, pending);
    const refused = await requestTokens(started, redemption(pending, code));
    expect([refused.status, refused.body.error, refused.body.error_description]).toEqual([
      400,
      'invalid_dpop_proof',
      'this client must send a DPoP proof (dpop_bound_access_tokens)',
    ]);
    const redeemed = await redeemWith(started, key, pending, code);
    expect(redeemed).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    const asBound = { client_id: BOUND.client_id };
    const { refresh_token: refreshToken } = redeemed.body;
    expect(await refreshWith(undefined, refreshToken, asBound)).toMatchObject({
      status: 400,
      body: { error: 'invalid_dpop_proof' },
    });
    expect((await refreshWith(key, refreshToken, asBound)).status).toBe(200);
  });

  // S281
  it('receives no user token without a proof', async () => {
    const secretHash = (await started.store.findApplication(CONFIDENTIAL.clientId))?.secretHash;
    await registerBoundApplication({ secretHash });
    const asBound = { client_id: BOUND.client_id, client_secret: CONFIDENTIAL.secret };
    const pending = await begin(started, { ...BOUND, scope: 'openid kyc:read' });
    const proof = dpopProof(started, key, { path: '/oauth/token' });
    const code = await approve(started, pending);
    const { body } = await requestTokens(started, redemption(pending, code, asBound), proof);
    const named = { ...asBound, user_id: body.app_scoped_user_id };
    const path = '/oauth/client/user-token';
    const refused = await postJson(started, path, named);
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'invalid_dpop_proof' }]);
    const headers = { DPoP: dpopProof(started, key, { path }) };
    expect((await postJson(started, path, named, headers)).status).toBe(200);
  });
});

describe('a service that requires DPoP nonces', () => {
  beforeEach(async () => {
    await started.stop();
    started = await startService({ options: { dpopNonce: true } });
  });

  const nonceOf = ({ headers }: HttpResponse) => headers.get('dpop-nonce') ?? '';

  /** Redeems a new code with a nonce. */
  async function redeemWithNonce(nonce: unknown): Promise<HttpResponse> {
    const pending = await begin(started);
    return await redeemWith(started, key, pending, await approve(started, pending), { payload: { nonce } });
  }

  // S275
  it('returns a nonce with errors and tokens of the token endpoint, and accepts it', async () => {
    const pending = await begin(started);
    const code = await approve(started, pending);
    const refused = await redeemWith(started, key, pending, code);
    expect([refused.status, refused.body.error]).toEqual([400, 'use_dpop_nonce']);
    const payload = { nonce: nonceOf(refused) };
    const redeemed = await redeemWith(started, key, pending, code, { payload });
    expect(redeemed.status).toBe(200);
    expect(nonceOf(redeemed)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  // S275
  it('challenges for a nonce at resources, and returns one with each response', async () => {
    const issued = await redeemWithNonce(nonceOf(await redeemWithNonce(undefined)));
    const path = '/userinfo';
    const refused = await callWith(started, key, issued.body, { path });
    expect([refused.status, refused.body.error]).toEqual([401, 'use_dpop_nonce']);
    expect(refused.headers.get('www-authenticate')).toBe(`DPoP error="use_dpop_nonce", ${ALGS}`);
    const payload = { nonce: nonceOf(refused) };
    const response = await callWith(started, key, issued.body, { path, payload });
    expect(response.status).toBe(200);
    expect(nonceOf(response)).toBe(payload.nonce);
    const ended = await callWith(started, key, { access_token: 'x'.repeat(43) }, { path, payload });
    expect([ended.status, nonceOf(ended)]).toEqual([401, payload.nonce]);
  });

  // S275
  it('accepts a nonce during the minute of its issue and the next', async () => {
    const nonce = nonceOf(await redeemWithNonce(undefined));
    const start = Math.floor(started.clock.now() / 60_000) * 60_000;
    for (const [ms, status] of [
      [0, 200],
      [119_999, 200],
      [120_000, 400],
    ] as const) {
      started.clock.moveTo(start + ms);
      expect([ms, (await redeemWithNonce(nonce)).status]).toEqual([ms, status]);
    }
    expect(nonceOf(await redeemWithNonce(nonce))).not.toBe(nonce);
  });

  // S192, S275
  it('accepts a nonce of an instance whose clock is five seconds ahead', async () => {
    const start = Math.floor(started.clock.now() / 60_000) * 60_000;
    started.clock.moveTo(start + 60_000);
    const nonce = nonceOf(await redeemWithNonce(undefined));
    started.clock.moveTo(start + 55_000);
    expect((await redeemWithNonce(nonce)).status).toBe(200);
    started.clock.moveTo(start + 54_999);
    expect((await redeemWithNonce(nonce)).status).toBe(400);
  });

  // S275
  it.each(['', 'x', 'x'.repeat(43), 1, null, ['x']])('rejects %j as a nonce', async (nonce) => {
    expect((await redeemWithNonce(nonce)).body.error).toBe('use_dpop_nonce');
  });

  it('issues and accepts bearer tokens without a nonce', async () => {
    const { access_token: accessToken } = await logIn(started);
    const { status, headers } = await call(started, '/userinfo', accessToken);
    expect([status, headers.get('dpop-nonce')]).toEqual([200, null]);
  });
});

describe('a page of a registered origin', () => {
  // S283
  it('may send a proof, and can read the nonce and the challenge', async () => {
    const origin = new URL(CONFIDENTIAL.redirectUri).origin;
    for (const path of ['/oauth/token', '/userinfo']) {
      const preflight = await fetch(`${started.url}${path}`, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      });
      expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toContain('DPoP');
      const response = await fetch(`${started.url}${path}`, { method: 'POST', headers: { Origin: origin } });
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual(expect.arrayContaining(['DPoP-Nonce', 'WWW-Authenticate']));
    }
  });
});

describe('a service without a DPoP verifier', () => {
  beforeEach(async () => {
    await started.stop();
    started = await startService({ dpop: false });
  });

  // S182, S282
  it('announces no DPoP algorithm, and ignores proofs and `dpop_jkt`', async () => {
    const { body } = await call(started, '/.well-known/openid-configuration');
    expect(body).not.toHaveProperty('dpop_signing_alg_values_supported');
    const pending = await begin(started, { dpop_jkt: key.jkt });
    const redeemed = await redeemWith(started, key, pending, await approve(started, pending));
    expect(redeemed).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    const { access_token: accessToken } = redeemed.body;
    const refused = await callWithCredentials(started, { scheme: 'DPoP', accessToken, path: '/userinfo' });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  // S281
  it('issues no token to an application that requires bound tokens', async () => {
    await registerBoundApplication();
    const pending = await begin(started, { ...BOUND, scope: 'openid kyc:read' });
    const refused = await redeemWith(started, key, pending, await approve(started, pending));
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_dpop_proof']);
  });
});

it('a bearer token is refreshed without a proof', async () => {
  const { refresh_token: refreshToken } = await logIn(started);
  expect((await refresh(started, refreshToken)).status).toBe(200);
});
