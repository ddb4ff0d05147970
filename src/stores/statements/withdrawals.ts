/** A person's own grants: seeing them, ending them, and taking that back for a moment (V3, V11, S120). */
import { type Kysely, sql } from 'kysely';
import { isInForce } from '../../service/authorization/authorization.js';
import { STATES_IN_FORCE, statesAllowing, transition } from '../../service/authorization/transitions.js';
import type { Holding, PersonGrant } from '../../service/ports/store/grant-store.js';
import type { Store } from '../../service/ports/store/store.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Schema } from '../schema.js';
import type { Auditing } from './auditing.js';
import { isInForceAt } from './in-force.js';
import { toApplication, toTexts } from './rows.js';

export async function listPersonGrants(
  database: Kysely<Schema>,
  userId: string,
  limit: number,
  at: number,
): Promise<readonly PersonGrant[]> {
  const rows = await database
    .selectFrom('authorization_record as a')
    .innerJoin('application as c', 'c.client_id', 'a.client_id')
    .selectAll('c')
    .select([
      'a.id',
      'a.status',
      'a.granted_scopes',
      'a.code_expires_at',
      'a.approved_at',
      'a.updated_at',
      'a.last_token_issued_at',
      'a.withdrawn_until',
    ])
    .where('a.person_id', '=', userId)
    .where('a.granted_scopes', 'is not', null)
    .where('a.approved_at', 'is not', null)
    .orderBy('a.approved_at', 'desc')
    .orderBy('a.id')
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const authorization = omitUndefined({
      status: row.status,
      codeExpiresAt: row.code_expires_at ?? undefined,
    });
    const active = isInForce(authorization, at) && row.revoked_at === null;
    return omitUndefined({
      authorizationId: row.id,
      application: toApplication(row),
      status: active ? 'active' : 'revoked',
      scopes: toTexts(row.granted_scopes ?? '[]'),
      approvedAt: row.approved_at ?? 0,
      updatedAt: row.updated_at,
      lastTokenIssuedAt: row.last_token_issued_at ?? undefined,
      withdrawnUntil: row.withdrawn_until ?? undefined,
    });
  });
}

export async function withdrawGrants(
  database: Kysely<Schema>,
  withdrawal: Parameters<Store['withdrawGrants']>[0],
  auditing: Auditing,
): Promise<number> {
  return await database.transaction().execute(async (transaction) => {
    const { userId, clientId, until, at } = withdrawal;
    const ended = await transaction
      .updateTable('authorization_record')
      .set({
        status: 'revoked',
        revoked_at: at,
        updated_at: at,
        // A code on its way never comes back to life. (In `SET`, columns are what they were before.)
        withdrawn_until: sql<
          number | null
        >`CASE WHEN status = ${transition('revoked', 'restore')} THEN ${sql.lit(until)} END`,
      })
      .where('client_id', '=', clientId)
      .where('person_id', '=', userId)
      .where('status', 'in', STATES_IN_FORCE)
      .returning('id')
      .execute();
    if (ended.length > 0) await endEarlierWithdrawals(transaction, withdrawal, ended);
    for (const { id: authorizationId } of ended)
      await auditing.tell(transaction, { authorizationId, kind: 'grant_revoked', at, reason: 'by_person' });
    return ended.length;
  });
}

/** What a person ended before they agreed to something else, and ended that, does not come back with it. */
async function endEarlierWithdrawals(
  transaction: Kysely<Schema>,
  { userId, clientId }: Holding,
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
  holding: Holding,
  at: number,
  auditing: Auditing,
): Promise<number> {
  return await database.transaction().execute(async (transaction) => {
    const restored = await restore(transaction, holding, at);
    for (const { id: authorizationId } of restored)
      await auditing.tell(transaction, { authorizationId, kind: 'grant_restored', at });
    return restored.length;
  });
}

function restore(
  transaction: Kysely<Schema>,
  { userId, clientId }: Holding,
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
    .where('status', 'in', statesAllowing('restore'))
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
