/** Two organizations that pool all data about many people cannot correlate them (V5, promise 5 of docs/explanation/security.md). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import { call, type HttpResponse, ingest } from '../support/call.js';
import { AS_CONFIDENTIAL, CONFIDENTIAL, logIn, PUBLIC, type Tokens } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

const PEOPLE = Array.from({ length: 16 }, (_, index) => `person-${String(index).padStart(2, '0')}`);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const INGESTED_ON = Date.UTC(2026, 5, 2);
const SCOPES = 'openid data.read identity:read kyc:read financial:read';

/** The claims that all people have in common; each person also has an `identity.service_uuid`. */
const COMMON = [
  { 'identity.nationality': 'PT', 'identity.is_human': true, 'identity.country_of_residence': 'PT' },
  { 'kyc.passed': true, 'kyc.level': 'enhanced' },
  { 'financial.cex_balance': 52_000 },
];

let started: StartedService;
/** The data that each organization receives, by person: leaves of JSON, as strings. */
let collected: { readonly harbour: LeavesByPerson; readonly meridian: LeavesByPerson };

type LeavesByPerson = ReadonlyMap<string, ReadonlySet<string>>;

beforeAll(async () => {
  started = await startService();
  for (const [index, id] of PEOPLE.entries()) {
    await started.store.getOrCreatePerson({ id, name: id, about: 'One of many.' });
    await ingestFor(id, index);
  }
  // Each organization receives people in its own order, on its own day.
  collected = {
    harbour: await collectData(shuffled(5), INGESTED_ON + 3 * DAY_MS, {}),
    meridian: await collectData(shuffled(7), INGESTED_ON + 4 * DAY_MS, AS_CONFIDENTIAL),
  };
});

afterAll(() => started.stop());

/** Returns the people in another order; `step` must be coprime to their number. */
function shuffled(step: number): readonly string[] {
  return PEOPLE.map((_, index) => PEOPLE[(index * step + step) % PEOPLE.length] as string);
}

/**
 * Ingests credentials that are issued, ingested, revoked and expire on the same days for everyone, at
 * instants unique to the person.
 */
async function ingestFor(id: string, index: number): Promise<void> {
  const moment = (index * 12_345_677) % (DAY_MS - HOUR_MS);
  const on = (year: number) => new Date(Date.UTC(year, 0, 15) + moment).toISOString();
  const uuid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const claims = [...COMMON, { 'identity.service_uuid': uuid }, { 'kyc.pep_status': false }];
  for (const [number, each] of claims.entries()) {
    started.clock.moveTo(INGESTED_ON + moment + number);
    const credential = { id: `${id}-${number}`, issuedAt: on(2025), expiresAt: on(2031), claims: each };
    expect((await ingest(started, id, credential)).status).toBe(200);
  }
  started.clock.moveTo(INGESTED_ON + moment + HOUR_MS / 2);
  const path = `/credentials/${id}-${claims.length - 1}`;
  const revoked = await call(started, path, SANDBOX_ADMINISTRATOR_TOKEN, undefined, 'DELETE');
  expect(revoked.status).toBe(200);
}

/** Collects all data that an organization receives about people, each at a different time. */
async function collectData(
  order: readonly string[],
  from: number,
  application: Readonly<Record<string, string>>,
): Promise<LeavesByPerson> {
  const leavesByPerson = new Map<string, ReadonlySet<string>>();
  for (const [index, id] of order.entries()) {
    started.clock.moveTo(from + index * 61_001);
    const tokens = await logIn(started, { ...application, scope: SCOPES, login_hint: id });
    const leaves = new Set<string>();
    for (const response of await callAllEndpoints(
      tokens,
      application['client_id'] === CONFIDENTIAL.clientId,
    )) {
      collectLeaves(response, '', leaves);
    }
    leavesByPerson.set(id, leaves);
  }
  return leavesByPerson;
}

