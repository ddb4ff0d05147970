/** `POST /queries/evaluate` over a socket: operators, policies, lenses, errors (L14–L24, V7, V11). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PredicateResult, ProjectionResult } from '../../src/index.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

let started: StartedService;
let tokens: Readonly<Record<string, string>>;

const EVERYTHING = [
  'profile.full',
  'identity:date_of_birth',
  'identity:legal_name',
  'identity:address_full',
  'identity:address_postal_code',
  'financial:net_worth',
  'financial:bank_balance',
];
const PEOPLE = ['ada', 'bruno', 'chiyo', 'dmitri', 'emeka', 'fatima', 'grace', 'hugo', 'ines', 'jun'];

beforeAll(async () => {
  started = await startService();
  tokens = Object.fromEntries(
    await Promise.all(PEOPLE.map(async (name) => [name, await started.token(name, ...EVERYTHING)] as const)),
  );
});

afterAll(() => started.stop());

function evaluate(token: string | undefined, query: unknown): Promise<Response> {
  return fetch(`${started.url}/queries/evaluate`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query }),
  });
}

async function evaluateFor(person: string, query: unknown): Promise<PredicateResult> {
  const response = await evaluate(tokens[person], query);
  expect(response.status).toBe(200);
  return (await response.json()) as PredicateResult;
}

const CHECKS: readonly [person: string, claim: string, operator: string, value: unknown, passed: boolean][] =
  [
    ['ada', 'identity.nationality', '==', 'PT', true],
    ['ada', 'identity.nationality', '==', 'pt', false],
    ['ines', 'identity.phone', '==', null, true],
    ['ada', 'identity.nationality', '!=', 'DE', true],
    ['grace', 'identity.nationality', '!=', 'DE', false],
    ['ada', 'financial.net_worth', '>', 126_330, true],
    ['jun', 'financial.net_worth', '>', 10_000, false],
    ['ada', 'identity.age', '>=', 18, true],
    ['bruno', 'identity.age', '>=', 18, false],
    ['jun', 'identity.age', '>=', 18, true],
    ['hugo', 'financial.bank_balance', '<', 200, true],
    ['ada', 'identity.date_of_birth', '<', '2000-01-01', true],
    ['jun', 'financial.net_worth', '<=', 10_000, true],
    ['ada', 'kyc.last_updated_at', '<=', '2026-01-01T00:00:00Z', false],
    ['emeka', 'kyc.level', 'in', ['basic', 'none'], true],
    ['fatima', 'kyc.level', 'in', ['basic', 'none'], false],
    ['hugo', 'identity.country_of_residence', 'notIn', ['ES'], true],
    ['grace', 'identity.country_of_residence', 'notIn', ['ES'], false],
    ['ada', 'identity.wallet_addresses', 'contains', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', true],
    [
      'ada',
      'identity.social_accounts',
      'contains',
      { verified: true, handle: 'adalopes', site: 'social.example' },
      true,
    ],
    ['ines', 'identity.social_accounts', 'contains', {}, false],
    ['ada', 'identity.phone', 'startsWith', '+351', true],
    ['ada', 'identity.phone', 'startsWith', '351', false],
    ['ines', 'identity.email', 'matchRegex', '^[a-z+]+@example\\.(org|net)$', true],
    ['bruno', 'identity.email', 'matchRegex', '^[a-z+]+@example\\.(org|net)$', false],
    ['ines', 'identity.phone', 'isDefined', undefined, true],
    ['grace', 'kyc.passed', 'isDefined', undefined, false],
    ['chiyo', 'kyc.passed', 'isDefined', undefined, false],
    ['ada', 'identity.address_full.country', '==', 'PT', true],
    ['ada', 'identity.residency_region', '==', 'Europe', true],
    ['dmitri', 'financial.net_worth_above_100k', '==', true, true],
    ['bruno', 'identity.age_over_18', '==', false, true],
  ];

// L14–L18
describe('a check on a sample person', () => {
  it.each(CHECKS)('%s: %s %s %j evaluates to %j', async (person, claim, operator, value, passed) => {
    expect(await evaluateFor(person, { check: { claim, operator, value } })).toMatchObject({
      type: 'predicate',
      passed,
    });
  });

  it('is tested with each of the twelve operators', () => {
    expect(new Set(CHECKS.map(([, , operator]) => operator)).size).toBe(12);
  });
});

// L3, L19
describe('a policy of three levels', () => {
  const accredited = {
    policy: {
      allOf: [
        { check: { claim: 'kyc.passed', operator: '==', value: true } },
        {
          policy: {
            anyOf: [
              { check: { claim: 'financial.net_worth', operator: '>=', value: 1_000_000 } },
              {
                policy: {
                  allOf: [
                    {
                      check: { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES'] },
                    },
                    {
                      policy: { not: { check: { claim: 'kyc.is_high_risk', operator: '==', value: true } } },
                    },
                  ],
                },
              },
            ],
          },
        },
      ],
    },
  };

  it.each([
    ['ada', true],
    ['bruno', false],
    ['chiyo', false],
    ['dmitri', true],
    ['fatima', true],
    ['grace', false],
  ])('evaluates for %s to %j', async (person, passed) => {
    const result = await evaluateFor(person, accredited);
    expect(result.passed).toBe(passed);
    expect(result.evidence.checkResults).toHaveLength(4);
  });
});

// L5, L23
describe('a projection', () => {
  it('discloses what the lenses `pluck`, `pick` and `at` select, and nothing else', async () => {
    const projections = [
      { claim: 'identity.nationality', lens: 'pluck' },
      { claim: 'identity.address_full', lens: 'pick', fields: ['country', 'postal_code'] },
      { claim: 'identity.wallet_addresses', lens: 'at', index: -1 },
      { claim: 'identity.social_accounts', lens: 'at', index: 7 },
      { claim: 'kyc.pep_status', lens: 'pick' },
    ];
    const data = {
      'identity.nationality': 'PT',
      'identity.address_full': { country: 'PT', postal_code: '1100-148' },
      'identity.wallet_addresses': '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      'identity.social_accounts': null,
      'kyc.pep_status': null,
    };
    const response = await evaluate(tokens['ada'], { projections });
    const result = (await response.json()) as ProjectionResult;
    expect(result).toMatchObject({ type: 'projection', data });
    expect(result.claimsUsed).toEqual(Object.entries(data).map(([path, value]) => ({ path, value })));
    expect(JSON.stringify(result)).not.toContain('Rua Augusta');
  });
});

describe('a query result', () => {
  // L24
  it('has the members of the contract in order, and instants in RFC 3339 with milliseconds', async () => {
    const result = await evaluateFor('jun', {
      check: { claim: 'financial.net_worth', operator: '>=', value: 5 },
    });
    expect(Object.keys(result)).toEqual(['type', 'passed', 'evaluatedAt', 'evidence', 'expiresAt']);
    expect(result.evaluatedAt).toBe('2026-06-01T12:00:00.000Z');
    expect(result.expiresAt).toBe('2026-06-02T00:00:00.000Z');
    expect(Object.keys(result.evidence.claimsUsed[0] ?? {})).toEqual([
      'path',
      'value',
      'credentialId',
      'source',
    ]);
  });

  // L24
  it('is identical byte for byte for the same query', async () => {
    const query = { check: { claim: 'kyc.level', operator: '==', value: 'basic' } };
    const texts = await Promise.all(
      [1, 2, 3].map(async () => (await evaluate(tokens['hugo'], query)).text()),
    );
    expect(new Set(texts).size).toBe(1);
  });

  // L11
  it('uses the newer of two credentials, or the one with the smaller id if both were issued at the same instant', async () => {
    const level = await evaluateFor('hugo', {
      check: { claim: 'kyc.level', operator: '==', value: 'basic' },
    });
    const country = await evaluateFor('hugo', {
      check: { claim: 'identity.country_of_residence', operator: '==', value: 'MX' },
    });
    expect([level.passed, country.passed]).toEqual([true, true]);
  });

  // L22
  it('changes at a birthday, and expires there', async () => {
    const query = { check: { claim: 'identity.age', operator: '==', value: 17 } };
    const before = await evaluateFor('bruno', query);
    started.clock.moveTo(Date.parse(before.expiresAt));
    const token = await started.token('bruno', 'identity:date_of_birth');
    const after = (await (await evaluate(token, query)).json()) as PredicateResult;
    started.clock.moveTo(STARTED_AT);
    expect([before.passed, after.passed, after.evidence.checkResults[0]?.actualValue]).toEqual([
      true,
      false,
      18,
    ]);
  });

  // S19, S20, S26
  it('has the headers of every response', async () => {
    const { headers } = await evaluate(tokens['ada'], {
      check: { claim: 'kyc.passed', operator: 'isDefined' },
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^request-\d+$/),
    });
  });
});

describe('a credential id in evidence', () => {
  // D5, S140
  it('is a keyed digest that reveals nothing of the credential', async () => {
    const result = await evaluateFor('ada', { check: { claim: 'kyc.passed', operator: '==', value: true } });
    expect(result.evidence.claimsUsed[0]?.credentialId).toMatch(/^crd_[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify(result)).not.toContain('ada-kyc');
  });
});

// L20, S138, S166, S167
describe('the scope of a token', () => {
  const query = {
    policy: {
      anyOf: [
        { claim: 'kyc.passed', operator: '==', value: true },
        { claim: 'identity.date_of_birth', operator: 'isDefined' },
        { claim: 'identity.address_full.country', operator: '==', value: 'PT' },
        { claim: 'identity.constructor', operator: 'isDefined' },
      ],
    },
  };

  it('rejects a query as a whole for uncovered claims, and names claims and scopes', async () => {
    const response = await evaluate(await started.token('ada', 'kyc:read'), query);
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="identity:date_of_birth identity:address_full"',
    );
    expect(await response.json()).toMatchObject({
      error: 'insufficient_scope',
      error_code: 'E4003',
      context: {
        missing: [
          { claim: 'identity.date_of_birth', scopes: ['identity:date_of_birth'] },
          { claim: 'identity.address_full.country', scopes: ['identity:address_full'] },
          { claim: 'identity.constructor', scopes: [] },
        ],
      },
    });
  });

  // L8, S167
  it('suggests catalogue claims for misspelt ones, for at most five claims', async () => {
    const misspelt = [
      'identity.emial',
      'kyc.pased',
      'financial.networth',
      'financial.trading_frequency_scroe',
    ];
    const claims = [...misspelt, 'identity.nothing_like_it_at_all', 'identity.age_over_12', 'kyc.passed'];
    const policy = { anyOf: claims.map((claim) => ({ claim, operator: 'isDefined' })) };
    const response = await evaluate(await started.token('ada', 'kyc:read'), { policy });
    const { context } = (await response.json()) as { context: { missing: Record<string, unknown>[] } };
    expect([response.status, context.missing.map(({ did_you_mean }) => did_you_mean)]).toEqual([
      403,
      [
        'identity.email',
        'kyc.passed',
        'financial.net_worth',
        'financial.trading_frequency_score',
        // No claim is similar to the fifth, and the sixth is over the limit.
        undefined,
        undefined,
      ],
    ]);
  });

  it('rejects with identical bytes whether or not the person has the claim, without reading credentials', async () => {
    const reads = started.credentialReads();
    const texts: string[] = [];
    for (const person of ['ada', 'grace', 'chiyo']) {
      texts.push(await (await evaluate(await started.token(person, 'kyc:read'), query)).text());
    }
    expect(new Set(texts).size).toBe(1);
    expect(started.credentialReads()).toBe(reads);
  });

  it('of a category never covers claims of high sensitivity', async () => {
    const token = await started.token('ada', 'profile.full');
    const response = await evaluate(token, {
      check: { claim: 'financial.net_worth', operator: '>', value: 0 },
    });
    expect(response.status).toBe(403);
  });
});

// S134, S136
describe('a bearer token', () => {
  const query = { check: { claim: 'kyc.passed', operator: 'isDefined' } };

  it('that is missing is answered with 401 and a challenge without a reason', async () => {
    const response = await evaluate(undefined, query);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('that is unknown or malformed is answered with 401 and the same body', async () => {
    const responses = await Promise.all(
      ['x'.repeat(43), 'x', 'a.b-c~d/e+f=='].map((token) => evaluate(token, query)),
    );
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(responses.map(({ headers }) => headers.get('www-authenticate'))).toEqual(
      Array(3).fill('Bearer error="invalid_token"'),
    );
    expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
  });

  it('is valid for an hour, to the millisecond', async () => {
    const token = await started.token('ada', 'kyc:read');
    const statuses: number[] = [];
    for (const after of [0, 3_599_999, 3_600_000]) {
      started.clock.moveTo(STARTED_AT + after);
      statuses.push((await evaluate(token, query)).status);
    }
    const expired = await evaluate(token, query);
    started.clock.moveTo(STARTED_AT);
    expect(statuses).toEqual([200, 200, 401]);
    expect(await expired.json()).toMatchObject({ error: 'invalid_token', error_code: 'E4041' });
  });

  // S44
  it('in the URL is ignored', async () => {
    const response = await fetch(`${started.url}/queries/evaluate?access_token=${tokens['ada']}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });
});

// S41, S149, S152
it('a query of 16 policies around an operand that nests 16 deep is evaluated, with and without the members `policy` and `check` around its items', async () => {
  const operand = JSON.parse('['.repeat(16) + ']'.repeat(16)) as unknown;
  const check = { claim: 'identity.nationality', operator: '==', value: operand };
  let [wrapped, bare]: [object, object] = [{ check }, check];
  for (let depth = 1; depth <= 16; depth += 1)
    [wrapped, bare] = [{ policy: { allOf: [wrapped] } }, { allOf: [bare] }];
  for (const query of [wrapped, { policy: bare }])
    expect((await evaluateFor('ada', query)).passed).toBe(false);
});

// S36, S153
it('a message with a string that was cut between two surrogates is well-formed', async () => {
  const value = `${'a'.repeat(63)}😀`;
  const query = { check: { claim: 'identity.nationality', operator: 'in', value } };
  const response = await evaluate(tokens['ada'], query);
  const text = await response.text();
  expect(response.status).toBe(400);
  expect(text).toContain(`${'a'.repeat(63)}\ufffd…`);
  expect(text).not.toMatch(/\\ud[89a-f]/i);
});
