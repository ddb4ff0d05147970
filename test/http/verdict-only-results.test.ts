/** Results with less than full evidence depend on the outcomes and the instant only, and log, metrics and audit log do not depend on verdicts (S296, S298, S342, S367). */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Check, JsonValue } from '../../src/index.js';
import { createServiceLog } from '../../src/telemetry/service-log.js';
import { createServiceMetrics } from '../../src/telemetry/service-metrics.js';
import { call } from '../support/call.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';
import { tokenWithConditions } from '../support/token-with-conditions.js';

const check = (claim: string, operator: Check['operator'], value: JsonValue) => ({
  check: { claim: `identity.${claim}`, operator, value },
});
const ADULT = check('age', '>=', 18);
const LIVES_IN_IBERIA = check('country_of_residence', 'in', ['PT', 'ES']);
const NAMED = check('legal_name', 'matchRegex', '^(?:[A-Z][a-z]+ ?)+$');
const QUERIES = [
  ...[ADULT, LIVES_IN_IBERIA, NAMED],
  { policy: { allOf: [ADULT, LIVES_IN_IBERIA] } },
  { policy: { not: NAMED } },
];
const SCOPES = ['identity:date_of_birth', 'identity:read', 'identity:legal_name'];
const PEOPLE = ['ada', 'bruno'];
const LEVELS = ['none', 'checks', 'full'] as const;

interface DatedClaims {
  readonly claims: Readonly<Record<string, JsonValue>>;
  readonly issuedAt: number;
  readonly expiresAt?: number | undefined;
}

/** Replaces the credentials of all people. @param round - Makes the ids unique, since the ids of deleted credentials cannot be used again. */
async function attest(
  { runSql, store }: StartedService,
  drafts: readonly (readonly DatedClaims[])[],
  round = 0,
): Promise<void> {
  await runSql('DELETE FROM credential');
  for (const [person, credentials] of drafts.entries()) {
    const { id = '' } = (await store.findPerson('name', PEOPLE[person] ?? '')) ?? {};
    for (const [index, { claims, issuedAt, expiresAt }] of credentials.entries()) {
      const credential = { id: `random-${person}-${index}-${round}`, source: 's', issuedAt, claims };
      const dated = expiresAt === undefined ? credential : { ...credential, expiresAt };
      await store.addCredential(id, dated, STARTED_AT);
    }
  }
}

/** Values of a claim, among them strings that exceed the limit of the cost of matching. */
const value = fc.oneof(
  fc.integer({ min: 0, max: 120 }),
  fc.constantFrom('PT', 'DE', 'Ada Lovelace', 'ada', null, true),
  fc.string(),
  fc.integer({ min: 10_000, max: 80_000 }).map((length) => 'Ab'.repeat(length)),
);
const birthday = fc.oneof(value, fc.constantFrom('1986-01-01', '2021-01-01'));
const credential = fc.record({
  claims: fc.record(
    {
      'identity.date_of_birth': birthday,
      'identity.country_of_residence': value,
      'identity.legal_name': value,
    },
    { requiredKeys: [] },
  ),
  issuedAt: fc.integer({ min: 1, max: STARTED_AT + 1_000 }),
  expiresAt: fc.option(fc.integer({ min: STARTED_AT - 1_000, max: STARTED_AT + 1_000_000 }), {
    nil: undefined,
  }),
});
const INSTANTS = [STARTED_AT, STARTED_AT + 500, STARTED_AT + 400_000];

