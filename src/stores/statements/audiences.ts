/** Statements on audiences: people, their grants to an application, and candidates for a policy (V14). */
import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type {
  AudienceCandidates,
  AudienceQuery,
  GrantedScopes,
  GrantHolderQuery,
} from '../../service/ports/store/grant-store.js';
import type { Dialect } from '../../sql/dialects/dialect.js';
import { SERVICE_STORE_LAYOUT } from '../../sql/layouts/layout.js';
import { writeCandidateSql } from '../../sql/statement.js';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import type { Sealing } from '../sealing/sealing.js';
import { isInForceAt } from './conditions.js';
import { parseStringList } from './rows.js';

/** Comment that marks a rarely repeated statement: SQLite connections do not cache it, and treat it as a read. */
const NOT_CACHED = '/* once */ ';

/** Estimates the number of people: counting would read all of them. */
const ESTIMATE_PEOPLE: Readonly<Record<StoreDialect, RawBuilder<{ readonly people: number | null }>>> = {
  // The greatest rowid also counts erased people, who are few.
  sqlite: sql`select max(rowid) as people from person`,
  // The estimate of the last analysis; -1 before the first.
  postgres: sql`select greatest(reltuples, 0)::bigint as people from pg_class where oid = 'person'::regclass`,
};

export async function estimatePeople(database: Kysely<Schema>, dialect: StoreDialect): Promise<number> {
  const { rows } = await ESTIMATE_PEOPLE[dialect].execute(database);
  return rows[0]?.people ?? 0;
}

export async function listPersonIds(
  database: Kysely<Schema>,
  after: string | undefined,
  limit: number,
): Promise<readonly string[]> {
  let people = database.selectFrom('person').select('id');
  if (after !== undefined) people = people.where('id', '>', after);
  const rows = await people.orderBy('id').limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** Selects people first and then their grants, so that pages do not split a person. */
export async function listGrantHolders(
  database: Kysely<Schema>,
  { clientId, sector, at, after, limit }: GrantHolderQuery,
): Promise<readonly GrantedScopes[]> {
  const inForce = () =>
    database
      .selectFrom('authorization_record')
      .where('client_id', '=', clientId)
      .where('subject_sector', '=', sector)
      .where('person_id', 'is not', null)
      .where('granted_scopes', 'is not', null)
      .where(isInForceAt(at));
  let holders = inForce().select('subject_hash').distinct();
  if (after !== undefined) holders = holders.where('subject_hash', '>', after);
  const people = await holders.orderBy('subject_hash').limit(limit).execute();
  const hashes = people.map(({ subject_hash }) => subject_hash ?? '');
  if (hashes.length === 0) return [];
  const grants = await inForce()
    .select(['person_id', 'subject_hash', 'granted_scopes'])
    .where('subject_hash', 'in', hashes)
    .execute();
  return hashes.map((subjectHash) => {
    // Empty if the person's grants ended between the two statements.
    const own = grants.filter(({ subject_hash }) => subject_hash === subjectHash);
    const scopes = own.map(({ granted_scopes }) => parseStringList(granted_scopes ?? '[]'));
    return { userId: own[0]?.person_id ?? '', subjectHash, grants: scopes };
  });
}

/**
 * Selects candidates in the database. The database cannot evaluate encrypted claims: in an encrypted store, every existing person of `among` is a
 * candidate.
 */
export async function narrowAudience(
  database: Kysely<Schema>,
  dialect: Dialect,
  { query, among, at, derived }: AudienceQuery,
  sealing: Sealing,
): Promise<AudienceCandidates> {
  if (sealing.keyId !== undefined) return { userIds: await selectKnownPeople(database, among), exact: false };
  const { text, parameters, problems } = writeCandidateSql(query, dialect, {
    layout: SERVICE_STORE_LAYOUT,
    now: at,
    among,
    missingClaims: derived,
  });
  const { rows } = await database.executeQuery(
    CompiledQuery.raw(`${NOT_CACHED}${text}`, [...parameters]) as CompiledQuery<{ id: string }>,
  );
  return { userIds: rows.map(({ id }) => id), exact: problems.length === 0 };
}

async function selectKnownPeople(
  database: Kysely<Schema>,
  among: readonly string[],
): Promise<readonly string[]> {
  if (among.length === 0) return [];
  const rows = await database.selectFrom('person').select('id').where('id', 'in', among).execute();
  return rows.map(({ id }) => id);
}
