/** Statements on the ledger of what applications have learned (S360–S367). */
import { type Kysely, sql } from 'kysely';
import type { LearnedRecord, LearnedSelector } from '../../service/ports/store/ledger-store.js';
import type { Schema } from '../schema.js';
import * as associatedData from '../sealing/associated-data.js';
import type { Sealing } from '../sealing/sealing.js';

/** Databases limit the number of parameters of a statement. */
const ROWS_PER_STATEMENT = 500;

export async function recordLearned(
  database: Kysely<Schema>,
  records: readonly LearnedRecord[],
  sealing: Sealing,
): Promise<void> {
  const rows = records.map((record) => toRow(record, sealing));
  if (rows.length <= ROWS_PER_STATEMENT) return await upsert(database, rows);
  await database.transaction().execute(async (transaction) => {
    for (let first = 0; first < rows.length; first += ROWS_PER_STATEMENT)
      await upsert(transaction, rows.slice(first, first + ROWS_PER_STATEMENT));
  });
}

async function upsert(database: Kysely<Schema>, rows: readonly Schema['learned'][]): Promise<void> {
  if (rows.length === 0) return;
  await database
    .insertInto('learned')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('entry').doUpdateSet({
        last_at: sql`case when excluded.last_at > learned.last_at then excluded.last_at else learned.last_at end`,
        changes: sql`learned.changes + excluded.changes`,
      }),
    )
    .execute();
}

export async function listLearned(
  database: Kysely<Schema>,
  authorizationIds: readonly string[],
  sealing: Sealing,
): Promise<readonly LearnedRecord[]> {
  if (authorizationIds.length === 0) return [];
  const rows = await database
    .selectFrom('learned')
    .selectAll()
    .where('authorization_id', 'in', authorizationIds)
    .orderBy('first_at')
    .orderBy('entry')
    .execute();
  return rows.map((row) => ({
    entry: row.entry,
    authorizationId: row.authorization_id,
    detail: sealing.open(row.detail, associatedData.ofLearned(row)),
    firstAt: row.first_at,
    lastAt: row.last_at,
    changes: row.changes,
  }));
}

export async function deleteLearned(
  database: Kysely<Schema>,
  { userId, clientId }: LearnedSelector,
): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('learned')
    .where('authorization_id', 'in', (select) => {
      const grants = select.selectFrom('authorization_record').select('id').where('person_id', '=', userId);
      return clientId === undefined ? grants : grants.where('client_id', '=', clientId);
    })
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export async function sweepLearned(database: Kysely<Schema>, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('learned')
    .where('entry', 'in', (select) =>
      select
        .selectFrom('learned')
        .select('entry')
        .where('last_at', '<', before)
        .orderBy('last_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function toRow(
  { entry, authorizationId, detail, firstAt, lastAt, changes }: LearnedRecord,
  sealing: Sealing,
): Schema['learned'] {
  const row = { entry, authorization_id: authorizationId, first_at: firstAt, last_at: lastAt, changes };
  return { ...row, detail: sealing.seal(detail, associatedData.ofLearned(row)) };
}
