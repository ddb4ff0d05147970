/** The store on PostgreSQL or a compatible database, shared by any number of instances (V12, V13, S188–S191). */

import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Store } from '../../service/ports/store/store.js';
import { postgres } from '../../sql/dialects/postgres.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { inspectTables, type StoreInspection } from '../inspection.js';
import { emptyStatus, MIGRATIONS, migrate, readSchemaStatus, type SchemaStatus } from '../migrate.js';
import type { Schema } from '../schema.js';
import { openSealing, type SealingOptions } from '../sealing/encryption.js';
import type { Sealing } from '../sealing/sealing.js';
import { createSqlStore, type StoreOptions } from '../sql-store.js';
import { prepareCombined } from '../statements/combined.js';
import { buildIndexes, findUnfinished } from './build-indexes.js';
import { detectPooler, explainPooler } from './detect-pooler.js';
import { openGuardedPool, type PoolTarget, type Timeouts } from './guarded-pool.js';

/** Options of a PostgreSQL store. */
export interface PostgresOptions extends StoreOptions {
  /** Maximum number of connections of this instance. Default: 10. The sum over all instances must stay below the server's `max_connections`. */
  readonly maxConnections?: number;
  /** How long a request waits for a connection, in milliseconds. Default: 3,000. */
  readonly connectMs?: number;
}

const DEFAULT_MAX_CONNECTIONS = 10;
/** Shorter than common client timeouts. */
const TIMEOUTS: Timeouts = { connectMs: 3_000, statementMs: 5_000, lockMs: 3_000, responseMs: 8_000 };
/** Only connecting is limited: migrations may take long, and wait for other instances. */
const MIGRATION_TIMEOUTS: Timeouts = { connectMs: 3_000, statementMs: 0, lockMs: 0, responseMs: 0 };
/** Advisory lock of migrations: the letters "proviso" as a number. */
const MIGRATION_LOCK = 31_651_020_445_152_111n;
const LOCK_RETRY_MS = 50;
/**
 * How long a migration waits for the lock of a table. Shorter than the server's `deadlock_timeout` (default: 1 second), so that a deadlock with a
 * request ends the attempt to migrate, and not the request. Requests that need the table wait meanwhile.
 */
const TABLE_LOCK_MS = 500;
/** SQLSTATE of `lock_not_available`, which a lock timeout causes, and of `deadlock_detected`. */
const LOCK_FAILURES = ['55P03', '40P01'];
/** Pause before the next attempt. Meanwhile, the requests that waited for the migration can proceed. */
const MIGRATION_RETRY_MS = 200;

/**
 * Connects to the database and migrates it to the newest schema version.
 *
 * @param url - `postgres://user:password@host:port/database`.
 * @throws {NewerSchemaError} If a newer program that is not compatible with this one migrated the database, which is left unchanged.
 * @throws {EncryptionKeyError} If the store's values are encrypted under other keys, or encryption is required and the store is not completely
 *   encrypted.
 * @throws {Error} If the database cannot be reached, is read-only, does not flush commits to disk, has no store and is not encoded in UTF8, or has
 *   a table `schema_version` of another program, or if the role may use no schema, or a pooler does not allow transactions or a parameter of the URL.
 */
export async function openPostgresStore(
  url: string,
  {
    maxConnections = DEFAULT_MAX_CONNECTIONS,
    connectMs = TIMEOUTS.connectMs,
    audit = false,
    cipher,
    encryptionRequired = false,
    observer,
  }: PostgresOptions = {},
): Promise<Store> {
  const target = await detectPooler(url, { ...TIMEOUTS, connectMs });
  const sealing = await migrateLocked(target, { cipher, required: encryptionRequired }).catch(explainPooler);
  const database = connect(target, maxConnections, { ...TIMEOUTS, connectMs });
  return createSqlStore(database, 'postgres', {
    audit,
    sealing,
    audienceDialect: postgres,
    combined: prepareCombined(database, audit, sealing),
    ...omitUndefined({ observer }),
  });
}

/**
 * Reads the schema version without changing anything.
 *
 * @throws {NewerSchemaError} If a newer program that is not compatible with this one migrated the database.
 * @throws {Error} If the database cannot be reached, its table `schema_version` is that of another program, or the role may use no schema.
 */
export async function readPostgresSchema(url: string): Promise<SchemaStatus> {
  const database = connect(await detectPooler(url, TIMEOUTS), 1, TIMEOUTS);
  try {
    return (await detectStore(database)) ? await readSchemaStatus(database) : emptyStatus();
  } finally {
    await database.destroy();
  }
}

/**
 * Returns whether the tables of a store exist in the search path. If they do not, checks for a table `schema_version` only in the current schema, in
 * which they would be created: another schema of the search path may have such a table of another program.
 *
 * @throws {Error} If the table `schema_version` of the current schema is that of another program, or there is no current schema.
 */
