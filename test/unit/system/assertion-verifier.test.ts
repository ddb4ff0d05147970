/** Verification of sign-in assertions: signature, audience, lifetime and keys (S180, RFC 8725). */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AssertionVerifier } from '../../../src/service/index.js';
import { createAssertionVerifier } from '../../../src/system/assertion-verifier.js';
import { encode } from '../../support/credential-issuer.js';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

const NOW = Date.UTC(2026, 5, 1, 12);
const SECONDS = NOW / 1_000;
const AUDIENCE = 'https://claims.example/v2';
const CLAIMS = { jti: 'a1', sub: 'u-1842', aud: AUDIENCE, iat: SECONDS, exp: SECONDS + 60, nonce: 'n' };
const TYPE = 'sign-in+jwt';

let keys: Keys;
let other: Keys;
let verifier: AssertionVerifier;

beforeAll(async () => {
  [keys, other] = [
    await generateKeyPair('ES256', { extractable: true }),
    await generateKeyPair('ES256', { extractable: true }),
  ];
  verifier = createAssertionVerifier({
    keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }],
  });
});

function sign(claims: JWTPayload, header: object = {}, by = keys.privateKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: TYPE, ...header }).sign(by);
}

describe('a sign-in assertion', () => {
  it('yields the person and the expiry of the assertion', async () => {
    expect(
      await verifier.verify(await sign({ ...CLAIMS, email: 'ada@people.example' }), AUDIENCE, NOW),
    ).toEqual({
      id: 'a1',
      subject: 'u-1842',
      nonce: 'n',
      email: 'ada@people.example',
      palmVerified: false,
      expiresAt: NOW + 65_000,
    });
  });

  it.each([
    ['an hour ago', SECONDS - 3_600, NOW - 3_600_000],
    ['a fraction of a second ago', SECONDS - 0.25, NOW - 250],
    ['now', SECONDS, NOW],
    ['by a clock that is 5 s ahead', SECONDS + 5, NOW],
  ])('has the instant of the sign-in: %s', async (_title, authTime, authenticatedAt) => {
    const text = await sign({ ...CLAIMS, auth_time: authTime });
    expect((await verifier.verify(text, AUDIENCE, NOW))?.authenticatedAt).toBe(authenticatedAt);
  });

  it('may have a fractional exp, which is rounded up to a millisecond', async () => {
    const text = await sign({ ...CLAIMS, exp: SECONDS + 60.00001 });
    expect((await verifier.verify(text, AUDIENCE, NOW))?.expiresAt).toBe(NOW + 65_001);
  });

  it.each([
    ['has another audience', { aud: 'https://other.example/v2' }],
    ['has several audiences', { aud: [AUDIENCE, 'https://other.example'] }],
    ['has expired', { iat: SECONDS - 60, exp: SECONDS - 6 }],
    ['is older than five minutes', { iat: SECONDS - 306, exp: SECONDS + 60 }],
    ['was issued in the future', { iat: SECONDS + 60, exp: SECONDS + 120 }],
    ['has no exp', { exp: undefined }],
    ['has no jti', { jti: undefined }],
    ['expires in the year 10000', { exp: 253_402_300_800 }],
    ['has an auth_time in the future', { auth_time: SECONDS + 6 }],
    ['has an auth_time before 1970', { auth_time: -1 }],
    ['has an auth_time that is a string', { auth_time: String(SECONDS) }],
    ['has an auth_time of `null`', { auth_time: null }],
    ['has an empty subject', { sub: '' }],
    ['has a subject with control characters', { sub: 'a\r\nb' }],
  ])('is rejected if it %s', async (_title, change) => {
    expect(
      await verifier.verify(await sign({ ...CLAIMS, ...change } as JWTPayload), AUDIENCE, NOW),
    ).toBeUndefined();
  });

  // S180
  it('is rejected if it is signed by another key, whatever keys its header names', async () => {
    const jwk = await exportJWK(other.publicKey);
    const forged = [
      await sign(CLAIMS, {}, other.privateKey),
      await sign(CLAIMS, { kid: 'k2' }, other.privateKey),
      await sign(CLAIMS, { jwk }, other.privateKey),
      await sign(CLAIMS, { jku: 'https://evil.example/keys' }, other.privateKey),
      await sign(CLAIMS, { x5u: 'https://evil.example/cert' }, other.privateKey),
    ];
    for (const text of forged) expect(await verifier.verify(text, AUDIENCE, NOW)).toBeUndefined();
  });

  // S180
  it('is rejected without a signature, or with the public key as an HMAC secret', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(keys.publicKey)));
    // With the required `typ`, so that only the missing signature is a reason to reject it.
    const unsigned = `${encode({ alg: 'none', kid: 'k1', typ: TYPE })}.${encode(CLAIMS)}.`;
    const symmetric = await new SignJWT(CLAIMS)
      .setProtectedHeader({ alg: 'HS256', kid: 'k1', typ: TYPE })
      .sign(secret);
    for (const text of [unsigned, symmetric, '', 'a.b.c', 'x'.repeat(5_000)]) {
      expect(await verifier.verify(text, AUDIENCE, NOW)).toBeUndefined();
    }
  });

  // S180
  it('is rejected if it has another type, such as an ID token of the same login', async () => {
    expect(await verifier.verify(await sign(CLAIMS, { typ: 'JWT' }), AUDIENCE, NOW)).toBeUndefined();
  });
});

describe('the keys of sign-in assertions', () => {
  it('must be public keys of asymmetric algorithms', async () => {
    const secret = await exportJWK(keys.privateKey);
    for (const set of [
      undefined,
      {},
      { keys: [] },
      { keys: [secret] },
      { keys: [{ kty: 'oct', k: 'AAAA' }] },
      { keys: [{ kty: 'EC', crv: 'P-256', x: 'AAAA' }] },
    ]) {
      expect(() => createAssertionVerifier(set)).toThrow(TypeError);
    }
  });
});
