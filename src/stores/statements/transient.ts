/** Statements on short-lived records: pushed requests (RFC 9126), rate limits (S190), used assertions, and the removal of expired records (S194). */
import { type Kysely, sql } from 'kysely';
import type { Store, UsageReservation } from '../../service/ports/store/store.js';
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

/** Of concurrent calls, one deletes the row. */
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

/** A full bucket of a minute, and a debt of the same size. */
const MAX_CONTENT_MS = 120_000;

export async function addUsage(
  database: Kysely<Schema>,
  ...[uses, now]: Parameters<Store['addUsage']>
): Promise<ReadonlyMap<string, number>> {
  if (uses.length === 0) return new Map();
  const rows = [...uses]
    .sort((left, right) => (left.id < right.id ? -1 : 1))
    .map(({ id, ms }) => ({ id, empty_at: now + ms }));
  const later = sql<number>`excluded.empty_at + ${contentAt(now, MAX_CONTENT_MS)}`;
  const updated = await database
    .insertInto('rate_limit')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ empty_at: later }))
    .returning(['id', 'empty_at'])
    .execute();
  return new Map(updated.map(({ id, empty_at: emptyAt }) => [id, emptyAt]));
}

/** The conflict clause runs on the locked row, so that concurrent reservations see each other. */
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

/** The content of a bucket in milliseconds. An instant written by a clock that was ahead counts as a full bucket. */
function contentAt(now: number, capacityMs: number) {
  return sql<number>`(case
    when rate_limit.empty_at > ${now + capacityMs} then ${capacityMs}
    when rate_limit.empty_at > ${now} then rate_limit.empty_at - ${now}
    else 0 end)`;
}

/** The insert decides which of concurrent calls is first. */
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

/** Removes empty buckets and expired assertions. */
async function sweepUsageAndAssertions(
  database: Kysely<Schema>,
  before: number,
  limit: number,
): Promise<number> {
  const uses = await sweepUsage(database, before, limit);
  const { numDeletedRows } = await database
    .deleteFrom('used_assertion')
    .where('id', 'in', (select) =>
      select
        .selectFrom('used_assertion')
        .select('id')
        .where('expires_at', '<=', before)
        .orderBy('expires_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return uses + Number(numDeletedRows);
}

async function sweepUsage(database: Kysely<Schema>, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('rate_limit')
    .where('id', 'in', (select) =>
      select
        .selectFrom('rate_limit')
        .select('id')
        .where('empty_at', '<=', before)
        .orderBy('empty_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Requests without approval. In the words of the partial index, which is not used for conditions with parameters. */
const NEVER_APPROVED = sql<boolean>`status IN ('pending_admin', 'denied')`;

export async function sweep(database: Kysely<Schema>, before: number, limit: number): Promise<number> {
  const accessTokens = await sweepTokens(database, 'access_token', before, limit);
  const refreshTokens = await sweepTokens(database, 'refresh_token', before, limit);
  return accessTokens + refreshTokens;
}

/** Removes expired records that unauthenticated callers can create. */
export async function sweepTransient(
  database: Kysely<Schema>,
  before: number,
  limit: number,
): Promise<number> {
  const pushed = await sweepTokens(database, 'pushed_request', before, limit);
  return (
    pushed +
    (await sweepRequests(database, before, limit)) +
    (await sweepUsageAndAssertions(database, before, limit))
  );
}

/** Generations are kept until their family expires, so that replays are detected. */
async function sweepTokens(
  database: Kysely<Schema>,
  table: 'access_token' | 'refresh_token' | 'pushed_request',
  before: number,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom(table)
    .where('token_hash', 'in', (select) =>
      select
        .selectFrom(table)
        .select('token_hash')
        .where('expires_at', '<=', before)
        .orderBy('expires_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Approved requests are kept, as grants. */
async function sweepRequests(database: Kysely<Schema>, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('authorization_record')
    .where(NEVER_APPROVED)
    .where('id', 'in', (select) =>
      select
        .selectFrom('authorization_record')
        .select('id')
        .where(NEVER_APPROVED)
        .where('request_expires_at', '<=', before)
        .orderBy('request_expires_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
