/** `POST /audiences/evaluate`: streams the pairwise ids of people who satisfy the query and whose grants cover it, for the administrator, until the client disconnects (V14, L20). */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ClaimSet, re2js } from '../../src/index.js';
import {
  SANDBOX_ADMINISTRATOR_TOKEN,
  SANDBOX_PUBLIC_CLIENT_ID,
  type Store,
  StoreUnavailable,
} from '../../src/service/index.js';
import { call, ingest } from '../support/call.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';
import { compile } from '../support/with-re2js.js';

const PEOPLE = ['ada', 'bruno', 'chiyo', 'dmitri', 'emeka', 'fatima', 'grace', 'hugo', 'ines', 'jun'];
const OF_AGE = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
const BORN = { check: { claim: 'identity.date_of_birth', operator: '<', value: '2000-01-01' } };

let started: StartedService;
let batches = 0;
let gate: Promise<void> | undefined;
let failing = false;

/** Wraps a store: counts the batches of people whose credentials are read, and delays or fails the reads when a test requests it. */
function instrumentStore(store: Store): Store {
  return {
    ...store,
    readCredentialsOf: async (userIds) => {
      batches += 1;
      await gate;
      if (failing && batches > 1) throw new StoreUnavailable('the test made the store fail');
      return await store.readCredentialsOf(userIds);
    },
  };
}

beforeAll(async () => {
  started = await startService({ wrap: instrumentStore });
  for (const name of PEOPLE)
    if (name !== 'jun') await started.token(name, 'identity:read', 'identity:date_of_birth');
  await started.token('jun', 'kyc:read');
});

afterAll(() => started.stop());

interface AudienceResponse {
  readonly status: number;
  readonly type: string | null;
  readonly subjects: readonly string[];
  readonly last: Readonly<Record<string, unknown>>;
}

async function evaluateAudience(
  query: unknown,
  token = SANDBOX_ADMINISTRATOR_TOKEN,
  clientId = SANDBOX_PUBLIC_CLIENT_ID,
): Promise<AudienceResponse> {
  const response = await fetch(`${started.url}/audiences/evaluate`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_id: clientId, query }),
  });
  const text = await response.text();
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    subjects: lines.slice(0, -1).map((line) => String(line['app_scoped_user_id'])),
    last: lines.at(-1) ?? {},
  };
}

/** Returns the pairwise ids that the application's organization has for these people. */
async function subjectsOf(...names: readonly string[]): Promise<readonly string[]> {
  const people = await started.store.listPeople();
  const application = await started.store.findApplication(SANDBOX_PUBLIC_CLIENT_ID);
  return names.map((name) => {
    const person = people.find((one) => one.name === name);
    return started.service.people.subjectOf(application?.organizationId ?? '', person?.id ?? '');
  });
}

/** Returns the names of the people who satisfy a query, evaluated by the engine one by one. Omits jun, whose grant does not cover identity claims. */
async function namesByEngine(query: unknown): Promise<readonly string[]> {
  const compiled = compile(query, { regex: re2js });
  const passing: string[] = [];
  for (const person of await started.store.listPeople()) {
    const credentials = await started.store.readCredentials(person.id);
    if (person.name !== 'jun' && compiled.test(ClaimSet.at(credentials, STARTED_AT)))
      passing.push(person.name);
  }
  return passing;
}

// V5
it('an audience reads the pairwise value of `identity.service_uuid`, as queries of the application do, and not the stored one', async () => {
  const token = await started.token('ada', 'identity:read');
  const query = { projections: [{ claim: 'identity.service_uuid', lens: 'pluck' }] };
  const { data } = (await call(started, '/queries/evaluate', token, { query })).body;
  const { userId } = await started.service.tokens.authenticate(token);
  const stored = (await started.store.readCredentials(userId)).flatMap(({ claims }) =>
    Object.entries(claims),
  );
  const among = async (value: unknown) =>
    (await evaluateAudience({ check: { claim: 'identity.service_uuid', operator: '==', value } })).subjects;
  expect(await among(data['identity.service_uuid'])).toEqual([
    (await call(started, '/userinfo', token)).body.sub,
  ]);
  expect(await among(new Map(stored).get('identity.service_uuid'))).toEqual([]);
});

