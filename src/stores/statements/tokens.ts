/** Statements on access and refresh tokens: look-ups, rotation, revocation (V7, V9, V11). */
import type { CompiledQuery, Kysely, Selectable } from 'kysely';
import { isInForce } from '../../service/authorization/authorization.js';
import { statesAllowing } from '../../service/authorization/transitions.js';
import type {
  NewAccessToken,
  PresentedRefreshToken,
  PresentedToken,
  Rotation,
} from '../../service/ports/store.js';
import type { Schema } from '../schema.js';
import { toAuthorization, toTexts } from './rows.js';

type PresentedTokenRow = Pick<Schema['access_token'], 'issued_at' | 'expires_at' | 'revoked_at' | 'scopes'> &
  Pick<Schema['authorization_record'], 'status' | 'person_id' | 'client_id'> & {
    authorization_id: string;
    organization_id: string;
    application_revoked_at: number | null;
  };

/** The one look-up of every bearer request, compiled once; the token's hash is its only value. */
export function compilePresentedToken(database: Kysely<Schema>): CompiledQuery<PresentedTokenRow> {
  return database
    .selectFrom('access_token as t')
    .innerJoin('authorization_record as a', 'a.id', 't.authorization_id')
    .innerJoin('application as c', 'c.client_id', 'a.client_id')
    .select([
      't.issued_at',
      't.expires_at',
      't.revoked_at',
      't.scopes',
      'a.status',
      'a.person_id',
      'a.client_id',
      't.authorization_id',
      'c.organization_id',
      'c.revoked_at as application_revoked_at',
    ])
    .where('t.token_hash', '=', '')
    .compile();
}

export function toPresentedToken(row: PresentedTokenRow): PresentedToken {
  return {
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    revoked: !isInForce(row.status) || row.revoked_at !== null || row.application_revoked_at !== null,
    authorizationId: row.authorization_id,
    userId: row.person_id ?? '',
    clientId: row.client_id,
    organizationId: row.organization_id,
    grantedScopes: toTexts(row.scopes),
  };
}

export async function insertAccessToken(
  transaction: Kysely<Schema>,
  authorizationId: string,
  familyId: string | null,
  token: NewAccessToken,
): Promise<void> {
  await transaction
    .insertInto('access_token')
    .values({
      token_hash: token.tokenHash,
      authorization_id: authorizationId,
      family_id: familyId,
      scopes: JSON.stringify(token.scopes),
      issued_at: token.issuedAt,
      expires_at: token.expiresAt,
      revoked_at: null,
    })
    .execute();
}

export async function recordAccessToken(
  database: Kysely<Schema>,
  authorizationId: string,
  token: NewAccessToken,
): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    const inForce = await touch(transaction, authorizationId, token.issuedAt);
    if (inForce) await insertAccessToken(transaction, authorizationId, null, token);
    return inForce;
  });
}

export async function findRefreshToken(
  database: Kysely<Schema>,
  tokenHash: string,
): Promise<PresentedRefreshToken | undefined> {
  const token = await selectRefreshToken(database, tokenHash);
  if (token === undefined) return undefined;
  const row = await database
    .selectFrom('authorization_record as a')
    .innerJoin('application as c', 'c.client_id', 'a.client_id')
    .selectAll('a')
    .select('c.revoked_at as application_revoked_at')
    .where('a.id', '=', token.authorization_id)
    .executeTakeFirst();
  // Swept between the two statements.
  if (row === undefined) return undefined;
  const spent =
    token.rotated_at !== null ||
    token.revoked_at !== null ||
    !isInForce(row.status) ||
    row.application_revoked_at !== null;
  return {
    issuedAt: token.issued_at,
    expiresAt: token.expires_at,
    spent,
    authorization: toAuthorization(row),
  };
}

export async function rotateRefreshToken(database: Kysely<Schema>, rotation: Rotation): Promise<boolean> {
  const { tokenHash, clientId, nextTokenHash, accessToken, at } = rotation;
  return await database.transaction().execute(async (transaction) => {
    const rotated = await transaction
      .updateTable('refresh_token')
      .set({ rotated_at: at })
      .where('token_hash', '=', tokenHash)
      .where('rotated_at', 'is', null)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', at)
      .where(({ exists, selectFrom }) =>
        // By the token's own authorization: a client may have a million others.
        exists(
          selectFrom('authorization_record as a')
            .select('a.id')
            .whereRef('a.id', '=', 'refresh_token.authorization_id')
            .where('a.client_id', '=', clientId),
        ),
      )
      .returningAll()
      .executeTakeFirst();
    if (rotated === undefined) {
      await revokeReplayed(transaction, rotation);
      return false;
    }
    if (!(await touch(transaction, rotated.authorization_id, at))) return false;
    await transaction
      .insertInto('refresh_token')
      .values({
        ...rotated,
        token_hash: nextTokenHash,
        generation: rotated.generation + 1,
        issued_at: at,
        rotated_at: null,
      })
      .execute();
    await insertAccessToken(transaction, rotated.authorization_id, rotated.family_id, accessToken);
    return true;
  });
}

/** A refresh token by its hash, whatever became of it. */
export async function selectRefreshToken(
  database: Kysely<Schema>,
  tokenHash: string,
): Promise<Selectable<Schema['refresh_token']> | undefined> {
  return await database
    .selectFrom('refresh_token')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** Notes that a token was issued, where the authorization and its application are in force; tells whether they are. */
async function touch(transaction: Kysely<Schema>, authorizationId: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('authorization_record')
    .set({ last_token_issued_at: at, updated_at: at })
    .where('id', '=', authorizationId)
    .where('status', 'in', statesAllowing('replay'))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('application as c')
          .select('c.client_id')
          .whereRef('c.client_id', '=', 'authorization_record.client_id')
          .where('c.revoked_at', 'is', null),
      ),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** A token that was rotated before and comes from its own client again has been copied (RFC 9700 §4.14.2). */
async function revokeReplayed(
  transaction: Kysely<Schema>,
  { tokenHash, clientId, at }: Rotation,
): Promise<void> {
  const token = await selectRefreshToken(transaction, tokenHash);
  if (token === undefined || token.rotated_at === null) return;
  await transaction
    .updateTable('authorization_record')
    .set({ status: 'revoked', revoked_at: at, updated_at: at })
    .where('id', '=', token.authorization_id)
    .where('client_id', '=', clientId)
    .where('status', 'in', statesAllowing('replay'))
    .execute();
}
