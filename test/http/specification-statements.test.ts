/** Every statement about behavior in the interface specification, by number, on a running service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRODUCTION, revokeApplication } from '../../src/service/index.js';
import { STATEMENTS } from '../specification/check-fields.js';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type CompletedGrant,
  createLiteralClient,
  type LiteralClient,
  REDIRECT_URI,
  SCOPES,
} from '../specification/literal-client.js';
import { isTokenValid, postJson } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

const ADA_WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ADA_OTHER_WALLET = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const ISO_8601_UTC_MS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const PROOF = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };

let started: StartedService;
let client: LiteralClient;
/** Ada's grant, with every scope that the specification mentions. */
let ada: CompletedGrant;

beforeAll(async () => {
  started = await startService();
  client = createLiteralClient(started);
  ada = await client.completeGrant();
});

afterAll(() => started.stop());

const tested = new Set<string>();

/** Defines the test of a statement. */
function statement(id: string, work: () => Promise<void>): void {
  const found = STATEMENTS.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no such statement: ${id}`);
  tested.add(id);
  it(`${id}: ${found.text}`, work);
}

type Check = Readonly<{ claim: string; operator: string; value?: unknown }>;

const check = (claim: string, operator: string, value?: unknown): { readonly check: Check } => ({
  check: { claim, operator, ...(value === undefined ? {} : { value }) },
});
const PASSES = check('kyc.passed', '==', true);
const FAILS = check('kyc.passed', '==', false);

/** Evaluates queries for Ada. Returns for each whether it passes, or its error code. */
async function evaluateAll(...queries: readonly object[]): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (const query of queries) {
    const { status, body } = await client.evaluate(query, ada.accessToken);
    results.push(status === 200 ? body.passed : body.error_code);
  }
  return results;
}

async function project(claim: string, lens: string, parameters: object = {}): Promise<unknown> {
  const { body } = await client.evaluate({ projections: [{ claim, lens, ...parameters }] }, ada.accessToken);
  return body.data[claim];
}

describe('preamble and overview', () => {
  statement('P1', async () => {
    const { body } = await client.get('/.well-known/hp-configuration');
    expect([started.url.endsWith('/v2'), body.issuer]).toEqual([true, started.url]);
    expect(body.revoke_endpoint).toBe(`${started.url}/oauth/revoke`);
  });

  statement('P2', async () => {
    const { body, type } = await client.get('/presets');
    expect([type.split(';')[0], Array.isArray(body.presets)]).toEqual(['application/json', true]);
    expect(ada.tokens.type.split(';')[0]).toBe('application/json');
    const form = await fetch(`${started.url}/presets/batch`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ada.accessToken}` },
      body: new URLSearchParams({ presets: 'age' }),
    });
    expect(form.status).toBe(415);
  });

  statement('P3', async () => {
    const { authorizationId } = await client.begin();
    const statuses = [
      (await client.context(authorizationId)).status,
      ada.approval.status,
      ada.tokens.status,
      (await client.evaluate(PASSES, ada.accessToken)).status,
      (await client.post('/presets/batch', { presets: ['age'] }, ada.accessToken)).status,
      (await client.post('/oauth/client/user-token', { ...PROOF, email: 'ada@example.org' })).status,
      (await client.post('/oauth/revoke', { token: 'unknown', client_id: CLIENT_ID })).status,
      (await client.get('/presets')).status,
      (await client.get('/userinfo', ada.accessToken)).status,
    ];
    expect(statuses).toEqual(statuses.map(() => 200));
  });

  statement('P4', async () => {
    const { authorizationId } = await client.begin(['openid', 'kyc:read']);
    expect((await client.context(authorizationId)).body).toMatchObject({
      authorization_id: authorizationId,
      requested_scopes: ['openid', 'kyc:read'],
      redirect_uri: REDIRECT_URI,
      state: 'state-1',
      nonce: 'nonce-1',
    });
  });

  statement('P5', async () => {
    const [full, part] = [await client.begin(['openid', 'kyc:read']), await client.begin()];
    const results = await client.approve(full.authorizationId);
    expect(results.body.granted_scopes).toEqual(['openid', 'kyc:read']);
    const some = await client.approve(part.authorizationId, ['kyc:read']);
    expect(some.body.granted_scopes).toEqual(['kyc:read']);
    for (const { body } of [results, some]) {
      expect(body.code).toMatch(/^[\w-]+$/);
      expect(Date.parse(body.code_expires_at)).toBeGreaterThan(started.clock.now());
    }
  });

  statement('P6', async () => {
    expect(Object.keys(ada.tokens.body)).toEqual(
      expect.arrayContaining(['access_token', 'refresh_token', 'id_token']),
    );
    const pending = await client.begin(['kyc:read']);
    const { body } = await client.approve(pending.authorizationId);
    const wrong = await client.exchange({ ...pending, verifier: 'x'.repeat(43) }, body.code);
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_grant']);
    const right = await client.exchange(pending, body.code);
    expect([right.status, right.body.id_token]).toEqual([200, undefined]);
  });

  statement('P7', async () => {
    const { body } = await client.post('/oauth/client/user-token', { ...PROOF, email: 'ada@example.org' });
    const { body: info } = await client.get('/userinfo', body.access_token);
    expect(info.sub).toBe(ada.tokens.body.app_scoped_user_id);
  });

  statement('P8', async () => {
    expect((await client.get('/userinfo', ada.accessToken)).body.email).toBe('ada@example.org');
    const { body } = await client.post('/presets/batch', { presets: ['kyc_level'] }, ada.accessToken);
    expect(body.results[0].value).toBe('enhanced');
    expect(await evaluateAll(PASSES, { policy: { allOf: [PASSES, PASSES] } })).toEqual([true, true]);
    expect(await project('kyc.level', 'pluck')).toBe('enhanced');
  });

  statement('P9', async () => {
    const { accessToken } = await client.completeGrant(['kyc:read']);
    const refused = await client.evaluate(check('financial.net_worth', '>', 1), accessToken);
    expect([refused.status, refused.body.error_code]).toEqual([403, 'E4003']);
    expect((await client.evaluate(PASSES, accessToken)).status).toBe(200);
  });

  statement('P10', async () => {
    const { accessToken, pending } = await client.completeGrant(['kyc:read']);
    await client.post('/oauth/revoke', { token: accessToken, client_id: CLIENT_ID });
    expect(await isTokenValid(started, accessToken)).toBe(false);
    const { body } = await client.post('/oauth/revoke', {
      authorization_id: pending.authorizationId,
      client_id: CLIENT_ID,
    });
    expect(body.revoked).toBe(true);
    expect((await client.context(pending.authorizationId)).body.status).toBe('revoked');
  });

  statement('P11', async () => {
    const [service, standard] = [
      await client.get('/.well-known/hp-configuration'),
      await client.get('/.well-known/openid-configuration'),
    ];
    expect(service.body.token_endpoint).toBe(standard.body.token_endpoint);
    expect(service.body.hp_configuration_endpoint).toBe(`${started.url}/.well-known/hp-configuration`);
    expect(standard.body.claim_types_supported).toEqual(['normal']);
  });

  statement('P12', async () => {
    const policyOf = async (scope: string) =>
      (await client.context((await client.begin([scope])).authorizationId)).body.policy;
    expect((await policyOf('kyc:read')).requires_palm_verification).toBe(false);
    expect((await policyOf('financial:net_worth')).requires_palm_verification).toBe(true);
  });
});

