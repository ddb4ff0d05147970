/** Lists, exports and erasures of people, by the administrator and by the person, in stores without and with encryption (S329–S332, S409). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toRewriteStatements } from '../../src/cli/rewrite-statements.js';
import { canonicalText, parse } from '../../src/index.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { cipherOf } from '../support/encryption-keys.js';
import {
  ADMINISTRATOR,
  type ExternalLogin,
  formOf,
  type Jar,
  startWithExternalLogin,
} from '../support/external-login.js';
import { isTokenValid, PUBLIC, postJson, type Tokens } from '../support/oauth-client.js';
import { STARTED_AT, type StartedService } from '../support/start-service.js';

const AS_ADMINISTRATOR = { Authorization: `Bearer ${ADMINISTRATOR}` };
const MINUTE_MS = 60_000;
const MS_PER_SECOND = 1_000;
const ACCOUNT_HASH = 'account-of-zerlina-hash'.padEnd(43, '-');

/** Values that occur nowhere else. */
const PERSON = {
  id: 'id-zerlina-7f3a',
  name: 'zerlina-quartz',
  about: '',
  email: 'zerlina.quartz@people.example',
  evmAddress: `0x${'7fe1'.repeat(10)}`,
};
const LEGAL_NAME = 'Zerlina Aurelia Quartzfeld';
const CLAIMS = {
  'identity.legal_name': LEGAL_NAME,
  'identity.wallet_addresses': [PERSON.evmAddress],
  'kyc.passed': true,
};
const QUERY = { check: { claim: 'kyc.passed', operator: '==', value: true } };
/** The ids of credentials, new in each test, since the id of a revoked credential cannot be used again. */
let activeId: string;
let revokedId: string;
let testCount = 0;

let login: ExternalLogin;
let started: StartedService;
let jar: Jar;
let tokens: Tokens;
let authorizationId: string;

const STORES = [
  ['without encryption', {}],
  ['with encryption', { cipher: cipherOf('personal-data'), encryptionRequired: true }],
] as const;

