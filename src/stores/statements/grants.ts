/** Statements that list grants, find the grant of a person, record a direct one, and index grants by pairwise identifier (V3, V5). */
import {
  CompiledQuery,
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SqlBool,
  sql,
} from 'kysely';
import type { Application, Authorization } from '../../service/index.js';
import type { DirectGrant } from '../../service/ports/store/authorization-store.js';
import type {
  ActiveGrant,
  GrantQuery,
  GrantRecord,
  GrantSelector,
  PersonGrant,
} from '../../service/ports/store/grant-store.js';
import type { Store } from '../../service/ports/store/store.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import { NO_SEALING, type Sealing } from '../sealing/sealing.js';
import type { Auditing } from './auditing.js';
import { isInForceAt, isRedeemable, isRedeemed } from './conditions.js';
import { foreignFingerprint } from './people.js';
import {
  type AddressColumn,
  addressesToFind,
  normalizeAddress,
  openAddress,
  openDetails,
  parseStringList,
  toApplication,
  toAuthorizationRow,
  toSubjectColumns,
} from './rows.js';
import { toAccessTokenRow } from './tokens.js';

/** Upper bound of a code's lifetime: ten minutes, plus generous clock differences. */
const MAX_CODE_MS = 3_600_000;

export async function listGrants(
  database: Kysely<Schema>,
  query: GrantQuery,
  sealing: Sealing,
): Promise<readonly GrantRecord[]> {
  const statement = selectPage(database, query);
  const rows = await statement.orderBy('updated_at').orderBy('id').limit(query.limit).execute();
  return rows.map((row) =>
    omitUndefined({
      authorizationId: row.id,
      userId: row.person_id ?? '',
      status: row.active === 1 ? 'active' : 'revoked',
      scopes: parseStringList(row.granted_scopes ?? '[]'),
      conditions:
        query.withConditions === true
          ? openDetails(row.granted_details, 'granted_details', row.id, sealing)
          : undefined,
      updatedAt: row.updated_at,
    }),
  );
}

/**
 * Selects a page of grants. `active` and `revoked` each combine several values of the column `status`: one page is selected per value, by the
 * index on `status`, so that other grants are not read. The grants of one person are few, and filtered without that index.
 */
function selectPage(database: Kysely<Schema>, query: GrantQuery) {
  const { at, limit, userId, status } = query;
  const toPage = (condition: Condition | undefined) => {
    const grants = selectGrants(database, query);
    const rows = condition === undefined ? grants : grants.where(condition);
    // Ordered by an expression for one person: for the column, SQLite would read the grants of all people in that order.
    const order = userId === undefined ? sql.ref('updated_at') : sql`+updated_at`;
    const page = rows.orderBy(order).orderBy('id').limit(limit).as('page');
    return database.selectFrom(page).selectAll();
  };
  if (status === undefined) return toPage(undefined);
  if (userId !== undefined) return toPage((where) => where(isActive(at), '=', status === 'active' ? 1 : 0));
  if (status === 'active') {
    return toPage(() => isRedeemed()).unionAll(
      // Unredeemed grants stay `approved` after their code expires; only recent ones can be in force.
      toPage((where) => where.and([isRedeemable(at), where('updated_at', '>', at - MAX_CODE_MS)])),
    );
  }
  return toPage((where) => where('status', '=', 'revoked')).unionAll(
    toPage((where) => where.and([where('status', '=', 'approved'), where('code_expires_at', '<=', at)])),
  );
}

type Condition = (where: ExpressionBuilder<Schema, 'authorization_record'>) => Expression<SqlBool>;

function isActive(at: number) {
  return sql<number>`CASE WHEN ${isInForceAt(at)} THEN 1 ELSE 0 END`;
}

function selectGrants(database: Kysely<Schema>, { clientId, userId, updatedSince, after, at }: GrantQuery) {
  let grants = database
    .selectFrom('authorization_record')
    .select(['id', 'person_id', 'granted_scopes', 'granted_details', 'updated_at', isActive(at).as('active')])
    .where('client_id', '=', clientId)
    .where('person_id', 'is not', null)
    .where('granted_scopes', 'is not', null);
  if (userId !== undefined) grants = grants.where('person_id', '=', userId);
  // Only the later of the two bounds: with both, SQLite would read from the earlier.
  if (after !== undefined && after.updatedAt >= (updatedSince ?? after.updatedAt)) {
    const { updatedAt, authorizationId } = after;
    grants = grants.where(sql<boolean>`(updated_at, id) > (${updatedAt}, ${authorizationId})`);
  } else if (updatedSince !== undefined) grants = grants.where('updated_at', '>=', updatedSince);
  return grants;
}

