/** Statements on applications and people, and those that read credentials for queries. */
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Credential } from '../../engine/index.js';
import type { Application, Authorization, Person } from '../../service/index.js';
import type { DirectGrant } from '../../service/ports/store/authorization-store.js';
import type { ApplicationChanges, PersonColumn } from '../../service/ports/store/registry-store.js';
import type { Seed, Store } from '../../service/ports/store/store.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { StoreDialect } from '../migrate.js';
import type { CacheableValue, RowReader } from '../read-cache.js';
import type { Schema } from '../schema.js';
import { NO_SEALING, SealedValueError, type Sealing } from '../sealing/sealing.js';
import type { Auditing } from './auditing.js';
import { compileOnce } from './conditions.js';
import {
  type AddressColumn,
  APPLICATION_COLUMNS,
  addressesToFind,
  normalizeAddress,
  toAddressColumns,
  toApplication,
  toApplicationRow,
  toAuthorizationRow,
  toCredential,
  toCredentialRow,
  toPerson,
  toPersonRow,
  toSubjectColumns,
} from './rows.js';
import { toAccessTokenRow } from './tokens.js';

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

const PERSON_COLUMNS = { id: 'id', name: 'name', email: 'email', evmAddress: 'evm_address' } as const;

export async function findPerson(
  database: Kysely<Schema>,
  by: PersonColumn,
  value: string,
  sealing: Sealing,
): Promise<Person | undefined> {
  const column = PERSON_COLUMNS[by];
  const values = column === 'id' || column === 'name' ? [value] : addressesToFind(column, value, sealing);
  const row = await database
    .selectFrom('person')
    .selectAll()
    .where(column, 'in', values)
    .limit(1)
    .executeTakeFirst();
  const person = row && toPerson(row, sealing);
  const expected = column === 'email' ? normalizeAddress(column, value) : value;
  if (person !== undefined && person[by] !== expected) throw foreignFingerprint(column);
  return person;
}

/**
 * Creates the error for an address that was found by the fingerprint of another one. Write access to the database suffices to move a fingerprint to another row,
 * but not an encrypted address, which is bound to its row.
 */
function foreignFingerprint(column: string): SealedValueError {
  return new SealedValueError({ table: 'person', column }, 'its fingerprint belongs to another address');
}

export async function findPeopleByHint(
  database: Kysely<Schema>,
  hint: string,
  sealing: Sealing,
): ReturnType<Store['findPeopleByHint']> {
  const addresses = addressesToFind('email', hint, sealing);
  const rows = await database
    .selectFrom('person')
    .selectAll()
    .where(({ or, eb }) => or([eb('name', '=', hint), eb('email', 'in', addresses)]))
    .execute();
  const people = rows.map((row) => toPerson(row, sealing));
  const email = normalizeAddress('email', hint);
  if (people.some((person) => person.name !== hint && person.email !== email))
    throw foreignFingerprint('email');
  return omitUndefined({
    byName: people.find(({ name }) => name === hint),
    byEmail: people.find((person) => person.email === email),
  });
}

/** Enough for the list of people on the consent page of the sandbox. */
const MAX_LISTED_PEOPLE = 100;

export async function listPeople(
  database: Kysely<Schema>,
  sealing: Sealing,
  limit: number = MAX_LISTED_PEOPLE,
): Promise<readonly Person[]> {
  const rows = await database.selectFrom('person').selectAll().orderBy('name').limit(limit).execute();
  return rows.map((row) => toPerson(row, sealing)).sort((left, right) => byCodeUnits(left.name, right.name));
}

export async function listApplications(database: Kysely<Schema>): Promise<readonly Application[]> {
  const rows = await database.selectFrom('application').selectAll().execute();
  return rows.map(toApplication).sort((left, right) => byCodeUnits(left.clientId, right.clientId));
}