describe('resources', () => {
  const statusOf = async (id: string) => (await client.context(id)).body.status;

  statement('P13', async () => {
    const [pending, denied, approved] = [await client.begin(), await client.begin(), await client.begin()];
    await postJson(started, '/oauth/authorize/deny', { authorization_id: denied.authorizationId });
    const { body } = await client.approve(approved.authorizationId);
    expect(await statusOf(pending.authorizationId)).toBe('pending_admin');
    expect(await statusOf(denied.authorizationId)).toBe('denied');
    expect(await statusOf(approved.authorizationId)).toBe('approved');
    await client.exchange(approved, body.code);
    expect(await statusOf(approved.authorizationId)).toBe('consumed');
    const { authorizationId: authorization_id } = approved;
    await client.post('/oauth/revoke', { authorization_id, client_id: CLIENT_ID });
    expect(await statusOf(authorization_id)).toBe('revoked');
  });

  statement('P14', async () => {
    const other = await startService();
    const literal = createLiteralClient(other);
    const { authorizationId } = await literal.begin();
    const statusOfApplication = async () => (await literal.context(authorizationId)).body.application.status;
    expect(await statusOfApplication()).toBe('active');
    await revokeApplication(CLIENT_ID, other);
    expect(await statusOfApplication()).toBe('revoked');
    await other.stop();
  });

  statement('P15', async () => {
    expect(ada.approval.body.status).toBe('approved');
  });

  statement('P16', async () => {
    const { body } = await client.post('/oauth/client/user-token', { ...PROOF, email: 'ada@example.org' });
    expect([ada.tokens.body.token_type, body.token_type]).toEqual(['Bearer', 'Bearer']);
  });

  statement('P17', async () => {
    const [first, other] = [
      await client.completeGrant(['kyc:read']),
      await client.completeGrant(['kyc:read']),
    ];
    const { body } = await client.post('/oauth/revoke', {
      tokens: [first.tokens.body.refresh_token, other.accessToken],
      client_id: CLIENT_ID,
    });
    expect([body.revoked_count, body.details]).toMatchObject([
      2,
      [
        { subject: 'token', status: 'revoked', token_type: 'refresh_token' },
        { subject: 'token', status: 'revoked', token_type: 'access_token' },
      ],
    ]);
  });

  statement('P18', async () => {
    const { body } = await client.evaluate(PASSES, ada.accessToken);
    expect(body.type).toBe('predicate');
    for (const at of [body.evaluatedAt, body.expiresAt]) expect(at).toMatch(ISO_8601_UTC_MS);
  });

  statement('P19', async () => {
    const { body } = await client.evaluate(PASSES, ada.accessToken);
    expect(body.evidence.claimsUsed).toHaveLength(1);
    for (const used of body.evidence.claimsUsed)
      expect(['string', 'undefined']).toContain(typeof used.source);
  });

  statement('P20', async () => {
    const projections = ['kyc.level', 'identity.country_of_residence'].map((claim) => ({
      claim,
      lens: 'pluck',
    }));
    const { body } = await client.evaluate({ projections }, ada.accessToken);
    expect([body.type, body.data]).toEqual([
      'projection',
      { 'kyc.level': 'enhanced', 'identity.country_of_residence': 'PT' },
    ]);
  });

  statement('P21', async () => {
    const { body } = await client.get('/presets');
    const preset = body.presets.find(({ name }: { name: string }) => name === 'service_uuid');
    expect(preset).toMatchObject({
      scope: 'identity:read',
      category: 'identity',
      type: 'string',
      sensitivity: 'low',
      derived: false,
    });
  });

  statement('P22', async () => {
    const { body } = await client.get('/presets');
    const presets: readonly { name: string; derived: boolean; parentField?: string }[] = body.presets;
    const names = presets.map(({ name }) => name);
    for (const { derived, parentField = '' } of presets)
      expect(derived ? names.includes(parentField) : parentField === '').toBe(true);
    expect(presets.find(({ name }) => name === 'age')?.parentField).toBe('date_of_birth');
  });

  statement('P23', async () => {
    const { body } = await client.post('/presets/batch', { presets: ['age', 'kyc_level'] }, ada.accessToken);
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual(['valid', 'valid']);
  });

  statement('P24', async () => {
    const paths = [
      'identity.age',
      'identity.country_of_residence',
      'kyc.passed',
      'kyc.document_country',
      'kyc.last_updated_at',
      'financial.net_worth',
      'financial.bank_balance',
      'financial.loan_balance',
    ];
    const scopes = [...SCOPES, 'financial:bank_balance', 'financial:loan_balance'];
    const { accessToken } = await client.completeGrant(scopes);
    for (const path of paths) {
      const { body } = await client.evaluate(check(path, 'isDefined'), accessToken);
      expect([path, body.passed]).toEqual([path, true]);
    }
    expect(await evaluateAll(check('identity', 'isDefined'))).toEqual(['E4001']);
  });
});

