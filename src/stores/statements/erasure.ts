/** Statements that list and erase the data of people, and delete ended grants and credentials (S329–S332). */
import { type Kysely, sql } from 'kysely';
import type { Person } from '../../service/index.js';
import {
  type Erasure,
  type ErasureCounts,
  IDENTIFIER_TYPES,
  type LinkedAccount,
} from '../../service/ports/store/registry-store.js';
import type { StoreDialect } from '../migrate.js';
import { rewriteFile } from '../rewrite-file.js';
import type { Schema } from '../schema.js';
import type { Sealing } from '../sealing/sealing.js';
import type { Auditing } from './auditing.js';
import { toPerson } from './rows.js';

/** Tables from which {@link erasePerson} deletes or changes rows. */
const ERASED_TABLES = [
  'access_token',
  'application',
  'authorization_record',
  'credential',
  'credential_subject',
  'inference',
  'learned',
  'linked_account',
  'person',
  'refresh_token',
] as const satisfies readonly (keyof Schema)[];

export async function listPeopleById(
  database: Kysely<Schema>,
  after: string,
  limit: number,
  sealing: Sealing,
): Promise<readonly Person[]> {
  const rows = await database
    .selectFrom('person')
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => toPerson(row, sealing));
}

export async function listAccounts(
  database: Kysely<Schema>,
  userId: string,
): Promise<readonly LinkedAccount[]> {
  const rows = await database
    .selectFrom('linked_account')
    .select(['issuer', 'linked_at'])
    .where('person_id', '=', userId)
    .execute();
  return rows
    .map((row) => ({ issuer: row.issuer, linkedAt: row.linked_at }))
    .sort((left, right) => (left.issuer < right.issuer ? -1 : 1));
}

/** Erases a person. Deletes each row after the rows that refer to it. */
export async function erasePerson(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  { userId, hashId, at }: Erasure,
  auditing: Auditing,
): Promise<ErasureCounts | undefined> {
  return await database.transaction().execute(async (transaction) => {
    if (dialect === 'postgres') await lockPerson(transaction, userId);
    const person = await transaction
      .selectFrom('person')
      .selectAll()
      .where('id', '=', userId)
      .executeTakeFirst();
    if (person === undefined) return undefined;
    const credentials = await transaction
      .selectFrom('credential')
      .select(['id', 'revoked_at'])
      .where('person_id', '=', userId)
      .execute();
    await auditing.append(transaction, [{ at, userId, kind: 'person_erased' }]);
    await keepRevoked(transaction, credentials, hashId, at);
    const grants = await deleteGrantsOf(transaction, person);
    await transaction.deleteFrom('credential_subject').where('person_id', '=', userId).execute();
    await transaction.deleteFrom('credential').where('person_id', '=', userId).execute();
    await transaction.deleteFrom('linked_account').where('person_id', '=', userId).execute();
    await transaction.deleteFrom('inference').where('person_id', '=', userId).execute();
    await transaction
      .updateTable('application')
      .set({ created_by: null })
      .where('created_by', '=', userId)
      .execute();
    await transaction.deleteFrom('person').where('id', '=', userId).execute();
    // The subjects of `recent_change` name people and authorizations. `*` concerns all cached values.
    if (dialect === 'sqlite') await sql`update recent_change set subject = '*'`.execute(transaction);
    return { credentials: credentials.length, grants };
  });
}

/**
 * Locks a person, then their credentials and grants. Waits for concurrent inserts that refer to them; later inserts wait for the erasure, and then
 * fail. An update would not block these inserts: PostgreSQL allows references to a row whose key does not change. The locks of the credentials also
 * keep a concurrent revocation from being lost. Not needed on SQLite, where only one transaction writes at a time.
 */
async function lockPerson(transaction: Kysely<Schema>, userId: string): Promise<void> {
  await transaction.selectFrom('person').select('id').where('id', '=', userId).forUpdate().execute();
  for (const table of ['credential', 'authorization_record'] as const)
    await transaction.selectFrom(table).select('id').where('person_id', '=', userId).forUpdate().execute();
}

