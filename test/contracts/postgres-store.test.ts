/**
 * The PostgreSQL store on a running server: the contracts, and behavior of PostgreSQL only (V12, V13,
 * S188–S191, S193).
 */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hashCredentialId } from '../../src/service/credentials/signed-credentials.js';
import {
  type Authorization,
  createAuditChain,
  createAuditSealer,
  type Store,
  StoreUnavailable,
  verifyAudit,
} from '../../src/service/index.js';
import { createPersonalData } from '../../src/service/people/personal-data.js';
import { openGuardedPool, withoutServerTimeouts } from '../../src/stores/postgres/guarded-pool.js';
import {
  inspectPostgresStore,
  NewerSchemaError,
  openPostgresStore,
  readPostgresSchema,
} from '../../src/stores/postgres/index.js';
import type { Schema } from '../../src/stores/schema.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { omitUndefined } from '../../src/util/omit-undefined.js';
import { cipherOf } from '../support/encryption-keys.js';
import { createFixedClock } from '../support/fixed-clock.js';
import { runStatement } from '../support/postgres-cluster.js';
import { createDatabase, type EmptyDatabase } from '../support/postgres-for-tests.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { describeAudit } from './audit.contract.js';
import { describeAuditChain } from './audit-chain.contract.js';
import { describeEncryption } from './encryption.contract.js';
import { describeLedger } from './ledger.contract.js';
import { describeMigrations } from './migrations.contract.js';
import { describeOpening } from './opening.contract.js';
import { describePlanCheck } from './query-plans.contract.js';
import { postgresPlans } from './query-plans.js';
import { describeStore } from './store.contract.js';

const AT = 1_780_000_000_000;
const RACERS = 50;
const HASHING = { digest: systemDigest, credentialKey: 'key' };
const SUBJECT = { sector: 'o', hash: 'p-at-o' };
const databases: EmptyDatabase[] = [];

afterAll(async () => {
  for (const { remove } of databases) await remove();
});

async function createUrl(): Promise<string> {
  const database = await createDatabase();
  databases.push(database);
  return database.url;
}

/** Lists the locks for which a statement waits. A lock on a transaction has no database, so the database of the waiting process is compared. */
function listWaiting(url: string): Promise<readonly unknown[]> {
  return runStatement(
    url,
    'select 1 from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
  );
}

/** Pads a name to the length of a hash. */
function hash(name: string): string {
  return name.padEnd(43, '_');
}

async function fill(store: Store): Promise<void> {
  await store.seedOnce({
    applications: [
      {
        clientId: 'client',
        name: 'C',
        organizationId: 'o',
        redirectUris: [],
        scopes: ['openid'],
        idTokenAlgorithm: 'ES256',
        createdAt: AT,
      },
    ],
    people: [{ person: { id: 'p', name: 'p', about: '' }, credentials: [] }],
  });
}

function grant(name: string) {
  const token = { tokenHash: hash(`${name}-direct`), scopes: ['openid'], issuedAt: AT, expiresAt: AT + 100 };
  const grantee = { clientId: 'client', userId: 'p', subject: SUBJECT };
  return { authorizationId: name, ...grantee, scopes: ['openid'], token };
}

/** Creates an approved authorization, whose code can be redeemed. */
async function createApproved(store: Store, id: string): Promise<void> {
  const authorization: Authorization = {
    id,
    clientId: 'client',
    status: 'pending_admin',
    redirectUri: 'r',
    requestedScopes: ['openid'],
    codeChallenge: hash('challenge'),
    createdAt: AT,
    requestExpiresAt: AT + 1_000,
    updatedAt: AT,
  };
  await store.createAuthorization(authorization);
  const approval = { codeHash: hash(`${id}-code`), codeExpiresAt: AT + 500, at: AT };
  const grantee = { userId: 'p', subject: SUBJECT };
  await store.approveAuthorization({ authorizationId: id, ...grantee, scopes: ['openid'], ...approval });
}

function redeem(store: Store, id: string, name: string) {
  const proof = { clientId: 'client', redirectUri: 'r', codeChallenge: hash('challenge') };
  return store.redeemCode({
    ...{ codeHash: hash(`${id}-code`), ...proof, at: AT },
    accessToken: { tokenHash: hash(`${id}-${name}-a`), issuedAt: AT, expiresAt: AT + 100 },
    refreshToken: {
      tokenHash: hash(`${id}-${name}-r`),
      familyId: `${id}-${name}`,
      issuedAt: AT,
      expiresAt: AT + 10_000,
    },
  });
}

