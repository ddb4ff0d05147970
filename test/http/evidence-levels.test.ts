/** Levels of evidence: as requested, and never more than the application and the scopes allow (S340–S345). */
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_CATALOGUE, type ServiceOptions } from '../../src/service/index.js';
import { call, type HttpResponse } from '../support/call.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

type Level = 'full' | 'checks' | 'none';

const ADULT = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
const IN_PORTUGAL = { check: { claim: 'identity.country_of_residence', operator: '==', value: 'PT' } };
const BOTH = { policy: { allOf: [ADULT, IN_PORTUGAL] } };
const PROJECTION = { projections: [{ claim: 'identity.age', lens: 'pluck' }] };
const SCOPES = ['identity:date_of_birth', 'identity:read', 'data.read'];
const AT = new Date(STARTED_AT).toISOString();
const IN_FIVE_MINUTES = new Date(STARTED_AT + 300_000).toISOString();
const CHECKS = [
  { claim: 'identity.age', operator: '>=', expectedValue: 18, passed: true },
  { claim: 'identity.country_of_residence', operator: '==', expectedValue: 'PT', passed: true },
];

let started: StartedService;

afterEach(() => started.stop());

/** Starts a service whose scopes have limits. */
async function start(limits: Readonly<Record<string, Level>> = {}, options: ServiceOptions = {}) {
  const scopes = DEFAULT_CATALOGUE.scopes.map((scope) => {
    const maxEvidence = limits[scope.name];
    return maxEvidence === undefined ? scope : { ...scope, maxEvidence };
  });
  started = await startService({
    options: { catalogue: { ...DEFAULT_CATALOGUE, scopes }, ...options },
    store: { audit: true },
  });
}

/** Limits the application of a token. */
async function limitApplication(token: string, maxEvidence: Level): Promise<void> {
  const { clientId } = await started.service.tokens.authenticate(token);
  const application = await started.store.findApplication(clientId);
  if (application === undefined) throw new Error(`${clientId} is not registered`);
  await started.store.upsertApplication({ ...application, maxEvidence });
}

function evaluate(token: string, query: unknown, evidence?: unknown): Promise<HttpResponse> {
  return call(started, '/queries/evaluate', token, {
    query,
    ...(evidence === undefined ? {} : { evidence }),
  });
}

/** Returns the level of evidence in a result about two checks. */
async function levelOf(token: string, evidence?: Level): Promise<Level> {
  const { status, body } = await evaluate(token, BOTH, evidence);
  expect([status, body.passed]).toEqual([200, true]);
  const { claimsUsed, checkResults } = body.evidence;
  if (claimsUsed.length > 0) return 'full';
  return checkResults.length > 0 ? 'checks' : 'none';
}