describe('the audience of a query', () => {
  // V14, V5
  it('contains the pairwise ids of the people who satisfy it, and ends with a line of counts', async () => {
    const found = await evaluateAudience(BORN);
    expect([found.status, found.type]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    const expected = await subjectsOf(...(await namesByEngine(BORN)));
    expect(expected.length).toBeGreaterThan(0);
    expect([...found.subjects].sort()).toEqual([...expected].sort());
    expect(found.last).toEqual({
      evaluated: 9,
      satisfied: expected.length,
      evaluated_at: new Date(STARTED_AT).toISOString(),
    });
  });

  // V14
  it('is the same for a derived claim, which the database does not contain, as for the claim from which it is derived', async () => {
    const born = { check: { claim: 'identity.date_of_birth', operator: '<=', value: '2008-06-01' } };
    const found = await evaluateAudience(OF_AGE);
    expect([...found.subjects].sort()).toEqual([...(await evaluateAudience(born)).subjects].sort());
    expect(found.subjects).not.toEqual([]);
    const underAge = await evaluateAudience({ policy: { not: OF_AGE } });
    expect(underAge.subjects.length + found.subjects.length).toBe(9);
  });

  // L20, V14
  it('contains only people whose grant covers every claim of the query', async () => {
    const kyc = await evaluateAudience({ check: { claim: 'kyc.level', operator: 'isDefined' } });
    expect(kyc.last).toMatchObject({ evaluated: 1 });
    const both = await evaluateAudience({
      policy: { anyOf: [BORN, { claim: 'kyc.level', operator: 'isDefined' }] },
    });
    expect([both.subjects, both.last]).toMatchObject([[], { evaluated: 0, satisfied: 0 }]);
  });

  // V3, V11, L10
  it('no longer contains people after a revocation of their credential or grant', async () => {
    await started.token('ada', 'financial:net_worth');
    const ingested = await ingest(started, 'ada', {
      id: 'audience-1',
      issuedAt: '2026-06-01T11:00:00Z',
      claims: { 'financial.net_worth': 5 },
    });
    expect(ingested.status).toBe(200);
    const netWorthQuery = { check: { claim: 'financial.net_worth', operator: '==', value: 5 } };
    expect((await evaluateAudience(netWorthQuery)).last).toMatchObject({ evaluated: 1, satisfied: 1 });
    await started.service.credentials.revoke('audience-1');
    expect((await evaluateAudience(netWorthQuery)).last).toMatchObject({ evaluated: 1, satisfied: 0 });
    const grants = await started.store.listGrants({
      clientId: SANDBOX_PUBLIC_CLIENT_ID,
      limit: 50,
      at: STARTED_AT,
    });
    for (const { authorizationId } of grants) {
      const { authorization } = await started.service.authorizations.get(authorizationId);
      if (authorization.grantedScopes?.includes('financial:net_worth') !== true) continue;
      await started.store.revokeAuthorization(authorizationId, STARTED_AT);
    }
    expect((await evaluateAudience(netWorthQuery)).last).toMatchObject({ evaluated: 0, satisfied: 0 });
  });
});

describe('a caller of `/audiences/evaluate`', () => {
  // S147
  it('must be the administrator', async () => {
    const bearer = await started.token('ada', 'identity:read');
    expect((await evaluateAudience(OF_AGE, bearer)).status).toBe(403);
    expect((await evaluateAudience(OF_AGE, 'nobody')).status).toBe(401);
  });

  // L8, V14
  it('receives an error before the first line for an invalid query, for projections, and for an unknown or a missing application', async () => {
    const projections = { projections: [{ claim: 'identity.age', lens: 'pluck' }] };
    for (const query of [{}, projections, { check: { claim: 'x', operator: '==', value: 1 } }]) {
      const { status, subjects, last } = await evaluateAudience(query);
      expect([status, subjects, last]).toMatchObject([400, [], { error_subcode: 'invalid_query' }]);
    }
    const unknown = await evaluateAudience(OF_AGE, SANDBOX_ADMINISTRATOR_TOKEN, 'nobody');
    expect([unknown.status, unknown.subjects]).toEqual([404, []]);
    const { status, body } = await call(started, '/audiences/evaluate', SANDBOX_ADMINISTRATOR_TOKEN, {
      query: OF_AGE,
    });
    expect([status, body]).toMatchObject([400, { error_subcode: 'malformed_body' }]);
  });
});

describe('an audience with a pattern', () => {
  const nameMatches = (value: string) => ({
    check: { claim: 'identity.legal_name', operator: 'matchRegex', value },
  });

  // V14, S156
  it('contains a person whose claim is longer than the cost limit admits for a single query', async () => {
    const token = await started.token('bruno', 'identity:legal_name');
    const claims = { 'identity.legal_name': 'x'.repeat(60_000) };
    const credential = { id: 'audience-long', issuedAt: '2026-06-01T11:00:00Z', claims };
    expect((await ingest(started, 'bruno', credential)).status).toBe(200);
    const query = nameMatches('^[a-z]+x{100}$');
    const single = await call(started, '/queries/evaluate', token, { query });
    expect([single.status, single.body]).toMatchObject([400, { error_subcode: 'query_too_large' }]);
    const { last } = await evaluateAudience(query);
    expect(last).toMatchObject({ evaluated: 1, satisfied: 1 });
    expect(started.failures).toEqual([]);
  });

  // V14, S156
  it('is rejected before the first line if the patterns are too costly for long claims', async () => {
    const anyOf = ['a', 'b', 'c'].map((letter) => nameMatches(`${letter}{200}$`));
    const { status, last } = await evaluateAudience({ policy: { anyOf } });
    expect([status, last]).toMatchObject([400, { error_subcode: 'query_too_large' }]);
  });
});

describe('an audience of many people', () => {
  const withoutBirthDate = { policy: { not: { claim: 'identity.date_of_birth', operator: 'isDefined' } } };
  let before: AudienceResponse;

  beforeAll(async () => {
    before = await evaluateAudience(withoutBirthDate);
    const people = Array.from({ length: 600 }, (_, index) => `('many-${index}', 'many-${index}', '')`);
    await started.runSql(`INSERT INTO person (id, name, about) VALUES ${people.join(', ')}`);
    // Audiences select grants by their sector, so the inserted grants have that of the existing ones.
    const sector = `(SELECT max(subject_sector) FROM authorization_record WHERE client_id = '${SANDBOX_PUBLIC_CLIENT_ID}')`;
    const grants = Array.from(
      { length: 600 },
      (_, index) =>
        `('grant-${index}', '${SANDBOX_PUBLIC_CLIENT_ID}', 'many-${index}', 'consumed', '', '[]', '["identity:read","identity:date_of_birth"]', 0, 0, 0, ${sector}, 'hash-${index}')`,
    );
    const columns =
      'id, client_id, person_id, status, redirect_uri, requested_scopes, granted_scopes, created_at, request_expires_at, updated_at, subject_sector, subject_hash';
    await started.runSql(`INSERT INTO authorization_record (${columns}) VALUES ${grants.join(', ')}`);
  });

  // V14
  it('is evaluated in batches, and evaluation stops when the client disconnects', async () => {
    batches = 0;
    const all = await evaluateAudience(withoutBirthDate);
    expect([all.last, batches]).toMatchObject([
      { evaluated: 609, satisfied: 600 + before.subjects.length },
      // Thirty batches of twenty, and the last nine people.
      31,
    ]);
    expect(new Set(all.subjects).size).toBe(all.subjects.length);

    batches = 0;
    let release: () => void = () => undefined;
    gate = new Promise((resolve) => {
      release = resolve;
    });
    const abandoned = httpRequest(`${started.url}/audiences/evaluate`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${SANDBOX_ADMINISTRATOR_TOKEN}`, 'Content-Type': 'application/json' },
    });
    abandoned.on('error', () => undefined);
    abandoned.end(JSON.stringify({ client_id: SANDBOX_PUBLIC_CLIENT_ID, query: BORN }));
    await expect.poll(() => batches).toBe(1);
    abandoned.destroy();
    // By the end of another round trip, the server has detected the disconnect.
    await call(started, '/health');
    release();
    gate = undefined;
    await call(started, '/health');
    await evaluateAudience(BORN);
    expect(batches).toBe(1 + 31);
    expect(started.failures).toEqual([]);
  });

  // V11, V14
  it('skips people whose grants end while the client does not read', async () => {
    const clientId = SANDBOX_PUBLIC_CLIENT_ID;
    const { slices } = await started.service.audiences.evaluate({ clientId, query: withoutBirthDate });
    const batchesOfPeople = slices[Symbol.asyncIterator]();
    expect((await batchesOfPeople.next()).value.evaluated).toBeGreaterThan(0);
    onTestFinished(async () => {
      await started.runSql(`UPDATE authorization_record SET status = 'consumed' WHERE id LIKE 'grant-%'`);
    });
    await started.runSql(`UPDATE authorization_record SET status = 'revoked' WHERE id LIKE 'grant-%'`);
    let evaluated = 0;
    for await (const slice of { [Symbol.asyncIterator]: () => batchesOfPeople }) evaluated += slice.evaluated;
    expect(evaluated).toBeLessThan(10);
  });
});

describe('an audience whose evaluation fails midway', () => {
  // V14, S27
  it('is cut off, so that clients detect the incomplete list, and the failure is logged', async () => {
    batches = 0;
    failing = true;
    await expect(evaluateAudience({ policy: { not: OF_AGE } })).rejects.toThrow();
    failing = false;
    expect((started.failures as unknown[]).splice(0)).toMatchObject([{ name: 'StoreUnavailable' }]);
    expect((await evaluateAudience(BORN)).status).toBe(200);
  });
});