function rotate(store: Store, from: string, to: string): Promise<boolean> {
  const accessToken = { tokenHash: hash(`${to}-a`), scopes: [], issuedAt: AT, expiresAt: AT + 100 };
  return store.rotateRefreshToken({
    tokenHash: hash(`${from}-r`),
    clientId: 'client',
    nextTokenHash: hash(`${to}-r`),
    accessToken,
    at: AT,
  });
}

describeStore('PostgreSQL', async () => {
  const url = await createUrl();
  return {
    store: await openPostgresStore(url),
    database: postgresPlans(url),
    reopen: () => openPostgresStore(url),
  };
});

describeStore(
  'PostgreSQL, encrypted',
  async () => {
    const url = await createUrl();
    const open = () => openPostgresStore(url, { cipher: cipherOf('one'), audit: true });
    return { store: await open(), database: postgresPlans(url), reopen: open };
  },
  { encrypted: true },
);

describeAuditChain(
  'PostgreSQL',
  async () => {
    const url = await createUrl();
    const tables = ['audit_entry', 'audit_seal', 'audit_retention'];
    return {
      store: await openPostgresStore(url, { audit: true }),
      other: await openPostgresStore(url),
      database: postgresPlans(url),
      runSql: (text) => runStatement(url, text),
      disarm: tables.map((table) => `alter table ${table} disable trigger user`),
      arm: tables.map((table) => `alter table ${table} enable trigger user`),
      overriding: 'overriding system value',
    };
  },
  15,
);

