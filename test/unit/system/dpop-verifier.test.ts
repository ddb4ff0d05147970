/** Verification of DPoP proofs (RFC 9449 §4.3). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemDpopProofs } from '../../../src/system/dpop-verifier.js';
import { createKey, encode, signJws } from '../../support/credential-issuer.js';
import { createDpopKey, dpopProof } from '../../support/dpop.js';

const SEED = 20_261_126;
const NOW = Date.UTC(2026, 5, 1, 12);
const SERVICE = { url: 'https://claims.example/v2', clock: { now: () => NOW } };
const EXPECTED = { method: 'POST', url: 'https://claims.example/v2/oauth/token' };
const key = createDpopKey();

const verify = (text: string, expected = EXPECTED) => systemDpopProofs.verify(text, expected, NOW);

describe('a DPoP proof', () => {
  it('has the thumbprint of its key, its identifier, its nonce and its expiry', async () => {
    const payload = { jti: 'j1', nonce: 'n1' };
    expect(await verify(dpopProof(SERVICE, key, { path: '/oauth/token', payload }))).toEqual({
      accepted: true,
      jkt: key.jkt,
      id: 'j1',
      nonce: 'n1',
      expiresAt: NOW + 65_000,
    });
  });

  it('may have a fractional iat, for which its expiry is rounded up to a millisecond', async () => {
    const payload = { iat: NOW / 1_000 + 0.00001 };
    expect(await verify(dpopProof(SERVICE, key, { path: '/oauth/token', payload }))).toMatchObject({
      expiresAt: NOW + 65_001,
    });
  });

  it('is compared with the URL of the request after normalization: default port, dot segments, percent-encoding', async () => {
    const url = 'https://claims.example/v2/presets/a%2Fb~%c3%a9';
    const accepted = async (htu: string) =>
      (await verify(dpopProof(SERVICE, key, { path: '', payload: { htu } }), { method: 'POST', url }))
        .accepted;
    for (const htu of [
      'https://claims.example:443/v2/presets/a%2fb%7E%C3%A9',
      'HTTPS://CLAIMS.EXAMPLE/v2/./presets/a%2Fb~é?query#fragment',
    ])
      expect([htu, await accepted(htu)]).toEqual([htu, true]);
    for (const htu of [
      'https://claims.example/v2/presets/a/b~%C3%A9',
      'https://claims.example/v2/presets/a%252Fb~%C3%A9',
      'https://claims.example:8443/v2/presets/a%2Fb~%C3%A9',
      'https://claims.example@evil.example/v2/presets/a%2Fb~%C3%A9',
      'https://claims.example.evil.example/v2/presets/a%2Fb~%C3%A9',
    ])
      expect([htu, await accepted(htu)]).toEqual([htu, false]);
  });

  // S271
  it('is rejected without throwing if its key is invalid, too small, does not fit its algorithm, or did not sign it', async () => {
    const keys: readonly object[] = [
      { ...key.jwk, x: 'AAAA' },
      { ...key.jwk, y: key.jwk.x },
      { ...key.jwk, crv: 'P-521' },
      { ...key.jwk, crv: '__proto__' },
      { ...key.jwk, x: undefined },
      { ...key.jwk, use: 'enc' },
      { ...key.jwk, alg: 'RS256' },
      { ...key.jwk, key_ops: ['sign'] },
      { kty: 'RSA', n: 'AQAB', e: 'AQAB' },
      { kty: 'RSA', n: 'A'.repeat(683), e: 'AQAB' },
      { kty: 'RSA' },
      { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' },
      { kty: 'OKP', crv: 'X25519', x: 'A'.repeat(43) },
      { kty: 'EC' },
      createKey().jwk,
    ];
    for (const jwk of keys)
      for (const alg of ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519'])
        expect(
          (await verify(dpopProof(SERVICE, key, { path: '/oauth/token', header: { jwk, alg } }))).accepted,
        ).toBe(false);
  });

  it('is rejected without throwing if a member of its header or payload has an invalid value', async () => {
    const member = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('ES256', 'dpop+jwt', 'POST', EXPECTED.url, NOW / 1_000),
    );
    const valid = {
      header: { alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk },
      payload: { jti: 'j', htm: 'POST', htu: EXPECTED.url, iat: NOW / 1_000 },
    };
    const change = fc.record({
      part: fc.constantFrom('header' as const, 'payload' as const),
      name: fc.constantFrom('alg', 'typ', 'jwk', 'jti', 'htm', 'htu', 'iat'),
      value: member,
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ part, name, value }) => {
        const changed = { ...valid, [part]: { ...valid[part], [name]: value } };
        const outcome = await verify(signJws(changed.header, changed.payload, key));
        // A proof stays valid only with another jti or iat, an unchanged value, or an unknown member.
        const same = JSON.stringify((valid[part] as Record<string, unknown>)[name]) === JSON.stringify(value);
        if (outcome.accepted)
          expect(same || name === 'jti' || name === 'iat' || !(name in valid[part])).toBe(true);
        else expect(outcome.fault).toMatch(/^the DPoP proof must [\x20\x21\x23-\x5b\x5d-\x7e]+$/);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it('is rejected if it is arbitrary text', async () => {
    const part = fc.oneof(
      fc.string(),
      fc.json().map(encode),
      fc.constant(encode({ alg: 'ES256', typ: 'dpop+jwt' })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        expect((await verify(parts.join('.'))).accepted).toBe(false);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });
});
