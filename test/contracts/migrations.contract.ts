/** Contract of migrations, run for every adapter (V13). */
import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  MIGRATIONS,
  type Migration,
  migrate,
  NewerSchemaError,
  readSchemaStatus,
  type StoreDialect,
} from '../../src/stores/migrate.js';
import type { Schema } from '../../src/stores/schema.js';

/** An empty database, which the test must close. */
export interface EmptyDatabase {
  readonly dialect: StoreDialect;
  readonly database: Kysely<Schema>;
}

function forBothDialects(text: string): Migration {
  return { sqlite: [text], postgres: [text] };
}

const NEXT =
  forBothDialects(`-- Adds a column and fills existing rows; this comment contains semicolons; they must not end a statement.
ALTER TABLE person ADD COLUMN nickname TEXT;

UPDATE person SET nickname = name;
`);
const FAULTY = forBothDialects(
  'CREATE TABLE half_done (id TEXT);\n\nALTER TABLE absent ADD COLUMN id TEXT;\n',
);

/** @param createDatabase - Creates an empty database. */
export function describeMigrations(name: string, createDatabase: () => Promise<EmptyDatabase>): void {
  const inTransaction = ({ dialect, database }: EmptyDatabase, migrations?: readonly Migration[]) =>
    database.transaction().execute((transaction) => migrate(transaction, dialect, migrations));
  const addPerson = ({ database }: EmptyDatabase) =>
    sql`INSERT INTO person (id, name, about) VALUES ('p', 'zoe', '')`.execute(database);

  describe(`migrations on ${name}`, () => {
    it('are applied once each, and keep existing rows', async () => {
      const emptyDatabase = await createDatabase();
      expect(await inTransaction(emptyDatabase)).toBe(MIGRATIONS.length);
      await addPerson(emptyDatabase);
      const upgraded = [...MIGRATIONS, NEXT];
      expect(await inTransaction(emptyDatabase, upgraded)).toBe(upgraded.length);
      expect(await inTransaction(emptyDatabase, upgraded)).toBe(upgraded.length);
      const { rows } = await sql`SELECT name, nickname FROM person`.execute(emptyDatabase.database);
      expect(rows).toEqual([{ name: 'zoe', nickname: 'zoe' }]);
      await emptyDatabase.database.destroy();
    });

    it('are rolled back if one of them fails', async () => {
      const emptyDatabase = await createDatabase();
      await inTransaction(emptyDatabase);
      const faulty = [...MIGRATIONS, NEXT, FAULTY];
      await expect(inTransaction(emptyDatabase, faulty)).rejects.toThrow(/absent/);
      expect(await readSchemaStatus(emptyDatabase.database, faulty)).toEqual({
        found: MIGRATIONS.length,
        newest: faulty.length,
      });
      await expect(sql`SELECT 1 FROM half_done`.execute(emptyDatabase.database)).rejects.toThrow(/half_done/);
      await expect(sql`SELECT nickname FROM person`.execute(emptyDatabase.database)).rejects.toThrow(
        /nickname/,
      );
      await emptyDatabase.database.destroy();
    });

    it('are rejected if the store has a newer schema than the program', async () => {
      const emptyDatabase = await createDatabase();
      await inTransaction(emptyDatabase, [...MIGRATIONS, NEXT]);
      await expect(inTransaction(emptyDatabase)).rejects.toThrow(NewerSchemaError);
      await emptyDatabase.database.destroy();
    });
  });
}
