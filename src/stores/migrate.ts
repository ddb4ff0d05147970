/** Schema migrations: forward only, atomic per version, one process at a time (V13). */
import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../sql/index.js';
import { ProvisoError } from '../util/proviso-error.js';
import auditLogOnPostgres from './migrations/0001-audit-log.postgres.sql';
import auditLogOnSqlite from './migrations/0001-audit-log.sqlite.sql';
import recentChanges from './migrations/0001-recent-changes.sqlite.sql';
import schema from './migrations/0001-schema.sql';
import conditions from './migrations/0002-conditions.sql';
import recentChangesOfConditions from './migrations/0002-recent-changes.sqlite.sql';
import evidence from './migrations/0003-evidence.sql';
import pages from './migrations/0003-pages.sql';
import recentChangesOfEvidence from './migrations/0003-recent-changes.sqlite.sql';
import accounts from './migrations/0004-accounts.sql';
import ledger from './migrations/0005-ledger.sql';
import auditIdsOnPostgres from './migrations/0006-audit-ids.postgres.sql';
import auditIdsOnSqlite from './migrations/0006-audit-ids.sqlite.sql';
import erasure from './migrations/0006-erasure.sql';
import inference from './migrations/0007-inference.sql';
import type { Schema } from './schema.js';

/** The database engines that a store can use. */
export type StoreDialect = Extract<DialectName, 'sqlite' | 'postgres'>;

/** The statements of one version, in order. */
export interface Migration extends Readonly<Record<StoreDialect, readonly string[]>> {
  /** Indexes that PostgreSQL builds after the transaction of the version, without blocking writers. */
  readonly postgresIndexes?: readonly ConcurrentIndex[];
}

/** An index on a table that may have many rows. On SQLite, its statement is among the others. */
export interface ConcurrentIndex {
  readonly name: string;
  /** `CREATE [UNIQUE] INDEX CONCURRENTLY name ON …` */
  readonly statement: string;
}

/** Migrations in order; the first is version 1. A released migration must not be changed. */
export const MIGRATIONS: readonly Migration[] = [
  { sqlite: [schema, auditLogOnSqlite, recentChanges], postgres: [schema, auditLogOnPostgres] },
  { sqlite: [conditions, recentChangesOfConditions], postgres: [conditions] },
  { sqlite: [evidence, pages, recentChangesOfEvidence], postgres: [evidence, pages] },
  { sqlite: [accounts], postgres: [accounts] },
  { sqlite: [ledger], postgres: [ledger] },
  {
    sqlite: [erasure, auditIdsOnSqlite],
    postgres: [erasure, auditIdsOnPostgres],
    postgresIndexes: [
      {
        name: 'subject_of_person',
        statement: 'CREATE INDEX CONCURRENTLY subject_of_person ON credential_subject (person_id)',
      },
      {
        name: 'request_by_hint',
        statement:
          'CREATE INDEX CONCURRENTLY request_by_hint ON authorization_record (login_hint) WHERE login_hint IS NOT NULL',
      },
      {
        name: 'grant_by_end',
        statement:
          "CREATE INDEX CONCURRENTLY grant_by_end ON authorization_record (updated_at) WHERE status IN ('approved', 'revoked') AND person_id IS NOT NULL",
      },
      {
        name: 'credential_by_expiry',
        statement:
          'CREATE INDEX CONCURRENTLY credential_by_expiry ON credential (expires_at) WHERE expires_at IS NOT NULL',
      },
      {
        name: 'credential_by_revocation',
        statement:
          'CREATE INDEX CONCURRENTLY credential_by_revocation ON credential (revoked_at) WHERE revoked_at IS NOT NULL',
      },
      {
        name: 'palm_of_person',
        statement:
          'CREATE INDEX CONCURRENTLY palm_of_person ON authorization_record (palm_verified_person_id) WHERE palm_verified_person_id IS NOT NULL',
      },
    ],
  },
  { sqlite: [inference], postgres: [inference] },
];

/** The schema version of a store. */
export interface SchemaStatus {
  /** The version of the store; 0 for an empty store. */
  readonly found: number;
  /** The newest version that this program knows. */
  readonly newest: number;
}

/** Thrown when a store was migrated by a newer program than this one. */
export class NewerSchemaError extends ProvisoError<'newer_schema'> {
  override readonly name = 'NewerSchemaError';

  constructor(found: number, newest: number) {
    super(
      'newer_schema',
      `the store has schema version ${found}, but this program supports only versions up to ${newest}: run a newer program`,
    );
  }
}

/**
 * Applies the missing migrations.
 *
 * @param transaction - An open transaction with an exclusive lock, which the caller commits.
 * @returns The version that the store has now.
 * @throws {NewerSchemaError} If the store is newer than this program.
 */
export async function migrate(
  transaction: Kysely<Schema>,
  dialect: StoreDialect,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<number> {
  await sql`CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)`.execute(transaction);
  const { found, newest } = await readSchemaStatus(transaction, migrations);
  for (const migration of migrations.slice(found)) {
    for (const statement of migration[dialect].flatMap(statementsOf))
      await sql.raw(statement).execute(transaction);
  }
  if (found === 0) await transaction.insertInto('schema_version').values({ version: newest }).execute();
  else await transaction.updateTable('schema_version').set({ version: newest }).execute();
  return newest;
}

/**
 * Reads the schema version of a store that has the table `schema_version`.
 *
 * @throws {NewerSchemaError} If the store is newer than this program.
 */
export async function readSchemaStatus(
  database: Kysely<Schema>,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<SchemaStatus> {
  const row = await database.selectFrom('schema_version').select('version').executeTakeFirst();
  const found = row?.version ?? 0;
  const newest = migrations.length;
  if (found > newest) throw new NewerSchemaError(found, newest);
  return { found, newest };
}

/** Returns the status of a store without tables. */
export function emptyStatus(): SchemaStatus {
  return { found: 0, newest: MIGRATIONS.length };
}

/** Splits a migration into statements, which end with a semicolon at the end of a line. Bodies of triggers must be on one line. */
function statementsOf(migration: string): readonly string[] {
  return migration
    .replace(/^ *--.*$/gm, '')
    .split(/;$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
