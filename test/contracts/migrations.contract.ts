/** How a store's tables are migrated, for every adapter to run (V13). */
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

/** An empty database, which the test closes. */
export interface EmptyDatabase {
  readonly dialect: StoreDialect;
  readonly database: Kysely<Schema>;
}

function onBoth(text: string): Migration {
  return { sqlite: [text], postgres: [text] };
}

const NEXT = onBoth(`-- A column, and what it holds for rows that exist; a semicolon; in a comment.
ALTER TABLE person ADD COLUMN nickname TEXT;

UPDATE person SET nickname = name;
`);
const FAULTY = onBoth('CREATE TABLE half_done (id TEXT);\n\nALTER TABLE absent ADD COLUMN id TEXT;\n');

/** @param newDatabase - Of an empty database. */
export function describeMigrations(name: string, newDatabase: () => Promise<EmptyDatabase>): void {
  const inTransaction = ({ dialect, database }: EmptyDatabase, migrations?: readonly Migration[]) =>
    database.transaction().execute((transaction) => migrate(transaction, dialect, migrations));
  const addPerson = ({ database }: EmptyDatabase) =>
    sql`INSERT INTO person (id, name, about) VALUES ('p', 'zoe', '')`.execute(database);

  describe(`migrations on ${name}`, () => {
    it('are applied once each, and keep the rows of earlier versions', async () => {
      const place = await newDatabase();
      expect(await inTransaction(place)).toBe(MIGRATIONS.length);
      await addPerson(place);
      const upgraded = [...MIGRATIONS, NEXT];
      expect(await inTransaction(place, upgraded)).toBe(upgraded.length);
      expect(await inTransaction(place, upgraded)).toBe(upgraded.length);
      const { rows } = await sql`SELECT name, nickname FROM person`.execute(place.database);
      expect(rows).toEqual([{ name: 'zoe', nickname: 'zoe' }]);
      await place.database.destroy();
    });

    it('leave nothing of themselves where one of them fails', async () => {
      const place = await newDatabase();
      await inTransaction(place);
      const faulty = [...MIGRATIONS, NEXT, FAULTY];
      await expect(inTransaction(place, faulty)).rejects.toThrow(/absent/);
      expect(await readSchemaStatus(place.database, faulty)).toEqual({
        found: MIGRATIONS.length,
        newest: faulty.length,
      });
      await expect(sql`SELECT 1 FROM half_done`.execute(place.database)).rejects.toThrow(/half_done/);
      await expect(sql`SELECT nickname FROM person`.execute(place.database)).rejects.toThrow(/nickname/);
      await place.database.destroy();
    });

    it('are refused where the store has a newer version than the program knows', async () => {
      const place = await newDatabase();
      await inTransaction(place, [...MIGRATIONS, NEXT]);
      await expect(inTransaction(place)).rejects.toThrow(NewerSchemaError);
      await place.database.destroy();
    });
  });
}
