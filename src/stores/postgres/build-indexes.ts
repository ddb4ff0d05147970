/** Builds the indexes of migrations on PostgreSQL outside of a transaction, so that requests do not wait for them (V13). */
import { type Kysely, sql } from 'kysely';
import { type ConcurrentIndex, MIGRATIONS, type Migration } from '../migrate.js';
import type { Schema } from '../schema.js';

/** Advisory lock of index builds: the number of the migration lock plus 1. */
const INDEX_LOCK = 31_651_020_445_152_112n;

/**
 * Builds the indexes that are missing or invalid. An interrupted build leaves an invalid index, which is dropped first. Returns immediately if
 * another instance builds indexes.
 *
 * @param database - Migrated. Must have two connections, one of which holds the lock.
 */
export async function buildIndexes(
  database: Kysely<Schema>,
  migrations: readonly Migration[],
): Promise<void> {
  const wanted = indexesOf(migrations);
  if ((await findUnfinished(database, wanted)).length === 0) return;
  await database.transaction().execute(async (transaction) => {
    // Without parameters: with them, the transaction would keep a snapshot, and the build would wait for its end.
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(INDEX_LOCK)}) as locked`.execute(transaction);
    if (rows[0]?.locked !== true) return;
    for (const { name, statement, isInvalid } of await findUnfinished(database, wanted)) {
      if (isInvalid) await sql`drop index concurrently ${sql.ref(name)}`.execute(database);
      await sql.raw(statement).execute(database);
    }
  });
}

function indexesOf(migrations: readonly Migration[]): readonly ConcurrentIndex[] {
  return migrations.flatMap(({ postgresIndexes = [] }) => postgresIndexes);
}

interface UnfinishedIndex extends ConcurrentIndex {
  readonly isInvalid: boolean;
}

/** Finds indexes that are missing or invalid. */
export async function findUnfinished(
  database: Kysely<Schema>,
  wanted: readonly ConcurrentIndex[] = indexesOf(MIGRATIONS),
): Promise<readonly UnfinishedIndex[]> {
  if (wanted.length === 0) return [];
  const { rows } = await sql<{ name: string; valid: boolean }>`
    select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where pg_table_is_visible(c.oid) and c.relname in (${sql.join(wanted.map(({ name }) => name))})`.execute(
    database,
  );
  const found = new Map(rows.map(({ name, valid }) => [name, valid]));
  return wanted
    .filter(({ name }) => found.get(name) !== true)
    .map((index) => ({ ...index, isInvalid: found.has(index.name) }));
}
