/** The store on PostgreSQL, or on an engine that speaks its protocol; many instances may share one (V12, V13, S188–S191). */

import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Store } from '../../service/ports/store/store.js';
import { postgres } from '../../sql/dialects/postgres.js';
import { emptyStatus, migrate, readSchemaStatus, type SchemaStatus } from '../migrate.js';
import type { Schema } from '../schema.js';
import { openSealing, type SealingOptions } from '../sealing/encryption.js';
import type { Sealing } from '../sealing/sealing.js';
import { createSqlStore, type StoreOptions } from '../sql-store.js';
import { openGuardedPool, type Timeouts } from './guarded-pool.js';

/** What may be chosen about a store on PostgreSQL. */
export interface PostgresOptions extends StoreOptions {
  /** Connections of this instance at most; 10 where absent. All instances together stay under the server's `max_connections`. */
  readonly maxConnections?: number;
  /** How long a request waits for a connection; 3,000 where absent. */
  readonly connectMs?: number;
}

const DEFAULT_MAX_CONNECTIONS = 10;
/** A caller has its answer well within the time in which clients give up. */
const TIMEOUTS: Timeouts = { connectMs: 3_000, statementMs: 5_000, lockMs: 3_000, responseMs: 8_000 };
/** A migration takes as long as the tables are large, and waits for the instance that migrates already. */
const MIGRATION_TIMEOUTS: Timeouts = { connectMs: 3_000, statementMs: 0, lockMs: 0, responseMs: 0 };
/** Of our migrations among a database's advisory locks: the letters "proviso" as a number. */
const MIGRATION_LOCK = 31_651_020_445_152_111n;

/**
 * Connects, and brings the tables to the newest version.
 *
 * @param url - `postgres://user:password@host:port/database`.
 * @throws {NewerSchemaError} When a newer program wrote the database; it is left as it is.
 * @throws {EncryptionKeyError} When its values are under keys that were not given, or encryption is required and it is not encrypted.
 * @throws {Error} When the database cannot be reached, or acknowledges what is not on its disk.
 */
export async function openPostgresStore(
  url: string,
  {
    maxConnections = DEFAULT_MAX_CONNECTIONS,
    connectMs = TIMEOUTS.connectMs,
    audit = false,
    cipher,
    encryptionRequired = false,
  }: PostgresOptions = {},
): Promise<Store> {
  const sealing = await migrateLocked(url, { cipher, required: encryptionRequired });
  return createSqlStore(connect(url, maxConnections, { ...TIMEOUTS, connectMs }), 'postgres', {
    audit,
    sealing,
    queries: postgres,
  });
}

/**
 * Tells how far the tables are, and changes nothing.
 *
 * @throws {NewerSchemaError} When a newer program wrote the database.
 * @throws {Error} When the database cannot be reached.
 */
export async function readPostgresSchema(url: string): Promise<SchemaStatus> {
  const database = connect(url, 1, TIMEOUTS);
  try {
    const { rows } = await sql<{ there: boolean }>`
      select to_regclass('schema_version') is not null as there`.execute(database);
    return rows[0]?.there === true ? await readSchemaStatus(database) : emptyStatus();
  } finally {
    await database.destroy();
  }
}

function connect(url: string, maxConnections: number, timeouts: Timeouts): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: openGuardedPool(url, maxConnections, timeouts) }),
  });
}

/** Takes a lock of the whole database before anything is read, so that of several that start at once one migrates. */
async function migrateLocked(url: string, options: SealingOptions): Promise<Sealing> {
  const database = connect(url, 1, MIGRATION_TIMEOUTS);
  try {
    await assertDurable(database);
    return await database.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
      await migrate(transaction, 'postgres');
      return await openSealing(transaction, options);
    });
  } finally {
    await database.destroy();
  }
}

/** What is acknowledged is on the disk (V12): a server may have been told otherwise. Engines without a setting have no say in it. */
async function assertDurable(database: Kysely<Schema>): Promise<void> {
  for (const name of ['fsync', 'synchronous_commit']) {
    const { rows } = await sql<{ value: string | null }>`
      select current_setting(${name}, true) as value`.execute(database);
    if (rows[0]?.value === 'off')
      throw new Error(`the server does not flush commits to disk: ${name} must be on`);
  }
}