async function detectStore(database: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean; hasSchema: boolean; hasVersion: boolean }>`
    select to_regclass('authorization_record') is not null as exists,
      current_schema() is not null as "hasSchema",
      to_regclass(quote_ident(current_schema()) || '.schema_version') is not null as "hasVersion"`.execute(
    database,
  );
  const exists = rows[0]?.exists === true;
  // The search path omits schemas without this privilege.
  if (rows[0]?.hasSchema === false)
    throw new Error(
      'no schema of the search path can be used: the role must have the privilege USAGE on that of the store',
    );
  if (!exists && rows[0]?.hasVersion === true)
    throw new Error(
      'its table schema_version is that of another program: another database or schema is required',
    );
  return exists;
}

/** Connects to an existing store for diagnosis, without changing anything. @throws {Error} If the database cannot be reached. */
export async function inspectPostgresStore(url: string): Promise<StoreInspection> {
  const database = connect(await detectPooler(url, TIMEOUTS), 1, TIMEOUTS);
  return {
    ...inspectTables(database, 'postgres'),
    readClock: async () => {
      const { rows } = await sql<{ ms: number }>`
        select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(database);
      return Number(rows[0]?.ms);
    },
    listFaults: () => listFaults(database, [...REQUIRED, ...REQUIRED_WHEN_CREATED]),
    listMissingIndexes: async () => (await findUnfinished(database)).map(({ name }) => name),
  };
}

function connect(target: PoolTarget, maxConnections: number, timeouts: Timeouts): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: openGuardedPool(target, maxConnections, timeouts) }),
  });
}

/** Migrates the database, and opens its encryption. Of concurrent starts, one migrates, and the others wait. */
async function migrateLocked(target: PoolTarget, options: SealingOptions): Promise<Sealing> {
  // The second connection builds indexes.
  const database = connect(target, 2, MIGRATION_TIMEOUTS);
  try {
    await assertNoFault(database, REQUIRED);
    const sealing = await withMigrationLock(database, async (transaction) => {
      if (!(await detectStore(transaction))) await assertNoFault(transaction, REQUIRED_WHEN_CREATED);
      await migrate(transaction, 'postgres');
      return await openSealing(transaction, options);
    });
    await buildIndexes(database, MIGRATIONS);
    return sealing;
  } finally {
    await database.destroy();
  }
}

/**
 * Runs work in a transaction with the migration lock. Tries again while another instance has it: a statement that waits for the lock would have a snapshot,
 * and index builds wait for the end of snapshots. Also tries again if a lock of a table was not granted, since requests lock tables in any order.
 */
async function withMigrationLock<Result>(
  database: Kysely<Schema>,
  work: (transaction: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const done = await attempt(database, async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(TABLE_LOCK_MS)}`.execute(transaction);
      const { rows } = await sql<{ locked: boolean }>`
        select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as locked`.execute(transaction);
      return rows[0]?.locked === true ? { result: await work(transaction) } : undefined;
    });
    if (done !== undefined && done !== 'locked') return done.result;
    const waitMs = done === 'locked' ? MIGRATION_RETRY_MS : LOCK_RETRY_MS;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Runs work in a transaction. Returns `'locked'` if it was rolled back because a lock was not granted. */
async function attempt<Result extends object | undefined>(
  database: Kysely<Schema>,
  work: (transaction: Kysely<Schema>) => Promise<Result>,
): Promise<Result | 'locked'> {
  try {
    return await database.transaction().execute(work);
  } catch (error) {
    if (error instanceof Error && 'code' in error && LOCK_FAILURES.includes(String(error.code)))
      return 'locked';
    throw error;
  }
}

/** A setting of the server or the database with which a store does not work. */
interface Fault {
  readonly setting: string;
  readonly values: RegExp;
  readonly message: string;
}

/** The server flushes commits to disk (V12), and the database can be written. */
const REQUIRED: readonly Fault[] = [
  ...['fsync', 'synchronous_commit'].map((setting) => ({
    setting,
    values: /^off$/,
    message: `the server does not flush commits to disk: ${setting} must be on`,
  })),
  {
    setting: 'transaction_read_only',
    values: /^on$/,
    message: 'the database is read-only, such as a replica: the URL must be that of the primary',
  },
];

/** The database can store every string. An existing store opens all the same: it may have strings only that its database can store. */
const REQUIRED_WHEN_CREATED: readonly Fault[] = [
  { setting: 'server_encoding', values: /^(?!UTF8$)/, message: 'the database must be encoded in UTF8' },
];

/** @throws {Error} If a setting has a fault. */
async function assertNoFault(database: Kysely<Schema>, checked: readonly Fault[]): Promise<void> {
  const [fault] = await listFaults(database, checked);
  if (fault !== undefined) throw new Error(fault);
}

/** Lists the faults of settings. Compatible databases without these settings pass. */
async function listFaults(database: Kysely<Schema>, checked: readonly Fault[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { setting, values, message } of checked) {
    const { rows } = await sql<{ value: string | null }>`
      select current_setting(${setting}, true) as value`.execute(database);
    const [{ value = null } = {}] = rows;
    if (value !== null && values.test(value)) faults.push(message);
  }
  return faults;
}
