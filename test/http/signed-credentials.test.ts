/** Signed credentials are ingested and used by queries. They are rejected if a byte is changed, if the issuer is unknown, and after their expiry. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogueClaim, DEFAULT_CLAIMS, DEFAULT_SCOPES } from '../../src/engine/index.js';
import { DEFAULT_CATALOGUE, SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import { call } from '../support/call.js';
import {
  createKey,
  encode,
  jwtVc,
  sdJwtPayload,
  sha256,
  signJws,
  trustedIssuer,
  vcPayload,
} from '../support/credential-issuer.js';
import { DEGREE, DEGREE_ISSUERS, DRAFT_ISSUER, DRAFT_PID } from '../support/specification-credentials.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const EDUCATION: CatalogueClaim = {
  path: 'education.degree',
  type: 'string',
  scope: 'education:read',
  sensitivity: 'low',
  description: 'A degree.',
};

let started: StartedService;

beforeAll(async () => {
  started = await startService({
    options: {
      issuers: [DRAFT_ISSUER, ...DEGREE_ISSUERS],
      catalogue: {
        ...DEFAULT_CATALOGUE,
        scopes: [
          ...DEFAULT_SCOPES,
          {
            name: 'education:read',
            category: 'education',
            sensitivity: 'low',
            displayName: 'Degrees',
            description: 'Degrees.',
          },
        ],
        claims: [...DEFAULT_CLAIMS, EDUCATION],
      },
    },
  });
});

afterAll(() => started.stop());

function ingestSigned(format: string, credential: unknown) {
  return call(started, '/credentials', SANDBOX_ADMINISTRATOR_TOKEN, {
    identifier: 'id|grace',
    format,
    credential,
  });
}

async function evidenceOf(claim: string, scope: string) {
  const query = { query: { check: { claim, operator: 'isDefined' } } };
  const { body } = await call(started, '/queries/evaluate', await started.token('grace', scope), query);
  return body.evidence.claimsUsed;
}

describe('a specification’s example', () => {
  it('of an SD-JWT VC is ingested and used by queries, which name its issuer', async () => {
    const ingested = await ingestSigned('dc+sd-jwt', DRAFT_PID);
    expect(ingested.status).toBe(200);
    expect(ingested.body).toMatchObject({
      source: 'Federal Printing Office',
      issued_at: '2023-05-02T04:00:00.000Z',
      expires_at: '2029-09-01T23:33:20.000Z',
      claims: { 'identity.date_of_birth': '1963-08-12', 'identity.nationality': 'DE' },
    });
    expect(await evidenceOf('identity.nationality', 'identity:read')).toEqual([
      {
        path: 'identity.nationality',
        value: 'DE',
        credentialId: expect.stringMatching(/^crd_/),
        source: 'Federal Printing Office',
      },
    ]);
    const preset = await call(
      started,
      '/presets/age_over_21',
      await started.token('grace', 'identity:date_of_birth'),
    );
    expect([preset.body.value, preset.body.evidence.claimsUsed[0].source]).toEqual([
      true,
      'Federal Printing Office',
    ]);
  });

  it('of a JWT VC is ingested and used by queries, which name its issuer', async () => {
    const ingested = await ingestSigned('jwt_vc_json', DEGREE);
    expect([ingested.status, ingested.body.id]).toEqual([
      200,
      expect.stringMatching(/^jti_[A-Za-z0-9_-]{43}$/),
    ]);
    expect(await evidenceOf('education.degree', 'education:read')).toEqual([
      {
        path: 'education.degree',
        value: 'Bachelor of Science and Arts',
        credentialId: expect.stringMatching(/^crd_/),
        source: 'Example University',
      },
    ]);
    const path = `/credentials/${encodeURIComponent(ingested.body.id)}`;
    const revoked = await call(started, path, SANDBOX_ADMINISTRATOR_TOKEN, undefined, 'DELETE');
    expect([revoked.status, await evidenceOf('education.degree', 'education:read')]).toEqual([200, []]);
  });

  it.each([
    ['dc+sd-jwt', DRAFT_PID],
    ['jwt_vc_json', DEGREE],
  ])(
    'of %s with a changed byte in header, payload or signature is rejected with a reason',
    async (format, text) => {
      const [header, payload, signature] = [5, text.indexOf('.') + 20, text.lastIndexOf('.') + 20];
      for (const position of [header, payload, signature]) {
        const other = text[position] === 'A' ? 'B' : 'A';
        const { status, body } = await ingestSigned(
          format,
          text.slice(0, position) + other + text.slice(position + 1),
        );
        expect([status, body.error_code]).toEqual([400, 'E4000']);
        expect(body.context.problems).toEqual([
          {
            pointer: '/credential',
            code: expect.stringMatching(
              /^(malformed|signature|algorithm|media_type|issuer_unknown|key_unknown)$/,
            ),
            message: expect.any(String),
          },
        ]);
      }
    },
  );
});

describe('a signed credential', () => {
  it('is not ingested twice', async () => {
    // Another test may have ingested it already.
    await ingestSigned('dc+sd-jwt', DRAFT_PID);
    const { status, body } = await ingestSigned('dc+sd-jwt', DRAFT_PID);
    expect([status, body.context.problems[0].code]).toEqual([400, 'id_repeated']);
  });

  it('is rejected after its expiry', async () => {
    started.clock.moveTo(Date.parse('2029-09-01T23:33:20.000Z'));
    const { body } = await ingestSigned('dc+sd-jwt', DRAFT_PID);
    expect(body.context.problems[0].code).toBe('expired');
    started.clock.moveTo(STARTED_AT);
  });

  it('must be a string, in a supported format', async () => {
    expect((await ingestSigned('jwt_vc_json', { iss: 'x' })).body.context.problems[0].code).toBe(
      'not_a_string',
    );
    expect((await ingestSigned('ldp_vc', DEGREE)).body.context.problems[0]).toMatchObject({
      pointer: '/format',
      code: 'value_unknown',
    });
    expect((await ingestSigned('json', DEGREE)).body.context.problems[0].code).toBe('not_an_object');
  });

  it('of an untrusted issuer is rejected', async () => {
    const other = await startService();
    try {
      const { body } = await call(other, '/credentials', SANDBOX_ADMINISTRATOR_TOKEN, {
        identifier: 'id|grace',
        format: 'dc+sd-jwt',
        credential: DRAFT_PID,
      });
      expect(body.context.problems[0].code).toBe('issuer_unknown');
    } finally {
      await other.stop();
    }
  });
});

// S41, S152
describe('a signed credential with a claim that nests', () => {
  const key = createKey();
  const ISSUER = 'https://registry.example';
  const MAPPING = { type: 'Person', claims: { '/accounts': 'identity.social_accounts' } };
  let service: StartedService;

  beforeAll(async () => {
    service = await startService({
      options: { issuers: [trustedIssuer(ISSUER, key, { mappings: [MAPPING] })] },
    });
  });

  afterAll(() => service.stop());

  const send = async (format: string, credential: string) => {
    const body = { identifier: 'id|grace', format, credential };
    const response = await call(service, '/credentials', SANDBOX_ADMINISTRATOR_TOKEN, body);
    return [response.status, response.body.context?.problems?.[0]?.code];
  };
  const arrays = (depth: number, inner: unknown) => {
    let value = inner;
    for (let level = 0; level < depth; level += 1) value = [value];
    return value;
  };

  it('16 deep is accepted, and 17 deep is rejected', async () => {
    const credential = (jti: string, depth: number) =>
      jwtVc(vcPayload(ISSUER, { jti, credentialSubject: { accounts: arrays(depth, 'x') } }), key);
    expect(await send('jwt_vc_json', credential('16', 16))).toEqual([200, undefined]);
    expect(await send('jwt_vc_json', credential('17', 17))).toEqual([400, 'claim_value']);
  });

  it.each([
    [1, 400, 'claim_value'],
    [6, 900, 'malformed'],
  ])(
    'across a chain of %d disclosures, with %d levels in each of them and in the payload, is rejected',
    async (count, depth, problem) => {
      const disclosures: string[] = [];
      let accounts = arrays(depth, 'x');
      for (let index = 0; index < count; index += 1) {
        const disclosure = encode([`salt ${index}`, accounts]);
        disclosures.push(disclosure);
        accounts = arrays(depth, [{ '...': sha256(disclosure) }]);
      }
      const jwt = signJws({ alg: 'ES256', typ: 'dc+sd-jwt' }, sdJwtPayload(ISSUER, { accounts }), key);
      expect(await send('dc+sd-jwt', `${[jwt, ...disclosures].join('~')}~`)).toEqual([400, problem]);
      expect(service.failures).toEqual([]);
    },
  );
});