/** Calls every endpoint that returns data about a person to an organization. */
async function callAllEndpoints(tokens: Tokens, isConfidential: boolean): Promise<readonly unknown[]> {
  const get = async (path: string) => withHeaders(await call(started, path, tokens.access_token));
  const post = async (path: string, body: unknown) =>
    withHeaders(await call(started, path, tokens.access_token, body));
  const { presets } = (await call(started, '/presets')).body as { presets: { name: string }[] };
  const paths = [...COMMON, { 'identity.service_uuid': '' }].flatMap((claims) => Object.keys(claims));
  const checks = paths.map((claim) => ({ claim, operator: 'isDefined' }));
  const queries = [
    ...checks.map((check) => ({ check })),
    { policy: { anyOf: checks } },
    { projections: paths.map((claim) => ({ claim, lens: 'pluck' })) },
  ];
  const payload = tokens.id_token?.split('.')[1] ?? '';
  return [
    tokens,
    JSON.parse(Buffer.from(payload, 'base64url').toString()),
    await get('/userinfo'),
    await post('/userinfo', {}),
    await get('/authorizations'),
    ...(await readPages(tokens, '/credentials?limit=1')),
    await get('/credentials'),
    { lastListed: await lastListed(tokens) },
    await post('/presets/batch', { presets: presets.map(({ name }) => name) }),
    await get('/presets/nationality'),
    await get('/presets/residency_region'),
    ...(await runInSequence(queries.map((query) => () => post('/queries/evaluate', { query })))),
    ...(isConfidential ? await readAsApplication(tokens) : []),
  ];
}

/** Sends requests one after the other: rate-limit headers count in the order of responses. */
async function runInSequence(requests: readonly (() => Promise<unknown>)[]): Promise<readonly unknown[]> {
  const responses: unknown[] = [];
  for (const request of requests) responses.push(await request());
  return responses;
}

/** Returns a response with its headers except `Date`, which is the time of the request. */
function withHeaders({ body, headers }: HttpResponse): unknown {
  return { body, headers: Object.fromEntries([...headers].filter(([name]) => name !== 'date')) };
}

async function readPages(tokens: Tokens, path: string): Promise<readonly unknown[]> {
  const { body } = await call(started, path, tokens.access_token);
  if (!body.has_more) return [body];
  const [first] = path.split('&');
  return [body, ...(await readPages(tokens, `${first}&cursor=${encodeURIComponent(body.next_cursor)}`))];
}

/** Finds the latest `updated_since` that still lists something, by bisection. */
async function lastListed(tokens: Tokens): Promise<string> {
  let [listed, unlisted] = [INGESTED_ON - DAY_MS, INGESTED_ON + 2 * DAY_MS];
  while (unlisted - listed > 1) {
    const middle = Math.floor((listed + unlisted) / 2);
    const since = encodeURIComponent(new Date(middle).toISOString());
    const { body } = await call(started, `/credentials?updated_since=${since}`, tokens.access_token);
    if (body.items.length > 0) listed = middle;
    else unlisted = middle;
  }
  return new Date(listed).toISOString();
}

async function readAsApplication(tokens: Tokens): Promise<readonly unknown[]> {
  const proof = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };
  const post = async (path: string, body: unknown) => (await call(started, path, undefined, body)).body;
  const basic = Buffer.from(`${CONFIDENTIAL.clientId}:${CONFIDENTIAL.secret}`).toString('base64');
  const response = await fetch(`${started.url}/authorizations?limit=100`, {
    headers: { Authorization: `Basic ${basic}` },
  });
  const { items } = (await response.json()) as { items: { authorization_id: string }[] };
  return [
    await post('/oauth/introspect', { ...proof, token: tokens.access_token }),
    await post('/oauth/client/user-token', { ...proof, user_id: tokens.app_scoped_user_id }),
    items.filter(({ authorization_id }) => authorization_id === tokens.authorization_id),
  ];
}

/**
 * Adds every leaf, with and without its path, its instants at each precision, and the dot-separated parts
 * of strings.
 */
function collectLeaves(value: unknown, place: string, leaves: Set<string>): void {
  if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      collectLeaves(inner, Array.isArray(value) ? `${place}/*` : `${place}/${name}`, leaves);
    }
    return;
  }
  const text = String(value);
  const parts = instantOf(text) === undefined ? text.split('.') : [];
  for (const part of new Set([text, ...parts])) {
    leaves.add(part).add(`${place}=${part}`);
    const instant = instantOf(part);
    if (instant === undefined) continue;
    for (const unit of [1, 1_000, 60_000, HOUR_MS, DAY_MS]) {
      leaves.add(`${unit}:${Math.floor(instant / unit)}`);
    }
  }
}

