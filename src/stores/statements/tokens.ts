/** Statements on access and refresh tokens: look-ups, and tokens beside those of a code (V7, V11). */
import type { Kysely, Selectable } from 'kysely';
import type { PresentedRefreshToken, PresentedToken } from '../../service/ports/store/authorization-store.js';
import type { Store } from '../../service/ports/store/store.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Read, RowReader } from '../read-cache.js';
import type { Schema } from '../schema.js';
import type { Sealing } from '../sealing/sealing.js';
import type { Auditing } from './auditing.js';
import { compileOnce } from './compile-once.js';
import { type Issuing, toAccessTokenRow } from './issuing.js';
import { toAuthorization, toTexts } from './rows.js';

type PresentedTokenRow = Pick<
  Schema['access_token'],
  'issued_at' | 'expires_at' | 'revoked_at' | 'scopes' | 'jkt'
> &
  Pick<Schema['authorization_record'], 'status' | 'code_expires_at' | 'person_id' | 'client_id'> & {
    authorization_id: string;
    organization_id: string;
    application_scopes: string;
    application_revoked_at: number | null;
  };

/** The one look-up of every bearer request. */
export function preparePresentedToken(
  database: Kysely<Schema>,
  reader: RowReader,
): (tokenHash: string) => Promise<Read<PresentedToken | undefined>> {
  const find = compilePresentedToken(database);
  return async (tokenHash) => {
    const row = await reader.row(find({ tokenHash }));
    return {
      value: row && toPresentedToken(row),
      weight: row === undefined ? 0 : row.scopes.length + row.application_scopes.length,
    };
  };
}

function compilePresentedToken(database: Kysely<Schema>) {
  return compileOnce(({ tokenHash }: { readonly tokenHash: string }) =>
    database
      .selectFrom('access_token as t')
      .innerJoin('authorization_record as a', 'a.id', 't.authorization_id')
      .innerJoin('application as c', 'c.client_id', 'a.client_id')
      .select([
        't.issued_at',
        't.expires_at',
        't.revoked_at',
        't.scopes',
        't.jkt',
        'a.status',
        'a.code_expires_at',
        'a.person_id',
        'a.client_id',
        't.authorization_id',
        'c.organization_id',
        'c.scopes as application_scopes',
        'c.revoked_at as application_revoked_at',
      ])
      .where('t.token_hash', '=', tokenHash),
  );
}

function toPresentedToken(row: PresentedTokenRow): PresentedToken {
  return omitUndefined({
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    revoked: row.status === 'revoked' || row.revoked_at !== null || row.application_revoked_at !== null,
    authorization: omitUndefined({ status: row.status, codeExpiresAt: row.code_expires_at ?? undefined }),
    authorizationId: row.authorization_id,
    userId: row.person_id ?? '',
    clientId: row.client_id,
    organizationId: row.organization_id,
    grantedScopes: toTexts(row.scopes),
    applicationScopes: toTexts(row.application_scopes),
    jkt: row.jkt ?? undefined,
  });
}

/** @returns The method of the port, with its statements compiled. */
export function prepareRecording(
  database: Kysely<Schema>,
  issuing: Issuing,
  auditing: Auditing,
): Store['recordAccessToken'] {
  return async (authorizationId, token) =>
    await database.transaction().execute(async (transaction) => {
      const touch = issuing.touch({ authorizationId, at: token.issuedAt });
      const { numAffectedRows } = await transaction.executeQuery(touch);
      if (numAffectedRows === 0n) return false;
      const row = toAccessTokenRow(authorizationId, null, token);
      await transaction.executeQuery(issuing.insertAccessToken(row));
      const { issuedAt: at, scopes } = token;
      const event = { authorizationId, at, scopes };
      await auditing.tell(transaction, { ...event, kind: 'token_issued', about: 'client_user_token' });
      return true;
    });
}

export async function findRefreshToken(
  database: Kysely<Schema>,
  tokenHash: string,
  sealing: Sealing,
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
    // Only redeeming a code gives out refresh tokens.
    row.status !== 'consumed' ||
    row.application_revoked_at !== null;
  return omitUndefined({
    issuedAt: token.issued_at,
    expiresAt: token.expires_at,
    spent,
    authorization: toAuthorization(row, sealing),
    jkt: token.jkt ?? undefined,
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
