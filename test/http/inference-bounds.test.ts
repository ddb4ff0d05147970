/** Inference bounds of a service: refusals before evaluation, records of answers, concurrency (S346–S353). */
import { afterEach, describe, expect, it } from 'vitest';
import type { Catalogue } from '../../src/engine/index.js';
import { DEFAULT_CATALOGUE, SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import { call, type HttpResponse, ingest } from '../support/call.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';
import { tokenWithConditions } from '../support/token-with-conditions.js';

const DAY = 86_400_000;
const YEAR = 365.25 * DAY;

/** The default catalogue, with a claim of a club, and bounds on this claim, the date of birth and the country. */
const CATALOGUE: Catalogue = {
  ...DEFAULT_CATALOGUE,
  scopes: [
    ...DEFAULT_CATALOGUE.scopes.map((scope) =>
      scope.name === 'identity:date_of_birth' ? { ...scope, maxEvidence: 'checks' as const } : scope,
    ),
    {
      name: 'club:read',
      category: 'club',
      sensitivity: 'medium',
      displayName: 'Your club',
      description: 'What the club knows.',
      maxEvidence: 'none',
    },
  ],
  claims: [
    ...DEFAULT_CATALOGUE.claims.map((claim) => {
      if (claim.path === 'identity.date_of_birth')
        return { ...claim, inferenceBound: { years: 5, from: '1900-01-01' } };
      if (claim.path === 'identity.country_of_residence') return { ...claim, inferenceBound: { values: 3 } };
      return claim;
    }),
    {
      path: 'club.points',
      type: 'integer',
      scope: 'club:read',
      sensitivity: 'medium',
      description: 'Points collected.',
      inferenceBound: { width: 5, from: 0, to: 127 },
    },
  ],
};
const SCOPES = ['identity:date_of_birth', 'identity:read', 'club:read'];

let started: StartedService;

afterEach(() => started.stop());

async function start(options: Parameters<typeof startService>[0] = {}): Promise<string> {
  started = await startService({ store: { audit: true }, options: { catalogue: CATALOGUE }, ...options });
  return await started.token('ada', ...SCOPES);
}

const age = (operator: string, value: number) => ({ check: { claim: 'identity.age', operator, value } });
const points = (value: number) => ({ check: { claim: 'club.points', operator: '>=', value } });

function evaluate(token: string, query: unknown, evidence = 'none'): Promise<HttpResponse> {
  return call(started, '/queries/evaluate', token, { query, evidence });
}

/** The verdict, or the subcode of the error. */
async function outcome(token: string, query: unknown, evidence?: string): Promise<boolean | string> {
  const { body } = await evaluate(token, query, evidence);
  return body.passed ?? body.error_subcode;
}

/** Ingests points of a person. */
async function givePoints(person: string, count: number, expiresAt: string | null = null): Promise<void> {
  const id = `points-${person}-${count}-${expiresAt}`;
  const credential = { id, claims: { 'club.points': count }, ...(expiresAt === null ? {} : { expiresAt }) };
  expect((await ingest(started, person, credential)).status).toBe(200);
}

describe('a question about a bounded claim', () => {
  // S346, S349
  it('is refused before a credential is read if some outcome would narrow the value below the bound, whatever the value is', async () => {
    const token = await start();
    expect(await outcome(token, age('>=', 30))).toBe(true);
    const reads = started.credentialReads();
    const { status, body } = await evaluate(token, age('>=', 32));
    expect([status, body.error, body.error_code, body.context]).toEqual([
      403,
      'inference_bound',
      'E4014',
      { claims: ['identity.date_of_birth'] },
    ]);
    expect(started.credentialReads()).toBe(reads);
    expect(await outcome(token, age('>=', 35))).toEqual(expect.any(Boolean));
    // The same question, and a question that earlier answers imply, reveal nothing new.
    expect(await outcome(token, age('>=', 30))).toBe(true);
    expect(await outcome(token, age('>=', 20))).toBe(true);
  });

  // S347
  it('is refused whether it reads the claim itself or a claim that is derived from it', async () => {
    const token = await start();
    expect(await outcome(token, age('>=', 18))).toBe(true);
    for (const query of [
      { check: { claim: 'identity.age_over_21', operator: '==', value: true } },
      { check: { claim: 'identity.date_of_birth', operator: '<=', value: '2006-01-01' } },
      { check: { claim: 'identity.date_of_birth', operator: 'startsWith', value: '19' } },
      { check: { claim: 'identity.age', operator: '==', value: 40 } },
      { policy: { allOf: [age('>=', 40), age('<', 43)] } },
    ])
      expect(await outcome(token, query), JSON.stringify(query)).toBe('inference_bound');
    expect(
      await outcome(token, { check: { claim: 'identity.age_over_18', operator: '==', value: true } }),
    ).toBe(true);
  });

  // S347
  it('is refused a day later if the time that has passed would reveal the date', async () => {
    const token = await start();
    const isOlder = age('>=', 100);
    expect(await outcome(token, isOlder)).toBe(false);
    started.clock.moveTo(STARTED_AT + DAY);
    const later = await started.token('ada', ...SCOPES);
    expect(await outcome(later, isOlder)).toBe('inference_bound');
    expect(await outcome(later, age('>=', 18))).toBe(true);
    started.clock.moveTo(STARTED_AT + 2 * DAY);
    const evenLater = await started.token('ada', ...SCOPES);
    // A person who is of age stays of age.
    expect(await outcome(evenLater, age('>=', 18))).toBe(true);
    started.clock.moveTo(STARTED_AT + 6 * YEAR);
    const afterYears = await started.token('ada', ...SCOPES);
    expect(await outcome(afterYears, isOlder)).toBe(false);
  });

  // S348
  it('that is part of a policy on several claims counts too, since other answers may complete it', async () => {
    const token = await start();
    const human = { check: { claim: 'identity.is_human', operator: '==', value: true } };
    const both = (value: number) => ({ policy: { allOf: [age('>=', value), human] } });
    expect(await outcome(token, both(30))).toEqual(expect.any(Boolean));
    expect(await outcome(token, both(32))).toBe('inference_bound');
    expect(await outcome(token, age('>=', 28))).toBe('inference_bound');
    const countries = {
      check: { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES'] },
    };
    const { body } = await evaluate(token, { policy: { anyOf: [age('>=', 31), countries] } });
    expect(body.context.claims).toEqual(['identity.country_of_residence', 'identity.date_of_birth']);
  });

  it('on a set is refused if too few values would remain', async () => {
    const token = await start();
    const among = (...value: string[]) => ({
      check: { claim: 'identity.country_of_residence', operator: 'in', value },
    });
    expect(await outcome(token, among('PT'))).toBe('inference_bound');
    expect(await outcome(token, among('PT', 'ES', 'FR', 'IT'))).toBe(true);
    expect(await outcome(token, among('PT', 'ES'))).toBe('inference_bound');
    expect(
      await outcome(token, { check: { claim: 'identity.residency_region', operator: '==', value: 'Asia' } }),
    ).toBe(false);
  });

  // S348
  it('is refused at the level `checks` if the outcomes of its checks would narrow the value below the bound', async () => {
    const token = await start();
    const within = { policy: { allOf: [age('>=', 20), age('<', 23)] } };
    expect(await outcome(token, within, 'checks')).toBe('inference_bound');
    const wide = { policy: { anyOf: [age('<', 20), age('>=', 60)] } };
    expect(await outcome(token, wide, 'checks')).toBe(false);
    expect(await outcome(token, age('>=', 58), 'checks')).toBe('inference_bound');
  });

  it('is answered with full evidence where that is allowed', async () => {
    const token = await start();
    const country = { check: { claim: 'identity.country_of_residence', operator: '==', value: 'PT' } };
    expect(await outcome(token, country, 'none')).toBe('inference_bound');
    expect(await outcome(token, country, 'full')).toBe(true);
  });

  it('is refused in audiences, which disclose a verdict on everyone', async () => {
    await start();
    const { status, body } = await call(started, '/audiences/evaluate', SANDBOX_ADMINISTRATOR_TOKEN, {
      client_id: 'sandbox-public',
      query: age('>=', 18),
    });
    expect([status, body.error]).toEqual([403, 'inference_bound']);
  });

  it('is reported as invalid in an audience of projections', async () => {
    await start();
    const { status, body } = await call(started, '/audiences/evaluate', SANDBOX_ADMINISTRATOR_TOKEN, {
      client_id: 'sandbox-public',
      query: { projections: [{ claim: 'identity.age', lens: 'pluck' }] },
    });
    expect([status, body.error_subcode]).toEqual([400, 'invalid_query']);
  });

  // S298
  it('causes an audit entry with its claims when it is refused', async () => {
    const token = await start();
    await outcome(token, age('==', 30));
    const entries = await started.store.listAudit({ kinds: ['query_refused' as const], limit: 10 });
    expect(entries).toMatchObject([{ reason: 'inference_bound', claims: ['identity.age'] }]);
  });
});

// S411
describe('a derived claim with its own scope', () => {
  /** The age has a separate scope, without `maxEvidence`. */
  const catalogue: Catalogue = {
    ...CATALOGUE,
    scopes: [
      ...CATALOGUE.scopes,
      {
        name: 'age:read',
        category: 'age',
        sensitivity: 'high',
        displayName: 'Your age',
        description: 'How old you are, in years.',
      },
    ],
    claims: CATALOGUE.claims.map((claim) =>
      claim.path === 'identity.age' ? { ...claim, scope: 'age:read' } : claim,
    ),
  };

  it.each(['a result', 'a preset', 'projections'])(
    'counts for later questions after its disclosure by %s',
    async (source) => {
      const token = await start({ options: { catalogue } });
      const ageToken = await started.token('ada', 'age:read');
      const read = async () => {
        if (source === 'a preset') return (await call(started, '/presets/age', ageToken)).body.value;
        const query =
          source === 'projections'
            ? { projections: [{ claim: 'identity.age', lens: 'pluck' }] }
            : { check: { claim: 'identity.age', operator: 'isDefined' } };
        const { body } = await evaluate(ageToken, query, 'full');
        return source === 'projections'
          ? body.data['identity.age']
          : body.evidence.checkResults[0].actualValue;
      };
      const years = await read();
      expect(years).toEqual(expect.any(Number));
      // The middle of the year in which a person of this age was born: an answer would leave half a year.
      const middle = new Date(STARTED_AT - (years + 0.5) * YEAR).toISOString().slice(0, 10);
      const question = { check: { claim: 'identity.date_of_birth', operator: '>=', value: middle } };
      expect(await outcome(token, question)).toBe('inference_bound');
    },
  );
});

// S351
it('a granted condition is answered beyond the bound, and counts for the questions after it', async () => {
  await start();
  const condition = age('>=', 32);
  const token = await tokenWithConditions(started, 'ada', [condition]);
  expect(await outcome(token, condition)).toBe(true);
  expect(await outcome(token, age('>=', 50))).toBe('insufficient_scope');
  // Another application of the same organization, with scopes.
  const [withConditions, withScopes] = await Promise.all(
    ['sandbox-conditions', 'sandbox-public'].map((id) => started.store.findApplication(id)),
  );
  if (withConditions === undefined || withScopes === undefined) throw new Error('no such application');
  const { organizationId } = withConditions;
  await started.store.upsertApplication({ ...withScopes, organizationId });
  const scope = 'identity:date_of_birth';
  const scoped = await tokenWithConditions(started, 'ada', [], {
    client_id: 'sandbox-public',
    scope,
    authorization_details: undefined,
  });
  expect(await outcome(scoped, age('>=', 34))).toBe('inference_bound');
  expect(await outcome(scoped, age('>=', 20))).toBe(true);
  expect(await outcome(token, condition)).toBe(true);
});

// S415
it('a granted condition is answered beyond the bound even if a granted scope covers it, without the outcomes of its checks', async () => {
  await start();
  const condition = { policy: { allOf: [age('>=', 32), age('<', 35)] } };
  const application = await started.store.findApplication('sandbox-conditions');
  if (application === undefined) throw new Error('no such application');
  const scope = 'identity:date_of_birth';
  await started.store.upsertApplication({ ...application, scopes: [...application.scopes, scope] });
  const token = await tokenWithConditions(started, 'ada', [condition], { scope });
  expect(await outcome(token, condition, 'checks')).toBe('inference_bound');
  expect(await outcome(token, condition)).toBe(true);
  expect(await outcome(token, age('>=', 33))).toBe('inference_bound');
});

describe('an adversary', () => {
  /** Searches for the points of a person by bisection, over HTTP. Returns the remaining interval. */
  async function search(token: string): Promise<readonly [low: number, high: number]> {
    let [low, high] = [0, 128];
    const refused = new Set<number>();
    for (;;) {
      const middle = Math.ceil((low + high) / 2);
      const open = Array.from({ length: high - low - 1 }, (_, index) => low + 1 + index)
        .filter((value) => !refused.has(value))
        .sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
      const [value] = open;
      if (value === undefined) return [low, high];
      const passed = await outcome(token, points(value));
      if (passed === true) low = value;
      else if (passed === false) high = value;
      else refused.add(value);
    }
  }

  // S346
  it('never gets below the bound by bisection', async () => {
    await start({ settings: { rateLimitPerMinute: 100_000 } });
    for (const [person, count] of [
      ['ada', 0],
      ['bruno', 31],
      ['chiyo', 64],
      ['dmitri', 100],
      ['emeka', 127],
    ] as const) {
      await givePoints(person, count);
      const [low, high] = await search(await started.token(person, 'club:read'));
      expect(low <= count && count < high).toBe(true);
      expect(high - low).toBeGreaterThanOrEqual(5);
      expect(high - low).toBeLessThan(10);
    }
  });

  // S350
  it('never gets below the bound by concurrent questions', async () => {
    const token = await start({ settings: { rateLimitPerMinute: 100_000 } });
    await givePoints('ada', 62);
    for (let round = 0; round < 3; round += 1) {
      const thresholds = Array.from({ length: 24 }, (_, index) => 40 + ((index * 7) % 48));
      const outcomes = await Promise.all(thresholds.map((value) => outcome(token, points(value))));
      expect(outcomes.filter((one) => typeof one === 'boolean').length).toBeGreaterThan(0);
      expect(outcomes.every((one) => typeof one === 'boolean' || one === 'inference_bound')).toBe(true);
      const passed = thresholds.filter((_, index) => outcomes[index] === true);
      const failed = thresholds.filter((_, index) => outcomes[index] === false);
      const width = Math.min(128, ...failed) - Math.max(0, ...passed);
      expect(width).toBeGreaterThanOrEqual(5);
    }
  });

  // S352
  it('does not reset the bounds by another grant', async () => {
    const token = await start();
    await givePoints('ada', 62);
    expect(await outcome(token, points(60))).toBe(true);
    await call(started, '/oauth/revoke', undefined, { token, cascade: true });
    expect(await outcome(await started.token('ada', 'club:read'), points(63))).toBe('inference_bound');
  });

  // S346
  it('learns no more from claims that change', async () => {
    const token = await start();
    await givePoints('ada', 62);
    expect(await outcome(token, points(60))).toBe(true);
    expect(await outcome(token, points(50))).toBe(true);
    await givePoints('ada', 53);
    // The outcome shows that the points have changed. If the answer to 50 still holds, they are between 50 and 59.
    expect(await outcome(token, points(60))).toBe(false);
    expect(await outcome(token, points(52))).toBe('inference_bound');
    expect(await outcome(token, points(55))).toBe(false);
    expect(await outcome(token, points(51))).toBe('inference_bound');
  });
});

// S346
it.each(['checks', 'none'])(
  'earlier answers at the level `%s` count again once an absent claim returns, and answers from the time of its absence are ignored',
  async (level) => {
    const token = await start();
    const expiry = STARTED_AT + DAY / 100;
    await givePoints('ada', 62, new Date(expiry).toISOString());
    expect(await outcome(token, points(60), level)).toBe(true);
    expect(await outcome(token, points(65), level)).toBe(false);
    started.clock.moveTo(expiry);
    expect(await outcome(token, points(60), level)).toBe(false);
    await givePoints('ada', 62);
    expect(await outcome(token, points(62), level)).toBe('inference_bound');
    expect(await outcome(token, points(60), level)).toBe(true);
  },
);

// S346
it('questions about a bounded claim may exceed the default limits of patterns if the deployment allows it', async () => {
  const queryLimits = { patternProgram: 2_000, patternWork: 100_000, matchCost: 1_000_000_000 };
  const token = await start({ options: { catalogue: CATALOGUE, queryLimits } });
  const value = `^(${'abcdefghij'.repeat(40)}|[A-M].)$`;
  const check = { claim: 'identity.country_of_residence', operator: 'matchRegex', value };
  expect(await outcome(token, { check })).toEqual(expect.any(Boolean));
});

// S352
it('earlier answers count even if the deployment no longer accepts their queries', async () => {
  const token = await start({ options: { catalogue: CATALOGUE, queryLimits: { checks: 2 } } });
  const { userId, organizationId } = await started.service.tokens.authenticate(token);
  const allOf = [points(60), points(50), points(40)];
  const answers = { 'club.points': [{ item: { policy: { allOf } }, at: 0, passed: true }] };
  await started.store.replaceInference({ userId, organizationId }, undefined, JSON.stringify(answers));
  expect(await outcome(token, points(63))).toBe('inference_bound');
  expect(await outcome(token, points(20))).toEqual(expect.any(Boolean));
});

// S346, S351
it('the answer to a condition on the characters of a date counts also after further answers', async () => {
  await start();
  const application = await started.store.findApplication('sandbox-conditions');
  if (application === undefined) throw new Error('no such application');
  const scope = 'identity:date_of_birth';
  await started.store.upsertApplication({ ...application, scopes: [...application.scopes, scope] });
  const born = { check: { claim: 'identity.date_of_birth', operator: 'startsWith', value: '1992-0' } };
  const token = await tokenWithConditions(started, 'ada', [born, age('>=', 18)], { scope });
  expect([await outcome(token, born), await outcome(token, age('>=', 40))]).toEqual([
    true,
    'inference_bound',
  ]);
  expect([await outcome(token, age('>=', 18)), await outcome(token, age('>=', 40))]).toEqual([
    true,
    'inference_bound',
  ]);
});

// S346, S347
it('answers about a derived claim that the catalogue no longer has count, as do the answers before them', async () => {
  const token = await start();
  const isAdult = { check: { claim: 'identity.age_over_21', operator: '==', value: true } };
  expect([await outcome(token, age('<', 60)), await outcome(token, isAdult)]).toEqual([true, true]);
  const { userId, organizationId } = await started.service.tokens.authenticate(token);
  const recorded = await started.store.findInference({ userId, organizationId });
  await started.stop();
  const without = (path: string) => path !== 'identity.age_over_21';
  const catalogue = {
    ...CATALOGUE,
    claims: CATALOGUE.claims.filter(({ path }) => without(path)),
    presets: CATALOGUE.presets.filter(({ claim }) => without(claim)),
  };
  const later = await start({ options: { catalogue } });
  const person = await started.service.tokens.authenticate(later);
  await started.store.replaceInference(person, undefined, recorded?.answers ?? '');
  expect(await outcome(later, age('<', 57))).toBe('inference_bound');
});

// S353
it('the discovery document has the inference bounds', async () => {
  await start();
  const { body } = await call(started, '/.well-known/hp-configuration');
  expect(body.inference_bounds).toEqual([
    { claim: 'identity.country_of_residence', values: 3 },
    { claim: 'identity.date_of_birth', years: 5, from: '1900-01-01' },
    { claim: 'club.points', width: 5, from: 0, to: 127 },
  ]);
});
