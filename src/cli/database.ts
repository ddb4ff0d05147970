/** Opens the database that the configuration names: SQLite or PostgreSQL (V12, S196). */
import type { Store } from '../service/index.js';
import type { SchemaStatus } from '../stores/sqlite/index.js';
import { systemRandom } from '../system/node-ports.js';
import { createValueCipher } from '../system/value-cipher.js';
import type { Database } from './configuration/setting-types.js';
import type { Configuration } from './configuration/settings.js';
import { CommandError } from './output.js';

/** What of the configuration a store is opened by. */
export type StoreConfiguration = Pick<
  Configuration,
  'databaseUrl' | 'audit' | 'encryptionKeys' | 'encryption'
>;

/** Each is loaded where it is named: it brings its driver. */
const ENGINES = {
  sqlite: async () => {
    const { openSqliteStore, readSqliteSchema, EncryptionKeyError } = await import(
      '../stores/sqlite/index.js'
    );
    return { open: openSqliteStore, read: readSqliteSchema, EncryptionKeyError };
  },
  postgres: async () => {
    const { openPostgresStore, readPostgresSchema, EncryptionKeyError } = await import(
      '../stores/postgres/index.js'
    );
    return { open: openPostgresStore, read: readPostgresSchema, EncryptionKeyError };
  },
};

/**
 * Opens the store that the configuration names, as it wants it.
 *
 * @throws {CommandError} When the store cannot be opened, or a newer program wrote it.
 */
export async function openStore({
  databaseUrl: { engine, address, shown },
  audit,
  encryptionKeys: keys,
  encryption,
}: StoreConfiguration): Promise<Store> {
  const { open, EncryptionKeyError } = await ENGINES[engine]();
  try {
    return await open(address, {
      audit: audit !== 'off',
      encryptionRequired: encryption === 'required',
      ...(keys === undefined ? {} : { cipher: createValueCipher(keys, systemRandom) }),
    });
  } catch (error) {
    const hint = error instanceof EncryptionKeyError ? ' (PROVISO_ENCRYPTION_KEYS)' : '';
    throw openError(shown, error, hint);
  }
}

/**
 * Opens a store that is there, for who only asks: nothing is made or migrated.
 *
 * @throws {CommandError} When there is none, its tables are not of the newest version, or it cannot be opened.
 */
export async function openExistingStore(configuration: StoreConfiguration): Promise<Store> {
  const { databaseUrl: database } = configuration;
  const { found, newest } = await readSchema(database);
  if (found === 0) throw new CommandError(`there is no store at ${database.shown}`);
  if (found !== newest) {
    throw new CommandError(
      `${database.shown} has schema version ${found}; ${newest} is the newest: run proviso migrate`,
    );
  }
  return await openStore(configuration);
}

/** @throws {CommandError} When the store cannot be read, or a newer program wrote it. */
export async function readSchema({ engine, address, shown }: Database): Promise<SchemaStatus> {
  const { read } = await ENGINES[engine]();
  try {
    return await read(address);
  } catch (error) {
    throw openError(shown, error);
  }
}

/** What a store that was opened and then not understood is told as: an error's own words may repeat what stands in it (S198). */
export function unusableStoreError({ shown }: Database, error: unknown): CommandError {
  return new CommandError(
    `the store ${shown} is damaged, or cannot be read: ${kindsOf(error).join(', because of ')}; restore a backup, or mend what it is about`,
  );
}

function kindsOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  return [`${error.name}${code}`, ...kindsOf(error.cause)];
}

function openError(shown: string, error: unknown, hint = ''): CommandError {
  return new CommandError(`the store ${shown} cannot be opened: ${reasonOf(error)}${hint}`);
}

/** Where a name has several addresses, the failure of each stands in the error, and the error says nothing. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
