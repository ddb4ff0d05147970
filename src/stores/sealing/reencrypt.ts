/** Re-encrypts the values of a store under its current key, in batches of rows. */
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import { POSITION, type Position, whereAfter } from './count-values.js';
import { type Row, SEALED_TABLES, type SealedTable } from './sealed-columns.js';
import { prefixOf, type Sealing } from './sealing.js';

interface Reencryption {
  readonly sealing: Sealing;
  readonly keyId: string;
  /** Maximum number of rows of a batch. */
  readonly limit: number;
}

/** Re-encrypts all values. Yields the number of values re-encrypted by each batch, which may be 0. */
export async function* reencryptAll(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  reencryption: Reencryption,
): AsyncIterable<number> {
  for (const table of SEALED_TABLES) {
    for (let after: Position | undefined, rest = true; rest; ) {
      const batch = await database
        .transaction()
        .execute((transaction) => reencryptBatch(transaction, dialect, table, after, reencryption));
      yield batch.values;
      after = batch.last;
      rest = batch.rows === reencryption.limit;
    }
  }
}

interface Batch {
  readonly values: number;
  readonly rows: number;
  readonly last: Position | undefined;
}

/** Re-encrypts a batch of rows, with one statement that reads and one that writes. Other connections cannot change these rows meanwhile. */
async function reencryptBatch(
  transaction: Kysely<Schema>,
  dialect: StoreDialect,
  table: SealedTable,
  after: Position | undefined,
  { sealing, keyId, limit }: Reencryption,
): Promise<Batch> {
  // A crash of the server may undo the last batches, which the next run then repeats. The commit of `finish` waits for the disk, and so flushes them.
  if (dialect === 'postgres') await sql`set local synchronous_commit = off`.execute(transaction);
  const position = POSITION[dialect](table.key);
  // Reads all columns, since a value that is encrypted without a column to which it is bound could never be decrypted.
  const { rows } = await sql<Row>`
    select ${position} as position, ${sql.table(table.table)}.* from ${sql.table(table.table)}
    ${whereAfter(position, after)} order by ${position} limit ${limit} ${LOCK[dialect]}`.execute(transaction);
  const outdated = findOutdated(rows, table, keyId);
  if (outdated.length > 0) {
    const changes = outdated.map(({ row, columns }) => ({
      ...row,
      ...Object.assign({}, ...columns.map(({ reencrypt }) => reencrypt(row, sealing))),
    }));
    await transaction.executeQuery(updateOf(table, dialect, changes));
  }
  return {
    values: outdated.reduce((sum, { columns }) => sum + columns.length, 0),
    rows: rows.length,
    last: rows.at(-1)?.['position'] as Position | undefined,
  };
}

/** Skips rows that other transactions have locked, so that no batch waits for requests. The next call of `encryptAll` re-encrypts them. */
const LOCK = { sqlite: sql``, postgres: sql`for no key update skip locked` } as const;

/** Finds the rows with values that are not under the current key, with the columns of these values. */
function findOutdated(rows: readonly Row[], table: SealedTable, keyId: string) {
  const prefix = prefixOf(keyId);
  return rows
    .map((row) => ({
      row,
      columns: table.columns.filter(({ column }) => {
        const value = row[column];
        return value !== null && !String(value).startsWith(prefix);
      }),
    }))
    .filter(({ columns }) => columns.length > 0);
}

/** Returns a statement that updates any number of rows, passed as JSON arrays of the position and the changed columns. */
function updateOf({ table, key, changed }: SealedTable, dialect: StoreDialect, rows: readonly Row[]) {
  const sets = changed.map((column, index) => `${column} = entry.value ->> ${index + 1}`);
  const [position, source] =
    dialect === 'sqlite'
      ? ['rowid', 'json_each(?) as entry']
      : [key, 'json_array_elements($1::json) as entry (value)'];
  return CompiledQuery.raw(
    `update ${table} set ${sets.join(', ')} from ${source} where ${table}.${position} = (entry.value ->> 0)`,
    [JSON.stringify(rows.map((row) => [row['position'], ...changed.map((column) => row[column])]))],
  );
}
