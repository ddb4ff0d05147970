/** ID tokens: claims, signing keys, and key rotation (V5, V10, S106, S177–S179). */
import { createHash } from 'node:crypto';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rotateSigningKeys } from '../../src/service/index.js';
import { systemSigner } from '../../src/system/signer.js';
import {
  AS_CONFIDENTIAL,
  approve,
  begin,
  CONFIDENTIAL,
  logIn,
  PUBLIC,
  postJson,
  redemption,
  refresh,
  type Tokens,
} from '../support/oauth-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

async function fetchKeys(): Promise<JSONWebKeySet> {
  return (await (await fetch(`${started.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
}

async function verify(token: string | undefined, keys: JSONWebKeySet, audience = PUBLIC.clientId) {
  const currentDate = new Date(started.clock.now());
  return await jwtVerify(token ?? '', createLocalJWKSet(keys), {
    issuer: started.url,
    audience,
    currentDate,
  });
}

describe('an ID token', () => {
  // D19
  it('is signed with ES256 for an application that is registered with it', async () => {
    const store = started.store;
    const application = await store.findApplication(PUBLIC.clientId);
    if (application === undefined) throw new Error('the application is not registered');
    const clientId = 'chose-es256';
    await store.upsertApplication({ ...application, clientId, idTokenAlgorithm: 'ES256' });
    const tokens = await logIn(started, { client_id: clientId, scope: 'openid' });
    const { protectedHeader } = await verify(tokens.id_token, await fetchKeys(), clientId);
    expect(protectedHeader.alg).toBe('ES256');
  });

  // V10, S177
  it.each([
    ['RS256', {}, PUBLIC.clientId],
    ['RS256', AS_CONFIDENTIAL, CONFIDENTIAL.clientId],
  ])(
    'is signed with %s, for its client, with the claims that OpenID Connect requires',
    async (algorithm, changes, clientId) => {
      const tokens = await logIn(started, { ...changes, nonce: 'n-ü"1' });
      const { payload, protectedHeader } = await verify(tokens.id_token, await fetchKeys(), clientId);
      const seconds = STARTED_AT / 1_000;
      const atHash = createHash('sha256')
        .update(tokens.access_token)
        .digest()
        .subarray(0, 16)
        .toString('base64url');
      expect(protectedHeader).toEqual({ alg: algorithm, kid: expect.any(String), typ: 'JWT' });
      expect(payload).toEqual({
        iss: started.url,
        sub: tokens.app_scoped_user_id,
        aud: clientId,
        iat: seconds,
        exp: seconds + 3_600,
        auth_time: seconds,
        nonce: 'n-ü"1',
        at_hash: atHash,
      });
    },
  );

  // S177
  it('is issued for `openid` only, and has a nonce only if one was sent', async () => {
    expect((await logIn(started, { scope: 'kyc:read' })).id_token).toBeUndefined();
    expect(
      (await verify((await logIn(started)).id_token, await fetchKeys())).payload['nonce'],
    ).toBeUndefined();
  });

  // S177
  it('is not issued when a refresh narrows the scopes to exclude `openid`, and is issued by the next refresh', async () => {
    const first = await logIn(started);
    const narrowed = await (await refresh(started, first.refresh_token, { scope: 'kyc:read' })).json();
    expect(narrowed).toMatchObject({ scope: 'kyc:read' });
    expect(narrowed).not.toHaveProperty('id_token');
    const unnarrowed = await refresh(started, (narrowed as Tokens).refresh_token);
    expect(await unnarrowed.json()).toHaveProperty('id_token');
  });

  // S177
  it('is not issued if the person did not grant `openid`', async () => {
    const pending = await begin(started);
    const code = await approve(started, pending, ['kyc:read']);
    const tokens = await (await postJson(started, '/oauth/token', redemption(pending, code))).json();
    expect(tokens).toMatchObject({ scope: 'kyc:read' });
    expect(tokens).not.toHaveProperty('id_token');
  });

  // S244
  it('is issued for a scope that implies `openid`', async () => {
    const tokens = await logIn(started, { scope: 'profile.full' });
    expect((await verify(tokens.id_token, await fetchKeys())).payload.sub).toBe(tokens.app_scoped_user_id);
  });

  // S106
  it('from a refresh has the same subject and login time, a new issue time and no nonce', async () => {
    const first = await logIn(started, { nonce: 'n' });
    started.clock.moveTo(STARTED_AT + 60_000);
    const next = (await (await refresh(started, first.refresh_token)).json()) as Tokens;
    const [before, after] = [
      await verify(first.id_token, await fetchKeys()),
      await verify(next.id_token, await fetchKeys()),
    ];
    started.clock.moveTo(STARTED_AT);
    const { sub, iss, aud, auth_time } = before.payload;
    expect(after.payload).toMatchObject({ sub, iss, aud, auth_time, iat: (before.payload.iat ?? 0) + 60 });
    expect(after.payload['nonce']).toBeUndefined();
  });

  // V5, S140
  it('has different subjects for one person at two organizations, and the same subject at one', async () => {
    const [harbour, harbourAgain, meridian] = [
      await logIn(started),
      await logIn(started),
      await logIn(started, AS_CONFIDENTIAL),
    ];
    expect(harbour.app_scoped_user_id).toBe(harbourAgain.app_scoped_user_id);
    expect(harbour.app_scoped_user_id).not.toBe(meridian.app_scoped_user_id);
    const longStrings = ({ id_token: _signed, ...tokens }: Tokens) =>
      Object.values(tokens).filter((value) => typeof value === 'string' && value.length > 20);
    expect(longStrings(harbour).filter((text) => longStrings(meridian).includes(text))).toEqual([
      'openid identity:read kyc:read',
      '2026-06-01T12:00:00.000Z',
      '2026-06-01T12:00:00.000Z',
    ]);
  });
});

describe('the published keys', () => {
  // S178
  it('contain public members only', async () => {
    const keys = (await fetchKeys()).keys.sort((left, right) =>
      (left.kty ?? '') < (right.kty ?? '') ? -1 : 1,
    );
    expect(keys.map(({ alg, kty }) => [alg, kty])).toEqual([
      ['ES256', 'EC'],
      ['RS256', 'RSA'],
    ]);
    for (const key of keys) {
      expect(key).toMatchObject({ kid: expect.any(String), use: 'sig' });
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(member);
    }
    expect(Buffer.from(keys[1]?.n ?? '', 'base64url').length * 8).toBe(3_072);
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(2);
  });

  // V10, S179
  it('sign and are published also if the clock is behind that of the instance that created them', async () => {
    started.clock.moveTo(STARTED_AT - 2_000);
    const tokens = await logIn(started);
    await verify(tokens.id_token, await fetchKeys());
    started.clock.moveTo(STARTED_AT);
  });

  // V10, S179
  it('verify the tokens from before, during and after a rotation', async () => {
    const kidOf = (tokens: Tokens) => decodeProtectedHeader(tokens.id_token ?? '').kid;
    const before = await logIn(started);
    const cachedKeys = await fetchKeys();
    await rotateSigningKeys({ store: started.store, signer: systemSigner, clock: started.clock });
    const during = await logIn(started);
    expect(kidOf(during)).toBe(kidOf(before));
    await verify(during.id_token, cachedKeys);
    expect((await fetchKeys()).keys).toHaveLength(4);
    started.clock.moveTo(STARTED_AT + 300_000);
    const after = await logIn(started);
    expect(kidOf(after)).not.toBe(kidOf(before));
    for (const tokens of [before, during, after]) await verify(tokens.id_token, await fetchKeys());
    // The last token of the old keys expires after an hour; five minutes later, no cache needs the keys any more.
    started.clock.moveTo(STARTED_AT + 300_000 + 3_600_000 + 300_000);
    expect((await fetchKeys()).keys.map(({ kid }) => kid)).not.toContain(kidOf(before));
    expect((await fetchKeys()).keys).toHaveLength(2);
    started.clock.moveTo(STARTED_AT);
  });
});
