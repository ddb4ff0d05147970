/** What instances count together: use, in one statement for many callers and in one order, so that no two wait for each other; and assertions, once each (S190). */
import { type Kysely, sql } from 'kysely';
import type { Store, UseReservation } from '../../service/ports/store/store.js';
import type { Schema } from '../schema.js';

/** A full bucket of a minute, and a debt of as much again. */
const MAX_CONTENT_MS = 120_000;

export async function addUse(
  database: Kysely<Schema>,
  ...[uses, now]: Parameters<Store['addUse']>
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
export async function reserveUse(
  database: Kysely<Schema>,
  ...[{ id, ms }, capacityMs, now]: Parameters<Store['reserveUse']>
): Promise<UseReservation> {
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

/** The insert decides who of several was first. */
export async function useAssertion(
  database: Kysely<Schema>,
  ...[id, expiresAt]: Parameters<Store['useAssertion']>
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('used_assertion')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Empty buckets say nothing, and what is over is not taken by anybody. */
export async function sweepCounts(database: Kysely<Schema>, before: number, limit: number): Promise<number> {
  const uses = await sweepUse(database, before, limit);
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

async function sweepUse(database: Kysely<Schema>, before: number, limit: number): Promise<number> {
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
