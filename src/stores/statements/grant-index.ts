/** Finding an application's grant by the person whom the application names, and the index that this needs (V5, S121–S130). */
import { CompiledQuery, type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { ActiveGrant, GrantRecord, GrantSelector } from '../../service/ports/store/grant-store.js';
import type { Store } from '../../service/ports/store/store.js';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import { SealedValueError, type Sealing } from '../sealing/sealing.js';
import { isInForceAt } from './in-force.js';
import { type AddressColumn, addressesToFind, normalizeAddress, openAddress, toTexts } from './rows.js';

const ADDRESS_COLUMNS = { email: 'email', evmAddress: 'evm_address' } as const;

type Joined = Schema & { a: Schema['authorization_record']; p: Schema['person'] };

/** How many grants of a person to one application are looked at, the one approved last first. */
const MAX_GRANTS = 100;

export async function findActiveGrant(
  database: Kysely<Schema>,
  [clientId, selector, coverage, at]: Parameters<Store['findActiveGrant']>,
  sealing: Sealing,
): Promise<ActiveGrant | undefined> {
  const rows = await database
    .selectFrom('authorization_record as a')
    .innerJoin('person as p', 'p.id', 'a.person_id')
    .select(['a.id as grant_id', 'a.granted_scopes'])
    .select(['p.id', 'p.email', 'p.email_sealed', 'p.evm_address', 'p.evm_address_sealed'])
    .where('a.client_id', '=', clientId)
    .where(isSelected(selector, sealing))
    .where(isInForceAt(at, 'a'))
    // An expression: SQLite would otherwise read all of the person's grants in the order of an index, to other applications as well.
    .orderBy(sql`+a.approved_at`, 'desc')
    .orderBy('a.id')
    .limit(MAX_GRANTS)
    .execute();
  const found = rows
    .map((row) => ({ row, scopes: toTexts(row.granted_scopes ?? '[]') }))
    .find(({ scopes }) => coverage.every((list) => list.some((scope) => scopes.includes(scope))));
  if (found === undefined) return undefined;
  const { row, scopes } = found;
  if (selector.by === 'email' || selector.by === 'evmAddress') {
    const column = ADDRESS_COLUMNS[selector.by];
    // A fingerprint is not bound to its row; the sealed address is.
    if (openAddress(row, column, sealing) !== normalizeAddress(column, selector.value))
      throw new SealedValueError(
        { table: 'person', column },
        'it stands beside another address than its own',
      );
  }
  return { authorizationId: row.grant_id, userId: row.id, scopes };
}

/** The person is looked up within the statement, and grants are searched whether or not there is one: nobody's id is empty. */
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

/** Grants whose sector is another than the one given, by the three ranges of the index that hold them. */
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
      // In the order of the index, so that it is used whatever the statistics say.
      .orderBy('subject_sector')
      .orderBy('subject_hash')
      .limit(limit)
      .execute();
    if (rows.length > 0) return rows.map((row) => ({ authorizationId: row.id, userId: row.person_id ?? '' }));
  }
  return [];
}

/** One statement for however many grants: they come as one JSON text. */
const INDEX_GRANTS: Readonly<Record<StoreDialect, string>> = {
  sqlite: `update authorization_record set subject_sector = given.value ->> '$.sector', subject_hash = given.value ->> '$.hash'
    from json_each(?) as given where authorization_record.id = given.value ->> '$.id'`,
  postgres: `update authorization_record set subject_sector = given.value ->> 'sector', subject_hash = given.value ->> 'hash'
    from json_array_elements($1::json) as given (value) where authorization_record.id = given.value ->> 'id'`,
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
