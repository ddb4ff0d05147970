/** Statements that every issue of tokens is made of (V7). */
import type { Kysely } from 'kysely';
import type { NewAccessToken, NewRefreshToken } from '../../service/ports/store/authorization-store.js';
import type { Schema } from '../schema.js';
import { compileOnce } from './compile-once.js';
import { isInForceAt } from './in-force.js';

/** The statements, compiled for one database. */
export type Issuing = ReturnType<typeof compileIssuing>;

export function compileIssuing(database: Kysely<Schema>) {
  return {
    insertAccessToken: compileOnce((row: Schema['access_token']) =>
      database.insertInto('access_token').values({
        token_hash: row.token_hash,
        authorization_id: row.authorization_id,
        family_id: row.family_id,
        scopes: row.scopes,
        issued_at: row.issued_at,
        expires_at: row.expires_at,
        revoked_at: row.revoked_at,
        jkt: row.jkt,
      }),
    ),
    insertRefreshToken: compileOnce((row: Schema['refresh_token']) =>
      database.insertInto('refresh_token').values({
        token_hash: row.token_hash,
        authorization_id: row.authorization_id,
        family_id: row.family_id,
        generation: row.generation,
        issued_at: row.issued_at,
        expires_at: row.expires_at,
        rotated_at: row.rotated_at,
        revoked_at: row.revoked_at,
        jkt: row.jkt,
      }),
    ),
    /** Notes that a token was issued, where the authorization and its application are in force. */
    touch: compileOnce(({ authorizationId, at }: { readonly authorizationId: string; readonly at: number }) =>
      database
        .updateTable('authorization_record')
        .set({ last_token_issued_at: at, updated_at: at })
        .where('id', '=', authorizationId)
        .where(isInForceAt(at))
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('application as c')
              .select('c.client_id')
              .whereRef('c.client_id', '=', 'authorization_record.client_id')
              .where('c.revoked_at', 'is', null),
          ),
        ),
    ),
  };
}

/** An access token as a row of the store. */
export function toAccessTokenRow(
  authorizationId: string,
  familyId: string | null,
  token: NewAccessToken,
): Schema['access_token'] {
  return {
    token_hash: token.tokenHash,
    authorization_id: authorizationId,
    family_id: familyId,
    scopes: JSON.stringify(token.scopes),
    issued_at: token.issuedAt,
    expires_at: token.expiresAt,
    revoked_at: null,
    jkt: token.jkt ?? null,
  };
}

/** The first refresh token of a family as a row of the store. */
export function toFirstGeneration(authorizationId: string, token: NewRefreshToken): Schema['refresh_token'] {
  return {
    token_hash: token.tokenHash,
    authorization_id: authorizationId,
    family_id: token.familyId,
    generation: 1,
    issued_at: token.issuedAt,
    expires_at: token.expiresAt,
    rotated_at: null,
    revoked_at: null,
    jkt: token.jkt ?? null,
  };
}