describe('the requested evidence', () => {
  // S340
  it('defaults to `full` if it is absent or null, with the same bytes in the response', async () => {
    await start();
    const token = await started.token('ada', ...SCOPES);
    const bodies = [{ query: BOTH }, { query: BOTH, evidence: 'full' }, { query: BOTH, evidence: null }];
    const texts = bodies.map(async (body) =>
      JSON.stringify((await call(started, '/queries/evaluate', token, body)).body),
    );
    const [first, ...others] = await Promise.all(texts);
    expect(JSON.parse(first ?? '').evidence.claimsUsed).toHaveLength(2);
    expect(others).toEqual([first, first]);
  });

  // S341, S342
  it('below `full` contains outcomes without values, or only the verdict, and the expiry depends on no credential', async () => {
    await start();
    const token = await started.token('ada', ...SCOPES);
    const common = { type: 'predicate', passed: true, evaluatedAt: AT, expiresAt: IN_FIVE_MINUTES };
    for (const repeated of [1, 2]) {
      expect((await evaluate(token, BOTH, 'checks')).body, `request ${repeated}`).toEqual({
        ...common,
        evidence: { claimsUsed: [], checkResults: CHECKS },
      });
      expect((await evaluate(token, BOTH, 'none')).body).toEqual({
        ...common,
        evidence: { claimsUsed: [], checkResults: [] },
      });
    }
  });

  // S342
  it('at `checks` does not show whether a claim is undefined or fails the check', async () => {
    await start();
    const query = { check: { claim: 'identity.age', operator: '>=', value: 100 } };
    await started.runSql(
      "DELETE FROM credential WHERE person_id = (SELECT id FROM person WHERE name = 'grace')",
    );
    const results = await Promise.all(
      ['ada', 'grace'].map(async (person) => {
        const token = await started.token(person, 'identity:date_of_birth');
        return (await evaluate(token, query, 'checks')).body;
      }),
    );
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
  });

  it('must be one of the levels, and full for projections, which return values', async () => {
    await start();
    const token = await started.token('ada', ...SCOPES);
    for (const evidence of ['some', 1, {}, ['none']]) {
      const { status, body } = await evaluate(token, BOTH, evidence);
      expect([status, body.error, body.context.problems[0].pointer]).toEqual([
        400,
        'invalid_request',
        '/evidence',
      ]);
    }
    for (const evidence of ['checks', 'none', 'checks']) {
      const { status, body } = await evaluate(token, PROJECTION, evidence);
      expect([status, body.context.problems[0].pointer]).toEqual([400, '/evidence']);
    }
    expect((await evaluate(token, PROJECTION, 'full')).status).toBe(200);
  });

  it('reduces the evidence of presets, not their values', async () => {
    await start();
    const token = await started.token('ada', ...SCOPES);
    const readAge = async (evidence: Level) =>
      (await call(started, '/presets/batch', token, { presets: ['age'], evidence })).body.results[0];
    const full = await readAge('full');
    expect(full.evidence.claimsUsed).toHaveLength(1);
    expect(await readAge('checks')).toEqual({
      ...full,
      evidence: {
        claimsUsed: [],
        checkResults: [{ claim: 'identity.age', operator: 'isDefined', expectedValue: true, passed: true }],
      },
    });
    expect(await readAge('none')).toEqual({ ...full, evidence: { claimsUsed: [], checkResults: [] } });
  });

  it('reduces the evidence of presets that the ledger records', async () => {
    started = await startService({ ledger: true });
    const token = await started.token('ada', ...SCOPES);
    const { body } = await call(started, '/presets/batch', token, { presets: ['age'], evidence: 'none' });
    expect(body.results[0].evidence).toEqual({ claimsUsed: [], checkResults: [] });
  });

  // S342
  it('below `full` limits the cost of patterns by their size, whatever the length of the claim', async () => {
    await start();
    const token = await started.token('ada', 'identity:read');
    const parts = Array.from({ length: 20 }, (_, index) => ({
      check: { claim: 'identity.email', operator: 'matchRegex', value: `^(?:[a-z]{40}|x{${index + 1}})+$` },
    }));
    const { status, body } = await evaluate(token, { policy: { anyOf: parts } }, 'none');
    expect([status, body.error, body.context.problems[0].code]).toEqual([
      400,
      'query_too_large',
      'limit_match_cost',
    ]);
    expect((await evaluate(token, { policy: { anyOf: parts } })).status).toBe(200);
  });
});

describe('the evidence of a result', () => {
  const order: readonly Level[] = ['full', 'checks', 'none'];
  const lowest = (...levels: readonly Level[]) =>
    order[Math.max(...levels.map((level) => order.indexOf(level)))];

  // S343
  it('never exceeds the lowest of the request, the application and the scopes', async () => {
    for (const scope of order) {
      await start({ 'identity:date_of_birth': scope });
      const token = await started.token('ada', ...SCOPES);
      for (const application of order) {
        await limitApplication(token, application);
        for (const requested of order)
          expect([scope, application, requested, await levelOf(token, requested)]).toEqual([
            scope,
            application,
            requested,
            lowest(scope, application, requested),
          ]);
        expect(await levelOf(token)).toBe(lowest(scope, application));
      }
      if (scope !== 'none') await started.stop();
    }
  });

  // S343
  it('is limited by a scope that implies the covering one, and not by scopes that cover other claims', async () => {
    await start({ profile: 'none', 'kyc:read': 'none' });
    expect(await levelOf(await started.token('ada', ...SCOPES, 'kyc:read'))).toBe('full');
    const byProfile = await started.token('ada', 'profile', 'identity:read');
    expect(await levelOf(byProfile)).toBe('none');
    const { body } = await evaluate(byProfile, IN_PORTUGAL);
    expect(body.evidence.claimsUsed).toHaveLength(1);
  });

  // S343, S344
  it.each([
    [
      'a projection',
      '/queries/evaluate',
      { query: { projections: [{ claim: 'identity.age', lens: 'pluck' }] } },
    ],
    ['a preset', '/presets/age', undefined],
  ])(
    'causes an `insufficient_scope` challenge, as for missing scopes, if its limit excludes %s',
    async (_what, path, body) => {
      await start({ 'identity:date_of_birth': 'checks' });
      const token = await started.token('ada', 'identity:date_of_birth');
      const { status, headers } = await call(started, path, token, body);
      expect([status, headers.get('www-authenticate')]).toEqual([403, 'Bearer error="insufficient_scope"']);
    },
  );

  // S344
  it('is limited only for the claims of the scope, whose values projections, presets, user information and credentials omit', async () => {
    await start({ 'identity:date_of_birth': 'checks' });
    const token = await started.token('ada', 'openid', 'profile', ...SCOPES);
    const projected = await evaluate(token, PROJECTION);
    expect([
      projected.status,
      projected.body.error,
      projected.body.error_subcode,
      projected.body.context,
    ]).toEqual([
      403,
      'insufficient_scope',
      'evidence_limited',
      { claims: ['identity.age'], max_evidence: 'checks' },
    ]);
    expect((await call(started, '/presets/age', token)).body.error_subcode).toBe('evidence_limited');
    const { body } = await call(started, '/presets/batch', token, {
      presets: ['age_over_18', 'country_of_residence'],
    });
    expect(body.results.map(({ preset }: { readonly preset: string }) => preset)).toEqual([
      'country_of_residence',
    ]);
    expect(body.errors[0].error.error_subcode).toBe('evidence_limited');
    const info = (await call(started, '/userinfo', token)).body;
    expect([info.name, info.birthdate]).toEqual([expect.any(String), undefined]);
    const listed = JSON.stringify((await call(started, '/credentials', token)).body);
    expect(listed).toContain('identity.country_of_residence');
    expect(listed).not.toContain('identity.date_of_birth');
    await limitApplication(token, 'none');
    expect((await call(started, '/credentials', token)).body.items).toEqual([]);
    expect((await call(started, '/userinfo', token)).body.name).toBeUndefined();
  });

  // S343
  it('changes with the registration of the application from the next request on', async () => {
    await start();
    const token = await started.token('ada', ...SCOPES);
    expect(await levelOf(token)).toBe('full');
    await limitApplication(token, 'none');
    expect(await levelOf(token)).toBe('none');
    await limitApplication(token, 'full');
    expect(await levelOf(token)).toBe('full');
  });

  it('causes an audit entry with the claims if a query exceeds its limit', async () => {
    await start({ 'identity:date_of_birth': 'none' });
    const token = await started.token('ada', ...SCOPES);
    await evaluate(token, PROJECTION);
    const entries = await started.store.listAudit({ kinds: ['query_refused' as const], limit: 10 });
    expect(entries).toMatchObject([{ reason: 'evidence_limited', claims: ['identity.age'] }]);
  });
});

