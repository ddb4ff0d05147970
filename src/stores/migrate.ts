/** Brings a store's tables to the newest version: forward only, each version whole or not at all, one process at a time (V13). */
import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../sql/index.js';
import foundation from './migrations/0001-foundation.sql';
import credentialChanges from './migrations/0002-credential-changes.sql';
import ends from './migrations/0003-ends.sql';
import sharedCounts from './migrations/0006-shared-counts.sql';
import withdrawals from './migrations/0007-withdrawals.sql';
import auditOnPostgres from './migrations/0008-audit.postgres.sql';
import auditOnSqlite from './migrations/0008-audit.sqlite.sql';
import encryption from './migrations/0009-encryption.sql';
import reauthentication from './migrations/0010-reauthentication.sql';
import subjectsOnPostgres from './migrations/0011-subjects.postgres.sql';
import subjectsOnSqlite from './migrations/0011-subjects.sqlite.sql';
import credentialIdentity from './migrations/0012-credential-identity.sql';
import sealedRequests from './migrations/0013-sealed-requests.sql';
import sealsOnPostgres from './migrations/0014-audit-seals.postgres.sql';
import sealsOnSqlite from './migrations/0014-audit-seals.sqlite.sql';
import applicationDetails from './migrations/0020-application-details.sql';
import type { Schema } from './schema.js';

/** The engines that a store stands on. */
export type StoreDialect = Extract<DialectName, 'sqlite' | 'postgres'>;

/** One text where the engines agree, and one for each where they do not: triggers are written in another way. */
type Migration = string | Readonly<Record<StoreDialect, string>>;

/** In order; the first is version 1. What stands here never changes again. */
const MIGRATIONS: readonly Migration[] = [
  foundation,
  credentialChanges,
  ends,
  sharedCounts,
  withdrawals,
  { sqlite: auditOnSqlite, postgres: auditOnPostgres },
  encryption,
  reauthentication,
  { sqlite: subjectsOnSqlite, postgres: subjectsOnPostgres },
  credentialIdentity,
  sealedRequests,
  { sqlite: sealsOnSqlite, postgres: sealsOnPostgres },
  applicationDetails,
];

/** How far a store's tables are. */
export interface SchemaStatus {
  /** The version that the store has; 0 where it is empty. */
  readonly found: number;
  /** The newest version that this program knows. */
  readonly newest: number;
}

/** Thrown where a store was written by a newer program than this one. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';

  constructor(found: number) {
    super(
      `the store has schema version ${found} and this program knows up to ${MIGRATIONS.length}; run a newer program`,
    );
  }
}

/**
 * Applies what is missing.
 *
 * @param transaction - Open, and holding a lock that one process can hold at a time: nothing is done if the caller rolls back.
 * @returns The version that the store has now.
 * @throws {NewerSchemaError} When the store is newer than this program.
 */
export async function migrate(transaction: Kysely<Schema>, dialect: StoreDialect): Promise<number> {
  await sql`CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)`.execute(transaction);
  const { found, newest } = await readSchemaStatus(transaction);
  for (const migration of MIGRATIONS.slice(found)) {
    const text = typeof migration === 'string' ? migration : migration[dialect];
    for (const statement of statementsOf(text)) await sql.raw(statement).execute(transaction);
  }
  if (found === 0) await transaction.insertInto('schema_version').values({ version: newest }).execute();
  else await transaction.updateTable('schema_version').set({ version: newest }).execute();
  return newest;
}

/**
 * How far the tables are, read from the one that says so.
 *
 * @throws {NewerSchemaError} When the store is newer than this program.
 */
export async function readSchemaStatus(database: Kysely<Schema>): Promise<SchemaStatus> {
  const row = await database.selectFrom('schema_version').select('version').executeTakeFirst();
  const found = row?.version ?? 0;
  const newest = MIGRATIONS.length;
  if (found > newest) throw new NewerSchemaError(found);
  return { found, newest };
}

/** The status of a store that has no table yet. */
export function emptyStatus(): SchemaStatus {
  return { found: 0, newest: MIGRATIONS.length };
}

/** In our migrations a statement ends where a line ends with a semicolon; a trigger's own stand inside of a line. */
function statementsOf(migration: string): readonly string[] {
  return migration
    .replace(/^--.*$/gm, '')
    .split(/;$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
