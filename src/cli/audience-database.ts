/** The databases that `proviso audience` asks: the service's own, and a copy of its tables in a DuckDB file (V14). */
import { resolve } from 'node:path';
import { type AudienceReader, openDuckdbAudience } from '../stores/duckdb/open-duckdb-audience.js';
import { type Database, parseDatabaseUrl } from './configuration/database-url.js';
import { openStoreAsItIs, type StoreConfiguration } from './database.js';
import { CommandError, EXIT } from './output.js';

export type AudienceDatabase = Database | { readonly engine: 'duckdb'; readonly address: string };

/** How many people a statement is about: as many as are answered in a moment. */
export const AUDIENCE_DATABASES: Readonly<
  Record<AudienceDatabase['engine'], { readonly peopleAtOnce: number }>
> = {
  sqlite: { peopleAtOnce: 1_000 },
  postgres: { peopleAtOnce: 5_000 },
  duckdb: { peopleAtOnce: 50_000 },
};

/** @param url - `sqlite:` and a path, `duckdb:` and a path, or `postgres://…`. @throws {CommandError} When it is none. */
export function audienceDatabaseOf(url: string): AudienceDatabase {
  const path = /^duckdb:(.+)$/.exec(url)?.[1];
  const database: AudienceDatabase | undefined =
    path === undefined ? parseDatabaseUrl(url) : { engine: 'duckdb', address: resolve(path) };
  if (database !== undefined) return database;
  // What was given is not repeated: it may hold a password.
  const message =
    '--database is `sqlite:` or `duckdb:` and a path, or `postgres://user:password@host:port/database`';
  throw new CommandError(message, EXIT.usage);
}

/** @throws {CommandError} When it cannot be opened, or its tables are not of the newest version: asking changes nothing. */
export async function openAudience(
  database: AudienceDatabase,
  configuration: StoreConfiguration,
): Promise<AudienceReader> {
  if (database.engine === 'duckdb') return await openDuckdb(database.address);
  return await openStoreAsItIs({ ...configuration, databaseUrl: database });
}

async function openDuckdb(path: string): Promise<AudienceReader> {
  try {
    return await openDuckdbAudience(path);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (isMissing) {
      const message = 'a DuckDB file needs the package @duckdb/node-api: npm install @duckdb/node-api';
      throw new CommandError(message, EXIT.usage);
    }
    throw new CommandError(`${path} cannot be opened: ${error instanceof Error ? error.message : error}`);
  }
}