describe('states and endpoints', () => {
  statement('P25', async () => {
    const { authorizationId } = await client.begin();
    const { body } = await client.approve(authorizationId, SCOPES);
    expect([typeof body.code, typeof body.code_expires_at]).toEqual(['string', 'string']);
    expect((await client.context(authorizationId)).body.status).toBe('approved');
  });

  statement('P26', async () => {
    expect((await client.get('/oauth/authorize/context')).status).toBe(400);
    const { authorizationId } = await client.begin();
    expect((await client.context(authorizationId)).status).toBe(200);
  });

  statement('P27', async () => {
    const { authorizationId } = await client.begin();
    const scopes = ['identity:date_of_birth', 'financial:net_worth'];
    const { status, body } = await client.approve(authorizationId, scopes);
    expect([status, body.granted_scopes]).toEqual([200, scopes]);
  });

  statement('P28', async () => {
    expect(ada.tokens.status).toBe(200);
    expect(ada.tokens.body.granted_scopes).toEqual(ada.approval.body.granted_scopes);
  });

  statement('P29', async () => {
    const { pending, tokens, accessToken } = await client.completeGrant(['kyc:read']);
    const { authorizationId: authorization_id } = pending;
    const { status, body } = await client.post('/oauth/revoke', {
      token: accessToken,
      tokens: [tokens.body.refresh_token],
      token_type_hint: 'authorization',
      authorization_id,
      cascade: 'true',
      client_id: CLIENT_ID,
    });
    const common = { status: 'revoked', authorization_id, client_id: CLIENT_ID, reason: 'requested' };
    expect([status, body]).toMatchObject([
      200,
      {
        revoked: true,
        revoked_count: 3,
        details: [
          { ...common, subject: 'token', token_type: 'access_token' },
          { ...common, subject: 'token', token_type: 'refresh_token' },
          { ...common, subject: 'authorization', user_id: tokens.body.app_scoped_user_id },
        ],
      },
    ]);
  });

  statement('P30', async () => {
    const { pending } = await client.completeGrant(['kyc:read']);
    const { body } = await client.post('/oauth/revoke', {
      token: pending.authorizationId,
      token_type_hint: 'authorization',
      client_id: CLIENT_ID,
    });
    expect(body.details).toMatchObject([{ subject: 'authorization', status: 'revoked' }]);
  });

  statement('P31', async () => {
    const { accessToken, pending } = await client.completeGrant(['kyc:read']);
    await client.post('/oauth/revoke', { token: accessToken, cascade: 'true', client_id: CLIENT_ID });
    expect((await client.context(pending.authorizationId)).body.status).toBe('revoked');
  });

  statement('P32', async () => {
    const { status, body } = await client.post('/oauth/client/user-token', {
      ...PROOF,
      identifier: 'email|ada@example.org',
      user_id: ada.tokens.body.app_scoped_user_id,
      email: 'ada@example.org',
      evm_address: ADA_WALLET,
    });
    expect([status, body.user_id]).toEqual([200, ada.tokens.body.app_scoped_user_id]);
  });

  statement('P33', async () => {
    const bruno = await client.completeGrant(['identity:date_of_birth'], 'bruno');
    const adult = check('identity.age', '>=', 18);
    const passed = [ada, bruno].map(
      async ({ accessToken }) => (await client.evaluate(adult, accessToken)).body.passed,
    );
    expect(await Promise.all(passed)).toEqual([true, false]);
  });
});

