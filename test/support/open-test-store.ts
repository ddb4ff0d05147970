/** The store of HTTP tests: SQLite, or PostgreSQL by `PROVISO_TEST_STORE`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import type { Store } from '../../src/service/index.js';
import { openPostgresStore } from '../../src/stores/postgres/index.js';
import { openSqliteStore } from '../../src/stores/sqlite/index.js';
import { runStatement } from './postgres-cluster.js';
import { borrowDatabase, createDatabase } from './postgres-for-tests.js';

export interface TestStore {
  readonly store: Store;
  /** Runs a statement directly on the database. */
  readonly runSql: (text: string) => Promise<unknown>;
  /** Returns all stored data as text. */
  readonly contents: () => Promise<string>;
  /** Closes the store, and removes its data outside of the folder. */
  readonly remove: () => Promise<void>;
}

/** Options of the store. */
export type TestStoreOptions = NonNullable<Parameters<typeof openSqliteStore>[1]> & {
  /** Whether PostgreSQL creates a database, without the deleted rows of earlier tests, instead of reusing one. */
  readonly newDatabase?: boolean;
};

/** @param folder - The folder of SQLite's files, which the caller must remove. */
export async function openTestStore(folder: string, options: TestStoreOptions = {}): Promise<TestStore> {
  return process.env['PROVISO_TEST_STORE'] === 'postgres' ? onPostgres(options) : onSqlite(folder, options);
}

async function onSqlite(
  folder: string,
  { newDatabase: _, ...options }: TestStoreOptions,
): Promise<TestStore> {
  const path = join(folder, 'store.sqlite');
  const store = await openSqliteStore(path, options);
  return {
    store,
    runSql: async (text) => {
      const file = new Libsql(path);
      try {
        return file.exec(text);
      } finally {
        file.close();
      }
    },
    contents: async () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join(''),
    remove: () => store.close(),
  };
}

async function onPostgres({ newDatabase, ...options }: TestStoreOptions): Promise<TestStore> {
  const { url, remove } = await (newDatabase === true ? createDatabase() : borrowDatabase());
  const store = await openPostgresStore(url, options);
  return {
    store,
    runSql: (text) => runStatement(url, text),
    contents: async () =>
      JSON.stringify(await runStatement(url, `select database_to_xml(true, true, '')::text as contents`)),
    remove: async () => {
      await store.close();
      await remove();
    },
  };
}
