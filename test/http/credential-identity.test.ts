/** A signed credential keeps its identity and its person under every encoding, and ids of different issuers do not collide (V18). */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_ADMINISTRATOR_TOKEN, type TrustedIssuer } from '../../src/service/index.js';
import { call, type HttpResponse, ingest } from '../support/call.js';
import {
  createKey,
  encode,
  fewerDisclosures,
  jwtVc,
  malleated,
  reversedDisclosures,
  sdJwtPayload,
  sdJwtVc,
  sha256,
  trustedIssuer,
  vcPayload,
  withKeyBinding,
} from '../support/credential-issuer.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const REGISTRY = 'https://registry.example';
const EVE = 'https://eve.example';
const BANK = 'https://bank.example';
const LISTS = 'https://lists.example';
const STRICT = 'https://strict.example';
const DEFAULTS = 'https://defaults.example';
const SECONDS = STARTED_AT / 1_000;
const registryKey = createKey();
const eveKey = createKey();
const holder = createKey();

/** Returns a trusted issuer without the optional settings. */
function withDefaults(name: string): TrustedIssuer {
  const { subject: _, ...issuer } = trustedIssuer(name, registryKey);
  return issuer;
}

let started: StartedService;

beforeAll(async () => {
  started = await startService({
    options: {
      issuers: [
        trustedIssuer(REGISTRY, registryKey),
        trustedIssuer(EVE, eveKey),
        trustedIssuer(BANK, registryKey, { holderBinding: 'external' }),
        trustedIssuer(STRICT, registryKey, { subject: 'required', holderBinding: 'external' }),
        withDefaults(DEFAULTS),
        trustedIssuer(LISTS, registryKey, {
          mappings: [
            {
              type: 'Person',
              claims: {
                '/nationalities/0': 'identity.nationality',
                '/places/0/0': 'identity.country_of_residence',
              },
            },
          ],
        }),
      ],
    },
  });
});

afterAll(() => started.stop());