describe('queries', () => {
  statement('P34', async () => {
    const projections = [{ claim: 'kyc.level', lens: 'pluck' }];
    const both = { ...PASSES, projections };
    expect(await evaluateAll({}, both, { ...PASSES, policy: { not: FAILS } })).toEqual(
      Array(3).fill('E4001'),
    );
  });

  statement('P35', async () => {
    const defined = check('kyc.level', 'isDefined');
    const valued = check('kyc.level', 'isDefined', true);
    expect(await evaluateAll(PASSES, defined, valued, check('kyc.level', '=='))).toEqual([
      true,
      true,
      'E4001',
      'E4001',
    ]);
  });

  statement('P36', async () => {
    const queries = [
      [PASSES, PASSES],
      [PASSES, FAILS],
    ].map((allOf) => ({ policy: { allOf } }));
    expect(await evaluateAll(...queries)).toEqual([true, false]);
  });

  statement('P37', async () => {
    const queries = [
      [FAILS, PASSES],
      [FAILS, FAILS],
    ].map((anyOf) => ({ policy: { anyOf } }));
    expect(await evaluateAll(...queries)).toEqual([true, false]);
  });

  statement('P38', async () => {
    const queries = [FAILS, PASSES, [FAILS]].map((not) => ({ policy: { not } }));
    expect(await evaluateAll(...queries)).toEqual([true, false, true]);
  });

  statement('P39', async () => {
    const inner = { policy: { anyOf: [FAILS, { policy: { allOf: [PASSES, { policy: { not: FAILS } }] } }] } };
    expect(await evaluateAll({ policy: { allOf: [PASSES, inner] } })).toEqual([true]);
  });

  statement('P40', async () => {
    const typeOf = async (query: object) => (await client.evaluate(query, ada.accessToken)).body.type;
    expect([
      await typeOf(PASSES),
      await typeOf({ policy: { not: FAILS } }),
      await typeOf({ projections: [{ claim: 'kyc.level', lens: 'pluck' }] }),
    ]).toEqual(['predicate', 'predicate', 'projection']);
  });

  /** A string, a number, a boolean and an array. */
  const VALUES_OF_ADA: readonly [claim: string, value: unknown, other: unknown][] = [
    ['kyc.level', 'enhanced', 'basic'],
    ['identity.age', 34, 35],
    ['kyc.passed', true, false],
    ['identity.wallet_addresses', [ADA_WALLET, ADA_OTHER_WALLET], [ADA_WALLET]],
  ];

  statement('P41', async () => {
    for (const [claim, value, other] of VALUES_OF_ADA)
      expect(await evaluateAll(check(claim, '==', value), check(claim, '==', other))).toEqual([true, false]);
  });

  statement('P42', async () => {
    for (const [claim, value, other] of VALUES_OF_ADA)
      expect(await evaluateAll(check(claim, '!=', value), check(claim, '!=', other))).toEqual([false, true]);
  });

  const OPERATORS: readonly [id: string, holding: Check, failing: Check][] = [
    ['P43', check('identity.age', '>', 33).check, check('identity.age', '>', 34).check],
    ['P44', check('identity.age', '>=', 34).check, check('identity.age', '>=', 35).check],
    ['P45', check('identity.age', '<', 35).check, check('identity.age', '<', 34).check],
    ['P46', check('identity.age', '<=', 34).check, check('identity.age', '<=', 33).check],
    ['P47', check('kyc.level', 'in', ['basic', 'enhanced']).check, check('kyc.level', 'in', ['none']).check],
    ['P48', check('kyc.level', 'notIn', ['none']).check, check('kyc.level', 'notIn', ['enhanced']).check],
    [
      'P49',
      check('identity.wallet_addresses', 'contains', ADA_WALLET).check,
      check('identity.wallet_addresses', 'contains', '0x0').check,
    ],
    ['P51', check('kyc.level', 'startsWith', 'enh').check, check('kyc.level', 'startsWith', 'bas').check],
    ['P52', check('kyc.level', 'matchRegex', '^en.*d$').check, check('kyc.level', 'matchRegex', '^x').check],
  ];

  for (const [id, holding, failing] of OPERATORS) {
    statement(id, async () => {
      expect(await evaluateAll({ check: holding }, { check: failing })).toEqual([true, false]);
    });
  }

  statement('P50', async () => {
    const { accessToken } = await client.completeGrant(['kyc:read', 'identity:read'], 'grace');
    const passed = async (claim: string) =>
      (await client.evaluate(check(claim, 'isDefined'), accessToken)).body.passed;
    expect([await passed('identity.is_human'), await passed('kyc.passed')]).toEqual([true, false]);
  });

  statement('P53', async () => {
    expect(await project('kyc.document_country', 'pluck')).toBe('PT');
  });

  statement('P54', async () => {
    const { accessToken } = await client.completeGrant(['identity:address_full']);
    const claim = 'identity.address_full';
    const projections = [{ claim, lens: 'pick', fields: ['locality', 'country'] }];
    const { body } = await client.evaluate({ projections }, accessToken);
    expect(body.data[claim]).toEqual({ locality: 'Lisboa', country: 'PT' });
  });

  statement('P55', async () => {
    expect(await project('identity.wallet_addresses', 'at')).toBe(ADA_WALLET);
    expect(await project('identity.wallet_addresses', 'at', { index: 0 })).toBe(ADA_WALLET);
    expect(await project('identity.wallet_addresses', 'at', { index: 1 })).toBe(ADA_OTHER_WALLET);
  });

  statement('P56', async () => {
    const { accessToken } = await client.completeGrant(['kyc:read']);
    const refused = await client.evaluate(
      { policy: { anyOf: [PASSES, check('identity.nationality', '==', 'PT')] } },
      accessToken,
    );
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
  });

  statement('P57', async () => {
    const covered: readonly [scope: string, claim: string][] = [
      ['identity:read', 'identity.country_of_residence'],
      ['identity:date_of_birth', 'identity.age'],
      ['financial:net_worth', 'financial.net_worth'],
    ];
    for (const [scope] of covered) {
      const { accessToken } = await client.completeGrant([scope]);
      const answered: string[] = [];
      for (const [, claim] of covered)
        if ((await client.evaluate(check(claim, 'isDefined'), accessToken)).status === 200)
          answered.push(claim);
      expect(answered).toEqual(covered.flatMap(([first, claim]) => (first === scope ? [claim] : [])));
    }
  });
});

