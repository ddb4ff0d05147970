/** Presets: the list, single ones and batches; derived presets on both sides of their thresholds (S141–S144). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, ingest } from '../support/call.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

const IDENTITY = [
  'service_uuid',
  'service_score',
  'is_human',
  'palm_verified',
  'country_of_residence',
  'residency_region',
  'nationality',
  'email',
  'phone',
  'social_accounts',
  'wallet_addresses',
  'primary_wallet_address',
];
const BIRTH = ['date_of_birth', 'age', 'age_over_18', 'age_over_21'];
const DOCUMENTED = [
  ...IDENTITY,
  ...BIRTH,
  'legal_name',
  'address_postal_code',
  'address_full',
  'kyc_passed',
  'kyc_level',
  'kyc_last_updated_at',
  'sanctions_clear',
  'aml_screening_passed',
  'pep_status',
  'is_high_risk',
  'geo_blocked_region',
  'employment_status',
  'document_type',
  'document_country',
  'document_expiry_date',
  'tax_residency',
  'document_number',
  'tax_id',
  'cex_balance',
  'trading_frequency_score',
  'net_worth_total',
  'net_worth_above_10k',
  'net_worth_above_100k',
  'bank_balance_total',
  'credit_card_balance',
  'loan_balance_total',
  'investment_account_balance',
  'retirement_account_balance',
  'tradfi_balance',
  'onchain_balance',
  'total_liabilities',
  'verified_income',
];

describe('the list of presets', () => {
  it('contains the presets of the contract, without authentication', async () => {
    const { status, body } = await call(started, '/presets');
    expect(status).toBe(200);
    expect(body.presets.map(({ name }: { name: string }) => name)).toEqual(DOCUMENTED);
  });

  it('states scope, sensitivity and parent of each preset', async () => {
    const { body } = await call(started, '/presets');
    const byName = new Map(body.presets.map((preset: { name: string }) => [preset.name, preset]));
    expect(byName.get('net_worth_above_10k')).toEqual({
      name: 'net_worth_above_10k',
      scope: 'financial:net_worth',
      category: 'financial',
      description: 'Whether the net worth is above 10,000 USD.',
      consentText: 'Whether your net worth is above 10,000 USD, without the amount',
      type: 'boolean',
      sensitivity: 'high',
      derived: true,
      parentField: 'net_worth_total',
    });
    expect(byName.get('residency_region')).toMatchObject({ parentField: 'country_of_residence' });
    expect(byName.get('age_over_21')).toMatchObject({ parentField: 'date_of_birth' });
    expect(byName.get('kyc_level')).toMatchObject({ derived: false, type: 'enum' });
    expect(byName.get('kyc_level')).not.toHaveProperty('parentField');
  });
});

describe('a single preset', () => {
  it('has a value, its period of validity, and the evidence for it', async () => {
    const token = await started.token('ada', 'kyc:read');
    const { status, body, headers } = await call(started, '/presets/kyc_level', token);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      preset: 'kyc_level',
      value: 'enhanced',
      status: 'valid',
      expires_at: '2027-04-17T00:00:00.000Z',
      verified_at: '2026-04-17T00:00:00.000Z',
      evidence: {
        claimsUsed: [
          {
            path: 'kyc.level',
            value: 'enhanced',
            credentialId: expect.stringMatching(/^crd_/),
            source: 'Verify Now',
          },
        ],
        checkResults: [
          {
            claim: 'kyc.level',
            operator: 'isDefined',
            expectedValue: true,
            actualValue: 'enhanced',
            passed: true,
          },
        ],
      },
    });
  });

  // S168
  it('does not reveal the claim that it is derived from', async () => {
    const token = await started.token('ada', 'identity:date_of_birth');
    const [born, overAge] = [
      await call(started, '/presets/date_of_birth', token),
      await call(started, '/presets/age_over_18', token),
    ];
    expect(born.body.value).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(overAge.body.value).toBe(true);
    expect(JSON.stringify(overAge.body)).not.toContain(born.body.value);
  });

  // S142
  it.each(['__proto__', 'constructor', 'toString', 'nope', '%2E%2E%2F', 'a%00', '%ff', '%E0%A4%A'])(
    '%s is not found',
    async (name) => {
      const token = await started.token('ada', 'kyc:read');
      const { status, body } = await call(started, `/presets/${name}`, token);
      expect([status, body.error_code, body.error_subcode]).toEqual([404, 'E4044', 'preset_not_found']);
    },
  );

  // S138
  it('requires a token and the scope that covers its claim, and names the missing scope', async () => {
    expect((await call(started, '/presets/kyc_level')).status).toBe(401);
    const { status, body, headers } = await call(
      started,
      '/presets/legal_name',
      await started.token('ada', 'kyc:read', 'identity:read'),
    );
    expect([status, body.error_code]).toEqual([403, 'E4003']);
    expect(body.context).toEqual({
      missing: [{ claim: 'identity.legal_name', scopes: ['identity:legal_name'] }],
    });
    expect(headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="identity:legal_name"',
    );
  });

  it.each([
    ['grace', 'kyc_passed', 404, 'E4004', 'pending'],
    ['chiyo', 'kyc_passed', 410, 'E4010', 'expired'],
  ])('of %s, %s, is not available: %d %s %s', async (person, name, status, code, reason) => {
    const response = await call(started, `/presets/${name}`, await started.token(person, 'kyc:read'));
    expect([response.status, response.body.error_code, response.body.context]).toEqual([
      status,
      code,
      { status: reason },
    ]);
  });

  it('is unavailable if its only credential was revoked, and pending if it is not valid yet', async () => {
    await ingest(started, 'grace', {
      id: 'grace-worth',
      revokedAt: '2021-01-01T00:00:00Z',
      claims: { 'financial.net_worth': 5 },
    });
    const token = await started.token('grace', 'financial:net_worth');
    const derived = await call(started, '/presets/net_worth_above_10k', token);
    expect([derived.status, derived.body.context]).toEqual([404, { status: 'unavailable' }]);
    await ingest(started, 'grace', {
      id: 'grace-worth-later',
      issuedAt: '2099-01-01T00:00:00Z',
      claims: { 'financial.net_worth': 5 },
    });
    expect((await call(started, '/presets/net_worth_total', token)).body.context).toEqual({
      status: 'pending',
    });
  });

  it('named "batch" does not exist, since the path is that of the batch endpoint', async () => {
    const { status, headers } = await call(started, '/presets/batch');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('a batch of presets', () => {
  const covered = [
    ...IDENTITY,
    ...BIRTH,
    'kyc_passed',
    'kyc_level',
    'kyc_last_updated_at',
    'sanctions_clear',
  ];
  const outOfScope = DOCUMENTED.slice(DOCUMENTED.indexOf('tax_residency'))
    .concat('legal_name', 'address_full', 'address_postal_code')
    .slice(-20);
  const unknown = Array.from({ length: 20 }, (_, index) => `no_such_preset_${index}`);

  // S141
  it('has a result for each covered preset, and an error for each other one: unknown, or out of scope', async () => {
    expect([covered, outOfScope, unknown].map(({ length }) => length)).toEqual([20, 20, 20]);
    const names = covered.flatMap((name, index) => [unknown[index] ?? '', name, outOfScope[index] ?? '']);
    const token = await started.token('ada', 'identity:read', 'identity:date_of_birth', 'kyc:read');
    const { status, body } = await call(started, '/presets/batch', token, { presets: names });
    expect(status).toBe(200);
    expect(body.results.map(({ preset }: { preset: string }) => preset)).toEqual(covered);
    const codes = new Map(
      body.errors.map((one: { preset: string; error: { error_code: string } }) => [
        one.preset,
        one.error.error_code,
      ]),
    );
    expect(unknown.map((name) => codes.get(name))).toEqual(unknown.map(() => 'E4044'));
    expect(outOfScope.map((name) => codes.get(name))).toEqual(outOfScope.map(() => 'E4003'));
    expect(body.errors).toHaveLength(40);
  });

  // S141
  it('gets the same refusal whether or not the person has the claims', async () => {
    const names = { presets: ['legal_name', 'net_worth_total', 'tax_id'] };
    const [ada, grace] = [
      await call(started, '/presets/batch', await started.token('ada', 'kyc:read'), names),
      await call(started, '/presets/batch', await started.token('grace', 'kyc:read'), names),
    ];
    expect(grace.body).toEqual(ada.body);
  });

  // S142
  it('is looked up by preset names only, not by members of Object.prototype', async () => {
    const names = ['__proto__', 'constructor', 'hasOwnProperty', ''];
    const token = await started.token('ada', 'kyc:read');
    const { body } = await call(started, '/presets/batch', token, { presets: names });
    expect(body.results).toEqual([]);
    expect(body.errors.map(({ error }: { error: { error_subcode: string } }) => error.error_subcode)).toEqual(
      names.map(() => 'preset_not_found'),
    );
  });

  // S143
  it.each([
    ['no preset', [], 'list_size', '/presets'],
    ['101 presets', Array.from({ length: 101 }, (_, index) => `p${index}`), 'list_size', '/presets'],
    ['a repeated preset', ['age', 'age'], 'list_repeated', '/presets'],
    ['a number', ['age', 1], 'not_a_string', '/presets/1'],
    ['a string instead of a list', 'age', 'not_an_array', '/presets'],
    ['no list', undefined, 'member_missing', ''],
  ])('with %s is rejected', async (_what, presets, code, pointer) => {
    const { status, body } = await call(started, '/presets/batch', await started.token('ada', 'kyc:read'), {
      presets,
    });
    expect([status, body.error_code]).toEqual([400, 'E4000']);
    expect(body.context.problems[0]).toMatchObject({ code, pointer });
  });

  // S38
  it('with members other than `presets` is rejected', async () => {
    const token = await started.token('ada', 'kyc:read');
    const { body } = await call(started, '/presets/batch', token, { presets: ['age'], scopes: [] });
    expect(body.context.problems[0]).toMatchObject({ code: 'member_unknown', pointer: '/scopes' });
  });

  // S144
  it('reads the credentials once', async () => {
    const token = await started.token('ada', 'kyc:read', 'identity:read');
    const before = started.credentialReads();
    await call(started, '/presets/batch', token, { presets: ['kyc_level', 'email', 'residency_region'] });
    expect(started.credentialReads() - before).toBe(1);
  });

  // S141, L20
  it('that is out of scope is rejected without reading credentials', async () => {
    const before = started.credentialReads();
    const token = await started.token('ada', 'kyc:read');
    const { body } = await call(started, '/presets/batch', token, { presets: ['legal_name'] });
    expect(body).toMatchObject({ results: [], errors: [{ error: { error_code: 'E4003' } }] });
    expect(started.credentialReads() - before).toBe(0);
  });
});

describe('a derived preset', () => {
  const readPreset = async (person: string, name: string, scope: string) =>
    (await call(started, `/presets/${name}`, await started.token(person, scope))).body;

  afterAll(() => started.clock.moveTo(STARTED_AT));

  const births = [
    ['2008-06-15', 18, '2026-06-15T00:00:00.000Z'],
    ['2008-02-29', 18, '2026-03-01T00:00:00.000Z'],
    ['2007-02-28', 21, '2028-02-28T00:00:00.000Z'],
  ] as const;

  it.each(
    births.flatMap((birth) =>
      ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'].map((zone) => [...birth, zone] as const),
    ),
  )(
    'states that a person born on %s is %d years old from %s on, also in the time zone %s',
    async (born, years, from, zone) => {
      const [person, id] = ['grace', `born-${born}-${zone}`];
      const { TZ } = process.env;
      process.env['TZ'] = zone;
      try {
        expect(new Date(2026, 0, 1).getTimezoneOffset()).toBe(
          { UTC: 0, 'Pacific/Kiritimati': -840, 'Pacific/Pago_Pago': 660 }[zone],
        );
        started.clock.moveTo(STARTED_AT);
        await ingest(started, person, { id, claims: { 'identity.date_of_birth': born } });
        const scope = 'identity:date_of_birth';
        started.clock.moveTo(Date.parse(from) - 1);
        const before = await readPreset(person, `age_over_${years}`, scope);
        expect([before.value, before.expires_at]).toEqual([false, from]);
        expect((await readPreset(person, 'age', scope)).value).toBe(years - 1);
        started.clock.moveTo(Date.parse(from));
        expect((await readPreset(person, `age_over_${years}`, scope)).value).toBe(true);
        expect((await readPreset(person, 'age', scope)).value).toBe(years);
        await call(started, `/credentials/${id}`, 'sandbox-administrator-token', undefined, 'DELETE');
      } finally {
        if (TZ === undefined) delete process.env['TZ'];
        else process.env['TZ'] = TZ;
      }
    },
  );

  it.each([
    [10_000, false, false],
    [10_000.01, true, false],
    [100_000, true, false],
    [100_000.01, true, true],
  ])('of a net worth of %d: above 10k is %j, above 100k is %j', async (worth, above10k, above100k) => {
    started.clock.moveTo(STARTED_AT);
    await ingest(started, 'chiyo', {
      id: `worth-${worth}`,
      issuedAt: new Date(STARTED_AT - 1_000_000 + Math.ceil(worth)).toISOString(),
      claims: { 'financial.net_worth': worth },
    });
    const scope = 'financial:net_worth';
    expect((await readPreset('chiyo', 'net_worth_above_10k', scope)).value).toBe(above10k);
    expect((await readPreset('chiyo', 'net_worth_above_100k', scope)).value).toBe(above100k);
  });

  it.each([
    ['PT', 'Europe'],
    ['US', 'Americas'],
  ])('of the country of residence %s is the region %s', async (country, region) => {
    await ingest(started, 'chiyo', {
      id: `lives-${country}`,
      issuedAt: new Date(STARTED_AT - (country === 'PT' ? 2 : 1)).toISOString(),
      claims: { 'identity.country_of_residence': country },
    });
    expect((await readPreset('chiyo', 'residency_region', 'identity:read')).value).toBe(region);
  });
});
