/** Statements on short-lived records: pushed requests (RFC 9126), rate limits (S190), used assertions, and the removal of expired records (S194). */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { MAX_CONTENT_MS, type Store, type UsageReservation } from '../../service/ports/store/store.js';
import type { Schema } from '../schema.js';
import * as associatedData from '../sealing/associated-data.js';
import type { Sealing } from '../sealing/sealing.js';

export async function createPushedRequest(
  database: Kysely<Schema>,
  ...[{ tokenHash, clientId, parameters, expiresAt }, sealing]: [
    ...Parameters<Store['createPushedRequest']>,
    Sealing,
  ]
): Promise<void> {
  const row = { token_hash: tokenHash, client_id: clientId, expires_at: expiresAt };
  const sealed = sealing.seal(JSON.stringify([...parameters]), associatedData.ofPushedRequest(row));
  await database
    .insertInto('pushed_request')
    .values({ ...row, parameters: sealed })
    .execute();
}

/** Only one of concurrent calls deletes the row and gets its parameters. */
export async function consumePushedRequest(
  database: Kysely<Schema>,
  ...[tokenHash, clientId, at, sealing]: [...Parameters<Store['consumePushedRequest']>, Sealing]
): ReturnType<Store['consumePushedRequest']> {
  const row = await database
    .deleteFrom('pushed_request')
    .where('token_hash', '=', tokenHash)
    .where('client_id', '=', clientId)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const text = sealing.open(row.parameters, associatedData.ofPushedRequest(row));
  return new Map(JSON.parse(text) as [string, string][]);
}

export async function addUsage(
  database: Kysely<Schema>,
  ...[uses, now]: Parameters<Store['addUsage']>
): Promise<ReadonlyMap<string, number>> {
  if (uses.length === 0) return new Map();
  const rows = [...uses]
    .sort((left, right) => (left.id < right.id ? -1 : 1))
    .map(({ id, ms }) => ({ id, empty_at: now + ms }));
  const newEmptyAt = sql<number>`excluded.empty_at + ${contentAt(now, MAX_CONTENT_MS)}`;
  const updated = await database
    .insertInto('rate_limit')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ empty_at: newEmptyAt }))
    .returning(['id', 'empty_at'])
    .execute();
  return new Map(updated.map(({ id, empty_at: emptyAt }) => [id, emptyAt]));
}

/** Checks the capacity in the conflict clause, which locks the row, so that concurrent reservations cannot exceed it. */
export async function reserveUsage(
  database: Kysely<Schema>,
  ...[{ id, ms }, capacityMs, now]: Parameters<Store['reserveUsage']>
): Promise<UsageReservation> {
  const content = contentAt(now, capacityMs);
  const row = await database
    .insertInto('rate_limit')
    .values({ id, empty_at: now + ms })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ empty_at: sql<number>`excluded.empty_at + ${content}` })
        .where(sql<boolean>`${content} + ${ms} <= ${capacityMs}`),
    )
    .returning('empty_at')
    .executeTakeFirst();
  if (row !== undefined) return { reserved: true, emptyAt: row.empty_at };
  const full = await database
    .selectFrom('rate_limit')
    .select('empty_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return { reserved: false, emptyAt: full?.empty_at ?? now + capacityMs };
}

/** Returns the content of a bucket in milliseconds, at most its capacity: a clock that was ahead may have written a later `empty_at`. */
function contentAt(now: number, capacityMs: number) {
  return sql<number>`(case
    when rate_limit.empty_at > ${now + capacityMs} then ${capacityMs}
    when rate_limit.empty_at > ${now} then rate_limit.empty_at - ${now}
    else 0 end)`;
}

/** The primary key admits only one of concurrent calls. */
export async function consumeAssertion(
  database: Kysely<Schema>,
  ...[id, expiresAt]: Parameters<Store['consumeAssertion']>
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('used_assertion')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes expired tokens. */
export async function sweepTokens(database: Kysely<Schema>, before: number, limit: number): Promise<number> {
  return await deleteExpired(database, TOKENS, before, limit);
}

/** Deletes expired records that unauthenticated callers can create. */
export async function sweepTransient(
  database: Kysely<Schema>,
  before: number,
  limit: number,
): Promise<number> {
  return await deleteExpired(database, TRANSIENT, before, limit);
}

/** A table whose rows expire. */
interface ExpiringTable {
  readonly table: keyof Schema;
  readonly key: string;
  readonly expiry: string;
  /** Restricts the rows that may be deleted. */
  readonly condition?: RawBuilder<SqlBool>;
}

/** Generations of refresh tokens are kept until their family expires, so that replays are detected. */
const TOKENS: readonly ExpiringTable[] = [
  { table: 'access_token', key: 'token_hash', expiry: 'expires_at' },
  { table: 'refresh_token', key: 'token_hash', expiry: 'expires_at' },
];

const TRANSIENT: readonly ExpiringTable[] = [
  { table: 'pushed_request', key: 'token_hash', expiry: 'expires_at' },
  {
    table: 'authorization_record',
    key: 'id',
    expiry: 'request_expires_at',
    // Approved requests are grants, and are kept. Must be the literal condition of the partial index: databases ignore the index for a condition
    // with parameters.
    condition: sql`status IN ('pending_admin', 'denied')`,
  },
  { table: 'rate_limit', key: 'id', expiry: 'empty_at' },
  { table: 'used_assertion', key: 'id', expiry: 'expires_at' },
];

/** Counts the rows that expired at the given instants or earlier, which {@link sweepTokens} and {@link sweepTransient} delete. */
export async function countExpired(
  database: Kysely<Schema>,
  tokensBefore: number,
  transientBefore: number,
): Promise<number> {
  let count = 0;
  for (const [tables, before] of [
    [TOKENS, tokensBefore],
    [TRANSIENT, transientBefore],
  ] as const) {
    for (const { table, expiry, condition = sql`1 = 1` } of tables) {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from ${sql.table(table)}
        where ${condition} and ${sql.ref(expiry)} <= ${before}`.execute(database);
      count += Number(rows[0]?.count ?? 0);
    }
  }
  return count;
}

/** Deletes at most `limit` rows of each table that expired at `before` or earlier, the oldest first; returns the number of deleted rows. */
async function deleteExpired(
  database: Kysely<Schema>,
  tables: readonly ExpiringTable[],
  before: number,
  limit: number,
): Promise<number> {
  let deleted = 0;
  for (const { table, key, expiry, condition = sql`1 = 1` } of tables) {
    // Both conditions are repeated outside of the subselect: for a row that was changed meanwhile, PostgreSQL evaluates only the outer conditions
    // again. The `+` before the outer expiry prevents the use of its index there.
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ${condition} and +${sql.ref(expiry)} <= ${before} and ${sql.ref(key)} in (
        select ${sql.ref(key)} from ${sql.table(table)} where ${condition} and ${sql.ref(expiry)} <= ${before}
        order by ${sql.ref(expiry)} limit ${limit})`.execute(database);
    deleted += Number(numAffectedRows);
  }
  return deleted;
}
