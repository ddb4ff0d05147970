/** The statement that lists what people agreed to, page by page (V3). */
import { type Kysely, sql } from 'kysely';
import { statesAllowing } from '../../service/authorization/transitions.js';
import type { GrantQuery, GrantRecord } from '../../service/ports/store/grant-store.js';
import type { Schema } from '../schema.js';

export async function listGrants(
  database: Kysely<Schema>,
  { clientId, userId, status, updatedSince, after, limit, at }: GrantQuery,
): Promise<readonly GrantRecord[]> {
  // In force are the states that a replay can end; of those, not one whose code nobody redeemed in time.
  const active = sql<number>`CASE WHEN status IN (${sql.join(statesAllowing('replay'))})
    AND NOT (status IN (${sql.join(statesAllowing('code_expired'))}) AND code_expires_at <= ${at}) THEN 1 ELSE 0 END`;
  const rows = await database
    .selectFrom('authorization_record')
    .select(['id', 'person_id', 'updated_at', active.as('active')])
    .where('client_id', '=', clientId)
    .where('person_id', 'is not', null)
    .where('granted_scopes', 'is not', null)
    .$if(userId !== undefined, (query) => query.where('person_id', '=', userId ?? ''))
    .$if(status !== undefined, (query) => query.where(active, '=', status === 'active' ? 1 : 0))
    .$if(updatedSince !== undefined, (query) => query.where('updated_at', '>=', updatedSince ?? 0))
    .$if(after !== undefined, (query) => {
      const { updatedAt = 0, authorizationId = '' } = after ?? {};
      return query.where((where) =>
        where.or([
          where('updated_at', '>', updatedAt),
          where.and([where('updated_at', '=', updatedAt), where('id', '>', authorizationId)]),
        ]),
      );
    })
    .orderBy('updated_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    authorizationId: row.id,
    userId: row.person_id ?? '',
    status: row.active === 1 ? 'active' : 'revoked',
    updatedAt: row.updated_at,
  }));
}
