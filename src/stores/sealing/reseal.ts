/** Brings a store's values under the key that writes: those in clear, and those under keys from before; a few at a time, so that it can be stopped and gone on with. */
import { type Kysely, sql } from 'kysely';
import type { StoreEncryption } from '../../service/ports/store/store-encryption.js';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import { type AddressColumn, toAddressColumns } from '../statements/rows.js';
import { recordWhole } from './open-sealing.js';
import * as places from './places.js';
import { markOf, type Place, SealedValueError, type Sealing } from './sealing.js';

/** Of any of the tables below: each entry knows its columns, which are texts but for a credential's dates. */
type Row = Readonly<Record<string, unknown>>;

/** A column whose values are sealed, or stand for what is. */
interface SealedColumn {
  readonly table: keyof Schema;
  readonly key: string;
  readonly column: string;
  /** What of a row changes when its value comes under the key that writes. */
  readonly reseal: (row: Row, sealing: Sealing) => Readonly<Record<string, string | null>>;
}

const COLUMNS: readonly SealedColumn[] = [
  sealed('credential', 'id', 'claims', (row) => places.ofClaims(row as unknown as Schema['credential'])),
  address('email'),
  address('evm_address'),
  sealed('person', 'id', 'about', (row) => places.ofPerson('about', textOf(row, 'id'))),
  loginHint(),
  sealed('signing_key', 'kid', 'private_jwk', (row) =>
    places.ofSigningKey(row as unknown as Schema['signing_key']),
  ),
  sealed('kept_secret', 'name', 'secret', (row) => places.ofKeptSecret(textOf(row, 'name'))),
];

/** Where the engine keeps what rows were before. */
const LEFT_BEHIND: Readonly<Record<StoreDialect, string | undefined>> = {
  sqlite: undefined,
  postgres: [...new Set(COLUMNS.map(({ table }) => table))].sort().join(', '),
};

export function createEncryption(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  sealing: Sealing,
): StoreEncryption {
  const [keyId] = sealing.cipher.keyIds;
  const tables = LEFT_BEHIND[dialect];
  return {
    keyId,
    whole: sealing.whole,
    countOthers: () => countOthers(database, keyId),
    encryptAll: (limit) => encryptAll(database, sealing, limit),
    finish: async () => {
      const whole = await database.transaction().execute(async (transaction) => {
        if ((await countOthers(transaction, keyId)) > 0) return false;
        await recordWhole(transaction, sealing);
        return true;
      });
      if (whole && dialect === 'sqlite') await rewriteFile(database);
      return whole;
    },
    ...(tables === undefined ? {} : { leftBehind: tables }),
  };
}

async function countOthers(database: Kysely<Schema>, keyId: string): Promise<number> {
  let total = 0;
  for (const { table, column } of COLUMNS) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${isOther(column, keyId)}`.execute(database);
    total += Number(rows[0]?.count ?? 0);
  }
  return total;
}

async function* encryptAll(database: Kysely<Schema>, sealing: Sealing, limit: number): AsyncIterable<number> {
  for (const column of COLUMNS) {
    let after: string | undefined;
    for (;;) {
      const keys = await encryptSome(database, column, sealing, after, limit);
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
  after: string | undefined,
  limit: number,
): Promise<readonly string[]> {
  const further = after === undefined ? sql`` : sql`and ${sql.ref(key)} > ${after}`;
  return await database.transaction().execute(async (transaction) => {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where ${isOther(column, sealing.cipher.keyIds[0])} ${further}
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

function sealed(
  table: keyof Schema,
  key: string,
  column: string,
  placeOf: (row: Row) => Place,
): SealedColumn {
  return {
    table,
    key,
    column,
    reseal: (row, sealing) => {
      const place = placeOf(row);
      return { [column]: sealing.seal(sealing.open(textOf(row, column), place), place) };
    },
  };
}

/** A fingerprint and what it stands for change together. */
function address(column: AddressColumn): SealedColumn {
  const sealedColumn = `${column}_sealed` as const;
  return {
    table: 'person',
    key: 'id',
    column,
    reseal: (row, sealing) => {
      const id = textOf(row, 'id');
      const kept = row[sealedColumn];
      const clear =
        typeof kept === 'string'
          ? sealing.open(kept, places.ofPerson(sealedColumn, id))
          : textOf(row, column);
      return toAddressColumns(column, clear, id, sealing);
    },
  };
}

/** A text that a client wrote while it was kept in clear may look like a sealed one. */
function loginHint(): SealedColumn {
  const column = 'login_hint';
  return {
    table: 'authorization_record',
    key: 'id',
    column,
    reseal: (row, sealing) => {
      const place = places.ofLoginHint(textOf(row, 'id'));
      return { [column]: sealing.seal(openOrTake(textOf(row, column), place, sealing), place) };
    },
  };
}

function textOf(row: Row, column: string): string {
  return String(row[column]);
}

function openOrTake(text: string, place: Place, sealing: Sealing): string {
  try {
    return sealing.open(text, place);
  } catch (error) {
    if (error instanceof SealedValueError) return text;
    throw error;
  }
}
