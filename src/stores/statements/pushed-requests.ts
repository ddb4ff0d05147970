/** Statements on pushed authorization requests (RFC 9126). */
import type { Kysely } from 'kysely';
import type { Store } from '../../service/ports/store/store.js';
import type { Schema } from '../schema.js';
import * as places from '../sealing/places.js';
import type { Sealing } from '../sealing/sealing.js';

export async function createPushedRequest(
  database: Kysely<Schema>,
  ...[{ tokenHash, clientId, parameters, expiresAt }, sealing]: [
    ...Parameters<Store['createPushedRequest']>,
    Sealing,
  ]
): Promise<void> {
  const row = { token_hash: tokenHash, client_id: clientId, expires_at: expiresAt };
  const sealed = sealing.seal(JSON.stringify([...parameters]), places.ofPushedRequest(row));
  await database
    .insertInto('pushed_request')
    .values({ ...row, parameters: sealed })
    .execute();
}

/** One statement: of several uses at once, one deletes the row. */
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
  const text = sealing.open(row.parameters, places.ofPushedRequest(row));
  return new Map(JSON.parse(text) as [string, string][]);
}
