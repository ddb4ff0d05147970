/** What instances count together: use, in one statement for many callers and in one order, so that no two wait for each other; and assertions, once each (S190). */
import { type Kysely, sql } from 'kysely';
import type { Store } from '../../service/ports/store/store.js';
import type { Schema } from '../schema.js';

const FULL_MS = 60_000;

export async function addUse(
  database: Kysely<Schema>,
  ...[uses, now]: Parameters<Store['addUse']>
): Promise<ReadonlyMap<string, number>> {
  if (uses.length === 0) return new Map();
  const rows = [...uses]
    .sort((left, right) => (left.id < right.id ? -1 : 1))
    .map(({ id, ms }) => ({ id, empty_at: now + ms }));
  // What a clock that was ahead has written counts for a full bucket.
  const later = sql<number>`excluded.empty_at + (case
    when rate_limit.empty_at > ${now + FULL_MS} then ${FULL_MS}
    when rate_limit.empty_at > ${now} then rate_limit.empty_at - ${now}
    else 0 end)`;
  const updated = await database
    .insertInto('rate_limit')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ empty_at: later }))
    .returning(['id', 'empty_at'])
    .execute();
  return new Map(updated.map(({ id, empty_at: emptyAt }) => [id, emptyAt]));
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
