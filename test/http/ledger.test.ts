/** The ledger: what an application learns about a person is recorded before it is returned, shown to the person, and deleted by them (S154, S360–S366). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalText, parse } from '../../src/index.js';
import { StoreUnavailable } from '../../src/service/index.js';
import { call, ingest } from '../support/call.js';
import { type ReceivedAnswer, recomputeLedger } from '../support/ledger-model.js';
import { approve, begin, postJson, redemption } from '../support/oauth-client.js';
import { createSeededRandom } from '../support/seeded-random.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const age = (operator: string, value: number) => ({ check: { claim: 'identity.age', operator, value } });
const COUNTRY = 'identity.country_of_residence';
const IN_IBERIA = { check: { claim: COUNTRY, operator: 'in', value: ['PT', 'ES'] } };
const QUERIES = [
  // Ada is 34, until her birthday.
  ...[age('>=', 18), age('>=', 35), age('>=', 36), age('<', 35)],
  IN_IBERIA,
  { policy: { anyOf: [age('>=', 65), { check: { claim: COUNTRY, operator: '==', value: 'PT' } }] } },
];
const HOUR = 3_600_000;
const CLIENT = 'sandbox-conditions';

let started: StartedService;

beforeAll(async () => {
  const settings = { accessTokenLifetimeSeconds: 3_600 * 24 * 365 * 50 };
  started = await startService({ ledger: true, settings });
});

afterAll(() => started.stop());

/** Returns an access token whose granted conditions are all {@link QUERIES}. */
async function conditionToken(person: string): Promise<string> {
  const details = QUERIES.map((query) => ({ type: 'claims_condition', query, purpose: 'Because.' }));
  const changes = { client_id: CLIENT, scope: undefined, login_hint: person };
  const pending = await begin(started, { ...changes, authorization_details: JSON.stringify(details) });
  const response = await postJson(
    started,
    '/oauth/token',
    redemption(pending, await approve(started, pending)),
  );
  return ((await response.json()) as { readonly access_token: string }).access_token;
}

async function evaluate(token: string, query: unknown, more = {}): Promise<boolean> {
  const { status, body } = await call(started, '/queries/evaluate', token, { query, ...more });
  expect(status).toBe(200);
  return (body as { readonly passed: boolean }).passed;
}

async function read(userId: string, clientId: string) {
  return (await started.service.ledger.read(userId, started.clock.now())).get(clientId);
}

describe('the ledger of an application', () => {
  // S361
  it('has the claims whose values a query or the user information showed, without the values', async () => {
    const token = await started.token('ada', 'openid', 'email', 'kyc:read');
    const clientId = 'sandbox-public';
    const userId = 'person-ada';
    const claims = async () => (await read(userId, clientId))?.values.map(({ claim }) => claim) ?? [];
    const { status } = await call(started, '/queries/evaluate', token, {
      query: { check: { claim: 'kyc.level', operator: '==', value: 'basic' } },
    });
    expect([status, await claims()]).toEqual([200, ['kyc.level']]);
    expect((await read(userId, clientId))?.answers).toEqual([]);
    const country = { claim: 'kyc.document_country', operator: 'in', value: ['PT', 'ES'] };
    const isPassport = { claim: 'kyc.document_type', operator: '==', value: 'passport' };
    await evaluate(token, { check: country }, { evidence: 'none' });
    await evaluate(token, { policy: { anyOf: [country, isPassport] } }, { evidence: 'checks' });
    const ledger = await read(userId, clientId);
    expect(ledger?.answers).toHaveLength(2);
    // Without the outcomes of the checks, the second answer would reveal nothing.
    expect(ledger?.inferred).toMatchObject([
      { claim: 'kyc.document_country', values: { strings: { named: ['PT', 'ES'], others: false } } },
      { claim: 'kyc.document_type', values: { strings: { named: ['passport'], others: false } } },
    ]);
    await call(started, '/userinfo', token);
    expect(await claims()).toContain('identity.email');
    expect(JSON.stringify((await read(userId, clientId))?.values)).not.toMatch(/ada@example\.org|enhanced/);
  });

  // S360
  it('states that a claim is not defined if a projection disclosed that, but not if its value does not fit the lens', async () => {
    const token = await started.token('jun', 'identity:read', 'kyc:tax_id');
    const projections = ['kyc.tax_id', 'identity.nationality'].map((claim) => ({ claim, lens: 'at' }));
    const { body } = await call(started, '/queries/evaluate', token, { query: { projections } });
    expect(body.data).toEqual({ 'kyc.tax_id': null, 'identity.nationality': null });
    const ledger = await read('person-jun', 'sandbox-public');
    expect(ledger?.values).toMatchObject([{ claim: 'identity.nationality' }]);
    const query = JSON.stringify({ check: { claim: 'kyc.tax_id', operator: 'isDefined' } });
    expect(ledger?.answers).toMatchObject([{ query, passed: false }]);
  });

  // S154
  it('does not have the claims of a result that was too large to be returned', async () => {
    const issuedAt = new Date(STARTED_AT - 1).toISOString();
    const claims = { 'identity.phone': '1'.repeat(60_000) };
    expect((await ingest(started, 'ines', { id: 'large', issuedAt, claims })).status).toBe(200);
    const token = await started.token('ines', 'identity:read');
    const check = { claim: 'identity.phone', operator: '==', value: '1' };
    const evaluateChecks = (count: number) =>
      call(started, '/queries/evaluate', token, {
        query: { policy: { allOf: Array.from({ length: count }, () => check) } },
      });
    expect((await evaluateChecks(40)).status).toBe(400);
    expect(await read('person-ines', 'sandbox-public')).toBeUndefined();
    expect((await evaluateChecks(1)).status).toBe(200);
    expect((await read('person-ines', 'sandbox-public'))?.values).toMatchObject([
      { claim: 'identity.phone' },
    ]);
  });
});

