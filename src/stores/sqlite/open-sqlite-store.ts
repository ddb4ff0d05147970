/** The store on one SQLite file: durable at each acknowledged write (V12, S183). */

import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import Libsql from 'libsql';
import type { Store } from '../../service/ports/store/store.js';
import { sqlite } from '../../sql/dialects/sqlite.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { inspectTables, type StoreInspection } from '../inspection.js';
import { emptyStatus, MIGRATIONS, migrate, readSchemaStatus, type SchemaStatus } from '../migrate.js';
import {
  createReadCache,
  createReadCacheStatistics,
  DEFAULT_READ_CACHE_BYTES,
  withoutCache,
} from '../read-cache.js';
import type { Schema } from '../schema.js';
import { openSealing, type SealingOptions } from '../sealing/encryption.js';
import type { Sealing } from '../sealing/sealing.js';
import { createSqlStore, type StoreOptions } from '../sql-store.js';
import {
  type AfterStatement,
  createForeignCommitDetector,
  detectCommits,
  guardDatabase,
  isBusy,
  openReadConnection,
  retryWhenBusy,
} from './connections.js';
import { createGroupCommit, openLogFile } from './group-commit.js';

const BUSY_TIMEOUT_MS = 5_000;
/** Timeout while another program may be migrating the file: ten minutes. */
const MIGRATION_TIMEOUT_MS = 600_000;
/** Maximum number of listed faults of a damaged file. */
const MAX_FAULTS = 3;
/** The value `FULL` of `synchronous`. */
const FLUSH_COMMITS = 2;
/** The value `NORMAL` of `synchronous`: after opening, group commits flush the log (S183). */
const FLUSH_CHECKPOINTS = 1;
/** Timeout after opening: the driver's wait would block the process, so the connection retries instead. */
const NO_BUSY_TIMEOUT_MS = 0;
const MAX_ATTEMPTS = 50;

/** Options of a store on SQLite. */
export interface SqliteOptions extends StoreOptions {
  /** Capacity of the cache for the tokens and credentials that claims queries read, in bytes. Default: 64 MiB; 0: no cache. */
  readonly readCacheBytes?: number;
}

/** Set at each open, since most settings belong to the connection and not to the file (D7). Values as SQLite returns them. */
const SETTINGS: readonly (readonly [name: string, value: string | number])[] = [
  ['journal_mode', 'wal'],
  ['synchronous', FLUSH_COMMITS],
  ['foreign_keys', 1],
];

/**
 * Opens or creates a store file and its directory, and migrates it to the newest schema version.
 *
 * @param path - Path of the file. The file and its WAL files are readable by their owner only (S196).
 * @throws {NewerSchemaError} If a newer program that is not compatible with this one migrated the file, which is left unchanged.
 * @throws {EncryptionKeyError} If the store's values are encrypted under other keys, or encryption is required and the store is not completely
 *   encrypted.
 * @throws {Error} If the path is that of a directory or device, or the file belongs to another program (these are left unchanged), if the file cannot be
 *   opened, or if SQLite rejects a required setting.
 */
export async function openSqliteStore(path: string, options: SqliteOptions = {}): Promise<Store> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  createFile(path);
  // Changing the mode of a directory would make everything in it inaccessible.
  const status = statSync(path);
  if (!status.isFile()) throw new Error('its path must be that of a file, not of a directory or device');
  chmodSync(path, 0o600);
  const opened: { close(): void }[] = [];
  const closing = <Handle extends { close(): void }>(handle: Handle): Handle => {
    opened.unshift(handle);
    return handle;
  };
  try {
    return await openHandles(path, options, closing);
  } catch (error) {
    for (const handle of opened) handle.close();
    // The file belongs to another program.
    if ((error as NodeJS.ErrnoException).code === 'SQLITE_NOTADB') chmodSync(path, status.mode);
    throw error;
  }
}

/**
 * Creates the file before SQLite opens it, so that its WAL files inherit the mode. Does not open an existing file: closing it would release the
 * locks of this process, if it has the store open already.
 */
