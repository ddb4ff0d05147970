/** Statements on the accounts of people at OpenID Connect providers (S326). */
import type { Kysely } from 'kysely';
import type { Person } from '../../service/index.js';
import type { AccountSignIn } from '../../service/ports/store/registry-store.js';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import type { Sealing } from '../sealing/sealing.js';
import { assignAddresses, findPerson } from './people.js';
import { toPersonRow } from './rows.js';

/** Finds or links the person of an account in one transaction. Of concurrent sign-ins with a new account, the first insert decides which person it gets. */
export async function signInWithAccount(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  signIn: AccountSignIn,
  sealing: Sealing,
): Promise<Person> {
  return await database.transaction().execute(async (transaction) => {
    const id =
      (await findLinked(transaction, signIn)) ??
      (await linkToExisting(transaction, signIn, sealing)) ??
      (await linkToNew(transaction, signIn, sealing));
    await assignAddresses(transaction, dialect, id, signIn.person, sealing);
    const person = await findPerson(transaction, 'id', id, sealing);
    if (person === undefined) throw new Error('a linked account must have a person');
    return person;
  });
}

async function findLinked(
  transaction: Kysely<Schema>,
  { accountHash }: Pick<AccountSignIn, 'accountHash'>,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('linked_account')
    .select('person_id')
    .where('account_hash', '=', accountHash)
    .executeTakeFirst();
  return row?.person_id;
}

/**
 * Links an account to the first person that an identifier of `linkBy` finds; returns `undefined` without one. Skips a person who has another account
 * at the issuer: the issuer may have reassigned the identifier.
 */
async function linkToExisting(
  transaction: Kysely<Schema>,
  signIn: AccountSignIn,
  sealing: Sealing,
): Promise<string | undefined> {
  for (const by of signIn.linkBy) {
    const value = signIn.person[by];
    const found = value === undefined ? undefined : await findPerson(transaction, by, value, sealing);
    const linked = found && (await link(transaction, signIn, found.id));
    if (linked !== undefined) return linked;
  }
  return undefined;
}

async function linkToNew(
  transaction: Kysely<Schema>,
  signIn: AccountSignIn,
  sealing: Sealing,
): Promise<string> {
  const { person, alternativeName } = signIn;
  // The last name is the id, which is unique, so that a sign-in never fails because a name is taken.
  for (const name of [person.name, alternativeName, person.id]) {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('person')
      .values(toPersonRow({ id: person.id, name, about: person.about }, sealing))
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) break;
  }
  const linked = await link(transaction, signIn, person.id);
  if (linked === undefined) throw new Error('a new person has no account');
  // A concurrent sign-in linked the account to the person that it created.
  if (linked !== person.id) await transaction.deleteFrom('person').where('id', '=', person.id).execute();
  return linked;
}

/** Links an account to a person and returns the person of the account; `undefined` if the person has another account at the issuer. */
async function link(
  transaction: Kysely<Schema>,
  { accountHash, issuer, at }: AccountSignIn,
  personId: string,
): Promise<string | undefined> {
  await transaction
    .insertInto('linked_account')
    .values({ account_hash: accountHash, issuer, person_id: personId, linked_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return await findLinked(transaction, { accountHash });
}