describe('presets, user information and discovery', () => {
  statement('P58', async () => {
    const { status, body } = await client.post(
      '/presets/batch',
      { presets: ['service_uuid', 'tax_id', 'nothing'] },
      ada.accessToken,
    );
    expect(status).toBe(200);
    expect(body.results.map(({ preset }: { preset: string }) => preset)).toEqual(['service_uuid']);
    expect(body.errors.map(({ preset }: { preset: string }) => preset)).toEqual(['tax_id', 'nothing']);
  });

  statement('P59', async () => {
    const { body } = await client.get('/presets');
    expect(body.presets.map(({ name }: { name: string }) => name)).toContain('service_uuid');
  });

  statement('P60', async () => {
    const { status, body } = await client.get('/userinfo', ada.accessToken);
    expect([status, body.aud]).toEqual([200, CLIENT_ID]);
  });

  statement('P61', async () => {
    for (const name of ['hp-configuration', 'openid-configuration'])
      expect((await client.get(`/.well-known/${name}`)).status).toBe(200);
  });
});

describe('authentication', () => {
  statement('P62', async () => {
    const application = await started.store.findApplication(CLIENT_ID);
    // The application has a secret, but the exchange did not send it.
    expect([application?.secretHash === undefined, ada.tokens.status]).toEqual([false, 200]);
  });

  statement('P63', async () => {
    const { status } = await client.post('/oauth/client/user-token', { ...PROOF, email: 'ada@example.org' });
    const wrong = { ...PROOF, client_secret: 'wrong', email: 'ada@example.org' };
    expect([status, (await client.post('/oauth/client/user-token', wrong)).status]).toEqual([200, 401]);
  });

  statement('P64', async () => {
    const ines = await client.completeGrant(['identity:read'], 'ines');
    const { body } = await client.get('/userinfo', ines.accessToken);
    expect([body.sub, body.email]).toEqual([ines.tokens.body.app_scoped_user_id, 'ines+test@example.org']);
    const mail = check('identity.email', '==', 'ines+test@example.org');
    expect((await client.evaluate(mail, ines.accessToken)).body.passed).toBe(true);
    expect(await evaluateAll(mail)).toEqual([false]);
  });

  statement('P65', async () => {
    const { body } = ada.tokens;
    const [{ alg }] = [JSON.parse(Buffer.from(body.id_token.split('.')[0], 'base64url').toString('utf8'))];
    for (const name of ['hp-configuration', 'openid-configuration']) {
      const { body: document } = await client.get(`/.well-known/${name}`);
      expect(document.id_token_signing_alg_values_supported).toContain(alg);
      expect(document.token_endpoint_auth_methods_supported).toContain('none');
      expect((await fetch(document.jwks_uri)).status).toBe(200);
    }
    expect(typeof body.refresh_token).toBe('string');
  });
});

