/**
 * Signature verification against the vectors of Project Wycheproof (`test/vectors/wycheproof`), at three levels:
 *
 * 1. Each vector of an accepted algorithm, over its original message, with the imported key and the WebCrypto primitive that jose uses. These
 *    messages are not JWS, and cannot be made into JWS: the vectors have no private keys.
 * 2. Each vector of JSON Web Signature, through the key selection and the signature check of credentials.
 * 3. Other content with the padding of a vector: each RSA vector is decrypted with its public key, its digest is replaced by that of a
 *    credential or a client assertion, and it is encrypted with the published private key of the same modulus. This keeps the faulty padding,
 *    which the whole verifier must reject.
 */
import {
  constants,
  createHash,
  createPrivateKey,
  createPublicKey,
  privateEncrypt,
  publicDecrypt,
  sign,
  webcrypto,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { importJWK, type JWK } from 'jose';
import { describe, expect, it } from 'vitest';
import type { PublicJwk } from '../../src/service/index.js';
import { systemClientAssertions } from '../../src/system/assertion-verifier.js';
import { verifySignature } from '../../src/system/credential-verifier/checks.js';
import { systemCredentialVerifier } from '../../src/system/credential-verifier/credential-verifier.js';
import { encode, sdJwtPayload, trustedIssuer, vcPayload } from '../support/credential-issuer.js';

type Result = 'valid' | 'invalid' | 'acceptable';

interface RawGroup {
  /** SubjectPublicKeyInfo, hexadecimal. */
  readonly key: string;
  readonly tests: readonly (readonly [id: number, message: string, signature: string, result: Result])[];
}

interface JwsGroup {
  /** Absent for symmetric keys. */
  readonly public: PublicJwk | null;
  readonly private: JWK;
  readonly tests: readonly (readonly [id: number, jws: string, result: Result])[];
}

function readVectors<Group>(name: string): readonly Group[] {
  const url = new URL(`../vectors/wycheproof/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as readonly Group[];
}

/** WebCrypto parameters of the algorithms, as jose uses them. */
const ALGORITHMS = {
  ES256: { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', hash: 'SHA-384', namedCurve: 'P-384' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256', saltLength: 32 },
  EdDSA: { name: 'Ed25519' },
} as const;

const NOW = Date.parse('2026-06-01T12:00:00Z');
const SECONDS = NOW / 1_000;
const ISSUER = 'https://issuer.example';
const SERVICE = 'https://service.example/v2';

describe('the signatures of Project Wycheproof', () => {
  it.each([
    ['ES256', 262],
    ['ES384', 280],
    ['RS256', 259],
    ['PS256', 108],
    ['EdDSA', 151],
  ] as const)('by %s are accepted exactly if they are valid', async (alg, count) => {
    const unexpected: number[] = [];
    let testCount = 0;
    for (const { key, tests } of readVectors<RawGroup>(alg)) {
      const imported = await importJWK(toJwk(key), alg);
      for (const [id, message, signature, result] of tests) {
        testCount += 1;
        const verified = await webcrypto.subtle.verify(
          ALGORITHMS[alg],
          imported as webcrypto.CryptoKey,
          Buffer.from(signature, 'hex'),
          Buffer.from(message, 'hex'),
        );
        if (verified !== (result === 'valid')) unexpected.push(id);
      }
    }
    expect({ tried: testCount, wrong: unexpected }).toEqual({ tried: count, wrong: [] });
  });

  it('in JWS form are accepted exactly if they are valid and their algorithm is supported', async () => {
    const unexpected: number[] = [];
    const counts = { tried: 0, accepted: 0 };
    for (const group of readVectors<JwsGroup>('JWS')) {
      for (const [id, jws, result] of group.tests) {
        counts.tried += 1;
        const header = headerOf(jws);
        const expected = result === 'valid' && group.public !== null && String(header['alg']) in ALGORITHMS;
        const keys = group.public === null ? [group.private as PublicJwk] : [group.public];
        const accepted = await verifySignature({ text: jws, header }, { issuer: ISSUER, keys }).then(
          () => true,
          () => false,
        );
        if (accepted) counts.accepted += 1;
        if (accepted !== expected) unexpected.push(id);
      }
    }
    expect({ ...counts, wrong: unexpected }).toEqual({ tried: 401, accepted: 16, wrong: [] });
  });
});

/** Signed formats with valid headers and payloads, so that only the signature decides. */
const KINDS = {
  jwt_vc_json: {
    header: { typ: 'vc+jwt' },
    payload: vcPayload(ISSUER),
    accepts: async (text: string, key: PublicJwk) =>
      (await systemCredentialVerifier.verify(text, 'jwt_vc_json', [trustedIssuer(ISSUER, { jwk: key })], NOW))
        .accepted,
  },
  'dc+sd-jwt': {
    header: { typ: 'dc+sd-jwt' },
    payload: sdJwtPayload(ISSUER),
    accepts: async (text: string, key: PublicJwk) =>
      (
        await systemCredentialVerifier.verify(
          `${text}~`,
          'dc+sd-jwt',
          [trustedIssuer(ISSUER, { jwk: key })],
          NOW,
        )
      ).accepted,
  },
  private_key_jwt: {
    header: {},
    payload: { iss: 'client', sub: 'client', aud: SERVICE, jti: 'j', exp: SECONDS + 60 },
    accepts: async (text: string, key: PublicJwk) =>
      (await systemClientAssertions.verify(text, 'client', [key], SERVICE, NOW)) !== undefined,
  },
} as const;

describe.each(Object.entries(KINDS))('a %s that is signed again', (_kind, { header, payload, accepts }) => {
  const contentBy = (alg: string, key: JWK) =>
    [{ alg, ...(key.kid === undefined ? {} : { kid: key.kid }), ...header }, payload].map(encode).join('.');

  it('with the keys of the vectors is accepted, except for keys that are not for signatures', async () => {
    const outcomes: (readonly [expected: boolean, accepted: boolean])[] = [];
    for (const { public: key, private: secret } of readVectors<JwsGroup>('JWS')) {
      const alg = secret.alg ?? (secret.kty === 'EC' ? 'ES256' : 'RS256');
      if (key === null || !(alg in ALGORITHMS)) continue;
      const isForSignatures =
        (key.use ?? 'sig') === 'sig' && ((key as JWK).key_ops ?? ['verify']).includes('verify');
      outcomes.push([isForSignatures, await accepts(signAgain(contentBy(alg, secret), alg, secret), key)]);
    }
    expect(outcomes.filter(([expected]) => expected).length).toBeGreaterThan(5);
    expect(outcomes.filter(([expected]) => !expected)).toHaveLength(4);
    expect(outcomes.filter(([expected, accepted]) => expected !== accepted)).toEqual([]);
  });

  it('with the padding of each RSA vector is accepted exactly if the padding is valid', async () => {
    const secrets = readVectors<JwsGroup>('JWS').map((group) => group.private);
    const unexpected: number[] = [];
    const counts = { accepted: 0, rejected: 0 };
    for (const { key, tests } of readVectors<RawGroup>('RS256')) {
      const { kid: _kid, ...jwk } = toJwk(key);
      const secret = secrets.find(({ n }) => n === jwk.n);
      if (secret === undefined) continue;
      for (const [id, message, signature, result] of tests) {
        const content = contentBy('RS256', {});
        const newSignature = signWithPaddingOf(
          Buffer.from(signature, 'hex'),
          Buffer.from(message, 'hex'),
          content,
          secret,
        );
        if (newSignature === undefined) continue;
        const accepted = await accepts(`${content}.${newSignature.toString('base64url')}`, jwk as PublicJwk);
        counts[accepted ? 'accepted' : 'rejected'] += 1;
        if (accepted !== (result === 'valid')) unexpected.push(id);
      }
    }
    expect(unexpected).toEqual([]);
    expect(counts.accepted).toBeGreaterThan(0);
    expect(counts.rejected).toBeGreaterThan(200);
  });
});

function toJwk(der: string): JWK {
  return createPublicKey({ key: Buffer.from(der, 'hex'), format: 'der', type: 'spki' }).export({
    format: 'jwk',
  }) as JWK;
}

/** Parses the header of a JWS leniently, so that the signature decides. */
function headerOf(jws: string): Readonly<Record<string, unknown>> {
  try {
    const header: unknown = JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString('utf8'));
    return typeof header === 'object' && header !== null ? { ...header } : {};
  } catch {
    return {};
  }
}

function signAgain(content: string, alg: string, jwk: JWK): string {
  const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  const options = alg.startsWith('PS')
    ? pss
    : alg.startsWith('ES')
      ? { dsaEncoding: 'ieee-p1363' as const }
      : {};
  return `${content}.${sign('sha256', Buffer.from(content), { key, ...options }).toString('base64url')}`;
}

/**
 * Signs a content with the padding of a given signature: replaces the digest in the decrypted signature.
 *
 * @returns `undefined` if the signature cannot be decrypted, or does not contain the digest of its message exactly once.
 */
function signWithPaddingOf(
  signature: Buffer,
  message: Buffer,
  content: string,
  secret: JWK,
): Buffer | undefined {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...publicJwk } = secret;
  const key = { padding: constants.RSA_NO_PADDING };
  let encoded: Buffer;
  try {
    encoded = publicDecrypt(
      { ...key, key: createPublicKey({ key: { ...publicJwk }, format: 'jwk' }) },
      signature,
    );
  } catch {
    return undefined;
  }
  const digest = createHash('sha256').update(message).digest();
  const position = encoded.indexOf(digest);
  if (position < 0 || encoded.indexOf(digest, position + 1) >= 0) return undefined;
  createHash('sha256').update(content).digest().copy(encoded, position);
  return privateEncrypt({ ...key, key: createPrivateKey({ key: { ...secret }, format: 'jwk' }) }, encoded);
}
