/** Statements on the ledger of what applications have learned (S360–S367). */
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { LearnedRecord, LearnedSelector } from '../../service/ports/store/ledger-store.js';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import * as associatedData from '../sealing/associated-data.js';
import type { Sealing } from '../sealing/sealing.js';

const COLUMNS = [
  'entry',
  'authorization_id',
  'detail',
  'first_at',
  'last_at',
  'changes',
] as const satisfies readonly (keyof Schema['learned'])[];

/** Columns of type `TEXT`; the others are numbers. */
const TEXT_COLUMNS: ReadonlySet<string> = new Set(['entry', 'authorization_id', 'detail']);

const ON_REPETITION = `on conflict (entry) do update set
  last_at = case when excluded.last_at > learned.last_at then excluded.last_at else learned.last_at end,
  changes = learned.changes + excluded.changes`;

/**
 * One statement for any number of records, each a JSON array of its columns. The join drops records whose grant no longer exists, because an erasure
 * deleted it meanwhile; on PostgreSQL, the join waits for an erasure in progress.
 */
const RECORD_LEARNED: Readonly<Record<StoreDialect, string>> = {
  sqlite: `insert into learned (${COLUMNS.join(', ')})
    select ${COLUMNS.map((_, index) => `value ->> ${index}`).join(', ')}
    from json_each(?) cross join authorization_record as granted on granted.id = value ->> 1
    where true ${ON_REPETITION}`,
  postgres: `insert into learned (${COLUMNS.join(', ')})
    select ${COLUMNS.map((column, index) => (TEXT_COLUMNS.has(column) ? `record ->> ${index}` : `(record ->> ${index})::bigint`)).join(', ')}
    from json_array_elements($1::json) as records (record)
    join authorization_record as granted on granted.id = record ->> 1
    for key share of granted ${ON_REPETITION}`,
};

export async function recordLearned(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  records: readonly LearnedRecord[],
  sealing: Sealing,
): Promise<void> {
  if (records.length === 0) return;
  const rows = mergeRepetitions(records).map((record) => toRow(record, sealing));
  const values = JSON.stringify(rows.map((row) => COLUMNS.map((column) => row[column])));
  await database.executeQuery(CompiledQuery.raw(RECORD_LEARNED[dialect], [values]));
}

/** Merges the records of each entry, which must be in the order of their instants: PostgreSQL rejects a statement that changes a row twice. */
function mergeRepetitions(records: readonly LearnedRecord[]): readonly LearnedRecord[] {
  const merged = new Map<string, LearnedRecord>();
  for (const record of records) {
    const { entry, firstAt, changes } = record;
    const earlier = merged.get(entry) ?? { firstAt, changes: 0 };
    merged.set(entry, { ...record, firstAt: earlier.firstAt, changes: earlier.changes + changes });
  }
  return [...merged.values()];
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
    // Repeated outside of the subselect, which PostgreSQL does not evaluate again for a record that was advanced meanwhile. An expression, so that
    // only the subselect uses the index on the instant.
    .where(sql<boolean>`+last_at < ${before}`)
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