describe('errors, limits and versions', () => {
  statement('P66', async () => {
    const { body } = await client.post('/presets/batch', { presets: ['tax_id'] }, ada.accessToken);
    expect(body.errors).toEqual([
      {
        preset: 'tax_id',
        error: {
          error: 'insufficient_scope',
          error_code: 'E4003',
          error_description: expect.any(String),
          error_subcode: 'insufficient_scope',
          context: { missing: [{ claim: 'kyc.tax_id', scopes: ['kyc:tax_id'] }] },
        },
      },
    ]);
  });

  statement('P67', async () => {
    const { body } = await client.get('/.well-known/hp-configuration');
    expect([body.rate_limit_default, body.rate_limit_unit]).toEqual([300, 'requests_per_minute']);
  });

  statement('P68', async () => {
    const { authorizationId } = await client.begin();
    const { body: context } = await client.context(authorizationId);
    expect([
      ada.tokens.body.expires_in,
      ada.tokens.body.refresh_token_expires_in,
      context.policy.preset_cache_ttl_seconds,
    ]).toEqual([3_600, 2_592_000, 300]);
    expect(ada.approval.body.code_expires_at).toBe('2026-06-01T12:01:00.000Z');
    const { body } = await client.evaluate(PASSES, ada.accessToken);
    expect(Date.parse(body.expiresAt)).toBeGreaterThan(Date.parse(body.evaluatedAt));
  });

  statement('P69', async () => {
    const origin = new URL(started.url).origin;
    const statuses = ['/v2/presets', '/presets', '/v1/presets'].map(
      async (path) => (await fetch(`${origin}${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 404, 404]);
  });

  statement('P70', async () => {
    const production = await startService({ environment: PRODUCTION });
    const issuerOf = async ({ url }: StartedService) =>
      ((await (await fetch(`${url}/.well-known/hp-configuration`)).json()) as { issuer: string }).issuer;
    expect(await issuerOf(started)).toBe(started.url);
    expect(await issuerOf(production)).toBe(production.url);
    expect(production.url).not.toBe(started.url);
    expect([started.service.environment.name, production.service.environment.name]).toEqual([
      'sandbox',
      'production',
    ]);
    await production.stop();
  });
});

it('every statement about behavior has a test', () => {
  expect(STATEMENTS.map(({ id }) => id).filter((id) => !tested.has(id))).toEqual([]);
});