export async function isRegisteredOrigin(database: Kysely<Schema>, origin: string): Promise<boolean> {
  const row = await database
    .selectFrom('application_origin as o')
    .innerJoin('application as c', 'c.client_id', 'o.client_id')
    .select('c.client_id')
    .where('o.origin', '=', origin)
    .where('c.revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Prepares the look-up of an application, which most requests need. */
export function prepareApplication(
  database: Kysely<Schema>,
): (clientId: string) => Promise<Application | undefined> {
  const find = compileOnce(({ clientId }: { readonly clientId: string }) =>
    database.selectFrom('application').select(APPLICATION_COLUMNS).where('client_id', '=', clientId),
  );
  return async (clientId) => {
    const [row] = (await database.executeQuery(find({ clientId }))).rows;
    return row && toApplication(row);
  };
}

export async function recordDirectGrant(
  database: Kysely<Schema>,
  grant: DirectGrant,
  auditing: Auditing,
): Promise<void> {
  const { authorizationId: id, clientId, userId, scopes, token } = grant;
  const at = token.issuedAt;
  await database.transaction().execute(async (transaction) => {
    const authorization: Authorization = {
      id,
      clientId,
      userId,
      status: 'consumed',
      redirectUri: '',
      requestedScopes: scopes,
      grantedScopes: scopes,
      createdAt: at,
      requestExpiresAt: at,
      updatedAt: at,
      approvedAt: at,
      lastTokenIssuedAt: at,
    };
    // Its encrypted columns are empty.
    const row = { ...toAuthorizationRow(authorization, NO_SEALING), ...toSubjectColumns(grant.subject) };
    await transaction.insertInto('authorization_record').values(row).execute();
    await transaction
      .insertInto('access_token')
      .values(toAccessTokenRow(id, null, token))
      .execute();
    await auditing.appendEvent(transaction, { authorizationId: id, kind: 'authorization_granted', at });
    await auditing.appendEvent(transaction, {
      authorizationId: id,
      kind: 'token_issued',
      at,
      about: 'direct',
    });
  });
}

export async function seedOnce(
  database: Kysely<Schema>,
  { applications, people }: Seed,
  sealing: Sealing,
): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    const [first, ...others] = applications;
    if (first === undefined) return false;
    // The first insert decides which of concurrent calls fills the store.
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('application')
      .values(toApplicationRow(first))
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) return false;
    for (const application of others) {
      await transaction.insertInto('application').values(toApplicationRow(application)).execute();
    }
    for (const application of applications) await recordOrigins(transaction, application);
    for (const { person, credentials } of people) {
      await transaction.insertInto('person').values(toPersonRow(person, sealing)).execute();
      for (const credential of credentials) {
        const changedAt = credential.revokedAt ?? credential.issuedAt;
        await transaction
          .insertInto('credential')
          .values(toCredentialRow(credential, person.id, changedAt, sealing))
          .execute();
      }
    }
    return true;
  });
}

/** Code-unit order, since database collations differ. */
function byCodeUnits(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/**
 * Does not change the instant of registration; a revoked application stays revoked. Updates `changed_at` only if something changes.
 * Of concurrent calls, one inserts the application; the others wait for it, and then compare with what is stored.
 */
export async function upsertApplication(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  application: Parameters<Store['upsertApplication']>[0],
  auditing: Auditing,
): Promise<void> {
  const {
    client_id: _id,
    created_at: _created,
    revoked_at: revokedAt,
    changed_at: changedAt,
    ...changes
  } = toApplicationRow(application);
  const { clientId, scopes, createdAt } = application;
  await database.transaction().execute(async (transaction) => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('application')
      .values(toApplicationRow(application))
      .onConflict((conflict) => conflict.column('client_id').doNothing())
      .executeTakeFirstOrThrow();
    const isNew = numInsertedOrUpdatedRows === 1n;
    const read = transaction.selectFrom('application').selectAll().where('client_id', '=', clientId);
    // On SQLite, the transaction is the only one that writes.
    const before = isNew
      ? undefined
      : await (dialect === 'postgres' ? read.forUpdate() : read).executeTakeFirstOrThrow();
    const isRevokedNow = revokedAt !== null && (before?.revoked_at ?? null) === null;
    if (before !== undefined && (isRevokedNow || differs(before, changes)))
      await transaction
        .updateTable('application')
        .set({
          ...changes,
          changed_at: changedAt ?? before.changed_at,
          revoked_at: before.revoked_at ?? revokedAt,
        })
        .where('client_id', '=', clientId)
        .execute();
    await recordOrigins(transaction, application);
    if (isNew)
      await auditing.append(transaction, [
        { at: createdAt, kind: 'application_registered', clientId, scopes },
      ]);
    if (isRevokedNow)
      await auditing.append(transaction, [{ at: revokedAt, kind: 'application_revoked', clientId }]);
  });
}

function differs<Row extends object>(row: Row, changes: Partial<Row>): boolean {
  return (Object.keys(changes) as (keyof Row)[]).some((column) => row[column] !== changes[column]);
}