/** Parses an instant in any of the formats in use; returns `undefined` for other strings. */
function instantOf(text: string): number | undefined {
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return Date.parse(text);
  if (/^1\d{9}$/.test(text)) return Number(text) * 1_000;
  return /^1\d{12}$/.test(text) ? Number(text) : undefined;
}

/**
 * Matches the people of one organization with those of the other by the leaves that they share; rare leaves
 * count more. Returns the expected number of correct matches, where ties are broken at random; 1 is chance.
 */
function expectedMatches(here: LeavesByPerson, there: LeavesByPerson): number {
  const owners = new Map<string, number>();
  for (const leaves of there.values()) {
    for (const leaf of leaves) owners.set(leaf, (owners.get(leaf) ?? 0) + 1);
  }
  const weight = (leaf: string) => Math.log(there.size / (owners.get(leaf) ?? there.size));
  let expected = 0;
  for (const [id, leaves] of here) {
    const scores = [...there].map(([other, theirs]) => {
      const common = [...leaves].filter((leaf) => theirs.has(leaf)).map(weight);
      // Sums are computed in one order, so that equal sets have equal sums.
      return { other, score: common.sort().reduce((sum, each) => sum + each, 0) };
    });
    const best = Math.max(...scores.map(({ score }) => score));
    const nearest = scores.filter(({ score }) => score > best - 1e-9);
    if (nearest.some(({ other }) => other === id)) expected += 1 / nearest.length;
  }
  return expected;
}

describe('two organizations that pool their data about the same people', () => {
  // V5
  it('match them no better than by chance, by any field of any endpoint or by all fields together', () => {
    expect(collected.harbour.size).toBe(PEOPLE.length);
    expect([...collected.harbour.values()].every((leaves) => leaves.size > 200)).toBe(true);
    expect(expectedMatches(collected.harbour, collected.meridian)).toBeCloseTo(1, 6);
    expect(expectedMatches(collected.meridian, collected.harbour)).toBeCloseTo(1, 6);
  });

  // V5
  it('learn nothing from the order of an audience, which differs for each organization', async () => {
    const query = { check: { claim: 'kyc.passed', operator: '==', value: true } };
    const listed = async (clientId: string): Promise<readonly (string | undefined)[]> => {
      const application = await started.store.findApplication(clientId);
      const people = new Map(
        PEOPLE.map((id) => [started.service.people.subjectOf(application?.organizationId ?? '', id), id]),
      );
      const response = await fetch(`${started.url}/audiences/evaluate`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${SANDBOX_ADMINISTRATOR_TOKEN}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ client_id: clientId, query }),
      });
      const lines = (await response.text()).trim().split('\n').slice(0, -1);
      return lines.map((line) => people.get(JSON.parse(line).app_scoped_user_id));
    };
    const [harbour, meridian] = [await listed(PUBLIC.clientId), await listed(CONFIDENTIAL.clientId)];
    expect([[...harbour].sort(), [...meridian].sort()]).toEqual([PEOPLE, PEOPLE]);
    // The test's keys are fixed; in a random order, one person is on the same line on average.
    const sameLine = (one: typeof harbour, other: typeof harbour) =>
      one.filter((id, index) => id === other[index]).length;
    const counts = [
      sameLine(harbour, meridian),
      sameLine(harbour, [...meridian].reverse()),
      sameLine(harbour, PEOPLE),
      sameLine(meridian, PEOPLE),
    ];
    expect(Math.max(...counts)).toBeLessThanOrEqual(3);
  });

  it('receive no common string about a person, except those that they receive about every person', () => {
    const [everyone = new Set<string>()] = collected.harbour.values();
    const common = [...everyone].filter((leaf) =>
      [...collected.harbour.values(), ...collected.meridian.values()].every((leaves) => leaves.has(leaf)),
    );
    for (const [id, leaves] of collected.harbour) {
      const shared = [...leaves].filter(
        (leaf) => collected.meridian.get(id)?.has(leaf) && !common.includes(leaf),
      );
      expect(shared).toEqual([]);
    }
  });

  it('match every person once a single instant is exact, which shows that the matching works', () => {
    const withInstant = (leavesByPerson: LeavesByPerson) =>
      new Map([...leavesByPerson].map(([id, leaves]) => [id, new Set([...leaves, `instant of ${id}`])]));
    expect(expectedMatches(withInstant(collected.harbour), withInstant(collected.meridian))).toBe(
      PEOPLE.length,
    );
  });
});
