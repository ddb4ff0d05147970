/** Statements on many people at once: who they are, who granted what, and who of them may satisfy a query (V14). */
import { CompiledQuery, type Kysely } from 'kysely';
import type {
  AudienceAnswer,
  AudienceQuestion,
  GrantedScopes,
  GrantHolderQuery,
} from '../../service/ports/store/grant-store.js';
import { type DialectName, SERVICE_STORE_LAYOUT, toCandidateSql } from '../../sql/index.js';
import type { Schema } from '../schema.js';
import type { Sealing } from '../sealing/sealing.js';
import { isInForceAt } from './in-force.js';
import { toTexts } from './rows.js';

/** Marks a statement that is hardly asked twice: whoever keeps statements lets it go. */
const ASKED_ONCE = '/* once */ ';

export async function countUsers(database: Kysely<Schema>): Promise<number> {
  const { count } = await database
    .selectFrom('person')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function listUserIds(
  database: Kysely<Schema>,
  after: string | undefined,
  limit: number,
): Promise<readonly string[]> {
  let people = database.selectFrom('person').select('id');
  if (after !== undefined) people = people.where('id', '>', after);
  const rows = await people.orderBy('id').limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** First the people and then their grants, so that no page ends in the midst of a person's. */
export async function listGrantHolders(
  database: Kysely<Schema>,
  { clientId, sector, at, after, limit }: GrantHolderQuery,
): Promise<readonly GrantedScopes[]> {
  const living = () =>
    database
      .selectFrom('authorization_record')
      .where('client_id', '=', clientId)
      .where('subject_sector', '=', sector)
      .where('person_id', 'is not', null)
      .where('granted_scopes', 'is not', null)
      .where(isInForceAt(at));
  let holders = living().select('subject_hash').distinct();
  if (after !== undefined) holders = holders.where('subject_hash', '>', after);
  const people = await holders.orderBy('subject_hash').limit(limit).execute();
  const hashes = people.map(({ subject_hash }) => subject_hash ?? '');
  if (hashes.length === 0) return [];
  const grants = await living()
    .select(['person_id', 'subject_hash', 'granted_scopes'])
    .where('subject_hash', 'in', hashes)
    .execute();
  return hashes.map((subjectHash) => {
    // Empty where the person's grants ended between the two statements.
    const own = grants.filter(({ subject_hash }) => subject_hash === subjectHash);
    const scopes = own.map(({ granted_scopes }) => toTexts(granted_scopes ?? '[]'));
    return { userId: own[0]?.person_id ?? '', subjectHash, grants: scopes };
  });
}

/** Where values are encrypted, the engine of the store cannot tell anything of anybody: all of them may. */
export async function narrowAudience(
  database: Kysely<Schema>,
  dialect: DialectName,
  { query, among, at, derived }: AudienceQuestion,
  sealing: Sealing,
): Promise<AudienceAnswer> {
  if (sealing.keyId !== undefined) return { userIds: await knownAmong(database, among), exact: false };
  const { text, parameters, problems } = toCandidateSql(query, {
    dialect,
    layout: SERVICE_STORE_LAYOUT,
    now: at,
    among,
    beyond: derived,
  });
  const { rows } = await database.executeQuery(
    CompiledQuery.raw(`${ASKED_ONCE}${text}`, [...parameters]) as CompiledQuery<{ id: string }>,
  );
  return { userIds: rows.map(({ id }) => id), exact: problems.length === 0 };
}

async function knownAmong(database: Kysely<Schema>, among: readonly string[]): Promise<readonly string[]> {
  if (among.length === 0) return [];
  const rows = await database.selectFrom('person').select('id').where('id', 'in', among).execute();
  return rows.map(({ id }) => id);
}
