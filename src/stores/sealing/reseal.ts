/** Brings a store's values under the key that writes: those in clear, and those under keys from before; a few at a time, so that it can be stopped and gone on with. */
import { type Kysely, sql } from 'kysely';
import type { StoreEncryption } from '../../service/ports/store/store.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import { recordWhole } from './open-sealing.js';
import { type Row, SEALED_COLUMNS, type SealedColumn } from './sealed-columns.js';
import { markOf, type Sealing } from './sealing.js';

/** Where the engine keeps what rows were before. */
const LEFT_BEHIND: Readonly<Record<StoreDialect, string | undefined>> = {
  sqlite: undefined,
  postgres: [...new Set(SEALED_COLUMNS.map(({ table }) => table))].sort().join(', '),
};

export function createEncryption(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  sealing: Sealing,
  keyId: string,
): StoreEncryption {
  return omitUndefined({
    keyId,
    whole: sealing.whole,
    countOthers: () => countOthers(database, keyId),
    encryptAll: (limit: number) => encryptAll(database, sealing, keyId, limit),
    finish: async () => {
      const whole = await database.transaction().execute(async (transaction) => {
        if ((await countOthers(transaction, keyId)) > 0) return false;
        await recordWhole(transaction, sealing, keyId);
        return true;
      });
      if (whole && dialect === 'sqlite') await rewriteFile(database);
      return whole;
    },
    leftBehind: LEFT_BEHIND[dialect],
  });
}

async function countOthers(database: Kysely<Schema>, keyId: string): Promise<number> {
  let total = 0;
  for (const { table, column } of SEALED_COLUMNS) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${isOther(column, keyId)}`.execute(database);
    total += Number(rows[0]?.count ?? 0);
  }
  return total;
}

async function* encryptAll(
  database: Kysely<Schema>,
  sealing: Sealing,
  keyId: string,
  limit: number,
): AsyncIterable<number> {
  for (const column of SEALED_COLUMNS) {
    let after: string | undefined;
    for (;;) {
      const keys = await encryptSome(database, column, sealing, keyId, after, limit);
      if (keys.length > 0) yield keys.length;
      after = keys.at(-1);
      if (keys.length < limit) break;
    }
  }
}

/** @returns The keys of the rows that were looked at. */
async function encryptSome(
  database: Kysely<Schema>,
  { table, key, column, reseal }: SealedColumn,
  sealing: Sealing,
  keyId: string,
  after: string | undefined,
  limit: number,
): Promise<readonly string[]> {
  const further = after === undefined ? sql`` : sql`and ${sql.ref(key)} > ${after}`;
  return await database.transaction().execute(async (transaction) => {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where ${isOther(column, keyId)} ${further}
      order by ${sql.ref(key)} limit ${limit}`.execute(transaction);
    for (const row of rows) {
      const changes = Object.entries(reseal(row, sealing)).map(
        ([name, value]) => sql`${sql.ref(name)} = ${value}`,
      );
      // What somebody changed meanwhile is left to the next time.
      await sql`update ${sql.table(table)} set ${sql.join(changes)}
        where ${sql.ref(key)} = ${row[key]} and ${sql.ref(column)} = ${row[column]}`.execute(transaction);
    }
    return rows.map((row) => String(row[key]));
  });
}

/** Not under the key that writes; nothing where there is no value. */
function isOther(column: string, keyId: string) {
  const mark = markOf(keyId);
  return sql<boolean>`substr(${sql.ref(column)}, 1, ${sql.lit(mark.length)}) <> ${sql.lit(mark)}`;
}

/** SQLite leaves what rows were in pages that are free: the file is written anew, and its log put into it. */
async function rewriteFile(database: Kysely<Schema>): Promise<void> {
  await sql`vacuum`.execute(database);
  if (!(await emptyLog(database)))
    throw new Error(
      'another program reads the file, and its log cannot be emptied: stop it, and do this again',
    );
}

/** A checkpoint that another program stands in the way of does not fail, and so is not tried again: it waits long itself. */
async function emptyLog(database: Kysely<Schema>): Promise<boolean> {
  return await database.connection().execute(async (connection) => {
    const before = await sql<{ timeout: number }>`pragma busy_timeout`.execute(connection);
    await sql`pragma busy_timeout = 5000`.execute(connection);
    try {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(connection);
      return rows[0]?.busy === 0;
    } finally {
      await sql`pragma busy_timeout = ${sql.lit(before.rows[0]?.timeout)}`.execute(connection);
    }
  });
}
