/** Statements that fill an empty store. */
import type { Kysely } from 'kysely';
import type { Seed } from '../../service/ports/store/store.js';
import type { Schema } from '../schema.js';
import type { Sealing } from '../sealing/sealing.js';
import { recordOrigins } from './applications.js';
import { toApplicationRow, toCredentialRow, toPersonRow } from './rows.js';

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
