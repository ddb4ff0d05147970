/** Opens the database that the configuration names: SQLite or PostgreSQL (V12, S196). */
import type { Store, StoreObserver } from '../service/index.js';
import type { SchemaStatus, StoreInspection } from '../stores/sqlite/index.js';
import { systemRandom } from '../system/node-ports.js';
import { createValueCipher } from '../system/value-cipher.js';
import { omitUndefined } from '../util/omit-undefined.js';
import type { Database } from './configuration/setting-types.js';
import type { Configuration } from './configuration/settings.js';
import { CommandError } from './output.js';
import { findStoreFault } from './store-faults.js';

/** The settings that opening a store requires. */
export type StoreConfiguration = Pick<
  Configuration,
  'databaseUrl' | 'audit' | 'encryptionKeys' | 'encryption' | 'readCacheBytes'
>;

/** Imports an engine and its driver on demand. */
const ENGINES = {
  sqlite: async () => {
    const { openSqliteStore, readSqliteSchema, inspectSqliteStore, EncryptionKeyError } = await import(
      '../stores/sqlite/index.js'
    );
    return {
      open: openSqliteStore,
      read: readSqliteSchema,
      inspect: inspectSqliteStore,
      EncryptionKeyError,
    };
  },
  postgres: async () => {
    const { openPostgresStore, readPostgresSchema, inspectPostgresStore, EncryptionKeyError } = await import(
      '../stores/postgres/index.js'
    );
    return {
      open: openPostgresStore,
      read: readPostgresSchema,
      inspect: inspectPostgresStore,
      EncryptionKeyError,
    };
  },
};

/**
 * Opens the configured store, and migrates it.
 *
 * @param observer - Observes its operations. Default: none.
 * @throws {CommandError} If the store cannot be opened, or a newer program that is not compatible with this one migrated it.
 */
export async function openStore(
  {
    databaseUrl: { engine, address, shown },
    audit,
    encryptionKeys: keys,
    encryption,
    readCacheBytes,
  }: StoreConfiguration,
  observer?: StoreObserver,
): Promise<Store> {
  const { open, EncryptionKeyError } = await ENGINES[engine]();
  try {
    return await open(address, {
      audit: audit !== 'off',
      encryptionRequired: encryption === 'required',
      readCacheBytes,
      ...omitUndefined({ observer }),
      ...(keys === undefined ? {} : { cipher: createValueCipher(keys, systemRandom) }),
    });
  } catch (error) {
    const hint = error instanceof EncryptionKeyError ? ' (PROVISO_ENCRYPTION_KEYS)' : '';
    throw openError(shown, error, hint);
  }
}

/**
 * Opens an existing store without creating or migrating it.
 *
 * @param schema - `newest` for work on every column, since a program does not know the columns of a newer schema. Default: a compatible schema is enough.
 * @throws {CommandError} If it does not exist, its schema is not up to date, or it cannot be opened.
 */
export async function openExistingStore(
  configuration: StoreConfiguration,
  schema: 'newest' | 'compatible' = 'compatible',
): Promise<Store> {
  const { databaseUrl: database } = configuration;
  const { found, newest } = await readSchema(database);
  if (found === 0) throw new CommandError(`no store found at ${database.shown}`);
  if (found > newest && schema === 'newest') {
    throw new CommandError(
      `${database.shown} has schema version ${found}, but this program has ${newest}: run this command with the newer program`,
    );
  }
  if (found < newest) {
    throw new CommandError(
      `${database.shown} has schema version ${found}; the newest is ${newest}: run proviso migrate`,
    );
  }
  return await openStore(configuration);
}

/** @throws {CommandError} If the store cannot be read, or a newer program that is not compatible with this one migrated it. */
export async function readSchema({ engine, address, shown }: Database): Promise<SchemaStatus> {
  const { read } = await ENGINES[engine]();
  try {
    return await read(address);
  } catch (error) {
    throw openError(shown, error);
  }
}

/** Opens an existing store for diagnosis, without changing anything. @throws {CommandError} If it cannot be read. */
export async function inspectStore({ engine, address, shown }: Database): Promise<StoreInspection> {
  const { inspect } = await ENGINES[engine]();
  try {
    return await inspect(address);
  } catch (error) {
    throw openError(shown, error);
  }
}

/**
 * Returns the error for a store that was opened but cannot be used. Omits messages, which may contain stored values (S198), unless the
 * connection failed, the disk is full, or the database does not allow the statement.
 */
export function unusableStoreError({ shown }: Database, error: unknown): CommandError {
  const storeFault = findStoreFault(error);
  if (storeFault !== undefined) return new CommandError(`the store ${shown} failed: ${storeFault}`);
  const cause = findReportedCause(error);
  if (cause !== undefined) {
    const [, fault = 'cannot be reached'] = FAULTS.find(([codes]) => codes.test(cause.code)) ?? [];
    return new CommandError(`the store ${shown} ${fault}: ${cause.reason}`);
  }
  return new CommandError(
    `the store ${shown} is damaged or cannot be read: ${kindsOf(error).join(', caused by ')}; fix the cause, or restore a backup`,
  );
}

/**
 * SQLSTATE of connection exceptions, rejected logins, exhausted resources, shutdowns, read-only transactions and missing privileges, and codes of
 * network errors and of a full disk.
 */
const REPORTED_CAUSE = /^(?:(?:08|28|53|57P)[0-9A-Z]+|25006|42501|E[A-Z]+|SQLITE_FULL)$/;
/** Faults by code, other than a failure of the connection. */
const FAULTS = [
  [/^(?:SQLITE_FULL|53100|ENOSPC)$/, 'has no space left'],
  [/^(?:25006|42501)$/, 'does not allow a statement'],
] as const;

/** Finds the first cause whose message is reported. */
function findReportedCause(error: unknown): { readonly code: string; readonly reason: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  return REPORTED_CAUSE.test(code) ? { code, reason: reasonOf(error) } : findReportedCause(error.cause);
}

function kindsOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  return [`${error.name}${code}`, ...kindsOf(error.cause)];
}

function openError(shown: string, error: unknown, hint = ''): CommandError {
  return new CommandError(`the store ${shown} cannot be opened: ${reasonOf(error)}${hint}`);
}

/** Returns the message of an error; for an `AggregateError` (one failure per address of a host name), which has no message, those of its errors. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