/** Signs a person in at the page, and returns a function that opens `/grants`, or submits its form. */
async function openGrants({ url, port }: StartedService, person: string) {
  const cookies = new Map<string, string>();
  const visit = async (path: string, form?: Readonly<Record<string, string>>): Promise<string> => {
    const origin = `http://127.0.0.1:${port}`;
    const response = await fetch(new URL(path, url), {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map((pair) => pair.join('=')).join('; '), Origin: origin },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return await response.text();
  };
  const proofIn = (text: string) => /name="proof" value="([^"]+)"/.exec(text)?.[1] ?? '';
  await visit('/sign-in', { proof: proofIn(await visit('/sign-in')), person });
  return async (action?: string): Promise<string> => {
    const text = await visit('/grants');
    if (action === undefined) return text.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
    return await visit('/grants', { proof: proofIn(text), action, client_id: CLIENT });
  };
}

describe('the page of a person', () => {
  // S364, S366
  it('shows what an application has learned and can infer, and deletes its record on request', async () => {
    const token = await conditionToken('emeka');
    const grants = await openGrants(started, 'emeka');
    expect(await grants()).not.toContain('What the app has learned');
    await evaluate(token, age('>=', 18));
    await evaluate(token, age('<', 35));
    const text = await grants();
    expect(text).toContain('It can work out: you are 18 or older');
    expect(text).toMatch(/It has asked: .*Whether you are 18 or older\. Yes \d+ \w+ \d+/);
    await grants('forget');
    expect(await grants()).not.toContain('What the app has learned');
  });

  // S365
  it('states that nothing is recorded if the service has no ledger', async () => {
    const off = await startService();
    try {
      expect(await (await openGrants(off, 'ada'))()).toContain(
        'This service does not record what apps learn',
      );
    } finally {
      await off.stop();
    }
  });
});

// S363
it('the ledger counts an answer as changed only if its verdict changed, not the evidence with it', async () => {
  const token = await started.token('grace', 'kyc:read');
  const query = { check: { claim: 'kyc.document_country', operator: 'isDefined' } };
  const changes = async () => (await read('person-grace', 'sandbox-public'))?.answers[0]?.changes;
  for (const evidence of ['none', 'checks', 'none']) await evaluate(token, query, { evidence });
  expect(await changes()).toBe(0);
  await ingest(started, 'grace', { id: 'grace-kyc', claims: { 'kyc.document_country': 'PT' } });
  await evaluate(token, query, { evidence: 'checks' });
  expect(await changes()).toBe(1);
});

describe('the deletion of a ledger', () => {
  // S364
  it('removes what one application has learned, and does not stop the recording of later answers', async () => {
    const token = await conditionToken('chiyo');
    await evaluate(token, QUERIES[0]);
    expect((await read('person-chiyo', CLIENT))?.answers).toHaveLength(1);
    expect(await started.service.ledger.delete('person-chiyo', 'sandbox-public')).toBe(0);
    expect(await started.service.ledger.delete('person-chiyo', CLIENT)).toBe(1);
    expect(await read('person-chiyo', CLIENT)).toBeUndefined();
    await evaluate(token, QUERIES[0]);
    expect((await read('person-chiyo', CLIENT))?.answers).toHaveLength(1);
    expect(await started.service.ledger.delete('person-chiyo')).toBe(1);
  });
});

