/** Searches of the audit log while entries are added and removed. */
import { Kysely, type KyselyPlugin, SqliteDialect } from 'kysely';
import Libsql from 'libsql';
import { expect, it } from 'vitest';
import type { Schema } from '../../../src/stores/schema.js';
import { listEntries } from '../../../src/stores/statements/auditing.js';

const INSERT = `INSERT INTO audit_entry (position, at, kind)
  WITH RECURSIVE n (i) AS (SELECT :first UNION ALL SELECT i + 1 FROM n WHERE i < :last) SELECT i, i, 'client_refused' FROM n`;

/** Runs a search in a log with the positions 1 to `last`, and a change after each of its statements. Returns the positions found. */
async function search(last: number, change: (file: Libsql.Database) => void): Promise<readonly number[]> {
  const file = new Libsql(':memory:');
  file.exec(`CREATE TABLE audit_entry (position INTEGER PRIMARY KEY, at INTEGER, kind TEXT, client_id TEXT,
    person_id TEXT, authorization_id TEXT, scopes TEXT, claims TEXT, query_hash TEXT, about TEXT, reason TEXT)`);
  file.prepare(INSERT).run({ first: 1, last });
  const changing: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      change(file);
      return result;
    },
  };
  const database = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: file }),
    plugins: [changing],
  });
  const found = await listEntries(database, { kinds: ['client_refused'], limit: 10_000, asStored: true });
  await database.destroy();
  return found.map(({ position }) => position);
}

const positions = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

it('a search finds every remaining entry, although the oldest entries are removed between its statements', async () => {
  let removed = 0;
  const found = await search(4_000, (file) => {
    removed += 100;
    file.prepare('DELETE FROM audit_entry WHERE position <= ?').run([removed]);
  });
  expect(found.slice(found.indexOf(removed + 1))).toEqual(positions(removed + 1, 4_000));
});

it('a search skips no entry, although entries are added between its statements', async () => {
  let last = 1_450;
  const found = await search(last, (file) => {
    file.prepare(INSERT).run({ first: last + 1, last: last + 100 });
    last += 100;
  });
  expect(found.length).toBeGreaterThanOrEqual(1_450);
  expect(found).toEqual(positions(1, found.length));
});
