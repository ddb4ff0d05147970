/** Statements on signing keys and secrets. */
import type { Kysely } from 'kysely';
import type { SigningKey } from '../../service/index.js';
import type { Schema } from '../schema.js';
import * as associatedData from '../sealing/associated-data.js';
import type { Sealing } from '../sealing/sealing.js';
import type { Auditing } from './auditing.js';
import { toSigningKey, toSigningKeyRow } from './rows.js';

export async function listSigningKeys(
  database: Kysely<Schema>,
  sealing: Sealing,
): Promise<readonly SigningKey[]> {
  const rows = await database
    .selectFrom('signing_key')
    .selectAll()
    .orderBy('published_at')
    .orderBy('kid')
    .execute();
  return rows.map((row) => toSigningKey(row, sealing));
}

export async function addSigningKey(
  database: Kysely<Schema>,
  key: SigningKey,
  auditing: Auditing,
  sealing: Sealing,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.insertInto('signing_key').values(toSigningKeyRow(key, sealing)).execute();
    const event = { at: key.publishedAt, about: key.kid };
    await auditing.append(transaction, [{ ...event, kind: 'signing_key_added', reason: key.algorithm }]);
  });
}

export async function findSecret(
  database: Kysely<Schema>,
  name: string,
  sealing: Sealing,
): Promise<string | undefined> {
  const stored = await database
    .selectFrom('kept_secret')
    .select('secret')
    .where('name', '=', name)
    .executeTakeFirst();
  return stored && sealing.open(stored.secret, associatedData.ofKeptSecret(name));
}

export async function getOrCreateSecret(
  database: Kysely<Schema>,
  name: string,
  offered: string,
  sealing: Sealing,
): Promise<string> {
  await database
    .insertInto('kept_secret')
    .values({ name, secret: sealing.seal(offered, associatedData.ofKeptSecret(name)) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await findSecret(database, name, sealing);
  if (stored === undefined) throw new Error('the secret was deleted meanwhile');
  return stored;
}
