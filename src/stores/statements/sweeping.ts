/** Removing what has ended: small steps, each in order of the end, so that nobody waits for long (S194). */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.js';
import { sweepCounts } from './shared-counts.js';

/** Nobody agreed, and nothing came of it. In the words of the index, which is not used for what stands in parameters. */
const NEVER_AGREED = sql<boolean>`status IN ('pending_admin', 'denied')`;

export async function sweep(database: Kysely<Schema>, before: number, limit: number): Promise<number> {
  const accessTokens = await sweepTokens(database, 'access_token', before, limit);
  const refreshTokens = await sweepTokens(database, 'refresh_token', before, limit);
  return accessTokens + refreshTokens;
}

/** Everything that callers without any authentication can add rows to. */
export async function sweepTransient(
  database: Kysely<Schema>,
  before: number,
  limit: number,
): Promise<number> {
  const pushed = await sweepTokens(database, 'pushed_request', before, limit);
  return (
    pushed + (await sweepRequests(database, before, limit)) + (await sweepCounts(database, before, limit))
  );
}

/** Each generation of a family ends with it: until then a rotated one is known, and a replay is seen. */
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

/** Where somebody agreed, the record stays, with its code: it is what clients and people are told of their grants. */
async function sweepRequests(database: Kysely<Schema>, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('authorization_record')
    .where(NEVER_AGREED)
    .where('id', 'in', (select) =>
      select
        .selectFrom('authorization_record')
        .select('id')
        .where(NEVER_AGREED)
        .where('request_expires_at', '<=', before)
        .orderBy('request_expires_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
