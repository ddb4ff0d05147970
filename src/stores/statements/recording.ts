/** Applications and people that a deployment brings: recorded, and changed where they are there (V2). */
import type { Kysely } from 'kysely';
import type { Store } from '../../service/ports/store.js';
import type { Schema } from '../schema.js';
import { toApplicationRow, toPersonRow, toUser } from './rows.js';

/** When it was registered stays what it was; one that was revoked stays so. */
export async function recordApplication(
  database: Kysely<Schema>,
  ...[application]: Parameters<Store['recordApplication']>
): Promise<void> {
  const {
    client_id: _id,
    created_at: _created,
    revoked_at: revokedAt,
    ...changes
  } = toApplicationRow(application);
  await database
    .insertInto('application')
    .values(toApplicationRow(application))
    .onConflict((conflict) =>
      conflict.column('client_id').doUpdateSet((columns) => ({
        ...changes,
        revoked_at: columns.fn.coalesce('application.revoked_at', columns.val(revokedAt)),
      })),
    )
    .execute();
}

/** What another person has already stays theirs: an address is no proof of being somebody. */
export async function recordPerson(
  database: Kysely<Schema>,
  ...[user]: Parameters<Store['recordPerson']>
): ReturnType<Store['recordPerson']> {
  return await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('person')
      .values({ ...toPersonRow(user), email: null, evm_address: null })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    for (const [column, value] of [
      ['email', user.email],
      ['evm_address', user.evmAddress],
    ] as const) {
      if (value === undefined) continue;
      await transaction
        .updateTable('person')
        .set({ [column]: value })
        .where('name', '=', user.name)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('person as other').select('other.id').where(`other.${column}`, '=', value))),
        )
        .execute();
    }
    const row = await transaction
      .selectFrom('person')
      .selectAll()
      .where('name', '=', user.name)
      .executeTakeFirstOrThrow();
    return toUser(row);
  });
}
