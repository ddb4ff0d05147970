/**
 * The credential verifier with the examples of specifications and with generated credentials, each tampered
 * with at every character.
 */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { base64url, CompactSign, type JWK } from 'jose';
import { describe, expect, it } from 'vitest';
import type { CredentialFormat, PublicJwk, TrustedIssuer } from '../../src/service/index.js';
import { systemCredentialVerifier as verifier } from '../../src/system/credential-verifier/credential-verifier.js';
import { createKeyPair } from '../support/key-pair.js';
import {
  DEGREE,
  DEGREE_ISSUERS,
  DEGREE_WITH_NAMES,
  DRAFT_ISSUER,
  DRAFT_PID,
} from '../support/specification-credentials.js';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const SECONDS = NOW / 1_000;
/** The last representable instant. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
const ISSUER = 'https://issuer.example';
const { privateKey, publicKey } = createKeyPair('P-256');
const KEY = { ...(publicKey.export({ format: 'jwk' }) as JWK), kid: 'k1' } as PublicJwk;
const TEST_ISSUER: TrustedIssuer = {
  issuer: ISSUER,
  source: 'ours',
  keys: [KEY],
  mappings: [
    { type: 'Pid', claims: {} },
    { type: 'PidCredential', claims: {} },
  ],
};

const encode = (value: unknown): string => base64url.encode(JSON.stringify(value));
const disclosure = (...parts: unknown[]): string => encode(parts);
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

async function sign(payload: object, header: Record<string, unknown> = {}): Promise<string> {
  return await new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'vc+jwt', ...header })
    .sign(privateKey, { crit: { x: true } });
}

const GIVEN_NAME = disclosure('salt-1', 'given_name', 'Ada');
const COUNTRY = disclosure('salt-2', 'DE');
const SD_PAYLOAD = {
  iss: ISSUER,
  iat: SECONDS - 10,
  exp: SECONDS + 10,
  vct: 'Pid',
  sub: 'ada',
  _sd: [digest(GIVEN_NAME)],
  countries: [{ '...': digest(COUNTRY) }, 'GB'],
};
const sdJwt = async (payload: object = SD_PAYLOAD, disclosures = [GIVEN_NAME, COUNTRY]): Promise<string> =>
  `${[await sign(payload, { typ: 'dc+sd-jwt' }), ...disclosures].join('~')}~`;

const VC_2 = {
  issuer: { id: ISSUER },
  type: ['VerifiableCredential', 'PidCredential'],
  validFrom: '2026-01-01T00:00:00Z',
  validUntil: '2027-01-01T00:00:00Z',
  credentialSubject: { id: 'did:example:ada', given_name: 'Ada' },
};
const VC_1 = {
  iss: ISSUER,
  nbf: SECONDS - 10,
  exp: SECONDS + 10,
  vc: { type: ['VerifiableCredential', 'PidCredential'], credentialSubject: { given_name: 'Ada' } },
};

async function reasonOf(
  text: string,
  format: CredentialFormat,
  issuer = TEST_ISSUER,
  now = NOW,
): Promise<string> {
  const outcome = await verifier.verify(text, format, [issuer], now);
  return outcome.accepted ? 'accepted' : outcome.reason;
}

const [NAMED_UNIVERSITY, UNIVERSITY] = DEGREE_ISSUERS as [TrustedIssuer, TrustedIssuer];

const EXAMPLES: [string, CredentialFormat, TrustedIssuer, () => Promise<string>][] = [
  ["the Recommendation's degree", 'jwt_vc_json', UNIVERSITY, async () => DEGREE],
  ["the Recommendation's degree with names", 'jwt_vc_json', NAMED_UNIVERSITY, async () => DEGREE_WITH_NAMES],
  ["the specification's SD-JWT VC", 'dc+sd-jwt', DRAFT_ISSUER, async () => DRAFT_PID],
  ['an SD-JWT VC', 'dc+sd-jwt', TEST_ISSUER, sdJwt],
  ['a credential of VC-JOSE-COSE', 'jwt_vc_json', TEST_ISSUER, () => sign(VC_2, { typ: 'vc+jwt' })],
  ['a credential of VC Data Model 1.1', 'jwt_vc_json', TEST_ISSUER, () => sign(VC_1, { typ: 'JWT' })],
];

describe.each(EXAMPLES)('%s', (_, format, issuer, createCredential) => {
  it('is accepted unchanged', async () => {
    expect(await reasonOf(await createCredential(), format, issuer)).toBe('accepted');
  });

  it('is rejected with any single character changed', async () => {
    const text = await createCredential();
    const accepted: number[] = [];
    for (let at = 0; at < text.length; at++) {
      // In the last character, this changes only the unused low bits, which must be rejected as well.
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const next = alphabet[(alphabet.indexOf(text[at] as string) + 1) % alphabet.length];
      const changed = `${text.slice(0, at)}${next}${text.slice(at + 1)}`;
      if ((await reasonOf(changed, format, issuer)) === 'accepted') accepted.push(at);
    }
    expect(accepted).toEqual([]);
  });

  it('is rejected if its issuer, key or type is not configured, and if it was signed by another key', async () => {
    const other = createKeyPair('P-256').publicKey.export({ format: 'jwk' });
    const text = await createCredential();
    expect(await reasonOf(text, format, { ...issuer, issuer: 'https://other.example' })).toBe(
      'issuer_unknown',
    );
    expect(await reasonOf(text, format, { ...issuer, keys: [] })).toBe('key_unknown');
    expect(await reasonOf(text, format, { ...issuer, keys: [other as PublicJwk] })).toBe('signature');
    expect(await reasonOf(text, format, { ...issuer, mappings: [] })).toBe('type_unknown');
  });

  // L10
  it('is rejected from its expiry on, and accepted a millisecond before; without expiry it is always accepted', async () => {
    const text = await createCredential();
    const outcome = await verifier.verify(text, format, [issuer], NOW);
    const end = outcome.accepted ? (outcome.credential.expiresAt ?? Number.POSITIVE_INFINITY) : Number.NaN;
    expect(await reasonOf(text, format, issuer, Math.min(end - 1, LAST))).toBe('accepted');
    expect(await reasonOf(text, format, issuer, end)).toBe(end <= LAST ? 'expired' : 'accepted');
  });

  it('is rejected without a signature, and with an HMAC under the public key', async () => {
    const payload = (await createCredential()).split('~')[0]?.split('.')[1] as string;
    const tilde = format === 'dc+sd-jwt' ? '~' : '';
    const secret = new TextEncoder().encode(JSON.stringify(issuer.keys[0]));
    const hmac = await new CompactSign(base64url.decode(payload))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(secret);
    expect(await reasonOf(`${encode({ alg: 'none' })}.${payload}.AA${tilde}`, format, issuer)).toBe(
      'algorithm',
    );
    expect(await reasonOf(hmac + tilde, format, issuer)).toBe('algorithm');
  });
});

describe('the content of a credential', () => {
  it('of the SD-JWT VC specification consists of the disclosed claims', async () => {
    const outcome = await verifier.verify(DRAFT_PID, 'dc+sd-jwt', [DRAFT_ISSUER], NOW);
    expect(outcome.accepted && outcome.credential.content).toEqual({
      given_name: 'Erika',
      birthdate: '1963-08-12',
      nationalities: ['DE'],
      also_known_as: 'Schwester Agnes',
      age_equal_or_over: { '12': true, '14': true, '16': true, '18': true, '21': true, '65': false },
    });
  });

  it('in SD-JWT VC format consists of the disclosed claims', async () => {
    const all = await verifier.verify(await sdJwt(), 'dc+sd-jwt', [TEST_ISSUER], NOW);
    expect(all).toMatchObject({
      accepted: true,
      credential: { types: ['Pid'], subject: 'ada', issuedAt: NOW - 10_000 },
    });
    expect(all.accepted && all.credential.content).toEqual({ given_name: 'Ada', countries: ['DE', 'GB'] });
    const partial = await verifier.verify(
      await sdJwt(SD_PAYLOAD, [COUNTRY]),
      'dc+sd-jwt',
      [TEST_ISSUER],
      NOW,
    );
    expect(partial.accepted && partial.credential.content).toEqual({ countries: ['DE', 'GB'] });
  });

  it('in SD-JWT VC format has no element for an undisclosed array element, and keeps the indices of others', async () => {
    const inner = disclosure('salt-5', 'b');
    const outer = disclosure('salt-6', [
      { '...': digest(disclosure('salt-7', 'a')) },
      { '...': digest(inner) },
    ]);
    const countries = [{ '...': digest(COUNTRY) }, 'GB', { '...': digest(outer) }];
    const payload = { ...SD_PAYLOAD, _sd: [], countries };
    const content = async (disclosures: string[]) => {
      const outcome = await verifier.verify(
        await sdJwt(payload, disclosures),
        'dc+sd-jwt',
        [TEST_ISSUER],
        NOW,
      );
      return outcome.accepted && (outcome.credential.content['countries'] as readonly unknown[]);
    };
    const sparse = (...elements: readonly (readonly [number, unknown])[]) =>
      Object.fromEntries(elements.map(([index, value]) => [String(index), value]));
    expect({ ...(await content([])) }).toEqual(sparse([1, 'GB']));
    expect({ ...(await content([COUNTRY])) }).toEqual(sparse([0, 'DE'], [1, 'GB']));
    const nested = await content([outer, inner]);
    expect(Object.keys(nested || [])).toEqual(['1', '2']);
    expect({ ...((nested || [])[2] as object) }).toEqual(sparse([1, 'b']));
  });

  it('in W3C format is its credential subject', async () => {
    const outcome = await verifier.verify(await sign(VC_2), 'jwt_vc_json', [TEST_ISSUER], NOW);
    expect(outcome).toMatchObject({
      credential: {
        subject: 'did:example:ada',
        issuedAt: Date.parse(VC_2.validFrom),
        content: VC_2.credentialSubject,
      },
    });
  });
});

describe('a credential with unrepresentable content', () => {
  // S35, S36
  it.each([
    ['U+0000 in its id', { jti: 'a\u0000b' }],
    ['a lone surrogate in a claim', { given_name: '\ud800' }],
    ['U+0000 in a member’s name', { 'x\u0000': 1 }],
    ['an expiry in the year 10000', { exp: 253_402_300_800 }],
    ['an issue time before the year 0', { iat: -62_167_219_201 }],
  ])('is rejected for %s', async (_, changes) => {
    const payload = { ...SD_PAYLOAD, _sd: [], countries: [], ...changes };
    expect(await reasonOf(await sdJwt(payload, []), 'dc+sd-jwt')).toBe('malformed');
  });

  it('is accepted if a string contains a backslash and `u0000` instead of U+0000, or a surrogate pair', async () => {
    const payload = {
      ...SD_PAYLOAD,
      _sd: [],
      countries: [],
      note: 'a backslash: \\u0000',
      smile: '\u{1f600}',
    };
    expect(await reasonOf(await sdJwt(payload, []), 'dc+sd-jwt')).toBe('accepted');
  });
});

describe('disclosures', () => {
  const named = (name: string): string => disclosure('salt', name, 'x');
  it.each([
    ['without a digest', SD_PAYLOAD, [GIVEN_NAME, named('other')]],
    ['repeated', SD_PAYLOAD, [GIVEN_NAME, GIVEN_NAME]],
    ['of a repeated digest', { ...SD_PAYLOAD, _sd: [digest(GIVEN_NAME), digest(GIVEN_NAME)] }, [GIVEN_NAME]],
    ['of an existing member', { ...SD_PAYLOAD, given_name: 'Eve' }, [GIVEN_NAME]],
    ['of a registered name', { ...SD_PAYLOAD, _sd: [digest(named('status'))] }, [named('status')]],
    ['named _sd', { ...SD_PAYLOAD, _sd: [digest(named('_sd'))] }, [named('_sd')]],
    ['named ...', { ...SD_PAYLOAD, _sd: [digest(named('...'))] }, [named('...')]],
    ['named __proto__', { ...SD_PAYLOAD, _sd: [digest(named('__proto__'))] }, [named('__proto__')]],
    ['of an array element, in `_sd`', { ...SD_PAYLOAD, _sd: [digest(COUNTRY)], countries: [] }, [COUNTRY]],
    ['under an unknown hash', { ...SD_PAYLOAD, _sd_alg: 'md5' }, [GIVEN_NAME]],
  ])('%s are rejected', async (_, payload, disclosures) => {
    expect(await reasonOf(await sdJwt(payload, disclosures), 'dc+sd-jwt')).toBe('disclosure');
  });

  it.each(['iss', 'sub', 'aud', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'status'])(
    'of %s are rejected, since the holder could withhold it',
    async (name) => {
      const { [name]: _, ...payload }: Record<string, unknown> = { ...SD_PAYLOAD, countries: [] };
      const disclosed = disclosure('salt', name, 'ada');
      const text = await sdJwt({ ...payload, _sd: [digest(disclosed)] }, [disclosed]);
      // Without `iss` in the payload, no issuer is found.
      expect(await reasonOf(text, 'dc+sd-jwt')).toBe(name === 'iss' ? 'issuer_unknown' : 'disclosure');
    },
  );

  it('of iat do not change the issue time', async () => {
    const disclosed = disclosure('salt', 'iat', SECONDS - 5);
    const { iat: _, ...payload } = { ...SD_PAYLOAD, nbf: SECONDS - 1_000, countries: [] };
    for (const disclosures of [[disclosed], []]) {
      const text = await sdJwt({ ...payload, _sd: [digest(disclosed)] }, disclosures);
      const outcome = await verifier.verify(text, 'dc+sd-jwt', [TEST_ISSUER], NOW);
      expect(outcome).toMatchObject({ accepted: true, credential: { issuedAt: NOW - 1_000_000 } });
    }
  });
});

it.each([
  ['ES384', 'P-384'],
  ['RS256', { rsa: 2_048 }],
  ['PS256', { rsa: 2_048 }],
  ['EdDSA', 'ed25519'],
] as const)('the algorithm %s is accepted with a matching key only', async (alg, type) => {
  const pair = createKeyPair(type);
  const payload = new TextEncoder().encode(JSON.stringify(VC_2));
  const text = await new CompactSign(payload)
    .setProtectedHeader({ alg, typ: 'vc+jwt' })
    .sign(pair.privateKey);
  const jwk = pair.publicKey.export({ format: 'jwk' }) as PublicJwk;
  expect(await reasonOf(text, 'jwt_vc_json', { ...TEST_ISSUER, keys: [jwk] })).toBe('accepted');
  expect(await reasonOf(text, 'jwt_vc_json', { ...TEST_ISSUER, keys: [KEY] })).toBe('key_unknown');
  expect(await reasonOf(text, 'jwt_vc_json', { ...TEST_ISSUER, keys: [{ ...jwk, alg: 'ES256' }] })).toBe(
    'key_unknown',
  );
});

it('a key that cannot verify any signature is reported as such, and not as a wrong signature', async () => {
  const small = createKeyPair({ rsa: 1_024 }).publicKey.export({ format: 'jwk' }) as PublicJwk;
  const cut = { ...KEY, x: KEY.x?.slice(0, -4) ?? '' };
  for (const [key, header] of [
    [cut, { alg: 'ES256', kid: 'k1' }],
    [small, { alg: 'RS256' }],
  ] as const) {
    const text = `${encode({ ...header, typ: 'vc+jwt' })}.${encode(VC_2)}.${encode('signature')}`;
    const outcome = await verifier.verify(text, 'jwt_vc_json', [{ ...TEST_ISSUER, keys: [key] }], NOW);
    expect(outcome).toMatchObject({
      accepted: false,
      reason: 'key_unknown',
      message: expect.stringMatching(/must be valid/),
    });
  }
});

it('nested disclosures are resolved with each supported hash', async () => {
  for (const [name, hash] of [
    ['sha-256', 'sha256'],
    ['sha-384', 'sha384'],
    ['sha-512', 'sha512'],
  ] as const) {
    const digestOf = (text: string) => createHash(hash).update(text).digest('base64url');
    const inner = disclosure('salt-3', 'locality', 'Lisboa');
    const outer = disclosure('salt-4', 'address', { _sd: [digestOf(inner)], country: 'PT' });
    const payload = {
      iss: ISSUER,
      sub: 'ada',
      iat: SECONDS,
      vct: 'Pid',
      _sd_alg: name,
      _sd: [digestOf(outer)],
    };
    const text = await sdJwt(payload, [outer, inner]);
    const outcome = await verifier.verify(text, 'dc+sd-jwt', [TEST_ISSUER], NOW);
    expect(outcome.accepted && outcome.credential.content).toEqual({
      address: { country: 'PT', locality: 'Lisboa' },
    });
    expect(await reasonOf(await sdJwt(payload, [inner]), 'dc+sd-jwt')).toBe('disclosure');
  }
});

it.each([
  ['critical_header', VC_2, { crit: ['x'], x: 1 }],
  ['media_type', VC_2, { typ: 'vp+jwt' }],
  ['key_unknown', VC_2, { kid: 'k2' }],
  ['accepted', VC_2, { kid: `${ISSUER}#k1` }],
  ['issuer_mismatch', { ...VC_2, iss: ISSUER, issuer: 'https://other.example' }, {}],
  ['not_yet_valid', { ...VC_1, nbf: SECONDS + 61 }, {}],
  ['accepted', { ...VC_1, iat: SECONDS + 60 }, {}],
  ['malformed', { ...VC_1, nbf: 'soon' }, {}],
])(
  'verification of a credential gives `%s` for the payload %j and the header %j',
  async (reason, payload, header) => {
    expect(await reasonOf(await sign(payload, header), 'jwt_vc_json')).toBe(reason);
  },
);

it.each([
  ['not_yet_valid', { issuanceDate: '2026-06-01T00:01:01Z' }, 'issuanceDate'],
  [
    'expired',
    { issuanceDate: '2026-01-01T00:00:00Z', expirationDate: '2026-06-01T00:00:00Z' },
    'expirationDate',
  ],
  ['malformed', {}, 'issuanceDate'],
])(
  'the rejection `%s` of a credential of VC Data Model 1.1 with %j names `%s`',
  async (reason, dates, member) => {
    const text = await sign({ iss: ISSUER, vc: { ...VC_1.vc, ...dates } });
    const outcome = await verifier.verify(text, 'jwt_vc_json', [TEST_ISSUER], NOW);
    expect(outcome).toEqual({ accepted: false, reason, message: expect.stringContaining(member) });
  },
);

it('a key-binding JWT and a credential of more than 64 KiB are rejected', async () => {
  expect(await reasonOf(`${await sdJwt()}a.b.c`, 'dc+sd-jwt')).toBe('key_binding');
  expect(await reasonOf('a'.repeat(65_537), 'dc+sd-jwt')).toBe('too_large');
});

it('random input is rejected without throwing', async () => {
  const part = fc.oneof(
    fc.string(),
    fc.json().map((json) => base64url.encode(json)),
  );
  const text = fc
    .tuple(fc.array(part), fc.constantFrom('.', '~', ''))
    .map(([parts, mark]) => parts.join(mark));
  const property = fc.asyncProperty(
    text,
    fc.constantFrom<CredentialFormat>('jwt_vc_json', 'dc+sd-jwt'),
    async (credential, format) => {
      expect(await reasonOf(credential, format)).not.toBe('accepted');
    },
  );
  await fc.assert(property, { seed: 11_212_026, numRuns: 1_000 });
});
