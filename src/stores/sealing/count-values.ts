/** Counts the values of encrypted columns that meet a condition, such as plaintext values. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import { SEALED_TABLES } from './sealed-columns.js';
import { prefixOf, SEALED_PREFIX } from './sealing.js';

/** The place of a row in the order in which rows are processed. */
export type Position = string | number;

/** The expression that orders the rows of a table: on SQLite, the order of the file, so that a batch changes few pages; on PostgreSQL, the key. */
export const POSITION: Readonly<Record<StoreDialect, (key: string) => RawBuilder<Position>>> = {
  sqlite: () => sql`rowid`,
  postgres: (key) => sql.ref(key),
};

export function whereAfter(position: RawBuilder<Position>, after: Position | undefined) {
  return after === undefined ? sql`` : sql`where ${position} > ${after}`;
}

/** Condition for encrypted values; not true for NULL. */
export function hasSealedPrefix(column: string): RawBuilder<boolean> {
  return startsWith(column, SEALED_PREFIX);
}

/** Condition for rows with an encrypted value. Identical to the conditions of the indexes of encrypted values, so that databases use them. */
export function hasSealed(columns: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(columns.map(hasSealedPrefix), sql` or `)})`;
}

/** Condition for values that are encrypted under a key; not true for NULL. */
export function isUnder(column: string, keyId: string): RawBuilder<boolean> {
  return startsWith(column, prefixOf(keyId));
}

function startsWith(column: string, prefix: string): RawBuilder<boolean> {
  return sql<boolean>`substr(${sql.ref(column)}, 1, ${sql.lit(prefix.length)}) = ${sql.lit(prefix)}`;
}

/** Rows per statement. */
const COUNTED_ROWS = 20_000;

/** Counts in one statement per batch of rows. Starts no transaction: if the caller has none open, requests do not wait for the whole count. */
export async function countValues(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  conditionOf: (column: string) => RawBuilder<boolean>,
): Promise<number> {
  let total = 0;
  for (const { table, key, columns } of SEALED_TABLES) {
    const position = POSITION[dialect](key);
    const counted = columns.map(({ column }) => sql`case when ${conditionOf(column)} then 1 else 0 end`);
    for (let after: Position | undefined, rest = true; rest; ) {
      const {
        rows: [page],
      } = await sql<{ count: number | null; rows: number; last: Position }>`
        select sum(${sql.join(counted, sql` + `)}) as count, count(*) as rows, max(position) as last from (
          select ${position} as position, ${sql.join(columns.map(({ column }) => sql.ref(column)))}
          from ${sql.table(table)} ${whereAfter(position, after)} order by ${position} limit ${COUNTED_ROWS}) as page`.execute(
        database,
      );
      total += Number(page?.count ?? 0);
      after = page?.last;
      rest = Number(page?.rows) === COUNTED_ROWS;
    }
  }
  return total;
}