describe.each(STORES)('in a store %s,', (_form, storeOptions) => {
  beforeAll(async () => {
    login = await startWithExternalLogin({}, undefined, {
      // A reused database has deleted rows of other tests, with hashes for which a test below searches.
      store: { audit: true, newDatabase: true, ...storeOptions },
      ledger: true,
    });
    ({ started } = login);
  });

  afterAll(() => started.stop());

  /** Creates a person with data of every kind that the service stores. */
  beforeEach(async () => {
    started.clock.moveTo(STARTED_AT);
    testCount += 1;
    [activeId, revokedId] = [`passport-zerlina-${testCount}`, `licence-zerlina-${testCount}`];
    jar = new Map();
    const { store } = started;
    await store.getOrCreatePerson(PERSON);
    await store.signInWithAccount({
      accountHash: ACCOUNT_HASH,
      issuer: 'https://sso.example',
      linkBy: ['name'],
      person: { id: 'unused', name: PERSON.name, about: '' },
      alternativeName: 'unused',
      at: STARTED_AT,
    });
    expect((await ingest(activeId, CLAIMS)).status).toBe(200);
    expect((await ingest(revokedId, { 'kyc.passed': true })).status).toBe(200);
    await call('DELETE', `/credentials/${revokedId}`);
    await login.signIn(jar, PERSON.name, '', { auth_time: STARTED_AT / MS_PER_SECOND });
    const pending = await login.begin(jar, { scope: 'openid kyc:read' });
    authorizationId = pending.id;
    tokens = await login.redeem(pending, (await login.decide(jar, pending.id, 'approve')).location);
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    expect((await postJson(started, '/queries/evaluate', { query: QUERY }, headers)).status).toBe(200);
  });

  function call(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${started.url}${path}`, {
      method,
      headers: { ...AS_ADMINISTRATOR, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  function ingest(id: string, claims: object, person: string = PERSON.id): Promise<Response> {
    const credential = { id, source: 'Registry', issuedAt: '2026-01-02T00:00:00.000Z', claims };
    return call('POST', '/credentials', { identifier: `id|${person}`, credential });
  }

  /** Reads a file. Returns the empty string for a folder, and for a file that the running server has removed. */
  function readFileIfPresent(path: string): string {
    try {
      return readFileSync(path, 'latin1');
    } catch (error) {
      if (['ENOENT', 'EISDIR'].includes(String((error as NodeJS.ErrnoException).code))) return '';
      throw error;
    }
  }

  /** Returns the expected export of {@link PERSON} after the steps before each test. */
  function expectedExport(): object {
    const at = new Date(STARTED_AT).toISOString();
    const credential = { source: 'Registry', issued_at: '2026-01-02T00:00:00.000Z', updated_at: at };
    const { id, name, email, evmAddress: wallet } = PERSON;
    const grant = { client_id: PUBLIC.clientId, authorization_id: authorizationId };
    const scopes = ['openid', 'kyc:read'];
    return {
      format: 1,
      exported_at: at,
      person: { id, name, email, wallet },
      accounts: [{ issuer: 'https://sso.example', linked_at: at }],
      credentials: [
        { ...credential, id: revokedId, status: 'revoked', revoked_at: at, claims: { 'kyc.passed': true } },
        { ...credential, id: activeId, status: 'active', claims: CLAIMS },
      ],
      grants: [
        {
          ...grant,
          application: 'Harbour',
          organization_id: 'o1',
          status: 'active',
          scopes,
          approved_at: at,
          updated_at: at,
          last_token_issued_at: at,
        },
      ],
      learned: [{ ...grant, value: 'kyc.passed', first_at: at, last_at: at, changes: 0 }],
      bounded_answers: [],
      audit: [
        { at, kind: 'credential_ingested', about: activeId, claims: Object.keys(CLAIMS) },
        { at, kind: 'credential_ingested', about: revokedId, claims: ['kyc.passed'] },
        { at, kind: 'credential_revoked', about: revokedId },
        { at, ...grant, kind: 'authorization_granted', scopes },
        { at, ...grant, kind: 'token_issued', about: 'authorization_code', scopes },
        {
          at,
          ...grant,
          kind: 'query_answered',
          claims: ['kyc.passed'],
          query_hash: systemDigest.sha256(canonicalText(parse(QUERY))),
        },
      ],
    };
  }

  const eraseByAdministrator = async () => {
    const erased = await call('DELETE', `/people/${PERSON.name}`);
    expect(await erased.json()).toMatchObject({ erased: true, id: PERSON.id, credentials: 2 });
  };

  // S329, S409
  it('an export equals what was recorded about a person, as a whole, and matches its schema', async () => {
    const response = await call('GET', `/people/${encodeURIComponent(`email|${PERSON.email}`)}`);
    const exported: unknown = await response.json();
    const schema = JSON.parse(
      readFileSync(new URL('../../docs/reference/person-export.schema.json', import.meta.url), 'utf8'),
    ) as object;
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    expect([validate(exported), validate.errors]).toEqual([true, null]);
    expect(exported).toEqual(expectedExport());
    await eraseByAdministrator();
  });

  // S329, S352
  it('an export has the answers about claims with an inference bound, until the person is erased', async () => {
    const query = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
    const claim = 'identity.date_of_birth';
    const other = { check: { claim, operator: '<', value: '1990-01-01' } };
    const observations = [
      { item: query, at: STARTED_AT, passed: true },
      { item: other, at: 0 },
    ];
    const key = { organizationId: 'o1', userId: PERSON.id };
    await started.store.replaceInference(key, undefined, JSON.stringify({ [claim]: observations }));
    const exported = (await (await call('GET', `/people/${PERSON.name}`)).json()) as object;
    expect(exported).toMatchObject({
      bounded_answers: [
        {
          organization_id: 'o1',
          claim,
          query,
          passed: true,
          evaluated_for: new Date(STARTED_AT).toISOString(),
        },
        { organization_id: 'o1', claim, query: other },
      ],
    });
    await eraseByAdministrator();
    expect(await started.store.listInference(PERSON.id)).toEqual([]);
  });

  // S451
  it('each export has an entry in the audit log, which the next export contains', async () => {
    const exportAgain = async () =>
      (await (await call('GET', `/people/${PERSON.name}`)).json()) as { readonly audit: readonly object[] };
    const first = await exportAgain();
    expect((await login.visit(jar, '/my-data/export')).status).toBe(200);
    const at = new Date(STARTED_AT).toISOString();
    expect((await exportAgain()).audit.slice(first.audit.length)).toEqual([
      { at, kind: 'person_exported', reason: 'by_administrator' },
      { at, kind: 'person_exported', reason: 'by_person' },
    ]);
    expect((await call('GET', '/people/unknown')).status).toBe(404);
    const exports = await started.store.listAudit({
      kinds: ['person_exported'],
      userId: PERSON.id,
      limit: 9,
    });
    expect(exports.map(({ reason }) => reason)).toEqual([
      'by_administrator',
      'by_person',
      'by_administrator',
    ]);
    await eraseByAdministrator();
  });

  // S330
  it('an erased person has no token, session, credential, grant or account any more, and may start anew', async () => {
    expect(await isTokenValid(started, tokens.access_token)).toBe(true);
    const { store, clock } = started;
    const listStored = async () =>
      await Promise.all([
        store.listAccounts(PERSON.id),
        store.listCredentials(PERSON.id),
        store.listPersonGrants(PERSON.id, 9, clock.now()),
      ]);
    expect((await listStored()).map((records) => records.length)).toEqual([1, 2, 1]);
    const other = await login.begin(jar, { scope: 'openid kyc:read' });
    await eraseByAdministrator();
    expect(await listStored()).toEqual([[], [], []]);
    expect(await isTokenValid(started, tokens.access_token)).toBe(false);
    expect((await login.visit(jar, '/grants')).location).toBe('/sign-in');
    expect((await login.approve(jar, other.id)).status).toBe(401);
    for (const method of ['GET', 'DELETE'])
      expect((await call(method, `/people/${PERSON.id}`)).status).toBe(404);
    await login.signIn(jar, PERSON.name);
    const anew = await started.store.findPerson('name', PERSON.name);
    expect(anew?.id).not.toBe(PERSON.id);
    expect((await login.visit(jar, '/grants')).text).toContain('You share nothing with anyone');
    // S331
    const [revoked, active] = [
      await ingest(revokedId, { 'kyc.passed': true }, anew?.id),
      await ingest(activeId, { 'kyc.passed': true }, anew?.id),
    ];
    expect([revoked.status, active.status]).toEqual([400, 200]);
    expect(await revoked.json()).toMatchObject({ context: { problems: [{ code: 'id_repeated' }] } });
    expect((await call('DELETE', `/people/${anew?.id}`)).status).toBe(200);
  });

  // S330
  it('entries of the audit log about an erased person stay under one pseudonym, and are not found by the id of the person', async () => {
    const before = await started.store.listAudit({ userId: PERSON.id, limit: 100 });
    await eraseByAdministrator();
    expect(await started.store.listAudit({ userId: PERSON.id, limit: 100 })).toEqual([]);
    const after = await started.store.listAudit({ limit: 1_000 });
    const own = after.filter(({ position }) => before.some((entry) => entry.position === position));
    expect(own).toHaveLength(before.length);
    const [pseudonym] = own.map(({ userId }) => userId);
    expect(pseudonym).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(own.map(({ userId }) => userId)).size).toBe(1);
    expect(after.at(-1)).toMatchObject({ kind: 'person_erased', userId: pseudonym });
  });

  // S330
  it('after an erasure and the documented purge, the files of the store contain no value of the person', async () => {
    const { text } = await login.visit(jar, '/grants');
    expect(text).toContain(PERSON.name);
    // A change that leaves an old row version behind.
    await started.store.getOrCreatePerson({ ...PERSON, email: `old-${PERSON.email}` });
    await eraseByAdministrator();
    const tables = await started.store.purgeErased();
    for (const statement of tables === undefined ? [] : toRewriteStatements(tables).split('; ')) {
      // Waits before each statement: the first deletes rows of `pg_statistic`, which the third vacuums.
      await waitForTransactions();
      await started.runSql(statement);
    }
    // Writes pages that are only in memory.
    if (tables !== undefined) await started.runSql('checkpoint');
    const values = [
      PERSON.id,
      PERSON.name,
      PERSON.email,
      PERSON.evmAddress,
      LEGAL_NAME,
      activeId,
      revokedId,
      ACCOUNT_HASH,
      tokens.access_token,
      tokens.refresh_token,
      systemDigest.sha256(tokens.access_token),
      systemDigest.sha256(tokens.refresh_token),
    ];
    const files = tables === undefined ? [await started.contents()] : await readDatabaseFiles();
    const found = values.filter((value) => files.some((content) => content.includes(value)));
    expect(found).toEqual([]);
    // The same search finds a value that is stored.
    expect(files.some((content) => content.includes('person_erased'))).toBe(true);
  });

  /**
   * Waits until no present or future snapshot can read the deleted rows: as long as one can, a vacuum keeps them.
   * The oldest running transaction of the whole server counts, those of the databases of other tests included.
   */
  async function waitForTransactions(): Promise<void> {
    const [{ last }] = (await started.runSql('select pg_current_xact_id()::text as last')) as [
      { readonly last: string },
    ];
    const older = `select 1 where pg_snapshot_xmin(pg_current_snapshot()) <= '${last}'::xid8
    or exists (select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and age(backend_xmin) >= age('${last}'::xid8::xid))`;
    while (((await started.runSql(older)) as readonly unknown[]).length > 0);
  }

  /**
   * Reads the data directory of PostgreSQL without the databases of other tests and without the write-ahead log, whose segments are recycled (see
   * docs/guides/personal-data.md).
   */
  async function readDatabaseFiles(): Promise<readonly string[]> {
    const [{ data_directory: folder, oid }] = (await started.runSql(
      `select current_setting('data_directory') as data_directory, oid::int
        from pg_database where datname = current_database()`,
    )) as [{ readonly data_directory: string; readonly oid: number }];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(
        (name) => !name.startsWith('pg_wal/') && (!/^base\//.test(name) || name.startsWith(`base/${oid}/`)),
      )
      .map((name) => join(folder, name))
      .map(readFileIfPresent);
  }

  // S332
  it('a person downloads and erases their data on their own page, shortly after signing in', async () => {
    const page = await login.visit(jar, '/my-data');
    expect(page.text).toContain('Download my data');
    const exported = await login.visit(jar, '/my-data/export');
    expect(JSON.parse(exported.text)).toMatchObject({ person: { id: PERSON.id } });
    expect((await login.visit(new Map(), '/my-data/export')).location).toBe('/sign-in');
    const form = { ...formOf(page.text), confirm: 'erase' };
    const outdated = await login.visit(jar, '/my-data', { ...form, proof: 'wrong' });
    expect(outdated.status).toBe(403);
    expect(outdated.text).toContain('Nothing was changed.');
    const withoutSession = await login.visit(new Map(), '/my-data', form);
    expect(withoutSession.status).toBe(403);
    expect(withoutSession.text).toContain('Your session has ended, so this request changed nothing.');
    expect((await login.visit(jar, '/my-data', { ...form, confirm: '' })).status).toBe(400);
    started.clock.moveTo(STARTED_AT + 11 * MINUTE_MS);
    expect((await login.visit(jar, '/my-data')).text).toContain('Sign in again to erase your data');
    const late = await login.visit(jar, '/my-data', form);
    expect(late.status).toBe(400);
    expect(late.text).toContain('role="alert">Sign in again to erase your data');
    expect(late.text).not.toContain('Tick the box');
    started.clock.moveTo(STARTED_AT + 9 * MINUTE_MS);
    expect((await login.visit(jar, '/my-data', form)).text).toContain('Your data is erased');
    expect(await started.store.findPerson('id', PERSON.id)).toBeUndefined();
    expect((await login.visit(jar, '/my-data')).location).toBe('/sign-in');
    // The browser sends the form again when the person reloads the page.
    expect((await login.visit(jar, '/my-data', form)).text).toContain('so this request changed nothing.');
  });

  // S332
  it('a new session by single sign-on does not suffice to erase; the page requests a new authentication', async () => {
    started.clock.moveTo(STARTED_AT + 11 * MINUTE_MS);
    const again = async (claims: JWTPayload) => {
      await login.returnFromLogin(jar, await login.redirectToLogin(jar), { sub: PERSON.name, ...claims });
      return (await login.visit(jar, '/my-data')).text;
    };
    // The page has no form from which the test could read the CSRF token.
    const eraseWithoutForm = () => {
      const browserBinding = jar.get('proviso') ?? '';
      const session = jar.get('proviso-person');
      const proof = started.service.sessions.csrfToken({ browserBinding, purpose: 'personal-data', session });
      return login.visit(jar, '/my-data', { proof, confirm: 'erase' });
    };
    const link = 'href="/sign-in?prompt=login"';
    for (const claims of [{ auth_time: STARTED_AT / MS_PER_SECOND }, {}]) {
      expect(await again(claims)).toContain(link);
      expect((await eraseWithoutForm()).status).toBe(400);
    }
    const target = await login.redirectToLogin(jar, '', '&prompt=login');
    expect(target.searchParams.get('prompt')).toBe('login');
    const authenticatedAt = (STARTED_AT + 11 * MINUTE_MS) / MS_PER_SECOND;
    await login.returnFromLogin(jar, target, { sub: PERSON.name, auth_time: authenticatedAt });
    const { text } = await login.visit(jar, '/my-data');
    const erased = await login.visit(jar, '/my-data', { ...formOf(text), confirm: 'erase' });
    expect(erased.text).toContain('Your data is erased');
  });

  // S329
  it('the administrator lists people page by page, and no one else can', async () => {
    for (const id of ['list-1', 'list-2']) await started.store.getOrCreatePerson({ id, name: id, about: '' });
    const names: string[] = [];
    let query = '?limit=2';
    for (let page = 0; page < 10 && query !== ''; page += 1) {
      const body = (await (await call('GET', `/people${query}`)).json()) as {
        readonly people: readonly { readonly name: string }[];
        readonly next?: string;
      };
      names.push(...body.people.map(({ name }) => name));
      query = body.next === undefined ? '' : `?limit=2&after=${encodeURIComponent(body.next)}`;
    }
    expect(names).toEqual(expect.arrayContaining([PERSON.name, 'list-1', 'list-2']));
    expect(new Set(names).size).toBe(names.length);
    const session = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const rejections = [
      [{}, 401],
      [{ Authorization: `Bearer ${tokens.access_token}` }, 403],
      [{ Cookie: session }, 401],
    ] as const;
    for (const [headers, status] of rejections)
      for (const path of ['/people', `/people/${PERSON.id}`])
        expect((await fetch(`${started.url}${path}`, { headers })).status).toBe(status);
    await eraseByAdministrator();
  });
});

// S332
it('the page confirms the erasure to a person whose data another request erases at the same time', async () => {
  const erasedTwice = await startWithExternalLogin({}, (store) => ({
    ...store,
    erasePerson: async (erasure) => {
      await store.erasePerson(erasure);
      return await store.erasePerson(erasure);
    },
  }));
  const browser: Jar = new Map();
  const authenticatedAt = erasedTwice.started.clock.now() / MS_PER_SECOND;
  await erasedTwice.signIn(browser, PERSON.name, '', { auth_time: authenticatedAt });
  const { text } = await erasedTwice.visit(browser, '/my-data');
  const erased = await erasedTwice.visit(browser, '/my-data', { ...formOf(text), confirm: 'erase' });
  expect([erased.status, erased.text]).toEqual([200, expect.stringContaining('Your data is erased')]);
  await erasedTwice.started.stop();
});
