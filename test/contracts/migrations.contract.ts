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

const NEXT_VERSION = MIGRATIONS.length + 1;

function forBothDialects(text: string, compatibleFrom = NEXT_VERSION): Migration {
  return { compatibleFrom, sqlite: [text], postgres: [text] };
}

const NEXT =
  forBothDialects(`-- Adds a column and fills existing rows; this comment contains semicolons; they must not end a statement.
ALTER TABLE person ADD COLUMN nickname TEXT;

UPDATE person SET nickname = name;
`);
const FAULTY = forBothDialects(
  'CREATE TABLE half_done (id TEXT);\n\nALTER TABLE absent ADD COLUMN id TEXT;\n',
);

/** Keeps the store compatible with programs of the current schema version. */
const ADDITIVE = forBothDialects('ALTER TABLE person ADD COLUMN pronouns TEXT;\n', MIGRATIONS.length);

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

    // S416
    it('keep the rows of version 2, and give each person and credential a distinct pseudonym', async () => {
      const emptyDatabase = await createDatabase();
      const { database } = emptyDatabase;
      await inTransaction(emptyDatabase, MIGRATIONS.slice(0, 2));
      const run = (text: string) => sql.raw(text).execute(database);
      await run(`INSERT INTO application (client_id, name, organization_id, redirect_uris, scopes, id_token_algorithm, created_at)
        VALUES ('c', 'C', 'o', '[]', '["openid"]', 'ES256', 1)`);
      for (const id of ['p', 'q']) {
        await run(`INSERT INTO person (id, name, about) VALUES ('${id}', 'name-${id}', '')`);
        await run(`INSERT INTO credential (id, person_id, source, issued_at, claims, updated_at)
          VALUES ('credential-${id}', '${id}', 's', 1, '{}', 1)`);
        await run(`INSERT INTO authorization_record (id, client_id, person_id, status, redirect_uri, requested_scopes,
            granted_scopes, created_at, request_expires_at, updated_at)
          VALUES ('grant-${id}', 'c', '${id}', 'consumed', '', '[]', '[]', 1, 1, 1)`);
        await run(`INSERT INTO access_token (token_hash, authorization_id, scopes, issued_at, expires_at)
          VALUES ('${id.padEnd(43, '-')}', 'grant-${id}', '[]', 1, 2)`);
        await run(`INSERT INTO audit_entry (at, kind, person_id) VALUES (1, 'query_answered', '${id}')`);
      }
      expect(await inTransaction(emptyDatabase)).toBe(MIGRATIONS.length);
      // Inserts as the program does, without naming the column.
      await run(`INSERT INTO person (id, name, about) VALUES ('r', 'name-r', '')`);
      const pseudonyms = await Promise.all(
        ['person', 'credential'].map(async (table) => {
          const { rows } = await sql<{ audit_id: string }>`SELECT audit_id FROM ${sql.table(table)}`.execute(
            database,
          );
          return rows.map(({ audit_id: id }) => id);
        }),
      );
      expect(pseudonyms.map(({ length }) => length)).toEqual([3, 2]);
      expect(new Set(pseudonyms.flat()).size).toBe(5);
      for (const id of pseudonyms.flat()) expect(id).toMatch(/^[0-9a-f]{32}$/);
      for (const table of ['authorization_record', 'access_token', 'audit_entry'] as const)
        expect(await database.selectFrom(table).selectAll().execute()).toHaveLength(2);
      expect(await database.selectFrom('application').select(['max_evidence', 'logo_uri']).execute()).toEqual(
        [{ max_evidence: null, logo_uri: null }],
      );
      await database.destroy();
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

    it('are rejected if the store has a newer schema with which the program is not compatible', async () => {
      const emptyDatabase = await createDatabase();
      await inTransaction(emptyDatabase, [...MIGRATIONS, NEXT]);
      await expect(inTransaction(emptyDatabase)).rejects.toThrow(NewerSchemaError);
      await emptyDatabase.database.destroy();
    });

    // S390
    it('leave a newer schema unchanged if the program is compatible with it', async () => {
      const emptyDatabase = await createDatabase();
      const upgraded = [...MIGRATIONS, ADDITIVE];
      await inTransaction(emptyDatabase, upgraded);
      await addPerson(emptyDatabase);
      for (const migrations of [MIGRATIONS, upgraded, MIGRATIONS])
        expect(await inTransaction(emptyDatabase, migrations)).toBe(upgraded.length);
      expect(await readSchemaStatus(emptyDatabase.database)).toEqual({
        found: upgraded.length,
        newest: MIGRATIONS.length,
      });
      const { rows } = await sql`SELECT name, pronouns FROM person`.execute(emptyDatabase.database);
      expect(rows).toEqual([{ name: 'zoe', pronouns: null }]);
      await emptyDatabase.database.destroy();
    });

    // S390
    it('that are not additive make the store incompatible with older programs again', async () => {
      const emptyDatabase = await createDatabase();
      await inTransaction(emptyDatabase, [...MIGRATIONS, ADDITIVE]);
      const next = forBothDialects('DROP TABLE inference;\n', NEXT_VERSION + 1);
      await inTransaction(emptyDatabase, [...MIGRATIONS, ADDITIVE, next]);
      const older = inTransaction(emptyDatabase, [...MIGRATIONS, ADDITIVE]);
      await expect(older).rejects.toThrow(
        `the store has schema version ${NEXT_VERSION + 1}, which requires a program of schema version ${NEXT_VERSION + 1} or later, but this program has ${NEXT_VERSION}`,
      );
      await emptyDatabase.database.destroy();
    });

    // S390
    it('before the version that records compatibility make the store incompatible with older programs', async () => {
      const emptyDatabase = await createDatabase();
      const withoutRecord = MIGRATIONS.slice(0, 7);
      await inTransaction(emptyDatabase, withoutRecord);
      await expect(inTransaction(emptyDatabase, MIGRATIONS.slice(0, 6))).rejects.toThrow(NewerSchemaError);
      expect(await inTransaction(emptyDatabase)).toBe(MIGRATIONS.length);
      await emptyDatabase.database.destroy();
    });
  });
}