function ingestSigned(
  person: string,
  credential: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<HttpResponse> {
  const format = credential.includes('~') ? 'dc+sd-jwt' : 'jwt_vc_json';
  const body = { identifier: `id|${person}`, format, credential, ...more };
  return call(started, '/credentials', SANDBOX_ADMINISTRATOR_TOKEN, body);
}

function revoke(id: string): Promise<HttpResponse> {
  const path = `/credentials/${encodeURIComponent(id)}`;
  return call(started, path, SANDBOX_ADMINISTRATOR_TOKEN, undefined, 'DELETE');
}

/** Returns the status, and for 400 the code of the first problem. */
function outcomeOf({ status, body }: HttpResponse): readonly unknown[] {
  return status === 400 ? [status, body.context.problems[0].code] : [status];
}

let serials = 0;
/** Returns a new serial, so that no two credentials have the same content. */
const createSerial = () => `n-${++serials}`;

const sdJwt = (more: Readonly<Record<string, unknown>> = {}) =>
  sdJwtVc(sdJwtPayload(REGISTRY, { serial: createSerial(), ...more }), registryKey, {
    level: 'basic',
    nationality: 'PT',
    age: 40,
  });

const ENCODINGS: [string, string, () => string, (text: string) => string][] = [
  ['an SD-JWT VC without jti', 'the same text', sdJwt, (text) => text],
  ['an SD-JWT VC without jti', 'the other ECDSA signature', sdJwt, malleated],
  ['an SD-JWT VC without jti', 'another order of disclosures', sdJwt, reversedDisclosures],
  ['an SD-JWT VC without jti', 'fewer disclosures', sdJwt, fewerDisclosures],
  ['an SD-JWT VC with jti', 'the other ECDSA signature', () => sdJwt({ jti: createSerial() }), malleated],
  ['an SD-JWT VC with jti', 'fewer disclosures', () => sdJwt({ jti: createSerial() }), fewerDisclosures],
  [
    'an SD-JWT VC whose jti is in a disclosure',
    'that disclosure left out',
    () =>
      sdJwtVc(sdJwtPayload(REGISTRY, { serial: createSerial() }), registryKey, {
        level: 'basic',
        jti: createSerial(),
      }),
    fewerDisclosures,
  ],
  [
    'a JWT VC without jti',
    'the other ECDSA signature',
    () => jwtVc(vcPayload(REGISTRY, { serial: createSerial() }), registryKey),
    malleated,
  ],
  [
    'a JWT VC with jti',
    'the other ECDSA signature',
    () => jwtVc(vcPayload(REGISTRY, { jti: createSerial() }), registryKey),
    malleated,
  ],
];

describe('a signed credential', () => {
  it.each(ENCODINGS)(
    'is not ingested again after its revocation: %s, with %s',
    async (_what, _how, make, change) => {
      const text = make();
      const ingested = await ingestSigned('grace', text);
      expect(ingested.status).toBe(200);
      expect((await revoke(ingested.body.id)).body.status).toBe('revoked');
      expect(outcomeOf(await ingestSigned('grace', change(text)))).toEqual([400, 'id_repeated']);
      expect((await revoke(ingested.body.id)).body.status).toBe('revoked');
    },
  );

  it.each(ENCODINGS)(
    'is not ingested for a second person: %s, with %s',
    async (_what, _how, make, change) => {
      const text = make();
      expect((await ingestSigned('grace', text)).status).toBe(200);
      expect(outcomeOf(await ingestSigned('ada', change(text)))).toEqual([400, 'id_repeated']);
    },
  );

  it('is ingested once if several encodings arrive at the same time', async () => {
    const text = sdJwt();
    const encodings = [text, malleated(text), reversedDisclosures(text), fewerDisclosures(text)];
    const outcomes = await Promise.all(encodings.map((encoding) => ingestSigned('grace', encoding)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  it('is accepted with either s of its ECDSA signature, the low or the high one', async () => {
    const hexOfS = (text: string) =>
      Buffer.from(text.split('~')[0]?.split('.')[2] ?? '', 'base64url')
        .subarray(32)
        .toString('hex');
    /** Returns both encodings of a new credential, the one with the low s first. */
    const encodings = () => {
      const text = sdJwt();
      return [text, malleated(text)].sort((one, other) => (hexOfS(one) < hexOfS(other) ? -1 : 1));
    };
    const [low = ''] = encodings();
    const [, high = ''] = encodings();
    expect((await ingestSigned('grace', low)).status).toBe(200);
    expect((await ingestSigned('grace', high)).status).toBe(200);
  });
});

describe('the subject of a credential', () => {
  const withSubject = (sub: string, more: Readonly<Record<string, unknown>> = {}) => sdJwt({ sub, ...more });

  it('belongs to the person of its first credential, with and without jti', async () => {
    expect((await ingestSigned('grace', withSubject('did:example:grace'))).status).toBe(200);
    expect(
      (await ingestSigned('grace', withSubject('did:example:grace', { jti: createSerial() }))).status,
    ).toBe(200);
    const refused = [400, 'subject_of_another_person'];
    expect(outcomeOf(await ingestSigned('ada', withSubject('did:example:grace')))).toEqual(refused);
    expect(
      outcomeOf(await ingestSigned('ada', withSubject('did:example:grace', { jti: createSerial() }))),
    ).toEqual(refused);
    const subject = { credentialSubject: { id: 'did:example:grace', level: 'basic' } };
    expect(outcomeOf(await ingestSigned('ada', jwtVc(vcPayload(REGISTRY, subject), registryKey)))).toEqual(
      refused,
    );
  });

  it('stays bound after its credential was revoked', async () => {
    const ingested = await ingestSigned('grace', withSubject('did:example:revoked'));
    await revoke(ingested.body.id);
    expect(outcomeOf(await ingestSigned('ada', withSubject('did:example:revoked')))).toEqual([
      400,
      'subject_of_another_person',
    ]);
  });

  it('is not bound by a rejected credential', async () => {
    const ingested = withSubject('did:example:ada-1');
    expect((await ingestSigned('ada', ingested)).status).toBe(200);
    expect(outcomeOf(await ingestSigned('grace', ingested))).toEqual([400, 'id_repeated']);
    expect(outcomeOf(await ingestSigned('nobody', withSubject('did:example:free')))).toEqual([404]);
    expect((await ingestSigned('ada', withSubject('did:example:free'))).status).toBe(200);
  });

  it('is separate for each issuer', async () => {
    const sub = 'customer-1';
    expect((await ingestSigned('grace', withSubject(sub))).status).toBe(200);
    const ofEve = sdJwtVc(sdJwtPayload(EVE, { sub }), eveKey, { level: 'basic' });
    expect((await ingestSigned('ada', ofEve)).status).toBe(200);
  });

  it('is bound to one person if it is ingested for several people at the same time', async () => {
    const people = ['ada', 'grace', 'chiyo', 'emeka', 'fatima'];
    const outcomes = await Promise.all(
      people.map((person) => ingestSigned(person, withSubject('did:example:raced'))),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  it('must equal the subject that the request expects', async () => {
    const expected = { subject: 'did:example:expected' };
    const mismatch = [400, 'subject_mismatch'];
    expect(outcomeOf(await ingestSigned('ada', withSubject('did:example:other'), expected))).toEqual(
      mismatch,
    );
    expect(outcomeOf(await ingestSigned('ada', sdJwt(), expected))).toEqual(mismatch);
    expect(outcomeOf(await ingestSigned('ada', jwtVc(vcPayload(REGISTRY), registryKey), expected))).toEqual(
      mismatch,
    );
    expect((await ingestSigned('ada', withSubject('did:example:expected'), expected)).status).toBe(200);
  });

  it('is not left unchecked: a request with an empty expected subject, audience or nonce is rejected', async () => {
    for (const name of ['subject', 'audience', 'nonce']) {
      const { status, body } = await ingestSigned('ada', sdJwt(), { audience: 'a', nonce: 'n', [name]: '' });
      expect([status, body.context.problems[0].pointer]).toEqual([400, `/${name}`]);
    }
  });

  it('cannot be expected of an unsigned JSON credential', async () => {
    const credential = { id: 'own-1', source: 's', issuedAt: '2026-01-01T00:00:00Z', claims: {} };
    const body = { identifier: 'id|ada', credential, subject: 'did:example:ada' };
    const { status, body: error } = await call(started, '/credentials', SANDBOX_ADMINISTRATOR_TOKEN, body);
    expect([status, error.context.problems[0].pointer]).toEqual([400, '/subject']);
  });
});

describe('a credential without a subject', () => {
  const sdJwtOf = (issuer: string, more: Readonly<Record<string, unknown>> = {}) =>
    sdJwtVc(sdJwtPayload(issuer, { serial: createSerial(), ...more }), registryKey, { level: 'basic' });
  const vcOf = (issuer: string, more: Readonly<Record<string, unknown>> = {}) =>
    jwtVc(vcPayload(issuer, { jti: createSerial(), ...more }), registryKey);
  const missing = [400, 'subject_missing'];
  const cnf = { jwk: holder.jwk };

  it('is rejected as SD-JWT VC by default, and accepted as JWT VC, which has no withholdable claims', async () => {
    expect(outcomeOf(await ingestSigned('ada', sdJwtOf(DEFAULTS)))).toEqual(missing);
    expect((await ingestSigned('ada', vcOf(DEFAULTS))).status).toBe(200);
    expect((await ingestSigned('ada', sdJwtOf(DEFAULTS, { sub: createSerial() }))).status).toBe(200);
    const { body } = await ingestSigned('ada', sdJwtOf(DEFAULTS));
    expect(body.context.problems[0].message).toContain('"subject": "optional"');
  });

  it('is rejected by default even if a disclosure, shown or withheld, has the subject', async () => {
    for (const name of ['sub', 'cnf']) {
      const payload = sdJwtPayload(DEFAULTS, { serial: createSerial() });
      const text = sdJwtVc(payload, registryKey, { [name]: name === 'sub' ? 'did:example:grace' : cnf });
      expect(outcomeOf(await ingestSigned('ada', text))).toEqual([400, 'disclosure']);
      expect(outcomeOf(await ingestSigned('ada', fewerDisclosures(text)))).toEqual(missing);
    }
  });

  it('is rejected in both formats if its issuer requires a subject', async () => {
    expect(outcomeOf(await ingestSigned('ada', sdJwtOf(STRICT)))).toEqual(missing);
    expect(outcomeOf(await ingestSigned('ada', vcOf(STRICT)))).toEqual(missing);
    expect((await ingestSigned('ada', vcOf(STRICT, { sub: createSerial() }))).status).toBe(200);
  });

  it("is accepted if it is bound to its holder's key", async () => {
    const claims = { aud: 'https://intake.example', nonce: 'n', iat: SECONDS };
    const text = withKeyBinding(sdJwtOf(DEFAULTS, { cnf }), holder, claims);
    expect((await ingestSigned('ada', text, { audience: claims.aud, nonce: 'n' })).status).toBe(200);
    expect((await ingestSigned('ada', sdJwtOf(STRICT, { cnf }))).status).toBe(200);
    expect((await ingestSigned('ada', vcOf(STRICT, { cnf }))).status).toBe(200);
    expect(outcomeOf(await ingestSigned('ada', sdJwtOf(STRICT, { cnf: null })))).toEqual(missing);
  });

  it('is accepted if its issuer is configured with an optional subject', async () => {
    expect((await ingestSigned('ada', sdJwtOf(REGISTRY))).status).toBe(200);
  });
});

describe("a credential that is bound to its holder's key", () => {
  const CHALLENGE = { audience: 'https://intake.example', nonce: 'nonce-1' };
  const CLAIMS = { aud: CHALLENGE.audience, nonce: CHALLENGE.nonce, iat: SECONDS };
  const holderBound = (more: Readonly<Record<string, unknown>> = {}) =>
    sdJwt({ cnf: { jwk: holder.jwk }, ...more });

  it('is rejected without a proof of possession, in both formats', async () => {
    const refused = [400, 'key_binding'];
    expect(outcomeOf(await ingestSigned('ada', holderBound()))).toEqual(refused);
    const cnf = { jwk: holder.jwk };
    expect(outcomeOf(await ingestSigned('ada', jwtVc(vcPayload(REGISTRY, { cnf }), registryKey)))).toEqual(
      refused,
    );
    const inside = { iss: REGISTRY, nbf: 1, vc: { ...vcPayload(REGISTRY), cnf } };
    expect(outcomeOf(await ingestSigned('ada', jwtVc(inside, registryKey)))).toEqual(refused);
    const { body } = await ingestSigned('ada', holderBound());
    expect(body.context.problems[0].message).toMatch(
      /must end in a key-binding JWT.*"holder_binding": "external"/,
    );
    const { body: ofJwtVc } = await ingestSigned('ada', jwtVc(inside, registryKey));
    expect(ofJwtVc.context.problems[0].message).toBe(
      'A JWT VC must not have cnf, unless its issuer has `"holder_binding": "external"` in the file of issuers.',
    );
  });

  it('is accepted with a proof for the challenge of the request', async () => {
    const lifetime = { nbf: SECONDS + 60, exp: SECONDS + 1 };
    expect(
      (
        await ingestSigned(
          'ada',
          withKeyBinding(holderBound(), holder, { ...CLAIMS, ...lifetime }),
          CHALLENGE,
        )
      ).status,
    ).toBe(200);
    const text = withKeyBinding(holderBound(), holder, CLAIMS);
    expect((await ingestSigned('ada', text, CHALLENGE)).status).toBe(200);
    expect(outcomeOf(await ingestSigned('ada', text, CHALLENGE))).toEqual([400, 'id_repeated']);
  });

  it('is accepted without a proof if its issuer is configured with external holder binding', async () => {
    const payload = sdJwtPayload(BANK, { cnf: { jwk: holder.jwk } });
    expect((await ingestSigned('ada', sdJwtVc(payload, registryKey, { level: 'basic' }))).status).toBe(200);
  });

  it.each([
    ['that another key signed', (text: string) => withKeyBinding(text, eveKey, CLAIMS), CHALLENGE],
    [
      'that the key in its own header signed',
      (text: string) => withKeyBinding(text, eveKey, CLAIMS, { jwk: eveKey.jwk }),
      CHALLENGE,
    ],
    [
      'for another nonce',
      (text: string) => withKeyBinding(text, holder, { ...CLAIMS, nonce: 'old' }),
      CHALLENGE,
    ],
    [
      'for another audience',
      (text: string) => withKeyBinding(text, holder, { ...CLAIMS, aud: EVE }),
      CHALLENGE,
    ],
    [
      'for several audiences',
      (text: string) => withKeyBinding(text, holder, { ...CLAIMS, aud: [CHALLENGE.audience, EVE] }),
      CHALLENGE,
    ],
    [
      'that is five minutes and a second old',
      (text: string) => withKeyBinding(text, holder, { ...CLAIMS, iat: SECONDS - 301 }),
      CHALLENGE,
    ],
    [
      'that was issued in the future',
      (text: string) => withKeyBinding(text, holder, { ...CLAIMS, iat: SECONDS + 61 }),
      CHALLENGE,
    ],
    [
      'without an issue time',
      (text: string) => withKeyBinding(text, holder, { ...CLAIMS, iat: undefined }),
      CHALLENGE,
    ],
    [
      'that has expired',
      (text: string) => withKeyBinding(text, holder, { ...CLAIMS, exp: SECONDS }),
      CHALLENGE,
    ],
    [
      'whose expiry is not a number',
      (text: string) => withKeyBinding(text, holder, { ...CLAIMS, exp: `${SECONDS + 60}` }),
      CHALLENGE,
    ],
    [
      'that is not valid yet',
      (text: string) => withKeyBinding(text, holder, { ...CLAIMS, nbf: SECONDS + 61 }),
      CHALLENGE,
    ],
    [
      'of another credential',
      (text: string) => text + withKeyBinding(holderBound(), holder, CLAIMS).split('~').at(-1),
      CHALLENGE,
    ],
    [
      'of other disclosures',
      (text: string) => fewerDisclosures(text) + withKeyBinding(text, holder, CLAIMS).split('~').at(-1),
      CHALLENGE,
    ],
    ['without a challenge in the request', (text: string) => withKeyBinding(text, holder, CLAIMS), {}],
  ])('is rejected with a proof %s', async (_what, prove, challenge) => {
    expect(outcomeOf(await ingestSigned('ada', prove(holderBound()), challenge))).toEqual([
      400,
      'key_binding',
    ]);
  });

  it('is rejected without a proof, even if the request has a challenge', async () => {
    expect(outcomeOf(await ingestSigned('ada', holderBound(), CHALLENGE))).toEqual([400, 'key_binding']);
  });

  it('is rejected with a proof of another type, such as another token that the holder signed', async () => {
    const text = withKeyBinding(holderBound(), holder, CLAIMS, { typ: 'JWT' });
    expect(outcomeOf(await ingestSigned('ada', text, CHALLENGE))).toEqual([400, 'media_type']);
  });

  it.each([
    ['is null', null],
    ['has no key', {}],
    ['has only a key id', { kid: 'k1' }],
    ['has a private key', { jwk: holder.privateKey.export({ format: 'jwk' }) }],
    ['has a shared secret', { jwk: { kty: 'oct', k: 'AAAA' } }],
  ])('is rejected if its cnf %s', async (_what, cnf) => {
    const text = withKeyBinding(sdJwt({ cnf }), holder, CLAIMS);
    expect(outcomeOf(await ingestSigned('ada', text, CHALLENGE))).toEqual([400, 'key_binding']);
    expect(outcomeOf(await ingestSigned('ada', sdJwt({ cnf })))).toEqual([400, 'key_binding']);
  });

  it('is rejected if it has a proof but no cnf', async () => {
    expect(outcomeOf(await ingestSigned('ada', withKeyBinding(sdJwt(), holder, CLAIMS), CHALLENGE))).toEqual([
      400,
      'key_binding',
    ]);
  });

  it('requires audience and nonce together', async () => {
    const text = withKeyBinding(holderBound(), holder, CLAIMS);
    for (const half of [{ audience: CHALLENGE.audience }, { nonce: CHALLENGE.nonce }]) {
      expect(outcomeOf(await ingestSigned('ada', text, half))).toEqual([400, 'member_missing']);
    }
  });
});

describe('a claim from an array whose elements are selectively disclosable', () => {
  const element = (value: unknown) => encode([createSerial(), value]);
  const digestOf = (text: string) => ({ '...': sha256(text) });

  it('is absent if its element is withheld, and no other element takes its place', async () => {
    const [first, second, nested] = [element('PT'), element('DE'), element('PT')];
    const inner = element([digestOf(nested), 'DE']);
    const payload = sdJwtPayload(LISTS, {
      serial: createSerial(),
      nationalities: [digestOf(first), digestOf(second)],
      places: [digestOf(inner)],
    });
    const claimsWith = async (...disclosures: string[]) => {
      const jwt = sdJwtVc({ ...payload, serial: createSerial() }, registryKey);
      const { status, body } = await ingestSigned(
        'ada',
        `${jwt}${disclosures.map((text) => `${text}~`).join('')}`,
      );
      return [status, body.claims];
    };
    const nationality = 'identity.nationality';
    const country = 'identity.country_of_residence';
    expect(await claimsWith(first, second)).toEqual([200, { [nationality]: 'PT' }]);
    expect(await claimsWith(second)).toEqual([200, {}]);
    expect(await claimsWith(inner, nested)).toEqual([200, { [country]: 'PT' }]);
    expect(await claimsWith(inner)).toEqual([200, {}]);
  });
});

describe('the audience of a credential', () => {
  const foreign = [EVE, [EVE], [], null, 1, {}].map((aud) => [JSON.stringify(aud), aud] as const);

  it.each(foreign)('must be this service if it is stated: %s is rejected', async (_text, aud) => {
    expect(outcomeOf(await ingestSigned('ada', sdJwt({ aud })))).toEqual([400, 'audience']);
    const vc = jwtVc(vcPayload(REGISTRY, { aud, jti: createSerial() }), registryKey);
    expect(outcomeOf(await ingestSigned('ada', vc))).toEqual([400, 'audience']);
  });

  it('may be this service', async () => {
    expect((await ingestSigned('ada', sdJwt({ aud: started.url }))).status).toBe(200);
    expect((await ingestSigned('ada', sdJwt({ aud: [EVE, started.url] }))).status).toBe(200);
  });
});

describe('the id of a credential', () => {
  it('is scoped by the issuer: credentials of two trusted issuers can have the same jti', async () => {
    const jti = 'urn:uuid:1';
    const squatted = await ingestSigned(
      'ada',
      sdJwtVc(sdJwtPayload(EVE, { jti }), eveKey, { level: 'basic' }),
    );
    const genuine = await ingestSigned('grace', sdJwt({ jti }));
    expect([squatted.status, genuine.status]).toEqual([200, 200]);
    expect(genuine.body.id).not.toBe(squatted.body.id);
    expect((await revoke(squatted.body.id)).body.source).toBe(EVE);
    const again = await ingestSigned('grace', sdJwt({ jti }));
    expect(outcomeOf(again)).toEqual([400, 'id_repeated']);
    const revoked = await revoke(genuine.body.id);
    expect([revoked.body.source, revoked.body.status]).toEqual([REGISTRY, 'revoked']);
  });

  it('can be computed from issuer and jti, so that an administrator can revoke by them', async () => {
    const jti = 'urn:uuid:é "2"';
    expect((await ingestSigned('grace', sdJwt({ jti }))).status).toBe(200);
    const hash = createHash('sha256')
      .update(JSON.stringify([REGISTRY, jti]))
      .digest('base64url');
    expect((await revoke(`jti_${hash}`)).status).toBe(200);
  });

  it('has a reserved prefix if it is signed, so that it never equals the id of a JSON credential', async () => {
    const jti = 'shared-1';
    expect((await ingest(started, 'ada', { id: jti, claims: {} })).status).toBe(200);
    const signed = await ingestSigned('ada', sdJwt({ jti }));
    expect(signed.status).toBe(200);
    for (const id of [signed.body.id, `jws_${'A'.repeat(43)}`]) {
      expect(outcomeOf(await ingest(started, 'ada', { id, claims: {} }))).toEqual([400, 'id_reserved']);
    }
  });

  it.each([
    ['.', '.'],
    ['..', '..'],
    ['257 bytes', 'a'.repeat(257)],
    ['65 characters of four bytes', '\u{1f600}'.repeat(65)],
    ['1,024 characters of three bytes', '\u20ac'.repeat(1_024)],
    ['a control character', 'a\u0001'],
  ])('must not be %s, in a JSON credential or as a jti', async (_what, id) => {
    const malformed = [400, 'id_malformed'];
    expect(outcomeOf(await ingest(started, 'ada', { id, claims: {} }))).toEqual(malformed);
    const signed = await ingestSigned('ada', sdJwt({ jti: id }));
    expect([outcomeOf(signed), JSON.stringify(signed.body)]).toEqual([
      malformed,
      expect.stringContaining('`jti`'),
    ]);
    const vc = jwtVc(vcPayload(REGISTRY, { id }), registryKey);
    expect(outcomeOf(await ingestSigned('ada', vc))).toEqual(malformed);
  });

  it.each([
    'a/b',
    '/',
    '//',
    '../..',
    './x',
    '...',
    'a\\b',
    '%2e%2e',
    '%',
    '%2F',
    '?a=b',
    '#a',
    ';a=b',
    ' ',
    '+',
    'é\u20ac\u{1f600}',
    '\u202e',
    'https://issuer.example/credentials/3732?a=b#c',
    '\u{1f600}'.repeat(64),
    '%'.repeat(256),
  ])('may be %j, and works in a revocation by a client that normalizes URLs', async (id) => {
    expect((await ingest(started, 'ada', { id, claims: {} })).status).toBe(200);
    const revoked = await revoke(id);
    expect([revoked.status, revoked.body.id, revoked.body.status]).toEqual([200, id, 'revoked']);
    const signed = await ingestSigned('ada', sdJwt({ jti: id }));
    expect([(await revoke(signed.body.id)).status, signed.status]).toEqual([200, 200]);
  });

  it('is not shown to organizations, which receive pairwise ids instead', async () => {
    const ingested = await ingestSigned('emeka', sdJwt({ jti: createSerial() }));
    const { body } = await call(
      started,
      '/credentials',
      await started.token('emeka', 'data.read', 'kyc:read'),
    );
    const text = JSON.stringify(body);
    expect(text).toContain(REGISTRY);
    expect(text).not.toContain(ingested.body.id);
    expect(text).not.toContain(ingested.body.id.slice('jti_'.length));
  });
});

describe('the stored form of a credential', () => {
  it('contains neither its subject nor a hash that could be compared with guesses', async () => {
    const payload = vcPayload(REGISTRY, {
      sub: 'subject-in-clear',
      credentialSubject: { level: 'enhanced' },
    });
    const text = jwtVc(payload, registryKey);
    const { body } = await ingestSigned('fatima', text);
    const signedContent = text.slice(0, text.lastIndexOf('.'));
    const hashes = [signedContent, JSON.stringify([REGISTRY, signedContent])].map((guess) =>
      createHash('sha256').update(guess).digest('base64url'),
    );
    expect(body.id).toMatch(/^jws_/);
    const contents = await started.contents();
    for (const secret of ['subject-in-clear', ...hashes]) expect(contents).not.toContain(secret);
    expect(contents).toContain(body.id);
  });
});
