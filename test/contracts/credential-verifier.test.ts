/** The verifier against a specification's own example, and against credentials signed here; each tampered at every place. */
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
/** The last instant that can be written. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
const ISSUER = 'https://issuer.example';
const { privateKey, publicKey } = createKeyPair('P-256');
const KEY = { ...(publicKey.export({ format: 'jwk' }) as JWK), kid: 'k1' } as PublicJwk;
const OURS: TrustedIssuer = {
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

const GIVEN = disclosure('salt-1', 'given_name', 'Ada');
const COUNTRY = disclosure('salt-2', 'DE');
const SD_PAYLOAD = {
  iss: ISSUER,
  iat: SECONDS - 10,
  exp: SECONDS + 10,
  vct: 'Pid',
  sub: 'ada',
  _sd: [digest(GIVEN)],
  countries: [{ '...': digest(COUNTRY) }, 'GB'],
};
const sdJwt = async (payload: object = SD_PAYLOAD, disclosures = [GIVEN, COUNTRY]): Promise<string> =>
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

async function reasonOf(text: string, format: CredentialFormat, issuer = OURS, now = NOW): Promise<string> {
  const outcome = await verifier.verify(text, format, [issuer], now);
  return outcome.accepted ? 'accepted' : outcome.reason;
}

const [NAMED_UNIVERSITY, UNIVERSITY] = DEGREE_ISSUERS as [TrustedIssuer, TrustedIssuer];

const EXAMPLES: [string, CredentialFormat, TrustedIssuer, () => Promise<string>][] = [
  ["the Recommendation's degree", 'jwt_vc_json', UNIVERSITY, async () => DEGREE],
  ["the Recommendation's degree with names", 'jwt_vc_json', NAMED_UNIVERSITY, async () => DEGREE_WITH_NAMES],
  ["the specification's SD-JWT VC", 'dc+sd-jwt', DRAFT_ISSUER, async () => DRAFT_PID],
  ['an SD-JWT VC', 'dc+sd-jwt', OURS, sdJwt],
  ['a credential of VC-JOSE-COSE', 'jwt_vc_json', OURS, () => sign(VC_2, { typ: 'vc+jwt' })],
  ['a credential of VC Data Model 1.1', 'jwt_vc_json', OURS, () => sign(VC_1, { typ: 'JWT' })],
];

describe.each(EXAMPLES)('%s', (_, format, issuer, make) => {
  it('is accepted as it is', async () => {
    expect(await reasonOf(await make(), format, issuer)).toBe('accepted');
  });

  it('is refused with one character changed, whichever it is', async () => {
    const text = await make();
    const accepted: number[] = [];
    for (let at = 0; at < text.length; at++) {
      // The next character of the alphabet: the last character's unused bits are changed where it has some.
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const next = alphabet[(alphabet.indexOf(text[at] as string) + 1) % alphabet.length];
      const changed = `${text.slice(0, at)}${next}${text.slice(at + 1)}`;
      if ((await reasonOf(changed, format, issuer)) === 'accepted') accepted.push(at);
    }
    expect(accepted).toEqual([]);
  });

  it('is refused from another issuer, and by another key', async () => {
    const other = createKeyPair('P-256').publicKey.export({ format: 'jwk' });
    const text = await make();
    expect(await reasonOf(text, format, { ...issuer, issuer: 'https://other.example' })).toBe(
      'issuer_unknown',
    );
    expect(await reasonOf(text, format, { ...issuer, keys: [] })).toBe('key_unknown');
    expect(await reasonOf(text, format, { ...issuer, keys: [other as PublicJwk] })).toBe('signature');
    expect(await reasonOf(text, format, { ...issuer, mappings: [] })).toBe('type_unknown');
  });

  // L10
  it('is refused at its end, and good a millisecond before; without an end it is good for ever', async () => {
    const text = await make();
    const outcome = await verifier.verify(text, format, [issuer], NOW);
    const end = outcome.accepted ? (outcome.credential.expiresAt ?? Number.POSITIVE_INFINITY) : Number.NaN;
    expect(await reasonOf(text, format, issuer, Math.min(end - 1, LAST))).toBe('accepted');
    expect(await reasonOf(text, format, issuer, end)).toBe(end <= LAST ? 'expired' : 'accepted');
  });

  it('is refused unsigned, or signed with the public key as the secret', async () => {
    const payload = (await make()).split('~')[0]?.split('.')[1] as string;
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

describe('what a credential says', () => {
  it("of the specification's, its content is what was disclosed", async () => {
    const outcome = await verifier.verify(DRAFT_PID, 'dc+sd-jwt', [DRAFT_ISSUER], NOW);
    expect(outcome.accepted && outcome.credential.content).toEqual({
      given_name: 'Erika',
      birthdate: '1963-08-12',
      nationalities: ['DE'],
      also_known_as: 'Schwester Agnes',
      age_equal_or_over: { '12': true, '14': true, '16': true, '18': true, '21': true, '65': false },
    });
  });

  it('of an SD-JWT VC, its content is what was disclosed', async () => {
    const all = await verifier.verify(await sdJwt(), 'dc+sd-jwt', [OURS], NOW);
    expect(all).toMatchObject({
      accepted: true,
      credential: { types: ['Pid'], subject: 'ada', issuedAt: NOW - 10_000 },
    });
    expect(all.accepted && all.credential.content).toEqual({ given_name: 'Ada', countries: ['DE', 'GB'] });
    const less = await verifier.verify(await sdJwt(SD_PAYLOAD, [COUNTRY]), 'dc+sd-jwt', [OURS], NOW);
    expect(less.accepted && less.credential.content).toEqual({ countries: ['DE', 'GB'] });
  });

  it('of an SD-JWT VC, an array element that was not disclosed is absent at its index and moves no other', async () => {
    const inner = disclosure('salt-5', 'b');
    const outer = disclosure('salt-6', [
      { '...': digest(disclosure('salt-7', 'a')) },
      { '...': digest(inner) },
    ]);
    const countries = [{ '...': digest(COUNTRY) }, 'GB', { '...': digest(outer) }];
    const payload = { ...SD_PAYLOAD, _sd: [], countries };
    const content = async (disclosures: string[]) => {
      const outcome = await verifier.verify(await sdJwt(payload, disclosures), 'dc+sd-jwt', [OURS], NOW);
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

  it('of a W3C credential, its content is its subject', async () => {
    const outcome = await verifier.verify(await sign(VC_2), 'jwt_vc_json', [OURS], NOW);
    expect(outcome).toMatchObject({
      credential: {
        subject: 'did:example:ada',
        issuedAt: Date.parse(VC_2.validFrom),
        content: VC_2.credentialSubject,
      },
    });
  });
});

describe('what could not be kept or told again', () => {
  // S35, S36
  it.each([
    ['U+0000 in its id', { jti: 'a\u0000b' }],
    ['a lone surrogate in a claim', { given_name: '\ud800' }],
    ['U+0000 in a member’s name', { 'x\u0000': 1 }],
    ['an end in the year 10000', { exp: 253_402_300_800 }],
    ['a beginning before the year 0', { iat: -62_167_219_201 }],
  ])('is refused: %s', async (_, changes) => {
    const payload = { ...SD_PAYLOAD, _sd: [], countries: [], ...changes };
    expect(await reasonOf(await sdJwt(payload, []), 'dc+sd-jwt')).toBe('malformed');
  });

  it('is taken where it is only written about', async () => {
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
    ['foreign', SD_PAYLOAD, [GIVEN, named('other')]],
    ['twice', SD_PAYLOAD, [GIVEN, GIVEN]],
    ['of a digest that stands twice', { ...SD_PAYLOAD, _sd: [digest(GIVEN), digest(GIVEN)] }, [GIVEN]],
    ['over a member', { ...SD_PAYLOAD, given_name: 'Eve' }, [GIVEN]],
    ['of a registered name', { ...SD_PAYLOAD, _sd: [digest(named('status'))] }, [named('status')]],
    ['named _sd', { ...SD_PAYLOAD, _sd: [digest(named('_sd'))] }, [named('_sd')]],
    ['named ...', { ...SD_PAYLOAD, _sd: [digest(named('...'))] }, [named('...')]],
    ['named __proto__', { ...SD_PAYLOAD, _sd: [digest(named('__proto__'))] }, [named('__proto__')]],
    ['of an element, for a member', { ...SD_PAYLOAD, _sd: [digest(COUNTRY)], countries: [] }, [COUNTRY]],
    ['under an unknown hash', { ...SD_PAYLOAD, _sd_alg: 'md5' }, [GIVEN]],
  ])('%s are refused', async (_, payload, disclosures) => {
    expect(await reasonOf(await sdJwt(payload, disclosures), 'dc+sd-jwt')).toBe('disclosure');
  });

  it.each(['iss', 'sub', 'aud', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'status'])(
    'of %s are rejected, since the holder could withhold it',
    async (name) => {
      const { [name]: _, ...payload }: Record<string, unknown> = { ...SD_PAYLOAD, countries: [] };
      const disclosed = disclosure('salt', name, 'ada');
      const text = await sdJwt({ ...payload, _sd: [digest(disclosed)] }, [disclosed]);
      // Without `iss` in the clear no issuer is found.
      expect(await reasonOf(text, 'dc+sd-jwt')).toBe(name === 'iss' ? 'issuer_unknown' : 'disclosure');
    },
  );

  it('of iat change nothing about when the credential was issued', async () => {
    const disclosed = disclosure('salt', 'iat', SECONDS - 5);
    const { iat: _, ...payload } = { ...SD_PAYLOAD, nbf: SECONDS - 1_000, countries: [] };
    for (const disclosures of [[disclosed], []]) {
      const text = await sdJwt({ ...payload, _sd: [digest(disclosed)] }, disclosures);
      const outcome = await verifier.verify(text, 'dc+sd-jwt', [OURS], NOW);
      expect(outcome).toMatchObject({ accepted: true, credential: { issuedAt: NOW - 1_000_000 } });
    }
  });
});

it.each([
  ['ES384', 'P-384'],
  ['RS256', { rsa: 2_048 }],
  ['PS256', { rsa: 2_048 }],
  ['EdDSA', 'ed25519'],
] as const)('%s is taken, and only with a key that fits it', async (alg, type) => {
  const pair = createKeyPair(type);
  const payload = new TextEncoder().encode(JSON.stringify(VC_2));
  const text = await new CompactSign(payload)
    .setProtectedHeader({ alg, typ: 'vc+jwt' })
    .sign(pair.privateKey);
  const jwk = pair.publicKey.export({ format: 'jwk' }) as PublicJwk;
  expect(await reasonOf(text, 'jwt_vc_json', { ...OURS, keys: [jwk] })).toBe('accepted');
  expect(await reasonOf(text, 'jwt_vc_json', { ...OURS, keys: [KEY] })).toBe('key_unknown');
  expect(await reasonOf(text, 'jwt_vc_json', { ...OURS, keys: [{ ...jwk, alg: 'ES256' }] })).toBe(
    'key_unknown',
  );
});

it('a disclosure inside of another is put in, with each hash that is known', async () => {
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
    const outcome = await verifier.verify(text, 'dc+sd-jwt', [OURS], NOW);
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
])('a credential is %s by its header and payload', async (reason, payload, header) => {
  expect(await reasonOf(await sign(payload, header), 'jwt_vc_json')).toBe(reason);
});

it('a key-binding JWT, and a text of more than 64 KiB, are refused', async () => {
  expect(await reasonOf(`${await sdJwt()}a.b.c`, 'dc+sd-jwt')).toBe('key_binding');
  expect(await reasonOf('a'.repeat(65_537), 'dc+sd-jwt')).toBe('too_large');
});

it('garbage is refused and never throws', async () => {
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
    async (t, f) => {
      expect(await reasonOf(t, f)).not.toBe('accepted');
    },
  );
  await fc.assert(property, { seed: 11_212_026, numRuns: 1_000 });
});