/** Records the hash of the id of each revoked credential, so that the credential cannot be added again. */
async function keepRevoked(
  transaction: Kysely<Schema>,
  credentials: readonly Pick<Schema['credential'], 'id' | 'revoked_at'>[],
  hashId: (id: string) => string,
  at: number,
): Promise<void> {
  for (const { id, revoked_at } of credentials) {
    if (revoked_at === null) continue;
    await transaction
      .insertInto('erased_credential')
      .values({ id_hash: hashId(id), erased_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Few, since the database ends a statement that takes too long. */
const GRANTS_PER_STATEMENT = 100;

/** Deletes the person's grants with their tokens, and requests that name the person. @returns The number of grants. */
async function deleteGrantsOf(
  transaction: Kysely<Schema>,
  { id, name, email, evm_address }: Schema['person'],
): Promise<number> {
  const own = await transaction
    .selectFrom('authorization_record')
    .select(['id', 'granted_scopes', 'approved_at'])
    .where('person_id', '=', id)
    .execute();
  for (let first = 0; first < own.length; first += GRANTS_PER_STATEMENT)
    await deleteGrants(transaction, own.slice(first, first + GRANTS_PER_STATEMENT));
  await transaction
    .updateTable('authorization_record')
    .set({ palm_verified_at: null, palm_verified_person_id: null })
    .where('palm_verified_person_id', '=', id)
    .execute();
  // Deletes requests with a plaintext hint. Requests with an encrypted hint, or with another spelling of an address, are deleted after they expire.
  // Encrypted addresses of the person are not decrypted, so that damaged ones can be erased: they match no hint.
  const identifiers = [id, name, email, evm_address].filter((one) => one !== null);
  const hints = identifiers.flatMap((one) => [one, ...IDENTIFIER_TYPES.map((type) => `${type}|${one}`)]);
  await transaction
    .deleteFrom('authorization_record')
    // An expression: SQLite would otherwise search the index on the person, where all requests without a person have the same key.
    .where(sql<boolean>`coalesce(person_id, '') = ''`)
    .where('login_hint', 'is not', null)
    .where('login_hint', 'in', hints)
    .execute();
  return own.filter((row) => row.granted_scopes !== null && row.approved_at !== null).length;
}

/** Deletes grants after the rows that refer to them. */
async function deleteGrants(
  transaction: Kysely<Schema>,
  grants: readonly { readonly id: string }[],
): Promise<void> {
  const ids = grants.map(({ id }) => id);
  for (const table of ['learned', 'access_token', 'refresh_token'] as const)
    await transaction.deleteFrom(table).where('authorization_id', 'in', ids).execute();
  await transaction.deleteFrom('authorization_record').where('id', 'in', ids).execute();
}

/** Must contain the literal condition of the partial index. A grant whose code expired unredeemed has ended, too. */
const IS_ENDED_GRANT = sql<boolean>`status IN ('approved', 'revoked') AND person_id IS NOT NULL`;

export async function sweepGrants(database: Kysely<Schema>, before: number, limit: number): Promise<number> {
  return await database.transaction().execute(async (transaction) => {
    const ended = await transaction
      .selectFrom('authorization_record')
      .select('id')
      .where(IS_ENDED_GRANT)
      .where('updated_at', '<=', before)
      .where(({ or, eb }) => or([eb('status', '=', 'revoked'), eb('code_expires_at', '<=', before)]))
      .orderBy('updated_at')
      .limit(limit)
      .execute();
    for (const grant of ended) await deleteGrants(transaction, [grant]);
    return ended.length;
  });
}

export async function listEndedCredentials(
  database: Kysely<Schema>,
  before: number,
  limit: number,
): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const end of ['expires_at', 'revoked_at'] as const) {
    const rows = await database
      .selectFrom('credential')
      .select('id')
      .where(end, 'is not', null)
      .where(end, '<=', before)
      .orderBy(end)
      .limit(limit)
      .execute();
    for (const { id } of rows) ids.add(id);
  }
  return [...ids].slice(0, limit);
}

export async function removeEndedCredentials(
  database: Kysely<Schema>,
  idHashes: ReadonlyMap<string, string>,
  before: number,
  at: number,
): Promise<number> {
  return await database.transaction().execute(async (transaction) => {
    let removed = 0;
    for (const [id, hash] of idHashes) {
      // One statement, so that a concurrent revocation is not lost.
      const rows = await transaction
        .deleteFrom('credential')
        .where('id', '=', id)
        .where(({ or, eb }) => or([eb('revoked_at', '<=', before), eb('expires_at', '<=', before)]))
        .returning(['id', 'revoked_at'])
        .execute();
      await keepRevoked(transaction, rows, () => hash, at);
      removed += rows.length;
    }
    return removed;
  });
}

/**
 * Removes deleted values from the files: SQLite keeps them in free pages, PostgreSQL until a vacuum rewrites the table.
 *
 * @returns For PostgreSQL, the tables that an administrator must rewrite.
 */
export async function purgeErased(
  database: Kysely<Schema>,
  dialect: StoreDialect,
): Promise<readonly string[] | undefined> {
  if (dialect === 'postgres') return ERASED_TABLES;
  await rewriteFile(database);
  return undefined;
}
