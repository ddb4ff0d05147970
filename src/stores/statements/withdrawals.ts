/** Statements that withdraw a person's grants to an application, and restore them (V11). */
import { type Kysely, sql } from 'kysely';
import { STATES_IN_FORCE, statesAllowing, transition } from '../../service/authorization/authorization.js';
import type { GrantKey } from '../../service/ports/store/grant-store.js';
import type { Store } from '../../service/ports/store/store.js';
import type { Schema } from '../schema.js';
import type { Auditing } from './auditing.js';
import { isInForceAt, isInState } from './conditions.js';

export async function withdrawGrants(
  database: Kysely<Schema>,
  withdrawal: Parameters<Store['withdrawGrants']>[0],
  auditing: Auditing,
): Promise<number> {
  return await database.transaction().execute(async (transaction) => {
    const { userId, clientId, until, at } = withdrawal;
    const withdrawn = await transaction
      .updateTable('authorization_record')
      .set({
        status: 'revoked',
        revoked_at: at,
        updated_at: at,
        // Only redeemed grants can be restored. (In `SET`, columns have their old values.)
        withdrawn_until: sql<
          number | null
        >`CASE WHEN status = ${transition('revoked', 'restore')} THEN ${sql.lit(until)} END`,
      })
      .where('client_id', '=', clientId)
      .where('person_id', '=', userId)
      // Includes grants whose code expired unredeemed: by another instance's clock, the code may still be redeemable.
      .where(isInState(STATES_IN_FORCE))
      .returning('id')
      .execute();
    if (withdrawn.length > 0) await endEarlierWithdrawals(transaction, withdrawal, withdrawn);
    for (const { id: authorizationId } of withdrawn)
      await auditing.appendEvent(transaction, {
        authorizationId,
        kind: 'grant_revoked',
        at,
        reason: 'by_person',
      });
    return withdrawn.length;
  });
}

/** Makes earlier withdrawals final: undoing the latest does not restore them. */
async function endEarlierWithdrawals(
  transaction: Kysely<Schema>,
  { userId, clientId }: GrantKey,
  latest: readonly { readonly id: string }[],
): Promise<void> {
  await transaction
    .updateTable('authorization_record')
    .set({ withdrawn_until: null })
    .where('client_id', '=', clientId)
    .where('person_id', '=', userId)
    .where('withdrawn_until', 'is not', null)
    .where(
      'id',
      'not in',
      latest.map(({ id }) => id),
    )
    .execute();
}

export async function restoreGrants(
  database: Kysely<Schema>,
  grants: GrantKey,
  at: number,
  auditing: Auditing,
): Promise<number> {
  return await database.transaction().execute(async (transaction) => {
    const restored = await restore(transaction, grants, at);
    for (const { id: authorizationId } of restored)
      await auditing.appendEvent(transaction, { authorizationId, kind: 'grant_restored', at });
    return restored.length;
  });
}

function restore(
  transaction: Kysely<Schema>,
  { userId, clientId }: GrantKey,
  at: number,
): Promise<readonly { readonly id: string }[]> {
  return transaction
    .updateTable('authorization_record')
    .set({
      status: transition('revoked', 'restore') ?? 'revoked',
      revoked_at: null,
      updated_at: at,
      withdrawn_until: null,
    })
    .where('client_id', '=', clientId)
    .where('person_id', '=', userId)
    .where(isInState(statesAllowing('restore')))
    .where('withdrawn_until', '>', at)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('application as c')
          .select('c.client_id')
          .where('c.client_id', '=', clientId)
          .where('c.revoked_at', 'is', null),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('authorization_record as other')
            .select('other.id')
            .where('other.client_id', '=', clientId)
            .where('other.person_id', '=', userId)
            .where(isInForceAt(at, 'other')),
        ),
      ),
    )
    .returning('id')
    .execute();
}