const ADDRESS_COLUMNS = { email: 'email', evmAddress: 'evm_address' } as const;

type Joined = Schema & { a: Schema['authorization_record']; p: Schema['person'] };

export async function findActiveGrant(
  database: Kysely<Schema>,
  [clientId, selector, coverage, at]: Parameters<Store['findActiveGrant']>,
  sealing: Sealing,
): Promise<ActiveGrant | undefined> {
  const row = await database
    .selectFrom('authorization_record as a')
    .innerJoin('person as p', 'p.id', 'a.person_id')
    .select(['a.id as grant_id', 'a.granted_scopes'])
    .select(['p.id', 'p.email', 'p.email_sealed', 'p.evm_address', 'p.evm_address_sealed'])
    .where('a.client_id', '=', clientId)
    .where(isSelected(selector, sealing))
    .where(isInForceAt(at, 'a'))
    .where(({ and }) => and(coverage.map(hasScopeOf)))
    // Ordered by an expression: for a column, SQLite would use an index that includes the person's grants to other applications.
    .orderBy(sql`+a.approved_at`, 'desc')
    .orderBy('a.id')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (selector.by === 'email' || selector.by === 'evmAddress') {
    const column = ADDRESS_COLUMNS[selector.by];
    if (openAddress(row, column, sealing) !== normalizeAddress(column, selector.value))
      throw foreignFingerprint(column);
  }
  return {
    authorizationId: row.grant_id,
    userId: row.id,
    scopes: parseStringList(row.granted_scopes ?? '[]'),
  };
}

/** A grant has one of the scopes. Not a chain of `or`, whose depth SQLite limits. */
function hasScopeOf(scopes: readonly string[]) {
  // Scope names have no quotation marks, so only the whole name is found in the JSON text of the list.
  const matches = scopes.map(
    (scope) => sql<boolean>`replace(a.granted_scopes, ${`"${scope}"`}, '') <> a.granted_scopes`,
  );
  return sql<boolean>`true in (${sql.join([sql`false`, ...matches])})`;
}

/**
 * Selects the grants of a person. A name or an address is looked up in a subquery. For an unknown one, the empty id is used, which matches no grant:
 * the same search runs as for a person without a grant.
 */
function isSelected(selector: GrantSelector, sealing: Sealing) {
  return (where: ExpressionBuilder<Joined, 'a' | 'p'>) => {
    const personWith = (column: 'name' | AddressColumn, values: readonly string[]) => {
      const found = where
        .selectFrom('person')
        .select('person.id')
        .where(`person.${column}`, 'in', values)
        .limit(1);
      return where('a.person_id', '=', where.fn.coalesce(found, where.val('')));
    };
    switch (selector.by) {
      case 'subject':
        return where.and([
          where('a.person_id', 'is not', null),
          where('a.subject_sector', '=', selector.subject.sector),
          where('a.subject_hash', '=', selector.subject.hash),
        ]);
      case 'name':
        return personWith('name', [selector.value]);
      case 'email':
      case 'evmAddress': {
        const column = ADDRESS_COLUMNS[selector.by];
        return personWith(column, addressesToFind(column, selector.value, sealing));
      }
    }
  };
}

/** Lists grants whose `subject_sector` is NULL or differs from the sector. `<` and `>` are ranges of the index; `<>` is not. */
export async function listUnindexedGrants(
  database: Kysely<Schema>,
  ...[clientId, sector, limit]: Parameters<Store['listUnindexedGrants']>
): Promise<readonly Pick<GrantRecord, 'authorizationId' | 'userId'>[]> {
  const ranges = [
    ['is', null],
    ['<', sector],
    ['>', sector],
  ] as const;
  for (const [operator, value] of ranges) {
    const rows = await database
      .selectFrom('authorization_record')
      .select(['id', 'person_id'])
      .where('client_id', '=', clientId)
      .where('person_id', 'is not', null)
      .where('subject_sector', operator, value)
      // Ordered like the index, so that the planner always uses it.
      .orderBy('subject_sector')
      .orderBy('subject_hash')
      .limit(limit)
      .execute();
    if (rows.length > 0) return rows.map((row) => ({ authorizationId: row.id, userId: row.person_id ?? '' }));
  }
  return [];
}

