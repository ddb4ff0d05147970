/** `/credentials`: paginated lists for the holder of an access token; ingestion and revocation for the administrator only (S145–S147, S154). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_ADMINISTRATOR_TOKEN as ADMINISTRATOR, DEFAULT_CATALOGUE } from '../../src/service/index.js';
import { call, ingest } from '../support/call.js';
import { AS_CONFIDENTIAL, CONFIDENTIAL, logIn } from '../support/oauth-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

interface Item {
  readonly id: string;
  readonly source: string;
  readonly status: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

const list = (token: string, query = '') => call(started, `/credentials${query}`, token);

describe('the credential list of a person', () => {
  it('shows the claims that the scopes cover', async () => {
    const { status, body } = await list(await started.token('ada', 'data.read', 'kyc:read'));
    expect(status).toBe(200);
    const items = body.items as Item[];
    expect(items.map(({ source }) => source).sort()).toEqual(['Screenline', 'Verify Now']);
    const paths = items.flatMap(({ claims }) => Object.keys(claims));
    expect(paths).toContain('kyc.level');
    expect(paths.every((path) => path.startsWith('kyc.'))).toBe(true);
    expect(paths).not.toContain('kyc.document_number');
    expect(body.has_more).toBe(false);
  });

  it('omits credentials of which no claim is covered', async () => {
    const { body } = await list(await started.token('ada', 'data.read'));
    expect(body).toEqual({ items: [], has_more: false });
  });

  it('omits claims that the catalogue derives, and members of them, if a credential that was ingested under another catalogue attests them', async () => {
    const claims = DEFAULT_CATALOGUE.claims.map(({ derived, ...claim }) =>
      derived === undefined || claim.path === 'identity.age' ? claim : { ...claim, derived },
    );
    const earlier = await startService({ options: { catalogue: { ...DEFAULT_CATALOGUE, claims } } });
    const attested = { 'identity.age': 17, 'identity.nationality': 'PT' };
    await ingest(earlier, 'ada', { id: 'attests-age', claims: attested });
    const ada = (await earlier.service.people.list()).find(({ name }) => name === 'ada');
    const member = {
      id: 'attests-years',
      source: 'Registry',
      issuedAt: 0,
      claims: { 'identity.age.years': 17 },
    };
    await earlier.store.addCredential(ada?.id ?? '', member, 1);
    const later = await startService({ wrap: () => earlier.store });
    const token = await later.token('ada', 'data.read', 'identity:date_of_birth', 'identity:read');
    const items = (await call(later, '/credentials', token)).body.items as Item[];
    const paths = items.filter(({ source }) => source === 'Registry').map((item) => Object.keys(item.claims));
    expect(paths).toEqual([['identity.nationality']]);
    await later.stop();
    await earlier.stop();
  });

  it('requires `data.read` and a token', async () => {
    const { status, body, headers } = await list(await started.token('ada', 'kyc:read'));
    expect([status, body.error_code, headers.get('www-authenticate')]).toEqual([
      403,
      'E4003',
      'Bearer error="insufficient_scope", scope="data.read"',
    ]);
    expect((await call(started, '/credentials')).status).toBe(401);
  });

  // L10
  it('shows claims of active credentials only: revoked and expired ones appear without claims', async () => {
    const { body } = await list(await started.token('emeka', 'data.read', 'kyc:read'));
    const revoked = (body.items as Item[]).find(({ status }) => status === 'revoked');
    expect(revoked?.claims).toEqual({});
    const { body: chiyo } = await list(await started.token('chiyo', 'data.read', 'kyc:read'));
    expect((chiyo.items as Item[]).map(({ status, claims }) => [status, claims])).toContainEqual([
      'expired',
      {},
    ]);
  });

  // S140, D5
  it('has different credential ids for each organization', async () => {
    const scope = 'data.read kyc:read';
    const [harbour, meridian] = [
      await logIn(started, { scope, login_hint: 'ada' }),
      await logIn(started, { scope, login_hint: 'ada', ...AS_CONFIDENTIAL }),
    ];
    const idsOf = async (token: string) => ((await list(token)).body.items as Item[]).map(({ id }) => id);
    const [here, there] = [await idsOf(harbour.access_token), await idsOf(meridian.access_token)];
    expect(here.length).toBeGreaterThan(0);
    expect(here).toHaveLength(there.length);
    expect(here.filter((id) => there.includes(id))).toEqual([]);
  });

  it('returns every credential once across pages, ordered by last change', async () => {
    const token = await started.token('ada', 'data.read', 'profile.full', 'financial:net_worth');
    const complete = (await list(token)).body;
    expect(complete.items.length).toBeGreaterThan(4);
    const ids: string[] = [];
    let query = '?limit=2';
    for (let pages = 0; pages < 10; pages += 1) {
      const { body } = await list(token, query);
      ids.push(...(body.items as Item[]).map(({ id }) => id));
      if (!body.has_more) break;
      query = `?limit=2&cursor=${body.next_cursor}`;
    }
    expect(ids).toEqual((complete.items as Item[]).map(({ id }) => id));
    const changes = complete.items.map(({ updated_at }: { updated_at: string }) => updated_at);
    expect(changes).toEqual([...changes].sort());
    expect(complete.last_modified).toBe(changes.at(-1));
  });

  it('can be filtered by the last change', async () => {
    const token = await started.token('ada', 'data.read', 'profile.full');
    const { body } = await list(token);
    const since = body.last_modified as string;
    const { body: newer } = await list(token, `?updated_since=${encodeURIComponent(since)}`);
    expect(newer.items.every((one: { updated_at: string }) => one.updated_at >= since)).toBe(true);
    expect(newer.items.length).toBeGreaterThan(0);
    expect(newer.items.length).toBeLessThan(body.items.length);
  });
});

describe('a list request', () => {
  const scopes = ['data.read', 'profile.full'];
  const firstCursor = async (token: string) => (await list(token, '?limit=1')).body.next_cursor as string;

  // S145
  it('is rejected if any part of its cursor was altered', async () => {
    const token = await started.token('ada', ...scopes);
    const cursor = await firstCursor(token);
    for (const place of [0, 5, 13, 14, 20, cursor.length - 10, cursor.length - 1]) {
      const other = cursor[place] === 'A' ? 'B' : 'A';
      const altered = cursor.slice(0, place) + other + cursor.slice(place + 1);
      const { status, body } = await list(token, `?limit=1&cursor=${encodeURIComponent(altered)}`);
      expect([status, body.error_code, body.error_subcode]).toEqual([400, 'E4000', 'cursor_invalid']);
    }
  });

  // S145
  it('is rejected if its cursor is from a list of another person, other scopes or other filters', async () => {
    const ada = await started.token('ada', ...scopes);
    const cursor = await firstCursor(ada);
    const others = [
      list(await started.token('fatima', ...scopes), `?cursor=${cursor}`),
      list(await started.token('ada', 'data.read', 'kyc:read'), `?cursor=${cursor}`),
      list(ada, `?updated_since=2020-01-01T00%3A00%3A00Z&cursor=${cursor}`),
    ];
    for (const { status, body } of await Promise.all(others)) {
      expect([status, body.error_subcode]).toEqual([400, 'cursor_invalid']);
    }
  });

  // S146
  it.each([
    ['limit=0', '/limit', 'number_range'],
    ['limit=-1', '/limit', 'number_range'],
    ['limit=101', '/limit', 'number_range'],
    ['limit=1000000000', '/limit', 'number_range'],
    ['limit=10%3B', '/limit', 'not_an_integer'],
    ['limit=1e1', '/limit', 'not_an_integer'],
    ['limit=0x10', '/limit', 'not_an_integer'],
    ['updated_since=yesterday', '/updated_since', 'instant_malformed'],
    ['updated_since=2026-02-30T00%3A00%3A00Z', '/updated_since', 'instant_malformed'],
    ['offset=1', '/offset', 'member_unknown'],
  ])('is rejected with a pointer to its invalid parameter: %s', async (query, pointer, code) => {
    const token = await started.token('ada', ...scopes);
    for (const path of ['/credentials', '/authorizations']) {
      const { status, body } = await call(started, `${path}?${query}`, token);
      expect([status, body.error_code]).toEqual([400, 'E4000']);
      expect(body.context.problems[0]).toMatchObject({ pointer, code });
    }
  });
});

describe('the administration of credentials', () => {
  const claims = { 'kyc.level': 'basic', 'kyc.passed': true };
  const credential = { id: 'new-1', source: 'Registry', issuedAt: '2026-01-01T00:00:00Z', claims };

  it('makes ingestion and revocation take effect at once', async () => {
    const token = await started.token('grace', 'kyc:read');
    const query = { query: { check: { claim: 'kyc.level', operator: '==', value: 'basic' } } };
    const passed = async () => (await call(started, '/queries/evaluate', token, query)).body.passed;
    expect(await passed()).toBe(false);
    const ingested = await ingest(started, 'grace', credential);
    expect([ingested.status, ingested.body]).toEqual([
      200,
      {
        id: 'new-1',
        source: 'Registry',
        status: 'active',
        issued_at: '2026-01-01T00:00:00.000Z',
        updated_at: new Date(STARTED_AT).toISOString(),
        claims,
      },
    ]);
    expect(await passed()).toBe(true);
    const revoked = await call(started, '/credentials/new-1', ADMINISTRATOR, undefined, 'DELETE');
    expect([revoked.status, revoked.body.status]).toEqual([200, 'revoked']);
    expect(await passed()).toBe(false);
  });

  it('rejects ingestion with the id of a revoked credential', async () => {
    const once = { ...credential, id: 'revoked-once' };
    expect((await ingest(started, 'ada', once)).status).toBe(200);
    await call(started, `/credentials/${once.id}`, ADMINISTRATOR, undefined, 'DELETE');
    for (const person of ['ada', 'grace']) {
      const { status, body } = await ingest(started, person, once);
      expect([status, body.error_code]).toEqual([400, 'E4000']);
      expect(body.context.problems).toMatchObject([{ pointer: '/credential/id', code: 'id_repeated' }]);
    }
  });

  it('keeps the instant of the first revocation if a credential is revoked again', async () => {
    await ingest(started, 'ada', { ...credential, id: 'revoked-twice' });
    const revoke = () => call(started, '/credentials/revoked-twice', ADMINISTRATOR, undefined, 'DELETE');
    const revokedAt = new Date(started.clock.now()).toISOString();
    expect((await revoke()).body.revoked_at).toBe(revokedAt);
    started.clock.moveTo(started.clock.now() + 1_000);
    const { status, body } = await revoke();
    expect([status, body.revoked_at]).toEqual([200, revokedAt]);
  });

  it('reports every problem of an ingested credential with its pointer', async () => {
    const { status, body } = await ingest(started, 'ada', {
      id: 'bad',
      claims: {
        'kyc.level': 'superb',
        'kyc.passed': 'yes',
        'identity.date_of_birth': '2001-02-29',
        'identity.age': 30,
        'kyc.shoe_size': 43,
        'financial.net_worth': 1,
      },
    });
    expect([status, body.error_code]).toEqual([400, 'E4000']);
    const problems = body.context.problems as { pointer: string; code: string; message: string }[];
    expect(problems.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/credential/claims/kyc.level', 'claim_type'],
      ['/credential/claims/kyc.passed', 'claim_type'],
      ['/credential/claims/identity.date_of_birth', 'claim_type'],
      ['/credential/claims/identity.age', 'claim_derived'],
      ['/credential/claims/kyc.shoe_size', 'claim_unknown'],
    ]);
    expect(problems.slice(0, 3).map(({ message }) => message)).toEqual([
      '`kyc.level` must be one of `none`, `basic`, `enhanced`.',
      '`kyc.passed` must be of type boolean.',
      '`identity.date_of_birth` must be of type date, such as `2026-01-31`.',
    ]);
    const malformed = await ingest(started, 'ada', { id: '', issuedAt: 'today', claims: { age: 1 } });
    expect(malformed.body.context.problems.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/credential/id',
      '/credential/issuedAt',
      '/credential/claims/age',
    ]);
  });

  it.each([
    ['id|nobody', 404, 'E4011'],
    ['email|ada@example.org', 200, undefined],
    ['wallet|0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 200, undefined],
    ['wallet|0x5a', 400, 'E4000'],
    ['wallet|0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 400, 'E4000'], // wrong checksum
    ['nobody', 400, 'E4000'],
  ])('finds the person by identifier: %s is answered with %d', async (identifier, status, code) => {
    const id = `by-${identifier}`;
    const response = await call(started, '/credentials', ADMINISTRATOR, {
      identifier,
      credential: { ...credential, id },
    });
    expect([response.status, response.body.error_code]).toEqual([status, code]);
  });

  // S147
  it.each([
    ['no token', undefined, 401, 'E4042'],
    ['an unknown token', 'x'.repeat(43), 401, 'E4042'],
  ])('is rejected with %s', async (_who, token, status, code) => {
    for (const [path, body, method] of [
      ['/credentials', { identifier: 'id|ada', credential }, 'POST'],
      ['/credentials/new-1', undefined, 'DELETE'],
    ] as const) {
      const response = await call(started, path, token, body, method);
      expect([response.status, response.body.error_code]).toEqual([status, code]);
    }
  });

  // S147
  it('is rejected for a person’s token and for a client secret', async () => {
    const token = await started.token('ada', 'data.read', 'profile.full');
    const asPerson = await call(started, '/credentials/ada-kyc', token, undefined, 'DELETE');
    expect([asPerson.status, asPerson.body.error_code]).toEqual([403, 'E4008']);
    const ingestion = await call(started, '/credentials', token, { identifier: 'id|ada', credential });
    expect([ingestion.status, ingestion.body.error_code]).toEqual([403, 'E4008']);
    const secret = Buffer.from(`${CONFIDENTIAL.clientId}:${CONFIDENTIAL.secret}`).toString('base64');
    const asClient = await fetch(`${started.url}/credentials/ada-kyc`, {
      method: 'DELETE',
      headers: { Authorization: `Basic ${secret}` },
    });
    expect(asClient.status).toBe(401);
    expect((await list(ADMINISTRATOR)).status).toBe(401);
  });

  it('answers revocation of an unknown credential with 404', async () => {
    const { status, body } = await call(started, '/credentials/nope', ADMINISTRATOR, undefined, 'DELETE');
    expect([status, body.error_code]).toEqual([404, 'E4011']);
  });

  // S154
  it('limits the size of an ingested credential, and of the result of a query on large credentials', async () => {
    const longText = 'x'.repeat(60_000);
    const paths = ['identity.legal_name', 'identity.phone', 'identity.nationality', 'kyc.document_type'];
    for (const path of paths) {
      const ingested = await ingest(started, 'ines', {
        id: `large-${path}`,
        issuedAt: new Date(STARTED_AT - 1).toISOString(),
        claims: { [path]: longText },
      });
      expect(ingested.status).toBe(200);
    }
    const token = await started.token('ines', 'identity:read', 'identity:legal_name', 'kyc:read');
    const check = { claim: 'identity.phone', operator: '==', value: 'x' };
    const evaluateChecks = (count: number) =>
      call(started, '/queries/evaluate', token, {
        query: { policy: { allOf: Array.from({ length: count }, () => check) } },
      });
    expect((await evaluateChecks(3)).status).toBe(200);
    const { status, body } = await evaluateChecks(40);
    expect([status, body.error_code, body.context.limit]).toEqual([400, 'E4002', 1_048_576]);
    const larger = await ingest(started, 'ines', {
      id: 'l',
      claims: { 'identity.phone': 'x'.repeat(70_000) },
    });
    expect(larger.status).toBe(413);
  });
});