function createFile(path: string): void {
  try {
    writeFileSync(path, '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Opens the store on an existing file.
 *
 * @param closing - Registers a handle, which the caller closes after an error, and returns it.
 */
async function openHandles(
  path: string,
  {
    audit = false,
    cipher,
    encryptionRequired = false,
    readCacheBytes = DEFAULT_READ_CACHE_BYTES,
    observer,
  }: SqliteOptions,
  closing: <Handle extends { close(): void }>(handle: Handle) => Handle,
): Promise<Store> {
  const file = closing(new Libsql(path, { timeout: BUSY_TIMEOUT_MS }));
  detectStore(file);
  for (const [name, value] of SETTINGS) applySetting(file, name, value);
  const readConnection = closing(openReadConnection(path, BUSY_TIMEOUT_MS));
  const { committed, flush: flushOwn } = createGroupCommit(() => logFile.sync());
  const noteCommit = detectCommits(committed);
  const afterStatement: AfterStatement = (text, succeeded) => {
    // Reads in the same turn must see commits of this process.
    readConnection.commits.revision.expire();
    noteCommit(text, succeeded);
  };
  const guarded = guardDatabase(file);
  const database = new Kysely<Schema>({
    dialect: new SqliteDialect({
      database: guarded,
      onCreateConnection: async (connection) => retryWhenBusy(connection, afterStatement),
    }),
  });
  const sealing = await migrateLocked(file, database, { cipher, required: encryptionRequired });
  applySetting(file, 'busy_timeout', NO_BUSY_TIMEOUT_MS);
  const logFile = closing(openLogFile(path));
  applySetting(file, 'synchronous', FLUSH_CHECKPOINTS);
  const hasOthersCommitted = createForeignCommitDetector(guarded);
  const flush = async () => {
    // A result may be based on commits of other processes, which they may not have flushed yet.
    if (hasOthersCommitted()) committed();
    await flushOwn();
  };
  const statistics = createReadCacheStatistics();
  const hasCache = readCacheBytes > 0;
  if (hasCache) observer?.watchReadCache(() => statistics);
  const memoize = hasCache
    ? createReadCache(readConnection.commits, readCacheBytes, statistics)
    : withoutCache;
  const reader = { ...readConnection, memoize };
  const options = { audit, sealing, audienceDialect: sqlite, ...omitUndefined({ observer }) };
  const store = createSqlStore(database, 'sqlite', options, reader, flush);
  const close = async () => {
    // The callers that wait for a failed flush receive its error.
    await flush().catch(() => undefined);
    await store.close();
    logFile.close();
  };
  return { ...store, close };
}

/**
 * Reads the schema version without changing anything or creating a file.
 *
 * @throws {NewerSchemaError} If a newer program that is not compatible with this one migrated the file.
 * @throws {Error} If the file cannot be read, or is one of another program.
 */
export async function readSqliteSchema(path: string): Promise<SchemaStatus> {
  // Throws if access to the folder is denied: the store may exist.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return emptyStatus();
  const { file, database } = openReadOnly(path);
  try {
    return detectStore(file) ? await readSchemaStatus(database) : emptyStatus();
  } finally {
    // Kysely closes only a database that it has used.
    file.close();
  }
}

/** Returns whether a file has the tables of a store, not only `schema_version`. @throws {Error} If the file has tables of another program only. */
export function detectStore(file: Libsql.Database): boolean {
  const names = file.prepare("SELECT name FROM sqlite_master WHERE name != 'schema_version'").pluck().all([]);
  if (names.length > 0 && !names.includes('authorization_record'))
    // As if SQLite had rejected the file.
    throw Object.assign(new Error('it is a database of another program'), { code: 'SQLITE_NOTADB' });
  return names.length > 0;
}

/** Opens an existing store for diagnosis, without changing anything. @throws {Error} If the file cannot be read. */
export async function inspectSqliteStore(path: string): Promise<StoreInspection> {
  const { file, database } = openReadOnly(path);
  return {
    ...inspectTables(database, 'sqlite'),
    // Kysely closes only a database that it has used.
    close: async () => void file.close(),
    listFaults: async () => {
      const faults = file.prepare(`PRAGMA quick_check(${MAX_FAULTS})`).pluck().all([]) as readonly string[];
      return faults.filter((fault) => fault !== 'ok');
    },
    // Migrations build all indexes.
    listMissingIndexes: async () => [],
  };
}

function openReadOnly(path: string): { readonly file: Libsql.Database; readonly database: Kysely<Schema> } {
  const file = new Libsql(path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  return {
    file,
    database: new Kysely<Schema>({ dialect: new SqliteDialect({ database: guardDatabase(file) }) }),
  };
}

function applySetting(file: Libsql.Database, name: string, value: string | number): void {
  retryWhileLocked(file, () => file.pragma(`${name} = ${value}`));
  const [found] = file.prepare(`PRAGMA ${name}`).pluck().all([]);
  if (found !== value) throw new Error(`SQLite rejected ${name} = ${value}: the value is ${found}`);
}

/** Retries a change while the file is locked. Begins a transaction to wait for the lock, since SQLite does not wait to change the journal mode. */
function retryWhileLocked(file: Libsql.Database, change: () => void): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      change();
      return;
    } catch (error) {
      if (!isBusy(error) || attempt === MAX_ATTEMPTS) throw error;
      file.exec('BEGIN IMMEDIATE');
      file.exec('ROLLBACK');
    }
  }
}

/** Migrates the file, and opens its encryption. Takes the write lock first, so that of concurrent starts, one migrates and the others wait. */
async function migrateLocked(
  file: Libsql.Database,
  database: Kysely<Schema>,
  options: SealingOptions,
): Promise<Sealing> {
  try {
    if (detectStore(file) && (await readSchemaStatus(database)).found < MIGRATIONS.length)
      applySetting(file, 'busy_timeout', MIGRATION_TIMEOUT_MS);
    file.exec('BEGIN IMMEDIATE');
    await migrate(database, 'sqlite');
    const sealing = await openSealing(database, options);
    file.exec('COMMIT');
    return sealing;
  } catch (error) {
    // SQLite itself rolls back after errors such as a full disk.
    if (file.inTransaction) file.exec('ROLLBACK');
    throw error;
  }
}