describe('a result without values', () => {
  let started: StartedService;

  beforeAll(async () => {
    const settings = {
      rateLimitPerMinute: 1e6,
      clientRateLimitPerMinute: 1e6,
      addressRateLimitPerMinute: 1e6,
    };
    started = await startService({ settings });
  });

  afterAll(() => started.stop());

  // S296, S342
  it('has the same bytes for two people with the same outcomes and expiry, whether conditions or scopes permit the query', async () => {
    const tokens = await Promise.all(
      PEOPLE.flatMap((person) => [
        tokenWithConditions(started, person, QUERIES),
        started.token(person, ...SCOPES),
      ]),
    );
    const [adaByConditions = '', adaByScopes = '', brunoByConditions = '', brunoByScopes = ''] = tokens;
    const requests = QUERIES.flatMap((query) => [
      ...[adaByConditions, brunoByConditions].map((token) => ({ token, body: { query } })),
      ...[adaByScopes, brunoByScopes].flatMap((token) =>
        ['none', 'checks'].map((evidence) => ({ token, body: { query, evidence } })),
      ),
    ]);
    let round = 0;
    const verdicts = new Map<string, Set<string>>();
    const outcomes = new Map<string, Set<string>>();
    const property = fc.asyncProperty(fc.array(credential), fc.array(credential), async (...drafts) => {
      round += 1;
      await attest(started, drafts, round);
      for (const { token, body } of requests) {
        const response = await fetch(`${started.url}/queries/evaluate`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });
        const text = await response.text();
        expect([response.status, text]).toEqual([200, expect.any(String)]);
        const { passed, expiresAt, evidence } = JSON.parse(text) as Received;
        const passes = evidence.checkResults.map((one) => one.passed);
        if (passes.length === 0) add(verdicts, `${passed} ${expiresAt}`, text);
        else add(outcomes, `${JSON.stringify(body.query)} ${passes} ${expiresAt}`, text);
      }
    });
    for (const [index, at] of INSTANTS.entries()) {
      started.clock.moveTo(at);
      await fc.assert(property, { numRuns: 12, seed: 9396 + index });
    }
    // Each key has the same text in all runs.
    for (const texts of [...verdicts.values(), ...outcomes.values()]) expect(texts.size).toBe(1);
    // Both verdicts at each instant, and most of the 36 combinations of outcomes.
    expect(verdicts.size).toBe(6);
    expect(outcomes.size).toBeGreaterThanOrEqual(24);
  });
});

interface Received {
  readonly passed: boolean;
  readonly expiresAt: string;
  readonly evidence: { readonly checkResults: readonly { readonly passed: boolean }[] };
}

function add(groups: Map<string, Set<string>>, key: string, text: string): void {
  groups.set(key, (groups.get(key) ?? new Set()).add(text));
}

/** Evaluates all queries at a new service. Returns the verdicts, and everything that the service recorded except the ledger. */
async function evaluateAtNewService(claims: DatedClaims['claims']) {
  const written: string[] = [];
  const log = createServiceLog('trace', { write: (line) => written.push(line) });
  const metrics = createServiceMetrics(() => 0);
  const started = await startService({
    store: { audit: true },
    ledger: true,
    listener: {
      onResponse: (entry) => {
        metrics.recordRequest(entry);
        log.request(entry);
      },
    },
  });
  try {
    metrics.watchQueryCache(started.service.readQueryCache);
    await attest(started, [[{ claims, issuedAt: 1 }]]);
    const conditions = await tokenWithConditions(started, 'ada', QUERIES);
    const scopes = await started.token('ada', ...SCOPES);
    const verdicts: boolean[] = [];
    for (const query of QUERIES) {
      const bodies = [{ query }, ...LEVELS.map((evidence) => ({ query, evidence }))];
      for (const [index, body] of bodies.entries()) {
        const token = index === 0 ? conditions : scopes;
        verdicts.push((await call(started, '/queries/evaluate', token, body)).body.passed);
      }
    }
    await call(started, '/presets/batch', scopes, {
      presets: ['age_over_18', 'age_over_21'],
      evidence: 'none',
    });
    const { text } = await metrics.read();
    const recorded = {
      log: written.map((line) => line.replace(/"time":"[^"]*"/, '')),
      // Only the metrics of the service: those of the process vary.
      metrics: text.split('\n').filter((line) => /^proviso_(?:http|refusals|connections|query)/.test(line)),
      audit: await started.store.listAudit({ limit: 1_000 }),
    };
    return { verdicts, recorded };
  } finally {
    await started.stop();
  }
}

// S298, S367
it('log, metrics and audit log are the same whatever the verdicts are', async () => {
  const claims = (birthday: JsonValue, country: JsonValue, name: JsonValue) => ({
    'identity.date_of_birth': birthday,
    'identity.country_of_residence': country,
    'identity.legal_name': name,
  });
  const services = [
    await evaluateAtNewService(claims('1986-01-01', 'PT', 'Ada Lovelace')),
    await evaluateAtNewService(claims('2021-01-01', 'DE', 'x')),
    await evaluateAtNewService(claims(null, null, null)),
  ];
  const [first, ...others] = services;
  expect(new Set(services.map(({ verdicts }) => verdicts.join())).size).toBe(2);
  expect(first?.verdicts.filter(Boolean)).toHaveLength(16);
  const { log = [], metrics = [], audit = [] } = first?.recorded ?? {};
  expect(log.length).toBeGreaterThan(20);
  expect(metrics.length).toBeGreaterThan(20);
  expect(audit.filter(({ queryHash }) => queryHash !== undefined)).toHaveLength(20);
  for (const { recorded } of others) expect(recorded).toEqual({ log, metrics, audit });
});