// S366
it('the ledger infers knowledge from an answer to a query that exceeds the default limits of patterns, if the deployment allows it', async () => {
  const queryLimits = { patternProgram: 2_000, patternWork: 100_000, matchCost: 1_000_000_000 };
  const service = await startService({ ledger: true, options: { queryLimits } });
  const token = await service.token('ada', 'identity:read');
  const value = `^(${'abcdefghij'.repeat(40)}|US)$`;
  const query = { check: { claim: 'identity.nationality', operator: 'matchRegex', value } };
  const { status } = await call(service, '/queries/evaluate', token, { query, evidence: 'none' });
  expect(status).toBe(200);
  const ledger = await service.service.ledger.read('person-ada', service.clock.now());
  expect(ledger.get('sandbox-public')?.answers).toMatchObject([{ query: JSON.stringify(query) }]);
  await service.stop();
});

// S365
it('without a ledger, nothing is recorded', async () => {
  const off = await startService();
  try {
    const token = await off.token('ada', 'kyc:read');
    const query = { check: { claim: 'kyc.level', operator: 'isDefined' } };
    expect((await call(off, '/queries/evaluate', token, { query })).status).toBe(200);
    expect([
      off.service.ledger.isRecorded,
      await off.service.ledger.read('person-ada', off.clock.now()),
    ]).toEqual([false, new Map()]);
  } finally {
    await off.stop();
  }
});

// S362
it('an answer that cannot be recorded is not returned', async () => {
  let isFailing = false;
  const failing = await startService({
    ledger: true,
    wrap: (store) => ({
      ...store,
      recordLearned: async (records) => {
        if (isFailing) throw new StoreUnavailable(new Error('full'));
        await store.recordLearned(records);
      },
    }),
  });
  try {
    const token = await failing.token('ada', 'kyc:read');
    const ask = (operator: string) =>
      call(failing, '/queries/evaluate', token, { query: { check: { claim: 'kyc.level', operator } } });
    isFailing = true;
    expect((await ask('isDefined')).status).toBe(503);
    expect((await ask('isDefined')).status).toBe(503);
    isFailing = false;
    expect((await ask('isDefined')).status).toBe(200);
    expect((await failing.service.ledger.read('person-ada', failing.clock.now())).size).toBe(1);
  } finally {
    await failing.stop();
  }
});

// S360, S363
it('the ledger equals a recomputation from all answers, while ages grow and credentials expire', async () => {
  const random = createSeededRandom('ledger');
  const pick = (count: number) => (random.bytes(1)[0] ?? 0) % count;
  const toText = (query: unknown) => canonicalText(parse(query));
  // Each person has a birthday, and a credential with another country that expires.
  for (const [person, birthday, country] of [
    ['ada', age('>=', 35), 'DE'],
    ['bruno', age('>=', 18), 'PT'],
  ] as const) {
    const token = await conditionToken(person);
    const received: ReceivedAnswer[] = [];
    const now = started.clock.now();
    const abroad = await ingest(started, person, {
      id: `${person}-abroad`,
      issuedAt: new Date(now - 1).toISOString(),
      expiresAt: new Date(now + 100 * 24 * HOUR).toISOString(),
      claims: { [COUNTRY]: country },
    });
    expect(abroad.status).toBe(200);
    for (let step = 0; step < 60; step += 1) {
      const passed = [2, 60_000, HOUR - 2, HOUR, 60 * 24 * HOUR][pick(5)] ?? 2;
      started.clock.moveTo(started.clock.now() + passed);
      const query = QUERIES[pick(QUERIES.length)];
      const outcome = await evaluate(token, query);
      received.push({ query: toText(query), passed: outcome, at: started.clock.now() });
    }
    const ledger = await read(`person-${person}`, CLIENT);
    expect(ledger).toEqual(recomputeLedger(received));
    const changesOf = (query: unknown) => ledger?.answers.find((one) => one.query === toText(query))?.changes;
    expect([changesOf(birthday), changesOf(IN_IBERIA)]).toEqual([1, 1]);
  }
});
