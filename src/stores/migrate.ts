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
import indexes from './migrations/0006-indexes.sql';
import inference from './migrations/0007-inference.sql';
import compatibleFrom from './migrations/0008-compatible-from.sql';
import sealedValues from './migrations/0009-sealed-values.sql';
import type { Schema } from './schema.js';

/** The database engines that a store can use. */
export type StoreDialect = Extract<DialectName, 'sqlite' | 'postgres'>;

/** The statements of one version, in order. */
export interface Migration extends Readonly<Record<StoreDialect, readonly string[]>> {
  /**
   * The oldest schema version of a program that may use the store after this migration: for an additive migration, `compatibleFrom` of the previous
   * one; otherwise its own version. An additive migration only adds tables, indexes that are not unique, and columns that have a default or may be
   * NULL. If rows of a new table refer to other rows, they must be deleted with these. It adds no kind of token or code: backups by older programs would not
   * revoke them.
   */
  readonly compatibleFrom: number;
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
  {
    compatibleFrom: 1,
    sqlite: [schema, auditLogOnSqlite, recentChanges],
    postgres: [schema, auditLogOnPostgres],
  },
  { compatibleFrom: 2, sqlite: [conditions, recentChangesOfConditions], postgres: [conditions] },
  { compatibleFrom: 3, sqlite: [evidence, pages, recentChangesOfEvidence], postgres: [evidence, pages] },
  { compatibleFrom: 4, sqlite: [accounts], postgres: [accounts] },
  { compatibleFrom: 5, sqlite: [ledger], postgres: [ledger] },
  {
    compatibleFrom: 6,
    sqlite: [erasure, auditIdsOnSqlite, indexes],
    postgres: [erasure, auditIdsOnPostgres],
    postgresIndexes: concurrently(indexes),
  },
  { compatibleFrom: 7, sqlite: [inference], postgres: [inference] },
  // Older programs do not read what this migration adds, and reject every newer schema.
  { compatibleFrom: 8, sqlite: [compatibleFrom], postgres: [compatibleFrom] },
  { compatibleFrom: 8, sqlite: [sealedValues], postgres: [], postgresIndexes: concurrently(sealedValues) },
];

/**
 * Locks tables of the first version before any is altered, those that refer to others first. A request that inserts a row locks its table, and then
 * the tables that the row refers to: in another order, the migration and a request could deadlock.
 */
const LOCK_TABLES =
  'LOCK TABLE refresh_token, access_token, credential, authorization_record, person, application IN ACCESS EXCLUSIVE MODE';

/** The first version in which a store records the programs with which it is compatible. */
const RECORDED_SINCE = 8;

/** The schema version of a store. */
export interface SchemaStatus {
  /** The version of the store; 0 for an empty store; larger than `newest` if a newer, compatible program migrated it. */
  readonly found: number;
  /** The newest version that this program knows. */
  readonly newest: number;
}

/** Thrown when a store was migrated by a newer program that is not compatible with this one. */
export class NewerSchemaError extends ProvisoError<'newer_schema'> {
  override readonly name = 'NewerSchemaError';

  constructor(found: number, newest: number, compatibleFrom: number) {
    super(
      'newer_schema',
      `the store has schema version ${found}, which requires a program of schema version ${compatibleFrom} or later, but this program has ${newest}: run a newer program`,
    );
  }
}

/**
 * Applies the missing migrations. Leaves a store of a newer, compatible program unchanged.
 *
 * @param transaction - An open transaction that holds an exclusive lock. The caller commits it.
 * @returns The version that the store has now.
 * @throws {NewerSchemaError} If the store is newer than this program, and not compatible with it.
 */
export async function migrate(
  transaction: Kysely<Schema>,
  dialect: StoreDialect,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<number> {
  await sql`CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)`.execute(transaction);
  const { found, newest } = await readSchemaStatus(transaction, migrations);
  if (found >= newest) return found;
  const statements = migrations
    .slice(found)
    .flatMap((migration) => migration[dialect])
    .flatMap(statementsOf);
  // Without statements, only indexes are missing, which are built without these locks.
  if (dialect === 'postgres' && found > 0 && statements.length > 0) statements.unshift(LOCK_TABLES);
  for (const statement of statements) await sql.raw(statement).execute(transaction);
  const row = {
    version: newest,
    ...(newest >= RECORDED_SINCE ? { compatible_from: migrations.at(-1)?.compatibleFrom ?? newest } : {}),
  };
  if (found === 0) await transaction.insertInto('schema_version').values(row).execute();
  else await transaction.updateTable('schema_version').set(row).execute();
  return newest;
}

/**
 * Reads the schema version of a store that has the table `schema_version`.
 *
 * @throws {NewerSchemaError} If the store is newer than this program, and not compatible with it.
 */
export async function readSchemaStatus(
  database: Kysely<Schema>,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<SchemaStatus> {
  // Selects all columns, since earlier schema versions have no `compatible_from`.
  const row = await database.selectFrom('schema_version').selectAll().executeTakeFirst();
  const found = row?.version ?? 0;
  const newest = migrations.length;
  const compatibleFrom = row?.compatible_from ?? found;
  if (found > newest && compatibleFrom > newest) throw new NewerSchemaError(found, newest, compatibleFrom);
  return { found, newest };
}

/** Returns the status of a store without tables. */
export function emptyStatus(): SchemaStatus {
  return { found: 0, newest: MIGRATIONS.length };
}

/** Splits a migration into statements, which end with a semicolon at the end of a line. Bodies of triggers must be on one line. */
export function statementsOf(migration: string): readonly string[] {
  return migration
    .replace(/^ *--.*$/gm, '')
    .split(/;$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** Converts a migration of `CREATE INDEX` statements to the indexes that PostgreSQL builds concurrently. */
export function concurrently(migration: string): readonly ConcurrentIndex[] {
  return statementsOf(migration).map((text) => {
    const statement = text.replace('INDEX', 'INDEX CONCURRENTLY');
    return { name: /INDEX CONCURRENTLY (\S+)/.exec(statement)?.[1] ?? '', statement };
  });
}