// S345
it('the discovery document has the levels of evidence, and the limits of scopes', async () => {
  await start({ 'identity:date_of_birth': 'none' });
  const { body } = await call(started, '/.well-known/hp-configuration');
  expect(body.evidence_levels_supported).toEqual(['full', 'checks', 'none']);
  const limited = body.scopes_catalog.filter((scope: object) => 'max_evidence' in scope);
  expect(limited).toMatchObject([{ id: 'identity:date_of_birth', max_evidence: 'none' }]);
});

// L20
describe('the expiry of an age, which is a birthday,', () => {
  /** The age has a separate scope. */
  const catalogue = {
    ...DEFAULT_CATALOGUE,
    scopes: [
      ...DEFAULT_CATALOGUE.scopes,
      {
        name: 'age:read',
        category: 'age',
        sensitivity: 'high' as const,
        displayName: 'Your age',
        description: 'How old you are, in years.',
      },
    ],
    claims: DEFAULT_CATALOGUE.claims.map((claim) =>
      claim.path === 'identity.age' ? { ...claim, scope: 'age:read' } : claim,
    ),
  };

  /** The expiries of a result, of projections and of a preset. */
  async function expiries(token: string): Promise<ReadonlySet<string>> {
    const results = await Promise.all([ADULT, PROJECTION].map((query) => evaluate(token, query)));
    const preset = await call(started, '/presets/age', token);
    return new Set([...results.map(({ body }) => body.expiresAt), preset.body.expires_at]);
  }

  it('is disclosed only to a grant that may read the date of birth', async () => {
    await start({}, { catalogue });
    const [narrow, broad] = await Promise.all(
      [['age:read'], ['age:read', 'identity:date_of_birth']].map((scopes) => started.token('ada', ...scopes)),
    );
    const birthday = '2027-02-01T00:00:00.000Z';
    for (const [token, expiry] of [
      [narrow, IN_FIVE_MINUTES],
      [broad, birthday],
      [narrow, IN_FIVE_MINUTES],
    ] as const)
      expect(await expiries(token ?? '')).toEqual(new Set([expiry]));
    started.clock.moveTo(STARTED_AT + 60_000);
    expect(await expiries(narrow ?? '')).toEqual(new Set([new Date(STARTED_AT + 360_000).toISOString()]));
    // The last minutes before a birthday.
    const evening = Date.parse(birthday) - 60_000;
    started.clock.moveTo(evening);
    expect(await expiries(await started.token('ada', 'age:read'))).toEqual(new Set([birthday]));
  });

  it('is not disclosed if the values of the scope of the date are limited', async () => {
    await start(
      {},
      {
        catalogue: {
          ...catalogue,
          scopes: catalogue.scopes.map((scope) =>
            scope.name === 'identity:date_of_birth' ? { ...scope, maxEvidence: 'checks' as const } : scope,
          ),
        },
      },
    );
    const token = await started.token('ada', 'age:read', 'identity:date_of_birth');
    expect(await expiries(token)).toEqual(new Set([IN_FIVE_MINUTES]));
  });
});
