/** Statements on credentials: read those of people for queries, list, add and revoke. */
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Credential } from '../../engine/index.js';
import type { CredentialAddition, CredentialRecord } from '../../service/ports/store/registry-store.js';
import type { StoreDialect } from '../migrate.js';
import type { CacheableValue, RowReader } from '../read-cache.js';
import type { Schema } from '../schema.js';
import type { Sealing } from '../sealing/sealing.js';
import type { Auditing } from './auditing.js';
import { compileOnce } from './conditions.js';
import { toCredential, toCredentialRecord, toCredentialRow } from './rows.js';

/** A credential to be added to a person. */
interface AddedCredential {
  readonly userId: string;
  readonly credential: Credential;
  readonly at: number;
  readonly subject: string | undefined;
  /** Keyed hash of the id, by which a credential that was erased after its revocation is recognized. */
  readonly idHash: string | undefined;
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
class ErasedCredential extends Error {}

export async function addCredential(
  database: Kysely<Schema>,
  { userId, credential, at, subject, idHash }: AddedCredential,
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
      if (idHash !== undefined) await assertNotErased(transaction, idHash);
      if (subject !== undefined) await bindSubject(transaction, subject, userId, credential.id);
      const about = await pseudonymOf(transaction, credential.id);
      const event = { at, userId, about, claims: Object.keys(credential.claims) };
      await auditing.append(transaction, [{ ...event, kind: 'credential_ingested' }]);
      return 'added';
    });
  } catch (error) {
    if (error instanceof SubjectOfAnotherPerson) return 'subject_of_another_person';
    if (error instanceof ErasedCredential) return 'id_repeated';
    throw error;
  }
}

/** Called after the insert, which waits for a concurrent erasure of the same id. */
async function assertNotErased(transaction: Kysely<Schema>, idHash: string): Promise<void> {
  const erased = await transaction
    .selectFrom('erased_credential')
    .select('id_hash')
    .where('id_hash', '=', idHash)
    .executeTakeFirst();
  if (erased !== undefined) throw new ErasedCredential();
}

/** Returns the pseudonym of a credential, which identifies it in the audit log. */
async function pseudonymOf(transaction: Kysely<Schema>, id: string): Promise<string> {
  const { rows } = await sql<{ audit_id: string }>`select audit_id from credential where id = ${id}`.execute(
    transaction,
  );
  return rows[0]?.audit_id ?? '';
}

/**
 * Binds a subject to a person; throws if it is bound to another. Only one of concurrent calls inserts the row; the others wait for it and read it.
 */
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
      const event = { at, userId: row.person_id, about: await pseudonymOf(transaction, id) };
      await auditing.append(transaction, [{ ...event, kind: 'credential_revoked' }]);
    }
    return row && toCredentialRecord(row, sealing);
  });
}

/** Prepares the read of a person's credentials, which every query needs. */
export function prepareCredentials(
  database: Kysely<Schema>,
  reader: RowReader,
  sealing: Sealing,
): (userId: string) => Promise<CacheableValue<readonly Credential[]>> {
  const read = compileOnce(({ userId }: { readonly userId: string }) =>
    database
      .selectFrom('credential')
      .select(['id', 'person_id', 'source', 'issued_at', 'expires_at', 'revoked_at', 'claims'])
      .where('person_id', '=', userId),
  );
  return async (userId) => {
    const rows = await reader.rows(read({ userId }));
    return {
      value: rows.map((row) => toCredential(row, sealing)),
      weight: rows.reduce((sum, { claims }) => sum + claims.length, 0),
      subject: `person:${userId}`,
    };
  };
}

/** A statement with one parameter for any number of people. With an array instead of a join, PostgreSQL uses the index whatever number of rows it estimates. */
const CREDENTIALS_OF: Readonly<Record<StoreDialect, string>> = {
  sqlite: `select id, person_id, source, issued_at, expires_at, revoked_at, claims from credential
    where person_id in (select value from json_each(?))`,
  postgres: `select id, person_id, source, issued_at, expires_at, revoked_at, claims from credential
    where person_id = any (array(select json_array_elements_text($1::json)))`,
};

export async function readCredentialsOf(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  userIds: readonly string[],
  sealing: Sealing,
): Promise<ReadonlyMap<string, readonly Credential[]>> {
  const byPerson = new Map<string, Credential[]>();
  if (userIds.length === 0) return byPerson;
  const { rows } = await database.executeQuery(
    CompiledQuery.raw(CREDENTIALS_OF[dialect], [JSON.stringify(userIds)]) as CompiledQuery<
      Schema['credential']
    >,
  );
  for (const row of rows) {
    const own = byPerson.get(row.person_id) ?? [];
    byPerson.set(row.person_id, own);
    own.push(toCredential(row, sealing));
  }
  return byPerson;
}
