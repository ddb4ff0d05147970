/** The store over any of its SQL engines: one set of statements, the hot ones compiled once (V12). */
import type { CompiledQuery, Kysely } from 'kysely';
import {
  type DirectGrant,
  type PresentedToken,
  type Seed,
  type Store,
  StoreUnavailable,
} from '../service/ports/store.js';
import { toApplication, toApplicationRow, toCredential, toCredentialRow, toTexts } from './rows.js';
import type { Schema } from './schema.js';

/** A place in a compiled statement that each run fills. */
const PLACE = '';

/** @param database - Migrated. The store owns it and closes it. */
export function createSqlStore(database: Kysely<Schema>): Store {
  const presentedToken = compilePresentedToken(database);
  const credentials = compileCredentials(database);
  return {
    findPresentedToken: (tokenHash) =>
      reporting(async () => {
        const { rows } = await database.executeQuery(withPlaces(presentedToken, [tokenHash]));
        const [row] = rows;
        return row && toPresentedToken(row);
      }),
    readCredentials: (userId) =>
      reporting(async () => {
        const { rows } = await database.executeQuery(withPlaces(credentials, [userId]));
        return rows.map(toCredential);
      }),
    listUsers: () => reporting(() => database.selectFrom('person').selectAll().orderBy('name').execute()),
    listApplications: () =>
      reporting(async () => {
        const rows = await database.selectFrom('application').selectAll().orderBy('client_id').execute();
        return rows.map(toApplication);
      }),
    recordDirectGrant: (grant) => reporting(() => recordDirectGrant(database, grant)),
    keepSecret: (name, offered) => reporting(() => keepSecret(database, name, offered)),
    seedOnce: (seed) => reporting(() => seedOnce(database, seed)),
    close: () => database.destroy(),
  };
}

type PresentedTokenRow = Pick<Schema['access_token'], 'expires_at' | 'revoked_at'> &
  Pick<Schema['authorization_record'], 'status' | 'granted_scopes' | 'person_id' | 'client_id'> & {
    authorization_id: string;
    organization_id: string;
    application_revoked_at: number | null;
  };

function compilePresentedToken(database: Kysely<Schema>): CompiledQuery<PresentedTokenRow> {
  return database
    .selectFrom('access_token as t')
    .innerJoin('authorization_record as a', 'a.id', 't.authorization_id')
    .innerJoin('application as c', 'c.client_id', 'a.client_id')
    .select([
      't.expires_at',
      't.revoked_at',
      'a.status',
      'a.granted_scopes',
      'a.person_id',
      'a.client_id',
      't.authorization_id',
      'c.organization_id',
      'c.revoked_at as application_revoked_at',
    ])
    .where('t.token_hash', '=', PLACE)
    .compile();
}

function compileCredentials(
  database: Kysely<Schema>,
): CompiledQuery<Omit<Schema['credential'], 'person_id'>> {
  return database
    .selectFrom('credential')
    .select(['id', 'source', 'issued_at', 'expires_at', 'revoked_at', 'claims'])
    .where('person_id', '=', PLACE)
    .compile();
}

function withPlaces<Row>(query: CompiledQuery<Row>, parameters: readonly unknown[]): CompiledQuery<Row> {
  return { ...query, parameters };
}

function toPresentedToken(row: PresentedTokenRow): PresentedToken {
  const inForce = row.status === 'approved' || row.status === 'consumed';
  return {
    expiresAt: row.expires_at,
    revoked: !inForce || row.revoked_at !== null || row.application_revoked_at !== null,
    authorizationId: row.authorization_id,
    userId: row.person_id ?? '',
    clientId: row.client_id,
    organizationId: row.organization_id,
    grantedScopes: row.granted_scopes === null ? [] : toTexts(row.granted_scopes),
  };
}

async function recordDirectGrant(database: Kysely<Schema>, grant: DirectGrant): Promise<void> {
  const scopes = JSON.stringify(grant.scopes);
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('authorization_record')
      .values({
        id: grant.authorizationId,
        client_id: grant.clientId,
        person_id: grant.userId,
        status: 'consumed',
        requested_scopes: scopes,
        granted_scopes: scopes,
        created_at: grant.issuedAt,
      })
      .execute();
    await transaction
      .insertInto('access_token')
      .values({
        token_hash: grant.tokenHash,
        authorization_id: grant.authorizationId,
        issued_at: grant.issuedAt,
        expires_at: grant.expiresAt,
        revoked_at: null,
      })
      .execute();
  });
}

async function keepSecret(database: Kysely<Schema>, name: string, offered: string): Promise<string> {
  await database
    .insertInto('kept_secret')
    .values({ name, secret: offered })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = await database
    .selectFrom('kept_secret')
    .select('secret')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return kept.secret;
}

async function seedOnce(database: Kysely<Schema>, { applications, people }: Seed): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    const [first, ...others] = applications;
    if (first === undefined) return false;
    // The first insert decides who of several fills the store.
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('application')
      .values(toApplicationRow(first))
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) return false;
    for (const application of others) {
      await transaction.insertInto('application').values(toApplicationRow(application)).execute();
    }
    for (const { user, credentials } of people) {
      await transaction
        .insertInto('person')
        .values({ ...user })
        .execute();
      for (const credential of credentials) {
        await transaction.insertInto('credential').values(toCredentialRow(credential, user.id)).execute();
      }
    }
    return true;
  });
}

/** Every failure of an engine is one of the store: what it says may hold what must not be shown (S27). */
async function reporting<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (cause) {
    throw new StoreUnavailable(cause);
  }
}