/** Leaves an existing application unchanged. */
export async function insertApplication(
  database: Kysely<Schema>,
  application: Parameters<Store['insertApplication']>[0],
  auditing: Auditing,
): Promise<boolean> {
  const { clientId, scopes, createdAt } = application;
  return await database.transaction().execute(async (transaction) => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('application')
      .values(toApplicationRow(application))
      .onConflict((conflict) => conflict.column('client_id').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows !== 1n) return false;
    await recordOrigins(transaction, application);
    await auditing.append(transaction, [{ at: createdAt, kind: 'application_registered', clientId, scopes }]);
    return true;
  });
}

export async function updateApplication(
  database: Kysely<Schema>,
  clientId: string,
  { secretHash, revokedAt, updatedAt }: ApplicationChanges,
  auditing: Auditing,
): Promise<Application | undefined> {
  return await database.transaction().execute(async (transaction) => {
    let update = transaction
      .updateTable('application')
      .set({ ...omitUndefined({ secret_hash: secretHash, revoked_at: revokedAt }), changed_at: updatedAt })
      .where('client_id', '=', clientId)
      .where('revoked_at', 'is', null);
    if (secretHash !== undefined) update = update.where('secret_hash', 'is not', null);
    const row = await update.returningAll().executeTakeFirst();
    if (row !== undefined && revokedAt !== undefined)
      await auditing.append(transaction, [{ at: revokedAt, kind: 'application_revoked', clientId }]);
    return row && toApplication(row);
  });
}

/** Replaces the recorded origins of an application's redirect URIs. */
async function recordOrigins(
  transaction: Kysely<Schema>,
  { clientId, redirectUris }: Application,
): Promise<void> {
  await transaction.deleteFrom('application_origin').where('client_id', '=', clientId).execute();
  // The origin of a URI with a private-use scheme is `null`, which any sandboxed frame sends.
  const origins = new Set(redirectUris.filter((uri) => URL.canParse(uri)).map((uri) => new URL(uri).origin));
  origins.delete('null');
  if (origins.size === 0) return;
  const rows = [...origins].map((origin) => ({ origin, client_id: clientId }));
  await transaction.insertInto('application_origin').values(rows).execute();
}

/** Ends the person's sessions that began at or before `until`. Never moves `signed_out_at` back. */
export async function endSessions(database: Kysely<Schema>, personId: string, until: number): Promise<void> {
  await database
    .updateTable('person')
    .set({ signed_out_at: until })
    .where('id', '=', personId)
    .where((where) => where.or([where('signed_out_at', 'is', null), where('signed_out_at', '<', until)]))
    .execute();
}

/** Finds the person by name only, since an address does not prove identity. An address that another person has is not assigned. */
export async function getOrCreatePerson(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  person: Parameters<Store['getOrCreatePerson']>[0],
  sealing: Sealing,
): ReturnType<Store['getOrCreatePerson']> {
  return await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('person')
      .values(toPersonRow({ id: person.id, name: person.name, about: person.about }, sealing))
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const readPerson = () =>
      transaction.selectFrom('person').selectAll().where('name', '=', person.name).executeTakeFirstOrThrow();
    const { id } = await readPerson();
    await assignAddresses(transaction, dialect, id, person, sealing);
    return toPerson(await readPerson(), sealing);
  });
}

/** Assigns the addresses that no other person has. */
export async function assignAddresses(
  transaction: Kysely<Schema>,
  dialect: StoreDialect,
  id: string,
  { email, evmAddress }: Pick<Person, 'email' | 'evmAddress'>,
  sealing: Sealing,
): Promise<void> {
  for (const [column, value] of [
    ['email', email],
    ['evm_address', evmAddress],
  ] as const) {
    if (value === undefined) continue;
    if (dialect === 'postgres') await lockAddress(transaction, column, value, sealing);
    await transaction
      .updateTable('person')
      .set(toAddressColumns(column, value, id, sealing))
      .where('id', '=', id)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('person as other')
              .select('other.id')
              .where(`other.${column}`, 'in', addressesToFind(column, value, sealing)),
          ),
        ),
      )
      .execute();
  }
}

/**
 * Locks an address until the transaction ends, if there are several encryption keys: during a key rotation, two instances store different
 * fingerprints of one address, so the unique index does not stop them from assigning the address to two people. On SQLite, the transaction is the only one that writes.
 */
async function lockAddress(
  transaction: Kysely<Schema>,
  column: AddressColumn,
  value: string,
  sealing: Sealing,
): Promise<void> {
  const address = normalizeAddress(column, value);
  // Sorted, since the instances have the same keys in different orders.
  const [first, other] = [...sealing.fingerprints(address, { table: 'person', column })].sort();
  if (first !== undefined && other !== undefined)
    await sql`select pg_advisory_xact_lock(hashtextextended(${first}, 0))`.execute(transaction);
}
