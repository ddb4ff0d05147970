/** One PostgreSQL server per test run, configured or temporary, with databases that tests borrow in turn. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createPostgresCluster, runStatement } from './postgres-cluster.js';

const VARIABLE = 'PROVISO_TEST_POSTGRES_URL';
/** The prefix of the names of the databases of this run. */
const PREFIX = 'PROVISO_TEST_POSTGRES_PREFIX';

/** Vitest runs this once before the tests that need PostgreSQL, and the returned function after them. */
export default async function startPostgres(): Promise<() => Promise<void>> {
  const prefix = `proviso_${randomUUID().slice(0, 8)}_`;
  process.env[PREFIX] = prefix;
  const configured = process.env[VARIABLE];
  if (configured !== undefined) return () => dropDatabases(configured, prefix);
  const cluster = await createPostgresCluster();
  process.env[VARIABLE] = cluster.url;
  return async () => {
    delete process.env[VARIABLE];
    await cluster.remove();
  };
}

/** Drops the databases of this run, which its tests have borrowed. */
async function dropDatabases(server: string, prefix: string): Promise<void> {
  const databases = await runStatement(
    server,
    `select datname as name from pg_database where starts_with(datname, '${prefix}')`,
  );
  for (const { name } of databases as { name: string }[])
    await runStatement(server, `drop database ${name} with (force)`);
}

/** Empties all tables but `schema_version`, and resets `audit_retention` and sequences, in the replica role, which ignores triggers and foreign keys. */
const EMPTY_TABLES = `do $$ declare name text; begin
  set local session_replication_role = replica;
  for name in select tablename from pg_tables
      where schemaname = 'public' and tablename not in ('schema_version', 'audit_retention') loop
    execute format('delete from %I', name);
  end loop;
  update audit_retention set kept_from = 0, kept_from_mac = null, start_number = 0, chain_start = null;
  for name in select sequencename from pg_sequences where schemaname = 'public' loop
    execute format('alter sequence %I restart', name);
  end loop;
end $$`;

/** An empty database. */
export interface EmptyDatabase {
  readonly url: string;
  /** Drops a created database; empties a borrowed one for another test. */
  readonly remove: () => Promise<void>;
}

/** A database that is reused: without tables before its first use, then with empty tables. */
interface ReusableDatabase {
  readonly url: string;
  /** Keeps a connection between tests: a new one takes several times as long as emptying the tables. */
  readonly pool: pg.Pool;
}

const reusable: ReusableDatabase[] = [];

/**
 * Returns a database without rows: one that an earlier test has returned, with its tables, otherwise a new one without tables. Creating and migrating
 * one takes longer than most tests.
 */
export async function borrowDatabase(): Promise<EmptyDatabase> {
  const database = reusable.pop() ?? connectTo((await createDatabase()).url);
  return {
    url: database.url,
    remove: async () => {
      await database.pool.query(EMPTY_TABLES);
      reusable.push(database);
    },
  };
}

function connectTo(url: string): ReusableDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
  // Emitted when the server ends the connection, such as at the end of the run.
  pool.on('error', () => undefined);
  return { url, pool };
}

/** Creates a database on the PostgreSQL server of this run. */
export async function createDatabase(): Promise<EmptyDatabase> {
  const server = process.env[VARIABLE];
  if (server === undefined)
    throw new Error(`${VARIABLE} must be set: run the tests with test/vitest.config.ts`);
  const name = `${process.env[PREFIX] ?? 'proviso_'}${randomUUID().replaceAll('-', '')}`;
  await runStatement(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    remove: async () => {
      await runStatement(server, `drop database ${name} with (force)`);
    },
  };
}
