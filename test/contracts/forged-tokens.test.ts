/**
 * Forgeries of every accepted signed format: JWT VCs, SD-JWT VCs, client assertions, sign-in assertions and
 * DPoP proofs (S180, RFC 8725). Each changes a valid token in one way, so that only the forgery can cause
 * its rejection.
 */
import { createHmac, createPublicKey, sign as signBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PublicJwk, TrustedIssuer } from '../../src/service/index.js';
import { createAssertionVerifier, systemClientAssertions } from '../../src/system/assertion-verifier.js';
import { systemCredentialVerifier } from '../../src/system/credential-verifier/credential-verifier.js';
import { systemDpopProofs } from '../../src/system/dpop-verifier.js';
import {
  createKey,
  encode,
  sdJwtPayload,
  sha256,
  signJws,
  type TestKey,
  trustedIssuer,
  vcPayload,
} from '../support/credential-issuer.js';
import { createKeyPair } from '../support/key-pair.js';

type Members = Readonly<Record<string, unknown>>;

const NOW = Date.parse('2026-06-01T12:00:00Z');
const SECONDS = NOW / 1_000;
const ISSUER = 'https://issuer.example';
const OTHER_ISSUER = 'https://other.example';
const SERVICE = 'https://service.example/v2';
const CLIENT = 'client';

const key = createKey();
const otherKey = createKey();
const attacker = createKey();
const namedKey = { ...key, jwk: { ...key.jwk, kid: 'k1' } };
const p384 = createKeyPair('P-384');
const ed25519 = createKeyPair('ed25519');
const rsa = createKeyPair({ rsa: 2_048 });

const ISSUERS: readonly TrustedIssuer[] = [
  trustedIssuer(ISSUER, namedKey),
  trustedIssuer(OTHER_ISSUER, { jwk: { ...otherKey.jwk, kid: 'k2' } }),
];
const loginAssertions = createAssertionVerifier({ keys: [namedKey.jwk] });

interface Kind {
  readonly header: Members;
  readonly payload: Members;
  /** Returns whether a compact JWS is accepted as a token of this kind. */
  readonly accepts: (jws: string) => Promise<boolean>;
}

const KINDS: Readonly<Record<string, Kind>> = {
  jwt_vc_json: {
    header: { alg: 'ES256', kid: 'k1', typ: 'vc+jwt' },
    payload: vcPayload(ISSUER, { exp: SECONDS + 60 }),
    accepts: async (jws) =>
      (await systemCredentialVerifier.verify(jws, 'jwt_vc_json', ISSUERS, NOW, { audience: SERVICE }))
        .accepted,
  },
  'dc+sd-jwt': {
    header: { alg: 'ES256', kid: 'k1', typ: 'dc+sd-jwt' },
    payload: sdJwtPayload(ISSUER, { exp: SECONDS + 60, nbf: SECONDS - 60 }),
    accepts: async (jws) =>
      (await systemCredentialVerifier.verify(`${jws}~`, 'dc+sd-jwt', ISSUERS, NOW, { audience: SERVICE }))
        .accepted,
  },
  'client assertion': {
    header: { alg: 'ES256', kid: 'k1' },
    payload: { iss: CLIENT, sub: CLIENT, aud: SERVICE, jti: 'j', nbf: SECONDS - 60, exp: SECONDS + 60 },
    accepts: async (jws) =>
      (await systemClientAssertions.verify(jws, CLIENT, [namedKey.jwk], SERVICE, NOW)) !== undefined,
  },
  'sign-in assertion': {
    header: { alg: 'ES256', kid: 'k1', typ: 'sign-in+jwt' },
    payload: {
      sub: 'ada',
      aud: SERVICE,
      jti: 'j',
      nonce: 'n',
      iat: SECONDS,
      nbf: SECONDS - 60,
      exp: SECONDS + 60,
    },
    accepts: async (jws) => (await loginAssertions.verify(jws, SERVICE, NOW)) !== undefined,
  },
};