describeEncryption('PostgreSQL', async () => {
  const url = await createUrl();
  return {
    open: (cipher, encryptionRequired = false) =>
      openPostgresStore(url, {
        audit: true,
        encryptionRequired,
        ...(cipher === undefined ? {} : { cipher }),
      }),
    runSql: (text) => runStatement(url, text),
    rows: async (text) => (await runStatement(url, text)) as Record<string, unknown>[],
    contents: async () =>
      JSON.stringify(await runStatement(url, `select database_to_xml(true, true, '')::text as contents`)),
    listColumns: `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  };
});

describeLedger('PostgreSQL', async () => openPostgresStore(await createUrl()));

describePlanCheck('PostgreSQL', 'postgres', async () => {
  const url = await createUrl();
  return { store: await openPostgresStore(url), database: postgresPlans(url) };
});

describeOpening('PostgreSQL', async () => {
  const url = await createUrl();
  return {
    database: postgresPlans(url),
    open: (cipher) => openPostgresStore(url, omitUndefined({ cipher })),
  };
});

describeAudit('PostgreSQL', async () => {
  const url = await createUrl();
  const store = await openPostgresStore(url, { audit: true });
  return { store, database: postgresPlans(url), runSql: (text) => runStatement(url, text) };
});

// S189
it('the timeouts of a URL with an empty host, which names a socket by a parameter, are read', () => {
  const timeouts = { connectMs: 1, statementMs: 2, lockMs: 3, responseMs: 4 };
  const url = 'postgres://user:a%40b@/db?host=/run/socket&statement_timeout=5000';
  expect(withoutServerTimeouts(url, timeouts)).toEqual({
    url: 'postgres://user:a%40b@/db?host=%2Frun%2Fsocket',
    serverTimeouts: { statement_timeout: 5000, lock_timeout: 3, idle_in_transaction_session_timeout: 4 },
  });
});

describeMigrations('PostgreSQL', async () => {
  const waits = { connectMs: 60_000, statementMs: 60_000, lockMs: 60_000, responseMs: 60_000 };
  const pool = openGuardedPool({ url: await createUrl(), isPooled: false }, 1, waits);
  return { dialect: 'postgres', database: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }) };
});

describe('a PostgreSQL store', () => {
  it('has an audit log that cannot be truncated', async () => {
    const url = await createUrl();
    const store = await openPostgresStore(url);
    await store.recordAudit([{ at: 1, kind: 'client_refused' }]);
    for (const table of ['audit_entry', 'audit_retention'])
      await expect(runStatement(url, `truncate ${table}`)).rejects.toThrow(
        /must not be changed|must not decrease/,
      );
    expect(await store.listAudit({ limit: 5 })).toHaveLength(1);
    await store.close();
  });

  it('has seals that cover a transaction that commits after later entries were sealed', async () => {
    const url = await createUrl();
    const store = await openPostgresStore(url);
    const chain = createAuditChain('key', systemDigest);
    const ports = { store, chain, clock: createFixedClock(AT) };
    const seal = createAuditSealer(ports);
    const slow = new pg.Client({ connectionString: url });
    await slow.connect();
    onTestFinished(() => slow.end());
    await slow.query('begin');
    await slow.query(`insert into audit_entry (at, kind) values (${AT}, 'client_refused')`);
    await store.recordAudit([{ at: AT, kind: 'client_refused' }]);
    await seal();
    expect(await verifyAudit(ports)).toEqual({ seals: 1, entries: 1, unsealed: 0 });
    await slow.query('commit');
    expect(await verifyAudit(ports)).toEqual({ seals: 1, entries: 1, unsealed: 1 });
    await seal();
    expect(await verifyAudit(ports)).toEqual({ seals: 2, entries: 2, unsealed: 0 });
    await store.close();
  });

  // V13, S193
  it('of a newer program is rejected and left unchanged', async () => {
    const url = await createUrl();
    await (await openPostgresStore(url)).close();
    await runStatement(url, 'update schema_version set version = 99, compatible_from = 99');
    await expect(openPostgresStore(url)).rejects.toThrow(NewerSchemaError);
    expect(await runStatement(url, 'select version from schema_version')).toEqual([{ version: '99' }]);
  });

  // V13
  it('is not read or opened in a database whose table `schema_version` is that of another program', async () => {
    const url = await createUrl();
    await runStatement(url, 'create table schema_version (version text)');
    await runStatement(url, "insert into schema_version values ('1.0')");
    await expect(readPostgresSchema(url)).rejects.toThrow('that of another program');
    await expect(openPostgresStore(url)).rejects.toThrow('that of another program');
    expect(await runStatement(url, 'select * from schema_version')).toEqual([{ version: '1.0' }]);
    expect(await runStatement(url, "select to_regclass('person') as person")).toEqual([{ person: null }]);
  });

  // V13
  it('is created in its own schema although another schema of the search path has a table `schema_version`', async () => {
    const url = await createUrl();
    await runStatement(url, 'create table public.schema_version (version text)');
    await runStatement(url, 'create schema own');
    const database = new URL(url).pathname.slice(1);
    await runStatement(url, `alter database "${database}" set search_path = own, public`);
    expect((await readPostgresSchema(url)).found).toBe(0);
    await (await openPostgresStore(url)).close();
    expect((await readPostgresSchema(url)).found).toBeGreaterThan(0);
    expect(await runStatement(url, 'select count(*)::int as count from public.schema_version')).toEqual([
      { count: 0 },
    ]);
  });

  // V13
  it('is not taken for missing by a role that may not use its schema', async () => {
    const url = await createUrl();
    await (await openPostgresStore(url)).close();
    const role = `${new URL(url).pathname.slice(1)}_role`;
    await runStatement(url, `create role ${role} login; revoke usage on schema public from public`);
    onTestFinished(async () => void (await runStatement(url, `drop role ${role}`)));
    const asRole = Object.assign(new URL(url), { username: role }).href;
    const fault =
      'no schema of the search path can be used: the role must have the privilege USAGE on that of the store';
    await expect(readPostgresSchema(asRole)).rejects.toThrow(fault);
    await expect(openPostgresStore(asRole)).rejects.toThrow(fault);
  });

  // V13, S193
  it('is migrated and seeded by one of several instances that start concurrently', async () => {
    const url = await createUrl();
    const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore(url)));
    await Promise.all(stores.map(fill));
    expect(await runStatement(url, 'select count(*)::int as rows from schema_version')).toEqual([
      { rows: 1 },
    ]);
    expect(await stores[0]?.listPeople()).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
  });

  // V12
  it('on a server without synchronous_commit is rejected', async () => {
    const url = await createUrl();
    const name = new URL(url).pathname.slice(1);
    await runStatement(url, `alter database ${name} set synchronous_commit = off`);
    await expect(openPostgresStore(url)).rejects.toThrow(/synchronous_commit must be on/);
  });

  // V12
  it('that is read-only is rejected, and its diagnosis reports that', async () => {
    const url = await createUrl();
    await (await openPostgresStore(url)).close();
    await runStatement(
      url,
      `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
    );
    await expect(openPostgresStore(url)).rejects.toThrow('the database is read-only');
    const inspected = await inspectPostgresStore(url);
    expect(await inspected.listFaults()).toEqual([expect.stringContaining('the database is read-only')]);
    await inspected.close();
  });

  // V12
  it('in an encoding that lacks characters is not created, and its diagnosis reports the encoding', async () => {
    const url = new URL(await createUrl());
    const name = `${url.pathname.slice(1)}_latin`;
    await runStatement(
      url.href,
      `create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
    );
    const latin = url.href.replace(url.pathname, `/${name}`);
    onTestFinished(async () => void (await runStatement(url.href, `drop database ${name} with (force)`)));
    await expect(openPostgresStore(latin)).rejects.toThrow('the database must be encoded in UTF8');
    const inspected = await inspectPostgresStore(latin);
    expect(await inspected.listFaults()).toEqual(['the database must be encoded in UTF8']);
    await inspected.close();
  });
});

describe('two instances on one PostgreSQL', () => {
  let url: string;
  let first: Store;
  let other: Store;

  beforeAll(async () => {
    url = await createUrl();
    [first, other] = await Promise.all([openPostgresStore(url), openPostgresStore(url)]);
    await fill(first);
  });

  afterAll(async () => {
    await Promise.all([first.close(), other.close()]);
  });

  // D8, S83, S186, S188
  it('redeem a code exactly once in fifty concurrent attempts, even if transactions are serializable by default', async () => {
    const name = new URL(url).pathname.slice(1);
    await runStatement(url, `alter database ${name} set default_transaction_isolation = 'serializable'`);
    for (let round = 0; round < 5; round += 1) {
      await createApproved(first, `race-${round}`);
      const racers = Array.from({ length: RACERS }, (_, racer) =>
        redeem(racer % 2 === 0 ? first : other, `race-${round}`, String(racer)),
      );
      expect((await Promise.all(racers)).filter((redeemed) => redeemed !== undefined)).toHaveLength(1);
      expect((await other.findAuthorization(`race-${round}`))?.status).toBe('revoked');
    }
    await runStatement(url, `alter database ${name} reset default_transaction_isolation`);
  });

  // D8, S190
  it('rotate a token exactly once in fifty concurrent attempts, and the replay revokes the grant', async () => {
    await createApproved(first, 'rotation');
    await redeem(first, 'rotation', 'first');
    const racers = Array.from({ length: RACERS }, (_, racer) =>
      rotate(racer % 2 === 0 ? first : other, 'rotation-first', `rotation-${racer}`),
    );
    expect((await Promise.all(racers)).filter(Boolean)).toHaveLength(1);
    expect((await first.findAuthorization('rotation'))?.status).toBe('revoked');
  });

  // S105, S190
  it('leave no valid token if a token is revoked during its rotation', async () => {
    for (let round = 0; round < 30; round += 1) {
      const id = `revoked-${round}`;
      await createApproved(first, id);
      await redeem(first, id, '0');
      const rotations = async () => {
        for (let generation = 0; generation < 5; generation += 1) {
          if (!(await rotate(first, `${id}-${generation}`, `${id}-${generation + 1}`))) return;
        }
      };
      const revocation = { tokenHashes: [hash(`${id}-0-r`)], cascade: false, at: AT };
      await Promise.all([rotations(), other.revokeTokens(revocation)]);
      const validTokens = await runStatement(
        url,
        `select token_hash from refresh_token where authorization_id = $1 and rotated_at is null and revoked_at is null
         union all select token_hash from access_token where authorization_id = $1 and revoked_at is null`,
        [id],
      );
      expect(validTokens, id).toEqual([]);
    }
  });

  // V11, S190
  it('see a revocation by the other instance at the next lookup', async () => {
    await first.recordDirectGrant(grant('seen'));
    expect(await other.findAccessToken(hash('seen-direct'))).toMatchObject({ revoked: false });
    await first.revokeAuthorization('seen', AT);
    expect(await other.findAccessToken(hash('seen-direct'))).toMatchObject({ revoked: true });
  });

  // S188
  it('revoke tokens in opposite order despite deadlocks', async () => {
    for (let round = 0; round < 3; round += 1) {
      const names = [`deadlock-${round}-x`, `deadlock-${round}-y`];
      for (const name of names) await first.recordDirectGrant(grant(name));
      const tokenHashes = names.map((name) => hash(`${name}-direct`));
      const outcomes = await Promise.all([
        first.revokeTokens({ tokenHashes, cascade: true, at: AT }),
        other.revokeTokens({ tokenHashes: tokenHashes.toReversed(), cascade: true, at: AT }),
      ]);
      const revokedTokens = outcomes.flatMap(({ tokens }) => tokens).filter((token) => token !== undefined);
      expect(revokedTokens.map(({ authorizationId }) => authorizationId).sort()).toEqual(names);
    }
  });

  // S410
  it.each([
    [
      'a token is issued',
      `insert into access_token (token_hash, authorization_id, scopes, issued_at, expires_at)
       values (rpad($1, 43, '-'), $1, '[]', 1, 2)`,
    ],
    [
      'an application learns about them',
      `insert into learned (entry, authorization_id, detail, first_at, last_at, changes) values ($1, $1, '{}', 1, 1, 0)`,
    ],
    [
      'an answer is recorded',
      `insert into inference (id, person_id, version, answers) values ($1, $1, 1, '{}')`,
    ],
    [
      'a revoked credential is ingested',
      `insert into credential (id, person_id, source, issued_at, revoked_at, claims, updated_at)
       values ($1, $1, 's', 1, 1, '{}', 1)`,
    ],
    ['a credential is revoked', `update credential set revoked_at = 1 where id = $1`],
    [
      'a grant is recorded',
      `insert into authorization_record (id, client_id, person_id, status, redirect_uri, requested_scopes,
         granted_scopes, created_at, request_expires_at, updated_at)
       values ($1 || '-later', 'client', $1, 'consumed', '', '[]', '[]', 1, 1, 1)`,
    ],
  ])('erase a person completely while, in another transaction, %s', async (event, insert) => {
    await first.getOrCreatePerson({ id: event, name: event, about: '' });
    const userToken = { ...grant(event).token, tokenHash: hash(event) };
    await first.recordDirectGrant({ ...grant(event), userId: event, token: userToken });
    if (event === 'a credential is revoked')
      await first.addCredential(event, { id: event, source: 's', issuedAt: 1, claims: {} }, 1);
    const { erase } = createPersonalData({ store: other, clock: createFixedClock(AT), ...HASHING });
    const concurrent = new pg.Client({ connectionString: url });
    await concurrent.connect();
    onTestFinished(() => concurrent.end());
    await concurrent.query('begin');
    await concurrent.query(insert, [event]);
    const erased = erase(event);
    await expect.poll(async () => (await listWaiting(url)).length).toBeGreaterThan(0);
    await concurrent.query('commit');
    await erased;
    expect(await first.findPerson('id', event)).toBeUndefined();
    const rows = await runStatement(
      url,
      `select 'credential' as table_name from credential where person_id = $1
       union all select 'inference' from inference where person_id = $1
       union all select 'authorization_record' from authorization_record where person_id = $1
       union all select 'access_token' from access_token where authorization_id = $1
       union all select 'learned' from learned where authorization_id = $1`,
      [event],
    );
    expect(rows).toEqual([]);
    const hashes = await runStatement(url, 'select id_hash from erased_credential');
    const hasCredential = event.includes('credential');
    if (hasCredential) expect(hashes).toContainEqual({ id_hash: hashCredentialId(event, HASHING) });
  });

  // S189, S330
  it('erase a person with a thousand grants in one transaction, with statements that each delete at most a hundred of them', async () => {
    await first.getOrCreatePerson({ id: 'busy', name: 'busy', about: '' });
    await runStatement(
      url,
      `insert into authorization_record (id, client_id, person_id, status, redirect_uri, requested_scopes, granted_scopes,
         created_at, request_expires_at, updated_at, approved_at)
       select 'busy-' || i, 'client', 'busy', 'consumed', '', '[]', '[]', 1, 1, 1, 1 from generate_series(1, 1000) i`,
    );
    await runStatement(
      url,
      `insert into access_token (token_hash, authorization_id, scopes, issued_at, expires_at)
       select rpad(id, 43, '-'), id, '[]', 1, 2 from authorization_record where person_id = 'busy'`,
    );
    await runStatement(url, 'create table deletion (transaction bigint, count int)');
    for (const table of ['authorization_record', 'access_token'])
      await runStatement(
        url,
        `create function count_${table}() returns trigger language plpgsql as $$ begin
           insert into deletion select txid_current(), count(*) from removed having count(*) > 0;
           return null;
         end $$;
         create trigger count_${table} after delete on ${table} referencing old table as removed
           for each statement execute function count_${table}()`,
      );
    const erased = await other.erasePerson({ userId: 'busy', hashId: hash, at: AT });
    expect(erased).toEqual({ credentials: 0, grants: 1_000 });
    expect(
      await runStatement(
        url,
        `select count(distinct transaction)::int as transactions, sum(count)::int as rows, max(count)::int as most from deletion`,
      ),
    ).toEqual([{ transactions: 1, rows: 2_000, most: 100 }]);
    for (const table of ['authorization_record', 'access_token'])
      await runStatement(url, `drop trigger count_${table} on ${table}`);
  });

  // S194
  it.each([
    [
      'a record of the ledger',
      "learned where entry = 'kept'",
      `insert into learned (entry, authorization_id, detail, first_at, last_at, changes) values ('kept', 'swept', '{}', 1, 1, 0)`,
      `update learned set last_at = 1000 where entry = 'kept'`,
      (store: Store) => store.sweepLearned(10, 5),
    ],
    [
      'a rate-limit bucket',
      "rate_limit where id = 'kept'",
      `insert into rate_limit (id, empty_at) values ('kept', 1)`,
      `update rate_limit set empty_at = 1000 where id = 'kept'`,
      (store: Store) => store.sweepTransient(10, 5),
    ],
  ])(
    'keep %s that one of them advances while the other removes what has expired',
    async (_what, kept, insert, advance, sweep) => {
      if ((await first.findAuthorization('swept')) === undefined)
        await first.recordDirectGrant(grant('swept'));
      await runStatement(url, insert);
      const concurrent = new pg.Client({ connectionString: url });
      await concurrent.connect();
      onTestFinished(() => concurrent.end());
      await concurrent.query('begin');
      await concurrent.query(advance);
      const swept = sweep(other);
      await expect.poll(async () => (await listWaiting(url)).length).toBeGreaterThan(0);
      await concurrent.query('commit');
      expect(await swept).toBe(0);
      expect(await runStatement(url, `select 1 from ${kept}`)).toHaveLength(1);
    },
  );

  // S187
  it('assign an e-mail address to only one person, even while their encryption keys have different orders', async () => {
    const encrypted = await createUrl();
    const [before, after] = await Promise.all([
      openPostgresStore(encrypted, { cipher: cipherOf('old', 'new') }),
      openPostgresStore(encrypted, { cipher: cipherOf('new', 'old') }),
    ]);
    onTestFinished(() => Promise.all([before.close(), after.close()]).then(() => undefined));
    for (let round = 0; round < 5; round += 1) {
      const email = `shared-${round}@people.example`;
      const people = await Promise.all([
        before.getOrCreatePerson({ id: `before-${round}`, name: `before-${round}`, about: '', email }),
        after.getOrCreatePerson({ id: `after-${round}`, name: `after-${round}`, about: '', email }),
      ]);
      expect(people.filter((person) => person.email === email)).toHaveLength(1);
    }
  });

  // S188
  it('repeat a transaction that the server rolled back because of a serialization failure', async () => {
    await runStatement(
      url,
      `create sequence tries;
       create function fail_twice() returns trigger language plpgsql as $$ begin
         if nextval('tries') < 3 then raise exception 'undone' using errcode = '40001'; end if;
         return new;
       end $$;
       create trigger fail_twice before insert on access_token for each row execute function fail_twice()`,
    );
    await first.recordDirectGrant(grant('repeated'));
    expect(await runStatement(url, 'select last_value::int as tries from tries')).toEqual([{ tries: 3 }]);
    await runStatement(url, 'drop trigger fail_twice on access_token');
  });
});

describe('a PostgreSQL failure', () => {
  let url: string;
  let port: number;

  beforeAll(async () => {
    url = await createUrl();
    port = Number(new URL(url).port);
    const store = await openPostgresStore(url);
    await fill(store);
    await store.close();
  });

  /** Opens the database through a proxy that can be cut. */
  async function openBehindProxy(parameters = '') {
    const proxy = await startTcpProxy(port);
    const address = new URL(url);
    address.port = String(proxy.port);
    return { proxy, store: await openPostgresStore(`${address.href}${parameters}`) };
  }

  // S191
  it('before the commit changes nothing and is reported with its cause', async () => {
    const store = await openPostgresStore(url);
    await runStatement(
      url,
      `create function end_connection() returns trigger language plpgsql as $$ begin
         perform pg_terminate_backend(pg_backend_pid());
         return null;
       end $$;
       create constraint trigger end_connection after insert on access_token deferrable initially deferred
         for each row execute function end_connection()`,
    );
    const failed = store.recordDirectGrant(grant('before'));
    await expect(failed).rejects.toThrow(StoreUnavailable);
    await expect(failed).rejects.toMatchObject({ cause: { code: '57P01' } });
    await runStatement(url, 'drop trigger end_connection on access_token');
    expect(await store.findAuthorization('before')).toBeUndefined();
    await store.close();
  });

  // D23, S191
  it('after the commit is reported although the change was made, and the change is not repeated', async () => {
    const { proxy, store } = await openBehindProxy();
    proxy.cutAfter('commit\0');
    await expect(store.recordDirectGrant(grant('after'))).rejects.toThrow(StoreUnavailable);
    expect(await store.findAuthorization('after')).toMatchObject({ status: 'consumed' });
    await store.close();
    await proxy.close();
  });

  // S189
  it('of idle connections causes them to be replaced, and does not affect the process', async () => {
    const store = await openPostgresStore(url);
    await Promise.all([store.listPeople(), store.listPeople(), store.listPeople()]);
    await runStatement(
      url,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await expect.poll(() => store.listPeople().catch(() => undefined)).toHaveLength(1);
    await store.close();
  });

  // S189
  it('without response is reported in time, and the next request uses another connection', async () => {
    const { proxy, store } = await openBehindProxy('?query_timeout=300');
    await store.listPeople();
    proxy.pause();
    await expect(store.listPeople()).rejects.toThrow(StoreUnavailable);
    expect(await store.listPeople()).toHaveLength(1);
    await store.close();
    await proxy.close();
  });

  it('that the driver reports without a code has that of a connection exception', async () => {
    const { proxy, store } = await openBehindProxy('?query_timeout=300');
    proxy.cutAfter('person');
    const lost = { cause: { code: '08000' } };
    await expect(store.listPeople()).rejects.toMatchObject(lost);
    await store.listPeople();
    proxy.pause();
    await expect(store.listPeople()).rejects.toMatchObject(lost);
    await store.close();
    await proxy.close();
  });

  // S189
  it('by a locked row is reported by the lock timeout, and nothing is changed', async () => {
    const store = await openPostgresStore(`${url}?lock_timeout=200`);
    await store.recordDirectGrant(grant('held'));
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query(`begin; update authorization_record set state = state where id = 'held'`);
    const failed = store.revokeAuthorization('held', AT);
    await expect(failed).rejects.toThrow(StoreUnavailable);
    await expect(failed).rejects.toMatchObject({ cause: { code: '55P03' } });
    await holder.query('rollback');
    expect((await store.findAuthorization('held'))?.status).toBe('consumed');
    await store.close();
  });

  // S189
  it('by an exhausted pool is reported in time', async () => {
    const store = await openPostgresStore(`${url}?statement_timeout=20000&lock_timeout=20000`, {
      maxConnections: 1,
      connectMs: 200,
    });
    await store.recordDirectGrant(grant('full'));
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query(`begin; update authorization_record set state = state where id = 'full'`);
    const waiting = store.recordAccessToken('full', grant('waiting').token);
    await expect(store.listPeople()).rejects.toThrow(StoreUnavailable);
    await holder.query('commit');
    expect(await waiting).toBe(true);
    await store.close();
  });
});
