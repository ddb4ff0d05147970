/** Rewriting a SQLite file while another program reads it (S408). */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { afterEach, expect, it, vi } from 'vitest';
import { rewriteFile } from '../../../src/stores/rewrite-file.js';
import type { Schema } from '../../../src/stores/schema.js';

afterEach(() => vi.useRealTimers());

/** A database whose write-ahead log another program reads all the time. */
function createReadDatabase(): Kysely<Schema> {
  const driver = new DummyDriver();
  driver.acquireConnection = async () => ({
    executeQuery: async ({ sql }) => ({
      rows: (sql.includes('wal_checkpoint') ? [{ busy: 1 }] : [{ timeout: 0 }]) as never[],
    }),
    streamQuery: () => {
      throw new Error('statements of a rewrite do not stream');
    },
  });
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

// S408
it('the rewrite of a file whose write-ahead log cannot be truncated fails with the code of a busy database', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const rewritten = rewriteFile(createReadDatabase()).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await rewritten).toMatchObject({
    code: 'SQLITE_BUSY',
    message: expect.stringMatching(/^the write-ahead log cannot be truncated/),
  });
});
