/** Statements on people: find, list, create, assign addresses, and end sessions. */
import { type Kysely, sql } from 'kysely';
import type { Person } from '../../service/index.js';
import type { PersonColumn } from '../../service/ports/store/registry-store.js';
import type { Store } from '../../service/ports/store/store.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import { SealedValueError, type Sealing } from '../sealing/sealing.js';
import {
  type AddressColumn,
  addressesToFind,
  byCodeUnits,
  normalizeAddress,
  toAddressColumns,
  toPerson,
  toPersonRow,
} from './rows.js';

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
 * Creates the error for an address that was found by the fingerprint of another one. With write access to the database, a fingerprint can be moved
 * to another row, but not an encrypted address, which is bound to its row.
 */
export function foreignFingerprint(column: string): SealedValueError {
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

/** Enough for the lists of sample people in the sandbox: on its sign-in and consent pages, and in a message. */
const MAX_LISTED_PEOPLE = 100;

export async function listPeople(
  database: Kysely<Schema>,
  sealing: Sealing,
  limit: number = MAX_LISTED_PEOPLE,
): Promise<readonly Person[]> {
  const rows = await database.selectFrom('person').selectAll().orderBy('name').limit(limit).execute();
  return rows.map((row) => toPerson(row, sealing)).sort((left, right) => byCodeUnits(left.name, right.name));
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
 * fingerprints of one address, so the unique index does not stop them from assigning the address to two people. Not needed on SQLite, where only
 * one transaction writes at a time.
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
