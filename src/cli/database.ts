/** Opens the database that the configuration names: SQLite or PostgreSQL (V12, S196). */
import type { Store } from '../service/index.js';
import { openPostgresStore, readPostgresSchema } from '../stores/postgres/index.js';
import { openSqliteStore, readSqliteSchema, type SchemaStatus } from '../stores/sqlite/index.js';
import type { Database } from './configuration/database-url.js';
import { CommandError } from './output.js';

/** @throws {CommandError} When the store cannot be opened, or a newer program wrote it. */
export async function openStore({ engine, address, shown }: Database): Promise<Store> {
  const open = engine === 'sqlite' ? openSqliteStore : openPostgresStore;
  try {
    return await open(address);
  } catch (error) {
    throw cannotOpen(shown, error);
  }
}

/** @throws {CommandError} When the store cannot be read, or a newer program wrote it. */
export async function readSchema({ engine, address, shown }: Database): Promise<SchemaStatus> {
  const read = engine === 'sqlite' ? readSqliteSchema : readPostgresSchema;
  try {
    return await read(address);
  } catch (error) {
    throw cannotOpen(shown, error);
  }
}

/** What a store that was opened and then not understood is told as: an error's own words may repeat what stands in it (S198). */
export function cannotUse({ shown }: Database, error: unknown): CommandError {
  return new CommandError(
    `the store ${shown} is damaged, or cannot be read: ${kindsOf(error).join(', because of ')}; restore a backup, or mend what it is about`,
  );
}

function kindsOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  return [`${error.name}${code}`, ...kindsOf(error.cause)];
}

function cannotOpen(shown: string, error: unknown): CommandError {
  return new CommandError(`the store ${shown} cannot be opened: ${reasonOf(error)}`);
}

/** Where a name has several addresses, the failure of each stands in the error, and the error says nothing. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
