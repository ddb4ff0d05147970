/** Statements on the seals of the audit log, and on the entries as seals cover them. */
import type { Kysely } from 'kysely';
import type { AuditLine, AuditRetention, AuditSeal, PositionRange } from '../../service/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Schema } from '../schema.js';

/** The columns of an entry in the order in which its canonical text has them. */
const LINE_COLUMNS = [
  'position',
  'at',
  'kind',
  'client_id',
  'person_id',
  'authorization_id',
  'scopes',
  'claims',
  'query_hash',
  'about',
  'reason',
] as const satisfies readonly (keyof Schema['audit_entry'])[];

/** Engines limit how deep a condition is. */
const RANGES_AT_ONCE = 100;

/** @param ranges - Ascending and disjoint. */
export async function listAuditLines(
  database: Kysely<Schema>,
  ranges: readonly PositionRange[],
  limit: number,
): Promise<readonly AuditLine[]> {
  const lines: AuditLine[] = [];
  for (let first = 0; first < ranges.length && lines.length < limit; first += RANGES_AT_ONCE) {
    const some = ranges.slice(first, first + RANGES_AT_ONCE);
    lines.push(...(await selectLines(database, some, limit - lines.length)));
  }
  return lines;
}

async function selectLines(
  database: Kysely<Schema>,
  [first, ...others]: readonly PositionRange[],
  limit: number,
): Promise<readonly AuditLine[]> {
  if (first === undefined) return [];
  const select =
    others.length === 0
      ? selectRange(database, first, limit)
      : // One select for each range: with `or` instead, SQLite reads the log from its beginning.
        others
          .reduce(
            (union, range) => union.unionAll(derive(database, range, limit)),
            derive(database, first, limit),
          )
          .orderBy('position')
          .limit(limit);
  const rows = await select.execute();
  return rows.map((row) => ({
    position: row.position,
    at: row.at,
    text: JSON.stringify(LINE_COLUMNS.map((column) => row[column])),
  }));
}

function selectRange(database: Kysely<Schema>, { from, to }: PositionRange, limit: number) {
  let select = database.selectFrom('audit_entry').select(LINE_COLUMNS);
  if (from !== undefined) select = select.where('position', '>=', from);
  if (to !== undefined) select = select.where('position', '<=', to);
  return select.orderBy('position').limit(limit);
}

/** A range as a derived table, since SQLite allows no `limit` in a part of a union. */
function derive(database: Kysely<Schema>, range: PositionRange, limit: number) {
  return database.selectFrom(selectRange(database, range, limit).as('range')).selectAll();
}

export async function findLastSeal(database: Kysely<Schema>): Promise<AuditSeal | undefined> {
  const row = await database
    .selectFrom('audit_seal')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toSeal(row);
}

export async function listSeals(
  database: Kysely<Schema>,
  after: number,
  limit: number,
): Promise<readonly AuditSeal[]> {
  const rows = await database
    .selectFrom('audit_seal')
    .selectAll()
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();
  return rows.map(toSeal);
}

/** The primary key decides which of several seals of one number is added. */
export async function addSeal(
  database: Kysely<Schema>,
  { number, position, entries, at, lastAt, gaps, lines, hash, mac }: AuditSeal,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('audit_seal')
    .values({ number, position, entries, sealed_at: at, last_at: lastAt, gaps, lines, hash, mac })
    .onConflict((conflict) => conflict.column('number').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function pruneSeals(database: Kysely<Schema>, upTo: number, start: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('audit_retention')
      .set({ start_number: upTo, chain_start: start })
      .where('start_number', '<', upTo)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) await transaction.deleteFrom('audit_seal').where('number', '<=', upTo).execute();
  });
}

export async function readAuditRetention(database: Kysely<Schema>): Promise<AuditRetention> {
  const row = await database
    .selectFrom('audit_retention')
    .select(['kept_from', 'kept_from_mac', 'chain_start'])
    .executeTakeFirstOrThrow();
  return omitUndefined({
    keptFrom: row.kept_from,
    mac: row.kept_from_mac ?? undefined,
    start: row.chain_start ?? undefined,
  });
}

function toSeal(row: Schema['audit_seal']): AuditSeal {
  const { sealed_at: at, last_at: lastAt, ...rest } = row;
  return { ...rest, at, lastAt };
}
