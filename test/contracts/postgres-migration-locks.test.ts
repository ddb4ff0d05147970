/** Migrations on PostgreSQL while requests use its tables (V13). */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { MIGRATIONS, migrate } from '../../src/stores/migrate.js';
import { openPostgresStore, readPostgresSchema } from '../../src/stores/postgres/index.js';
import type { Schema } from '../../src/stores/schema.js';
import { runStatement } from '../support/postgres-cluster.js';
import { createDatabase } from '../support/postgres-for-tests.js';

/** A version after which migrations lock the tables of the first version. */
const BEFORE = 5;
/** A version whose migration only builds indexes. */
const INDEXES_ONLY = 9;

const WAITING = `select 1 from pg_locks where not granted and relation = 'credential'::regclass
  and database = (select oid from pg_database where datname = current_database())`;

// S392
it('a migration that deadlocks with a request gives way to it, and is completed afterwards', async () => {
  const { url, remove } = await createDatabase();
  const database = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
  });
  const migrations = MIGRATIONS.slice(0, BEFORE);
  await database.transaction().execute((transaction) => migrate(transaction, 'postgres', migrations));
  await database.destroy();

  const request = new pg.Client({ connectionString: url });
  await request.connect();
  await request.query('begin; select id from credential');
  const opening = openPostgresStore(url);
  await expect.poll(() => runStatement(url, WAITING)).toHaveLength(1);
  // The migration has locked `access_token`, and waits for `credential`.
  expect((await request.query('select token_hash from access_token')).rows).toEqual([]);
  await request.query('commit');
  await request.end();

  await (await opening).close();
  expect(await readPostgresSchema(url)).toEqual({ found: MIGRATIONS.length, newest: MIGRATIONS.length });
  await remove();
});

// S392
it('a migration that only builds indexes locks no table', async () => {
  const { url, remove } = await createDatabase();
  const database = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
  });
  const migrateTo = (version: number) =>
    database.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = 200`.execute(transaction);
      return await migrate(transaction, 'postgres', MIGRATIONS.slice(0, version));
    });
  await migrateTo(INDEXES_ONLY - 1);
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  // As a backup with `pg_dump` does for hours.
  await reader.query('begin; select id from credential');
  expect(await migrateTo(INDEXES_ONLY)).toBe(INDEXES_ONLY);
  await reader.end();
  await database.destroy();
  await remove();
});