/** One statement for any number of grants, passed as JSON. */
const INDEX_GRANTS: Readonly<Record<StoreDialect, string>> = {
  sqlite: `update authorization_record set subject_sector = entry.value ->> '$.sector', subject_hash = entry.value ->> '$.hash'
    from json_each(?) as entry where authorization_record.id = entry.value ->> '$.id'`,
  postgres: `update authorization_record set subject_sector = entry.value ->> 'sector', subject_hash = entry.value ->> 'hash'
    from json_array_elements($1::json) as entry (value) where authorization_record.id = entry.value ->> 'id'`,
};

export async function indexGrants(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  grants: Parameters<Store['indexGrants']>[0],
): Promise<void> {
  if (grants.length === 0) return;
  const rows = grants.map(({ authorizationId: id, subject }) => ({ id, ...subject }));
  await database.executeQuery(CompiledQuery.raw(INDEX_GRANTS[dialect], [JSON.stringify(rows)]));
}

export async function listPersonGrants(
  database: Kysely<Schema>,
  { userId, limit, at }: { readonly userId: string; readonly limit: number | undefined; readonly at: number },
  sealing: Sealing,
): Promise<readonly PersonGrant[]> {
  const all = database
    .selectFrom('authorization_record')
    .select([
      'id',
      'client_id',
      'granted_scopes',
      'granted_details',
      'approved_at',
      'updated_at',
      'last_token_issued_at',
      'withdrawn_until',
      isActive(at).as('active'),
    ])
    .where('person_id', '=', userId)
    .where('granted_scopes', 'is not', null)
    .where('approved_at', 'is not', null);
  // A person may sign in to one application every day: these grants must not displace grants to other applications, or with other scopes.
  const byPriority = all
    .orderBy(
      sql`row_number() over (
        partition by client_id order by ${isInForceAt(at)} desc, approved_at desc, id
      ) > 1`,
    )
    .orderBy(
      sql`row_number() over (
        partition by client_id, granted_scopes, granted_details is null
        order by ${isInForceAt(at)} desc, approved_at desc, id
      )`,
    );
  const listed = limit === undefined ? all : byPriority.limit(limit);
  const rows = await listed.orderBy('approved_at', 'desc').orderBy('id').execute();
  const applications = await findApplicationsOf(database, userId);
  const grants = rows.flatMap((row): PersonGrant[] => {
    const application = applications.get(row.client_id);
    // The person was erased meanwhile.
    if (application === undefined) return [];
    const { revokedAt } = application;
    const inForce = row.active === 1;
    const grant = omitUndefined({
      authorizationId: row.id,
      application,
      status: inForce && revokedAt === undefined ? ('active' as const) : ('revoked' as const),
      scopes: parseStringList(row.granted_scopes ?? '[]'),
      conditions: openDetails(row.granted_details, 'granted_details', row.id, sealing),
      approvedAt: row.approved_at ?? 0,
      // The revocation of an application ends its grants without changing them.
      updatedAt: inForce ? Math.max(row.updated_at, revokedAt ?? 0) : row.updated_at,
      lastTokenIssuedAt: row.last_token_issued_at ?? undefined,
      restorableUntil: row.withdrawn_until ?? undefined,
    });
    return [grant];
  });
  // Stable: grants approved at the same instant stay in the order of the statement.
  return grants.sort((one, other) => other.approvedAt - one.approvedAt);
}

/**
 * Finds the applications with requests or grants of a person. They are not joined with the grants, since the database would then sort the columns of
 * an application, its logo included, once for each grant.
 */
async function findApplicationsOf(
  database: Kysely<Schema>,
  userId: string,
): Promise<ReadonlyMap<string, Application>> {
  const own = database.selectFrom('authorization_record').select('client_id').where('person_id', '=', userId);
  const rows = await database.selectFrom('application').selectAll().where('client_id', 'in', own).execute();
  return new Map(rows.map((row) => [row.client_id, toApplication(row)]));
}

/** Records a grant and its access token, without a request. */
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
    // Nothing to encrypt: a direct grant has no values in encrypted columns.
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
