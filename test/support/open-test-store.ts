/** The store that the tests over HTTP stand on: SQLite, or PostgreSQL where `PROVISO_TEST_STORE` says so. */
import { join } from 'node:path';
import type { Store } from '../../src/service/index.js';
import { openPostgresStore } from '../../src/stores/postgres/index.js';
import { openSqliteStore } from '../../src/stores/sqlite/index.js';
import { createDatabase } from './postgres-for-tests.js';

export interface TestStore {
  readonly store: Store;
  /** Closes the store, and removes what is not in the folder. */
  readonly remove: () => Promise<void>;
}

/** @param folder - For files, removed by the caller. */
export async function openTestStore(folder: string): Promise<TestStore> {
  if (process.env['PROVISO_TEST_STORE'] !== 'postgres') {
    const store = await openSqliteStore(join(folder, 'store.sqlite'));
    return { store, remove: () => store.close() };
  }
  const database = await createDatabase();
  const store = await openPostgresStore(database.url);
  return {
    store,
    remove: async () => {
      await store.close();
      await database.remove();
    },
  };
}