/** Counts requests to URLs in headers. */
let requests = 0;
const listener = createServer((_request, response) => {
  requests += 1;
  response.end(JSON.stringify({ keys: [{ ...attacker.jwk, kid: 'k1' }] }));
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/keys`;
});

afterAll(() => {
  listener.close();
});

type Forge = (kind: Kind) => string;

const validToken = ({ header, payload }: Kind, by: TestKey = key) => signJws(header, payload, by);
const withHeader =
  (changes: Members, by: TestKey = key): Forge =>
  ({ header, payload }) =>
    signJws({ ...header, ...changes }, payload, by);
const withPayload =
  (changes: Members): Forge =>
  ({ header, payload }) =>
    signJws(header, { ...payload, ...changes }, key);
const contentOf = ({ header, payload }: Kind, changes: Members = {}) =>
  [{ ...header, ...changes }, payload].map(encode).join('.');

/** Replaces the signature of the valid token. */
const withSignature =
  (change: (signature: Buffer, kind: Kind) => Buffer): Forge =>
  (kind) => {
    const text = validToken(kind);
    const end = text.lastIndexOf('.');
    const bytes = Buffer.from(text.slice(end + 1), 'base64url');
    return `${text.slice(0, end)}.${change(bytes, kind).toString('base64url')}`;
  };
/** Changes the text of the valid token. */
const withText =
  (change: (header: string, payload: string, signature: string) => string): Forge =>
  (kind) => {
    const [header = '', payload = '', signature = ''] = validToken(kind).split('.');
    return change(header, payload, signature);
  };
const ORDER = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
const FIELD = Buffer.from('ffffffff00000001000000000000000000000000ffffffffffffffffffffffff', 'hex');
const signatureOf = (r: Buffer, s: Buffer) => Buffer.concat([r, s]);
const ZERO = Buffer.alloc(32);
const ONE = Buffer.concat([Buffer.alloc(31), Buffer.from([1])]);
const toBytes = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const toNumber = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`);

const SIGNATURES: readonly (readonly [string, Forge])[] = [
  ['no signature', withText((header, payload) => `${header}.${payload}.`)],
  ['no signature and no last period', withText((header, payload) => `${header}.${payload}`)],
  ['the signature alone', withText((_header, _payload, signature) => signature)],
  ['no payload', withText((header, _payload, signature) => `${header}..${signature}`)],
  ['no header', withText((_header, payload, signature) => `.${payload}.${signature}`)],
  ['a fourth part', withText((...parts) => [...parts, 'AA'].join('.'))],
  ['a fifth part', withText((...parts) => [...parts, 'AA', 'AA'].join('.'))],
  ['a signature cut by a byte', withSignature((bytes) => bytes.subarray(0, -1))],
  ['half a signature', withSignature((bytes) => bytes.subarray(0, 32))],
  ['a signature with an additional byte', withSignature((bytes) => Buffer.concat([bytes, Buffer.alloc(1)]))],
  ['a signature with a byte in front', withSignature((bytes) => Buffer.concat([Buffer.alloc(1), bytes]))],
  ['the signature twice', withSignature((bytes) => Buffer.concat([bytes, bytes]))],
  ['a signature of zeros', withSignature(() => Buffer.alloc(64))],
  ['r of zero', withSignature((bytes) => signatureOf(ZERO, bytes.subarray(32)))],
  ['s of zero', withSignature((bytes) => signatureOf(bytes.subarray(0, 32), ZERO))],
  ['r and s of one', withSignature(() => signatureOf(ONE, ONE))],
  ['r and s of the order', withSignature(() => signatureOf(ORDER, ORDER))],
  ['r of the order, s of one', withSignature(() => signatureOf(ORDER, ONE))],
  ['r of the field prime, s of one', withSignature(() => signatureOf(FIELD, ONE))],
  ['the greatest r and s', withSignature(() => Buffer.alloc(64, 0xff))],
  ['r and s exchanged', withSignature((bytes) => signatureOf(bytes.subarray(32), bytes.subarray(0, 32)))],
  [
    'n − r in place of r',
    withSignature((bytes) =>
      signatureOf(toBytes(toNumber(ORDER) - toNumber(bytes.subarray(0, 32))), bytes.subarray(32)),
    ),
  ],
  [
    's increased by one',
    withSignature((bytes) =>
      signatureOf(bytes.subarray(0, 32), toBytes((toNumber(bytes.subarray(32)) + 1n) % toNumber(ORDER))),
    ),
  ],
  [
    'a signature in DER',
    withSignature((_bytes, kind) => signBytes('sha256', Buffer.from(contentOf(kind)), key.privateKey)),
  ],
  [
    'a signature of the payload alone',
    withSignature((_bytes, { payload }) =>
      signBytes('sha256', Buffer.from(encode(payload)), {
        key: key.privateKey,
        dsaEncoding: 'ieee-p1363',
      }),
    ),
  ],
  [
    'a signature of the decoded JSON',
    withSignature((_bytes, { payload }) =>
      signBytes('sha256', Buffer.from(JSON.stringify(payload)), {
        key: key.privateKey,
        dsaEncoding: 'ieee-p1363',
      }),
    ),
  ],
  [
    'a signature over another hash',
    withSignature((_bytes, kind) =>
      signBytes('sha384', Buffer.from(contentOf(kind)), { key: key.privateKey, dsaEncoding: 'ieee-p1363' }),
    ),
  ],
  [
    'a signature of other content',
    (kind) => `${contentOf(kind)}.${withPayload({ x: 1 })(kind).split('.')[2]}`,
  ],
  ['a signature by another key', (kind) => validToken(kind, attacker)],
  ['a signature by the key of another issuer', (kind) => validToken(kind, otherKey)],
  ['a signature by the key of another issuer under its name', withHeader({ kid: 'k2' }, otherKey)],
  ['a part of a single character', withText((header, payload) => `${header}.${payload}.A`)],
  ['padding', withText((header, payload, signature) => `${header}.${payload}.${signature}==`)],
  ['padding of the payload', withText((header, payload, signature) => `${header}.${payload}=.${signature}`)],
  ['white space in front', withText((...parts) => ` ${parts.join('.')}`)],
  ['a line feed at the end', withText((...parts) => `${parts.join('.')}\n`)],
  ['a line feed inside', withText((header, ...rest) => [`${header}\n`, ...rest].join('.'))],
  ['a character outside of base64url', withText((header, ...rest) => [`${header}!`, ...rest].join('.'))],
  ['NUL at the end', withText((...parts) => `${parts.join('.')}\0`)],
  ['`Bearer` in front', withText((...parts) => `Bearer ${parts.join('.')}`)],
  [
    'JSON serialization instead of compact serialization',
    withText((header, payload, signature) => JSON.stringify({ protected: header, payload, signature })),
  ],
];

const spki = createPublicKey({ key: { ...key.jwk }, format: 'jwk' });
const point = Buffer.concat(
  [key.jwk.x, key.jwk.y].map((coordinate) => Buffer.from(coordinate ?? '', 'base64url')),
);
const SECRETS: readonly (readonly [string, string | Buffer])[] = [
  ['the public JWK', JSON.stringify(key.jwk)],
  ['the public JWK with its name', JSON.stringify(namedKey.jwk)],
  ['the input of its thumbprint', JSON.stringify({ crv: 'P-256', kty: 'EC', x: key.jwk.x, y: key.jwk.y })],
  ['PEM', spki.export({ type: 'spki', format: 'pem' })],
  ['PEM without its last line feed', String(spki.export({ type: 'spki', format: 'pem' })).trimEnd()],
  ['DER', spki.export({ type: 'spki', format: 'der' })],
  ['the point', point],
  ['the uncompressed point', Buffer.concat([Buffer.from([4]), point])],
  ['x as text', String(key.jwk.x)],
  ['nothing', ''],
];

function withHmac(alg: string, secret: string | Buffer): Forge {
  return (kind) => {
    const content = contentOf(kind, { alg });
    const hash = `sha${alg.slice(2)}`;
    return `${content}.${createHmac(hash, secret).update(content).digest('base64url')}`;
  };
}

/** Signs with an attacker's key that fits the algorithm in the header. */
function withAttackerKey(alg: string, changes: Members = {}): Forge {
  return (kind) => {
    const content = contentOf(kind, { alg, ...changes });
    const signature = alg.startsWith('ES')
      ? signBytes('sha384', Buffer.from(content), { key: p384.privateKey, dsaEncoding: 'ieee-p1363' })
      : alg === 'EdDSA'
        ? signBytes(null, Buffer.from(content), ed25519.privateKey)
        : signBytes('sha256', Buffer.from(content), rsa.privateKey);
    return `${content}.${signature.toString('base64url')}`;
  };
}

const ALGORITHMS: readonly (readonly [string, Forge])[] = [
  ...['none', 'None', 'NONE', 'nOnE', '', ' none', 'null'].flatMap((alg): (readonly [string, Forge])[] => [
    [`alg ${JSON.stringify(alg)} and no signature`, (kind) => `${contentOf(kind, { alg })}.`],
    [`alg ${JSON.stringify(alg)} and a signature`, withHeader({ alg })],
  ]),
  ...[
    undefined,
    null,
    0,
    true,
    [],
    ['ES256'],
    { ES256: 1 },
    'es256',
    'ES256 ',
    'ES256\u0000',
    'ES256K',
    'ES384',
  ].map((alg): readonly [string, Forge] => [`alg ${JSON.stringify(alg)}`, withHeader({ alg })]),
  ...['RS256', 'PS256', 'RS1', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'ML-DSA-44'].map(
    (alg): readonly [string, Forge] => [`alg ${alg} with the right key’s signature`, withHeader({ alg })],
  ),
  ...['ES384', 'EdDSA', 'RS256'].map((alg): readonly [string, Forge] => [
    `alg ${alg} with a key of that kind`,
    withAttackerKey(alg),
  ]),
  ...SECRETS.flatMap(([what, secret]) =>
    ['HS256', 'HS384', 'HS512'].map((alg): readonly [string, Forge] => [
      `${alg} with ${what} as its secret`,
      withHmac(alg, secret),
    ]),
  ),
];

const certificate = Buffer.from('a certificate of the attacker').toString('base64');
const INJECTED: readonly (readonly [string, () => Members])[] = [
  ['jwk', () => ({ jwk: attacker.jwk })],
  ['jwk with the name of the right key', () => ({ jwk: { ...attacker.jwk, kid: 'k1' } })],
  ['jwk without a kid', () => ({ kid: undefined, jwk: attacker.jwk })],
  ['jwks', () => ({ jwks: { keys: [{ ...attacker.jwk, kid: 'k1' }] } })],
  ['jku', () => ({ jku: url })],
  ['jku with a fragment', () => ({ jku: `${url}#k1` })],
  ['x5u', () => ({ x5u: url })],
  ['x5c', () => ({ x5c: [certificate] })],
  ['x5t', () => ({ x5t: sha256('certificate') })],
  ['x5t#S256', () => ({ 'x5t#S256': sha256('certificate') })],
  ['kid as a URL', () => ({ kid: url })],
  ['kid as a path', () => ({ kid: '../../../../dev/null' })],
  ['kid as SQL', () => ({ kid: "k1' UNION SELECT 'x" })],
  ['kid `__proto__`', () => ({ kid: '__proto__' })],
  ['kid of another issuer', () => ({ kid: 'k2' })],
  ['kid as an array', () => ({ kid: ['k1'] })],
  ['kid as an object with the key', () => ({ kid: attacker.jwk })],
  ['kid null', () => ({ kid: null })],
  ['no kid', () => ({ kid: undefined })],
  ['iss', () => ({ iss: OTHER_ISSUER })],
  ['the URL of metadata', () => ({ issuer_uri: url, iss: url })],
];

const HEADERS: readonly (readonly [string, Forge])[] = [
  ['crit of an unknown extension', withHeader({ crit: ['x'], x: 1 })],
  ['crit of a registered member', withHeader({ crit: ['exp'], exp: SECONDS + 60 })],
  ['crit that is empty', withHeader({ crit: [] })],
  ['crit that is a string', withHeader({ crit: 'b64' })],
  ['crit that is null', withHeader({ crit: null })],
  ['an unencoded payload', withHeader({ crit: ['b64'], b64: false })],
  ['typ at+jwt', withHeader({ typ: 'at+jwt' })],
  ['typ of a key-binding JWT', withHeader({ typ: 'kb+jwt' })],
  ['typ that is null', withHeader({ typ: null })],
  ['typ that is an array', withHeader({ typ: ['JWT'] })],
  ['typ that is empty', withHeader({ typ: '' })],
  ['a header that is an array', ({ header, payload }) => signJws([header], payload, key)],
  ['a header that is a string', ({ payload }) => signJws('"ES256"', payload, key)],
  ['a header that is null', ({ payload }) => signJws('null', payload, key)],
  ['a header that is not JSON', ({ payload }) => signJws('{alg:ES256}', payload, key)],
  [
    'a header with a byte order mark',
    ({ header, payload }) => signJws(`\ufeff${JSON.stringify(header)}`, payload, key),
  ],
  ['a payload that is an array', ({ header, payload }) => signJws(header, [payload], key)],
  ['a payload that is null', ({ header }) => signJws(header, 'null', key)],
  ['a payload that is empty', ({ header }) => signJws(header, ' ', key)],
  [
    'a payload with a byte order mark',
    ({ header, payload }) => signJws(header, `\ufeff${JSON.stringify(payload)}`, key),
  ],
  [
    'a payload that is not UTF-8',
    ({ header, payload }) => {
      const bytes = Buffer.from(JSON.stringify({ ...payload, x: '§' }).replace('§', '\u0001'), 'latin1');
      const malformedPayload = Buffer.from(bytes.map((byte) => (byte === 1 ? 0xff : byte)));
      const content = `${encode(header)}.${malformedPayload.toString('base64url')}`;
      const options = { key: key.privateKey, dsaEncoding: 'ieee-p1363' } as const;
      return `${content}.${signBytes('sha256', Buffer.from(content), options).toString('base64url')}`;
    },
  ],
  [
    'a payload that is deeper than 1,000 levels',
    ({ header, payload }) =>
      signJws(
        header,
        JSON.stringify({ ...payload, x: 0 }).replace('"x":0', `"x":${'['.repeat(1_000)}${']'.repeat(1_000)}`),
        key,
      ),
  ],
  [
    'a payload with a number that JSON.parse would change',
    ({ header, payload }) =>
      signJws(header, JSON.stringify({ ...payload, x: 0 }).replace('"x":0', '"x":9007199254740993'), key),
  ],
];

/** Repeats a member, with the wrong value first or last. */
function withRepeatedMember(
  part: 'header' | 'payload',
  name: string,
  wrong: unknown,
  place: 'first' | 'last',
): Forge {
  return (kind) => {
    const text = JSON.stringify(kind[part]);
    const member = `${JSON.stringify(name)}:${JSON.stringify(wrong)}`;
    const changed = place === 'first' ? `{${member},${text.slice(1)}` : `${text.slice(0, -1)},${member}}`;
    return part === 'header' ? signJws(changed, kind.payload, key) : signJws(kind.header, changed, key);
  };
}

const DUPLICATES: readonly (readonly [string, Forge])[] = (['first', 'last'] as const).flatMap(
  (place): (readonly [string, Forge])[] => [
    [`a repeated alg, none ${place}`, withRepeatedMember('header', 'alg', 'none', place)],
    [`a repeated equal alg, ${place}`, withRepeatedMember('header', 'alg', 'ES256', place)],
    [`a repeated kid, another ${place}`, withRepeatedMember('header', 'kid', 'k2', place)],
    [
      `a repeated typ, another ${place}`,
      (kind) => withRepeatedMember('header', 'typ', 'at+jwt', place)(withTyp(kind)),
    ],
    [
      `a repeated sub, another ${place}`,
      (kind) => withRepeatedMember('payload', 'sub', 'eve', place)(withSub(kind)),
    ],
    [`a repeated exp, another ${place}`, withRepeatedMember('payload', 'exp', SECONDS + 61, place)],
    [`a repeated exp by an escape, ${place}`, withEscapedMember('exp', SECONDS + 61, place)],
    [
      `a repeated nested member, ${place}`,
      ({ header, payload }) => {
        const members = place === 'first' ? '"a":1,"b":2,"a":1' : '"b":2,"a":1,"a":2';
        return signJws(
          header,
          JSON.stringify({ ...payload, x: 0 }).replace('"x":0', `"x":[{${members}}]`),
          key,
        );
      },
    ],
  ],
);

function withSub(kind: Kind): Kind {
  return { ...kind, payload: { sub: 'ada', ...kind.payload } };
}

/** Adds `typ` to the header of a kind without one. */
function withTyp(kind: Kind): Kind {
  return { ...kind, header: { typ: 'JWT', ...kind.header } };
}

function withEscapedMember(name: string, value: unknown, place: 'first' | 'last'): Forge {
  return (kind) => {
    const escaped = `"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}"`;
    const text = JSON.stringify(kind.payload);
    const member = `${escaped}:${JSON.stringify(value)}`;
    return signJws(
      kind.header,
      place === 'first' ? `{${member},${text.slice(1)}` : `${text.slice(0, -1)},${member}}`,
      key,
    );
  };
}

const TIMES: readonly (readonly [string, Forge])[] = [
  ['an expiry in the past', withPayload({ exp: SECONDS - 6 })],
  ['an expiry that is a string', withPayload({ exp: String(SECONDS + 60) })],
  ['an expiry that is null', withPayload({ exp: null })],
  ['an expiry that is an array', withPayload({ exp: [SECONDS + 60] })],
  ['an expiry in the year 10000', withPayload({ exp: 253_402_300_800 })],
  ['a negative expiry', withPayload({ exp: -1 })],
  [
    'an expiry that overflows',
    ({ header, payload }) =>
      signJws(header, JSON.stringify({ ...payload, exp: 0 }).replace('"exp":0', '"exp":1e400'), key),
  ],
  ['a start in the future', withPayload({ nbf: SECONDS + 61 })],
  ['a start that is a string', withPayload({ nbf: 'now' })],
  ['a start that is null', withPayload({ nbf: null })],
  ['an issue time that is a string', withPayload({ iat: 'now' })],
];

const PARTIES: readonly (readonly [string, Forge])[] = [
  ['another audience', withPayload({ aud: OTHER_ISSUER })],
  ['an audience with an additional slash', withPayload({ aud: `${SERVICE}/` })],
  ['an audience in upper case', withPayload({ aud: SERVICE.toUpperCase() })],
  ['an endpoint as audience', withPayload({ aud: `${SERVICE}/oauth/token` })],
  ['an audience that is null', withPayload({ aud: null })],
  ['an audience that is an object', withPayload({ aud: { [SERVICE]: true } })],
  ['an empty list of audiences', withPayload({ aud: [] })],
];

/** Sign-in assertions have no `iss`, since their keys belong to the external login. */
const ISSUES: readonly (readonly [string, Forge])[] = [
  ['another trusted issuer', withPayload({ iss: OTHER_ISSUER, issuer: OTHER_ISSUER })],
  ['an unknown issuer', withPayload({ iss: 'https://evil.example' })],
  ['an issuer with an additional slash', withPayload({ iss: `${ISSUER}/` })],
  ['an issuer in a list', withPayload({ iss: [ISSUER] })],
  ['an issuer that is an object', withPayload({ iss: { id: ISSUER } })],
  ['the issuer `__proto__`', withPayload({ iss: '__proto__' })],
];

describe.each(Object.entries(KINDS))('a %s', (name, kind) => {
  const isCredential = name !== 'client assertion' && name !== 'sign-in assertion';

  it('is accepted unchanged, so that only the forgery can cause a rejection', async () => {
    expect(await kind.accepts(validToken(kind))).toBe(true);
    expect(await kind.accepts(withSignature((bytes) => bytes)(kind))).toBe(true);
    expect(await kind.accepts(withText((...parts) => parts.join('.'))(kind))).toBe(true);
    expect(await kind.accepts(withHeader({})(kind))).toBe(true);
    expect(await kind.accepts(withPayload({ x: 1 })(kind))).toBe(true);
    expect(await kind.accepts(validToken(withSub(kind)))).toBe(true);
    expect(await kind.accepts(validToken(withTyp(kind)))).toBe(true);
  });

  it.each(SIGNATURES)('with %s is rejected', async (_what, forge) => {
    expect(await kind.accepts(forge(kind))).toBe(false);
  });

  it.each(ALGORITHMS)('with %s is rejected', async (_what, forge) => {
    expect(await kind.accepts(forge(kind))).toBe(false);
  });

  it.each(INJECTED)('with %s in its header is rejected, and no URL is requested', async (_what, header) => {
    expect(await kind.accepts(withHeader(header(), attacker)(kind))).toBe(false);
    expect(requests).toBe(0);
  });

  it.each(HEADERS)('with %s is rejected', async (_what, forge) => {
    expect(await kind.accepts(forge(kind))).toBe(false);
  });

  it.each(DUPLICATES)('with %s is rejected', async (_what, forge) => {
    expect(await kind.accepts(forge(kind))).toBe(false);
  });

  it.each(TIMES)('with %s is rejected', async (_what, forge) => {
    expect(await kind.accepts(forge(kind))).toBe(false);
  });

  it.each(PARTIES)('with %s is rejected', async (_what, forge) => {
    expect(await kind.accepts(forge(kind))).toBe(false);
  });

  it.runIf(name !== 'sign-in assertion').each(ISSUES)('with %s is rejected', async (_what, forge) => {
    expect(await kind.accepts(forge(kind))).toBe(false);
  });

  it('without typ is rejected, except for client assertions, for which RFC 7523 requires none', async () => {
    expect(await kind.accepts(withHeader({ typ: undefined })(kind))).toBe(name === 'client assertion');
  });

  it('is rejected as every other kind', async () => {
    for (const [otherName, other] of Object.entries(KINDS)) {
      if (otherName !== name) expect(await other.accepts(validToken(kind))).toBe(false);
    }
  });

  it('without a required member is rejected', async () => {
    const optional = isCredential ? ['exp', 'nbf', 'iat', 'sub', 'jti'] : ['nbf', 'nonce'];
    const starts = ['nbf', 'iat'].filter((member) => member in kind.payload);
    const members = Object.keys(kind.payload).filter((member) => !optional.includes(member));
    const incomplete = [
      ...members.map((member) => ({ [member]: undefined })),
      ...(isCredential ? [Object.fromEntries(starts.map((member) => [member, undefined]))] : []),
    ];
    for (const changes of incomplete) expect(await kind.accepts(withPayload(changes)(kind))).toBe(false);
  });
});

describe('a DPoP proof', () => {
  const jkt = sha256(JSON.stringify({ crv: 'P-256', kty: 'EC', x: key.jwk.x, y: key.jwk.y }));
  const kind: Kind = {
    header: { alg: 'ES256', typ: 'dpop+jwt', kid: 'k1', jwk: key.jwk },
    payload: { jti: 'j', htm: 'POST', htu: SERVICE, iat: SECONDS, exp: SECONDS + 60 },
    // Anyone can create a proof with another key, but it must not count as a proof by this key.
    accepts: async (jws) => {
      const proof = await systemDpopProofs.verify(jws, { method: 'POST', url: SERVICE }, NOW);
      return proof.accepted && proof.jkt === jkt;
    },
  };

  it('is accepted unchanged, so that only the forgery can cause a rejection', async () => {
    expect(await kind.accepts(validToken(kind))).toBe(true);
    expect(await kind.accepts(withPayload({ x: 1 })(kind))).toBe(true);
    expect(await kind.accepts(validToken(withSub(kind)))).toBe(true);
  });

  // S271
  it.each([...SIGNATURES, ...ALGORITHMS, ...HEADERS, ...DUPLICATES])(
    'with %s is rejected',
    async (_what, forge) => {
      expect(await kind.accepts(forge(kind))).toBe(false);
    },
  );

  // S271
  it.each(INJECTED)(
    'by another key with %s in its header is not accepted as a proof by this key',
    async (_what, header) => {
      expect(await kind.accepts(withHeader(header(), attacker)(kind))).toBe(false);
      expect(requests).toBe(0);
    },
  );

  // S271
  it('is rejected as every other kind, and every other kind as a proof', async () => {
    for (const other of Object.values(KINDS)) {
      expect(await other.accepts(validToken(kind))).toBe(false);
      expect(await kind.accepts(validToken(other))).toBe(false);
    }
  });
});

describe('a JWT VC', () => {
  const kind = KINDS['jwt_vc_json'] as Kind;

  it('without typ is accepted if the issuer has `acceptMissingTyp`, but other types are not', async () => {
    const issuers = [trustedIssuer(ISSUER, namedKey, { acceptMissingTyp: true })];
    const accepts = async (text: string) =>
      (await systemCredentialVerifier.verify(text, 'jwt_vc_json', issuers, NOW)).accepted;
    expect(await accepts(withHeader({ typ: undefined })(kind))).toBe(true);
    for (const typ of [null, '', 'at+jwt', 'dc+sd-jwt'])
      expect(await accepts(withHeader({ typ })(kind))).toBe(false);
  });

  it.each(['JWT', 'jwt', 'vc+jwt', 'application/vc+jwt', 'vc+ld+jwt', 'vc-ld+jwt'])(
    'with the typ %s is accepted',
    async (typ) => {
      expect(await kind.accepts(withHeader({ typ })(kind))).toBe(true);
    },
  );

  it.each([
    ['no VerifiableCredential among its types', { type: ['Person'] }],
    ['no types', { type: undefined }],
    ['a different inner issuer', { issuer: OTHER_ISSUER }],
    ['a different inner subject', { sub: 'ada', credentialSubject: { id: 'eve', level: 'basic' } }],
    ['a different inner id', { jti: 'a', id: 'b' }],
    ['an array of subjects', { credentialSubject: [{ level: 'basic' }] }],
    ['an inner expiry in the past', { validUntil: '2026-01-01T00:00:00Z' }],
    ['an inner expiry on a day that does not exist', { validUntil: '2027-02-30T00:00:00Z' }],
    ['an inner start in the future', { validFrom: '2027-01-01T00:00:00Z' }],
    ['a subject that is not a string', { sub: 1 }],
    ['an id that is not a string', { jti: 1 }],
  ])('with %s is rejected', async (_what, changes) => {
    expect(await kind.accepts(withPayload(changes as Members)(kind))).toBe(false);
  });
});

describe('the disclosures of an SD-JWT VC', () => {
  const PAYLOAD = KINDS['dc+sd-jwt']?.payload as Members;
  const HEADER = { alg: 'ES256', kid: 'k1', typ: 'dc+sd-jwt' };
  const accepts = async (payload: Members, disclosures: readonly string[], end = '~') => {
    const text = [signJws(HEADER, { ...PAYLOAD, ...payload }, key), ...disclosures].join('~') + end;
    return (await systemCredentialVerifier.verify(text, 'dc+sd-jwt', ISSUERS, NOW)).accepted;
  };
  const member = (name: string, value: unknown = 'x') => encode(['salt', name, value]);
  const element = (value: unknown) => encode(['salt', value]);
  const raw = (text: string) => encode(text);
  const level = member('level', 'basic');

  it('are accepted if each was signed, including decoys, chains and arrays', async () => {
    const inner = member('locality', 'Porto');
    const outer = member('address', { _sd: [sha256(inner)] });
    expect(await accepts({ _sd: [sha256(level), sha256('a decoy')] }, [level])).toBe(true);
    expect(await accepts({ _sd: [sha256(outer)] }, [outer, inner])).toBe(true);
    expect(await accepts({ _sd: [sha256(outer)] }, [inner, outer])).toBe(true);
    expect(await accepts({ a: [{ '...': sha256(element('PT')) }, 'DE'] }, [element('PT')])).toBe(true);
    expect(await accepts({ _sd: [sha256(level)] }, [])).toBe(true);
    expect(await accepts({ _sd: [] }, [])).toBe(true);
  });

  it.each([
    ['that were not signed', {}, [level]],
    ['in addition to signed ones', { _sd: [sha256(level)] }, [level, member('kyc', true)]],
    ['with another salt', { _sd: [sha256(level)] }, [encode(['pepper', 'level', 'basic'])]],
    ['with another value', { _sd: [sha256(level)] }, [member('level', 'enhanced')]],
    ['with white space that was not signed', { _sd: [sha256(level)] }, [raw('["salt", "level","basic"]')]],
    ['that are repeated', { _sd: [sha256(level)] }, [level, level]],
    ['of a digest that occurs twice', { _sd: [sha256(level), sha256(level)] }, [level]],
    ['of a digest that occurs on two levels', { _sd: [sha256(level)], a: { _sd: [sha256(level)] } }, [level]],
    ['of a decoy that occurs twice', { _sd: [sha256('decoy'), sha256('decoy')] }, []],
    ['of an existing member', { level: 'none', _sd: [sha256(level)] }, [level]],
    [
      'with the same name',
      { _sd: [sha256(level), sha256(member('level', 'enhanced'))] },
      [level, member('level', 'enhanced')],
    ],
    ...[
      'iss',
      'nbf',
      'exp',
      'cnf',
      'vct',
      'vct#integrity',
      'status',
      '_sd_alg',
      '_sd',
      '...',
      '__proto__',
      '',
    ].map((name): [string, Members, string[]] => [
      `named ${JSON.stringify(name)}`,
      { _sd: [sha256(member(name))] },
      [member(name)],
    ]),
    ['of an array element, in `_sd`', { _sd: [sha256(element('PT'))] }, [element('PT')]],
    ['of a member, in an array', { a: [{ '...': sha256(level) }] }, [level]],
    ['of an element next to other members', { a: [{ '...': sha256(element(1)), b: 1 }] }, [element(1)]],
    [
      'in a chain without the outer one',
      { _sd: [sha256(member('address', { _sd: [sha256(level)] }))] },
      [level],
    ],
    ['in an _sd that is an object', { _sd: { 0: sha256(level) } }, [level]],
    ['in an _sd that is a string', { _sd: sha256(level) }, [level]],
    ['with a digest that is a number', { _sd: [1] }, []],
    ['with a digest that is null', { _sd: [null] }, []],
    ['with a digest in another encoding', { _sd: [`${sha256(level)}=`] }, [level]],
    ['with a digest that is too short', { _sd: ['AA'] }, []],
    ['with the hash sha-1', { _sd_alg: 'sha-1', _sd: [sha256(level)] }, [level]],
    ['with a hash name that is an object', { _sd_alg: {}, _sd: [sha256(level)] }, [level]],
    ['with a hash name in upper case', { _sd_alg: 'SHA-256', _sd: [sha256(level)] }, [level]],
    ['with a nested hash name', { a: { _sd_alg: 'sha-256', _sd: [sha256(level)] } }, [level]],
    ['that are an object', { _sd: [sha256(raw('{"0":"salt"}'))] }, [raw('{"0":"salt"}')]],
    ['of one element', { _sd: [sha256(raw('["salt"]'))] }, [raw('["salt"]')]],
    ['of four elements', { _sd: [sha256(raw('["salt","a",1,2]'))] }, [raw('["salt","a",1,2]')]],
    ['with a salt that is a number', { _sd: [sha256(raw('[1,"a",1]'))] }, [raw('[1,"a",1]')]],
    ['with a name that is a number', { _sd: [sha256(raw('["s",1,1]'))] }, [raw('["s",1,1]')]],
    [
      'with a repeated member',
      { _sd: [sha256(raw('["s","a",{"b":1,"b":2}]'))] },
      [raw('["s","a",{"b":1,"b":2}]')],
    ],
    ['that are not JSON', { _sd: [sha256(raw('[salt]'))] }, [raw('[salt]')]],
    ['with padding', { _sd: [sha256(`${level}=`)] }, [`${level}=`]],
    ['that are empty', { _sd: [sha256(level)] }, ['', level]],
    [
      'that contain reserved members',
      { _sd: [sha256(member('a', { '...': 1 }))] },
      [member('a', { '...': 1 })],
    ],
    [
      'that contain a hash name',
      { _sd: [sha256(member('a', { _sd_alg: 'x' }))] },
      [member('a', { _sd_alg: 'x' })],
    ],
  ] as [string, Members, string[]][])('%s are rejected', async (_what, payload, disclosures) => {
    expect(await accepts(payload, disclosures)).toBe(false);
  });

  it.each([
    ['no tilde', ''],
    ['two tildes', '~~'],
    ['a text after the last tilde', '~x'],
    ['a line feed after the last tilde', '~\n'],
  ])('followed by %s are rejected', async (_what, end) => {
    expect(await accepts({ _sd: [sha256(level)] }, [level], end)).toBe(false);
  });

  it('cannot add another time, audience or holder', async () => {
    const audience = member('aud', OTHER_ISSUER);
    const late = member('iat', SECONDS + 61);
    expect(await accepts({ _sd: [sha256(audience)] }, [audience])).toBe(false);
    expect(await accepts({ iat: undefined, _sd: [sha256(late)] }, [late])).toBe(false);
    const own = encode(['salt', 'cnf', { jwk: attacker.jwk }]);
    expect(await accepts({ _sd: [sha256(own)] }, [own])).toBe(false);
  });
});

describe('the keys of a configured issuer', () => {
  const kind = KINDS['jwt_vc_json'] as Kind;
  const accepts = async (keys: readonly PublicJwk[], text = validToken(kind)) => {
    const issuers = [{ ...trustedIssuer(ISSUER, namedKey), keys }];
    return (await systemCredentialVerifier.verify(text, 'jwt_vc_json', issuers, NOW)).accepted;
  };

  it('are not used if they are for encryption, for another algorithm, or ambiguous', async () => {
    expect(await accepts([namedKey.jwk])).toBe(true);
    expect(await accepts([{ ...namedKey.jwk, use: 'enc' }])).toBe(false);
    expect(await accepts([{ ...namedKey.jwk, key_ops: ['encrypt'] } as PublicJwk])).toBe(false);
    expect(await accepts([{ ...namedKey.jwk, alg: 'ES384' }])).toBe(false);
    expect(await accepts([namedKey.jwk, { ...attacker.jwk, kid: 'k1' }])).toBe(false);
    expect(await accepts([key.jwk, attacker.jwk])).toBe(false);
    expect(await accepts([])).toBe(false);
  });

  it('are not used if an RSA key is too short', async () => {
    const short = createKeyPair({ rsa: 1_024 });
    const content = contentOf(kind, { alg: 'RS256', kid: undefined });
    const text = `${content}.${signBytes('sha256', Buffer.from(content), short.privateKey).toString('base64url')}`;
    expect(await accepts([short.publicKey.export({ format: 'jwk' }) as PublicJwk], text)).toBe(false);
  });
});
