/** Statements on single credentials: add, list and revoke. */
import type { Kysely } from 'kysely';
import type { Credential } from '../../engine/index.js';
import type { CredentialAddition, CredentialRecord } from '../../service/ports/store/registry-store.js';
import type { Schema } from '../schema.js';
import type { Sealing } from '../sealing/sealing.js';
import type { Auditing } from './auditing.js';
import { toCredentialRecord, toCredentialRow } from './rows.js';

/** A credential to be added to a person. */
interface AddedCredential {
  readonly userId: string;
  readonly credential: Credential;
  readonly at: number;
  readonly subject: string | undefined;
}

export async function listCredentials(
  database: Kysely<Schema>,
  userId: string,
  sealing: Sealing,
): Promise<readonly CredentialRecord[]> {
  const rows = await database
    .selectFrom('credential')
    .selectAll()
    .where('person_id', '=', userId)
    .orderBy('updated_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => toCredentialRecord(row, sealing));
}

/** Thrown within a transaction to roll it back. */
class SubjectOfAnotherPerson extends Error {}

export async function addCredential(
  database: Kysely<Schema>,
  { userId, credential, at, subject }: AddedCredential,
  auditing: Auditing,
  sealing: Sealing,
): Promise<CredentialAddition> {
  try {
    return await database.transaction().execute(async (transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('credential')
        .values(toCredentialRow(credential, userId, at, sealing))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows !== 1n) return 'id_repeated';
      if (subject !== undefined) await bindSubject(transaction, subject, userId, credential.id);
      const event = { at, userId, about: credential.id, claims: Object.keys(credential.claims) };
      await auditing.append(transaction, [{ ...event, kind: 'credential_ingested' }]);
      return 'added';
    });
  } catch (error) {
    if (error instanceof SubjectOfAnotherPerson) return 'subject_of_another_person';
    throw error;
  }
}

/** Only one of concurrent calls inserts the row; the others wait and read it. */
async function bindSubject(
  transaction: Kysely<Schema>,
  id: string,
  userId: string,
  credentialId: string,
): Promise<void> {
  await transaction
    .insertInto('credential_subject')
    .values({ id, person_id: userId, credential_id: credentialId })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const bound = await transaction
    .selectFrom('credential_subject')
    .select('person_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (bound.person_id !== userId) throw new SubjectOfAnotherPerson();
}

export async function revokeCredential(
  database: Kysely<Schema>,
  id: string,
  at: number,
  auditing: Auditing,
  sealing: Sealing,
): Promise<CredentialRecord | undefined> {
  return await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('credential')
      .set({ revoked_at: at, updated_at: at })
      .where('id', '=', id)
      .where((where) => where.or([where('revoked_at', 'is', null), where('revoked_at', '>', at)]))
      .executeTakeFirstOrThrow();
    const row = await transaction
      .selectFrom('credential')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    if (row !== undefined && numUpdatedRows > 0n) {
      const event = { at, userId: row.person_id, about: id };
      await auditing.append(transaction, [{ ...event, kind: 'credential_revoked' }]);
    }
    return row && toCredentialRecord(row, sealing);
  });
}
