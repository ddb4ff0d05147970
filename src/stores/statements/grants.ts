/** The statement that lists what people agreed to, page by page (V3). */
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { GrantQuery, GrantRecord } from '../../service/ports/store/grant-store.js';
import type { Schema } from '../schema.js';
import { isInForceAt, isRedeemable, isRedeemed } from './in-force.js';
import { toTexts } from './rows.js';

/** Codes live ten minutes at most; the rest is for instances whose clocks differ. */
const MAX_CODE_MS = 3_600_000;

export async function listGrants(
  database: Kysely<Schema>,
  query: GrantQuery,
): Promise<readonly GrantRecord[]> {
  const statement = selectPage(database, query);
  const rows = await statement.orderBy('updated_at').orderBy('id').limit(query.limit).execute();
  return rows.map((row) => ({
    authorizationId: row.id,
    userId: row.person_id ?? '',
    status: row.active === 1 ? 'active' : 'revoked',
    scopes: toTexts(row.granted_scopes ?? '[]'),
    updatedAt: row.updated_at,
  }));
}

/**
 * A page in each state that counts for the status, by the index of states: grants in other states are not read, however many there are.
 * One person's grants are few, and are looked at one by one.
 */
function selectPage(database: Kysely<Schema>, query: GrantQuery) {
  const { at, limit, userId, status } = query;
  const pageOf = (condition: Condition | undefined) => {
    const grants = selectGrants(database, query);
    const rows = condition === undefined ? grants : grants.where(condition);
    const page = rows.orderBy('updated_at').orderBy('id').limit(limit).as('page');
    return database.selectFrom(page).selectAll();
  };
  if (status === undefined) return pageOf(undefined);
  if (userId !== undefined) return pageOf((where) => where(isActive(at), '=', status === 'active' ? 1 : 0));
  if (status === 'active') {
    return pageOf(() => isRedeemed()).unionAll(
      // What nobody redeemed in time stays `approved`: only the latest of those can be in force.
      pageOf((where) => where.and([isRedeemable(at), where('updated_at', '>', at - MAX_CODE_MS)])),
    );
  }
  return pageOf((where) => where('status', '=', 'revoked')).unionAll(
    pageOf((where) => where.and([where('status', '=', 'approved'), where('code_expires_at', '<=', at)])),
  );
}

type Condition = (where: ExpressionBuilder<Schema, 'authorization_record'>) => Expression<SqlBool>;

function isActive(at: number) {
  return sql<number>`CASE WHEN ${isInForceAt(at)} THEN 1 ELSE 0 END`;
}

function selectGrants(database: Kysely<Schema>, { clientId, userId, updatedSince, after, at }: GrantQuery) {
  let grants = database
    .selectFrom('authorization_record')
    .select(['id', 'person_id', 'granted_scopes', 'updated_at', isActive(at).as('active')])
    .where('client_id', '=', clientId)
    .where('person_id', 'is not', null)
    .where('granted_scopes', 'is not', null);
  if (userId !== undefined) grants = grants.where('person_id', '=', userId);
  if (updatedSince !== undefined) grants = grants.where('updated_at', '>=', updatedSince);
  if (after !== undefined) {
    const { updatedAt, authorizationId } = after;
    grants = grants
      // Implied by the next condition, but the engine finds its index by this one.
      .where('updated_at', '>=', updatedAt)
      .where((where) =>
        where.or([
          where('updated_at', '>', updatedAt),
          where.and([where('updated_at', '=', updatedAt), where('id', '>', authorizationId)]),
        ]),
      );
  }
  return grants;
}
