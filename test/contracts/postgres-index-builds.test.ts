/** Index builds of migrations on a running PostgreSQL: without blocking writers, and after a crash (V13). */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Migration } from '../../src/stores/migrate.js';
import { buildIndexes } from '../../src/stores/postgres/build-indexes.js';
import { openGuardedPool } from '../../src/stores/postgres/guarded-pool.js';
import { openPostgresStore } from '../../src/stores/postgres/index.js';
import type { Schema } from '../../src/stores/schema.js';
import { runStatement } from '../support/postgres-cluster.js';
import { borrowDatabase, type EmptyDatabase } from '../support/postgres-for-tests.js';

const UNLIMITED = { connectMs: 3_000, statementMs: 0, lockMs: 0, responseMs: 0 };
const NAME = 'person_by_about';
const MIGRATION: Migration = {
  compatibleFrom: 1,
  sqlite: [],
  postgres: [],
  postgresIndexes: [{ name: NAME, statement: `CREATE UNIQUE INDEX CONCURRENTLY ${NAME} ON person (about)` }],
};

let location: EmptyDatabase;
let database: Kysely<Schema>;
/** Functions that close the connections of a test. */
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  location = await borrowDatabase();
  await (await openPostgresStore(location.url)).close();
  database = openDatabase();
});

afterEach(async () => {
  // In reverse order: index builds wait for a transaction that was opened after the database.
  for (const close of closing.splice(0).reverse()) await close();
  await runStatement(location.url, `drop index if exists ${NAME}`);
  await location.remove();
});

function openDatabase(): Kysely<Schema> {
  const pool = openGuardedPool({ url: location.url, isPooled: false }, 2, UNLIMITED);
  const opened = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  closing.push(() => opened.destroy());
  return opened;
}

/** Adds a person in a transaction, for which an index build waits until it is committed. */
async function beginInsert(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: location.url });
  await client.connect();
  closing.push(() => client.end());
  await client.query('begin');
  await client.query(`insert into person (id, name, about) values ('p', 'p', 'x')`);
  return client;
}

const addPerson = (id: string, about: string) =>
  runStatement(location.url, 'insert into person (id, name, about) values ($1, $1, $2)', [id, about]);

/** Whether the index is valid; `undefined` without an index. */
async function validity(): Promise<unknown> {
  const rows = (await runStatement(
    location.url,
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [NAME],
  )) as { indisvalid: boolean }[];
  return rows[0]?.indisvalid;
}

// V13
it('a missing index is built once', async () => {
  await addPerson('p', 'x');
  await buildIndexes(database, [MIGRATION]);
  expect(await validity()).toBe(true);
  await buildIndexes(database, [MIGRATION]);
  expect(await validity()).toBe(true);
});

it('people are added while an index is built', async () => {
  const other = await beginInsert();
  const built = buildIndexes(database, [MIGRATION]);
  await expect.poll(validity).toBe(false);
  await addPerson('q', 'y');
  expect(await validity()).toBe(false);
  await other.query('commit');
  await built;
  expect(await validity()).toBe(true);
});

it('an invalid index, as an interrupted build leaves it, is dropped and built again', async () => {
  await addPerson('p', 'x');
  await addPerson('q', 'x');
  await expect(buildIndexes(database, [MIGRATION])).rejects.toThrow(/could not create unique index/);
  expect(await validity()).toBe(false);
  await runStatement(location.url, `update person set about = id`);
  await buildIndexes(database, [MIGRATION]);
  expect(await validity()).toBe(true);
});

it('the timeouts of the role do not end the build of an index', async () => {
  const role = `alter role current_user in database ${new URL(location.url).pathname.slice(1)}`;
  for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    await runStatement(location.url, `${role} set ${name} = '100ms'`);
  closing.push(async () => void (await runStatement(location.url, `${role} reset all`)));
  const other = await beginInsert();
  await other.query('set idle_in_transaction_session_timeout = 0; set statement_timeout = 0');
  const built = buildIndexes(database, [MIGRATION]);
  await expect.poll(validity).toBe(false);
  await other.query('select pg_sleep(0.3)');
  await other.query('commit');
  await built;
  expect(await validity()).toBe(true);
});

it('an instance does not wait for an index that another one builds', async () => {
  const other = await beginInsert();
  const built = buildIndexes(database, [MIGRATION]);
  await expect.poll(validity).toBe(false);
  const second = openDatabase();
  await buildIndexes(second, [MIGRATION]);
  await (await openPostgresStore(location.url)).close();
  expect(await validity()).toBe(false);
  await other.query('commit');
  await built;
  expect(await validity()).toBe(true);
});
