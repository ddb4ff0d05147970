/** The database that `PROVISO_DATABASE_URL` names: SQLite or PostgreSQL (V12, S196). */
import { resolve } from 'node:path';
import type { Store } from '../service/index.js';
import { openPostgresStore, readPostgresSchema } from '../stores/postgres/index.js';
import { openSqliteStore, readSqliteSchema, type SchemaStatus } from '../stores/sqlite/index.js';
import { CommandError, EXIT } from './output.js';

export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** A path, or a URL with its password. */
  readonly address: string;
  /** The same for a person to read: without a password. */
  readonly shown: string;
}

const DEFAULT_DATABASE_URL = 'sqlite:.proviso/proviso.sqlite';

/** @throws {CommandError} When the variable names none. What it holds is not repeated: it may hold a password. */
export function databaseOf(variables: NodeJS.ProcessEnv): Database {
  const url = variables['PROVISO_DATABASE_URL'] ?? DEFAULT_DATABASE_URL;
  const path = /^sqlite:(?!\/\/)(.+)$/.exec(url)?.[1];
  if (path !== undefined) return { engine: 'sqlite', address: resolve(path), shown: resolve(path) };
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) {
    return { engine: 'postgres', address: url, shown: withoutSecrets(url) };
  }
  throw new CommandError(
    `PROVISO_DATABASE_URL is \`sqlite:\` and a path, such as \`${DEFAULT_DATABASE_URL}\`, or \`postgres://user:password@host:port/database\` with what is no letter or digit in the password percent-encoded`,
    EXIT.usage,
  );
}

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

function cannotOpen(shown: string, error: unknown): CommandError {
  return new CommandError(`the store ${shown} cannot be opened: ${reasonOf(error)}`);
}

/** Where a name has several addresses, the failure of each stands in the error, and the error says nothing. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** Drivers take a password as a parameter as well. */
function withoutSecrets(text: string): string {
  const url = new URL(text);
  url.password = '';
  url.search = '';
  return url.href;
}
