/** Statements on credentials one by one: what is recorded, listed with its changes, and revoked. */
import type { Kysely } from 'kysely';
import type { Credential } from '../../engine/index.js';
import type { CredentialRecord } from '../../service/ports/store.js';
import type { Schema } from '../schema.js';
import { toCredentialRecord, toCredentialRow } from './rows.js';

export async function listCredentials(
  database: Kysely<Schema>,
  userId: string,
): Promise<readonly CredentialRecord[]> {
  const rows = await database
    .selectFrom('credential')
    .selectAll()
    .where('person_id', '=', userId)
    .orderBy('updated_at')
    .orderBy('id')
    .execute();
  return rows.map(toCredentialRecord);
}

export async function addCredential(
  database: Kysely<Schema>,
  userId: string,
  credential: Credential,
  at: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('credential')
    .values(toCredentialRow(credential, userId, at))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function revokeCredential(
  database: Kysely<Schema>,
  id: string,
  at: number,
): Promise<CredentialRecord | undefined> {
  await database
    .updateTable('credential')
    .set({ revoked_at: at, updated_at: at })
    .where('id', '=', id)
    .where((where) => where.or([where('revoked_at', 'is', null), where('revoked_at', '>', at)]))
    .execute();
  const row = await database.selectFrom('credential').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toCredentialRecord(row);
}
