/** Statements on access and refresh tokens (V7, V9, V11). */
import type { Expression, Kysely, Selectable } from 'kysely';
import type {
  ConditionsOfGrant,
  NewAccessToken,
  NewRefreshToken,
  PresentedRefreshToken,
  PresentedToken,
  Rotation,
} from '../../service/ports/store/authorization-store.js';
import type { Store } from '../../service/ports/store/store.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { CacheableValue, RowReader } from '../read-cache.js';
import type { Schema } from '../schema.js';
import type { Sealing } from '../sealing/sealing.js';
import type { Auditing } from './auditing.js';
import { isRevocable } from './authorizations.js';
import type { CombinedStatements } from './combined.js';
import { compileOnce, isInForceAt, isRedeemed } from './conditions.js';
import {
  AUTHORIZATION_COLUMNS,
  openDetails,
  parseDetailsTypes,
  parseStringList,
  sealDetails,
  toAuthorization,
} from './rows.js';

type PresentedTokenRow = Pick<
  Schema['access_token'],
  'issued_at' | 'expires_at' | 'revoked_at' | 'scopes' | 'details' | 'jkt'
> &
  Pick<Schema['authorization_record'], 'status' | 'code_expires_at' | 'person_id' | 'client_id'> & {
    authorization_id: string;
    organization_id: string;
    application_scopes: string;
    application_details_types: string | null;
    max_evidence: Schema['application']['max_evidence'];
    application_revoked_at: number | null;
  };

/** Prepares the look-up of an access token, which every bearer request needs. */
export function preparePresentedToken(
  database: Kysely<Schema>,
  reader: RowReader,
  sealing: Sealing,
): (tokenHash: string) => Promise<CacheableValue<PresentedToken | undefined>> {
  const find = compilePresentedToken(database);
  return async (tokenHash) => {
    const row = await reader.row(find({ tokenHash }));
    return {
      value: row && toPresentedToken(row, sealing),
      weight: row === undefined ? 0 : [row.scopes, row.application_scopes, row.details ?? ''].join('').length,
      subject: `authorization:${row?.authorization_id}`,
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
        't.details',
        't.jkt',
        'a.status',
        'a.code_expires_at',
        'a.person_id',
        'a.client_id',
        't.authorization_id',
        'c.organization_id',
        'c.scopes as application_scopes',
        'c.authorization_details_types as application_details_types',
        'c.max_evidence',
        'c.revoked_at as application_revoked_at',
      ])
      .where('t.token_hash', '=', tokenHash),
  );
}

function toPresentedToken(row: PresentedTokenRow, sealing: Sealing): PresentedToken {
  return omitUndefined({
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    revoked: row.status === 'revoked' || row.revoked_at !== null || row.application_revoked_at !== null,
    authorization: omitUndefined({ status: row.status, codeExpiresAt: row.code_expires_at ?? undefined }),
    authorizationId: row.authorization_id,
    userId: row.person_id ?? '',
    clientId: row.client_id,
    organizationId: row.organization_id,
    grantedScopes: parseStringList(row.scopes),
    grantedConditions: openDetails(row.details, 'granted_details', row.authorization_id, sealing),
    applicationScopes: parseStringList(row.application_scopes),
    applicationDetailsTypes: parseDetailsTypes(row.application_details_types),
    maxEvidence: row.max_evidence ?? undefined,
    jkt: row.jkt ?? undefined,
  });
}

/** Prepares `recordAccessToken`, with compiled statements. */
export function prepareRecording(
  database: Kysely<Schema>,
  issuing: Issuing,
  auditing: Auditing,
  combined: CombinedStatements | undefined,
): Store['recordAccessToken'] {
  return async (authorizationId, token) =>
    (await combined?.record(authorizationId, token)) ??
    (await database.transaction().execute(async (transaction) => {
      const touch = issuing.touch({ authorizationId, at: token.issuedAt });
      const { numAffectedRows } = await transaction.executeQuery(touch);
      if (numAffectedRows === 0n) return false;
      const row = toAccessTokenRow(authorizationId, null, token);
      await transaction.executeQuery(issuing.insertAccessToken(row));
      const { issuedAt: at, scopes } = token;
      const event = { authorizationId, at, scopes };
      await auditing.appendEvent(transaction, { ...event, kind: 'token_issued', about: 'client_user_token' });
      return true;
    }));
}

/** Prepares the look-up of a presented refresh token. */
export function prepareRefreshToken(
  database: Kysely<Schema>,
  sealing: Sealing,
): (tokenHash: string) => Promise<PresentedRefreshToken | undefined> {
  const find = compileOnce(({ tokenHash }: { readonly tokenHash: string }) =>
    database
      .selectFrom('refresh_token as t')
      .innerJoin('authorization_record as a', 'a.id', 't.authorization_id')
      .innerJoin('application as c', 'c.client_id', 'a.client_id')
      .select(AUTHORIZATION_COLUMNS.map((column) => `a.${column}` as const))
      .select([
        't.issued_at as token_issued_at',
        't.expires_at as token_expires_at',
        't.rotated_at as token_rotated_at',
        't.revoked_at as token_revoked_at',
        't.jkt as token_jkt',
        'c.revoked_at as application_revoked_at',
      ])
      .where('t.token_hash', '=', tokenHash),
  );
  return async (tokenHash) => {
    const [row] = (await database.executeQuery(find({ tokenHash }))).rows;
    if (row === undefined) return undefined;
    const rotated = row.token_rotated_at !== null;
    const spent =
      rotated ||
      row.token_revoked_at !== null ||
      // Refresh tokens are issued only for redeemed codes.
      row.status !== 'consumed' ||
      row.application_revoked_at !== null;
    return omitUndefined({
      issuedAt: row.token_issued_at,
      expiresAt: row.token_expires_at,
      spent,
      rotated,
      authorization: toAuthorization(row, sealing),
      jkt: row.token_jkt ?? undefined,
    });
  };
}

/** Finds a refresh token by its hash, active or not. */
async function selectRefreshToken(
  database: Kysely<Schema>,
  tokenHash: string,
): Promise<Selectable<Schema['refresh_token']> | undefined> {
  return await database
    .selectFrom('refresh_token')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** The compiled statements that store newly issued tokens. */
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
        details: row.details,
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
    touch: compileOnce(({ authorizationId, at }: { readonly authorizationId: string; readonly at: number }) =>
      touchGrant(database, authorizationId, at),
    ),
  };
}

/** Builds the update that records the issue of a token, if the authorization and its application are active. */
export function touchGrant(
  database: Kysely<Schema>,
  authorizationId: string | Expression<string>,
  at: number,
) {
  return database
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
    );
}

/** Converts an access token to a row. @param details - The sealed conditions of the token. Default: none. */
export function toAccessTokenRow(
  authorizationId: string,
  familyId: string | null,
  token: NewAccessToken,
  details: string | null = null,
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
    details,
  };
}

/** Converts the first refresh token of a family to a row. */
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

const NO_CONDITIONS: ConditionsOfGrant = { authorizationId: '', conditions: [] };

/** Prepares `rotateRefreshToken`, with compiled statements. */
export function prepareRotation(
  database: Kysely<Schema>,
  issuing: Issuing,
  auditing: Auditing,
  sealing: Sealing,
  combined: CombinedStatements | undefined,
): Store['rotateRefreshToken'] {
  const rotate = compileOnce((values: RotationConditions) => rotateToken(database, values));
  return async (rotation) => {
    const { authorizationId: grantId, conditions } = rotation.conditions ?? NO_CONDITIONS;
    const details = sealDetails(conditions, 'granted_details', grantId, sealing);
    return (
      (await combined?.rotate(rotation, details)) ??
      (await database.transaction().execute(async (transaction) => {
        const { nextTokenHash, accessToken, nextJkt, at } = rotation;
        const {
          rows: [rotated],
        } = await transaction.executeQuery(rotate(rotation));
        if (rotated === undefined) {
          await revokeReplayed(transaction, rotation, auditing);
          return false;
        }
        const { authorization_id: authorizationId, family_id: familyId } = rotated;
        const touched = await transaction.executeQuery(issuing.touch({ authorizationId, at }));
        if (touched.numAffectedRows === 0n) return false;
        const next = {
          ...rotated,
          token_hash: nextTokenHash,
          generation: rotated.generation + 1,
          jkt: nextJkt ?? rotated.jkt,
        };
        await transaction.executeQuery(
          issuing.insertRefreshToken({ ...next, issued_at: at, rotated_at: null, revoked_at: null }),
        );
        const row = toAccessTokenRow(authorizationId, familyId, accessToken, details);
        await transaction.executeQuery(issuing.insertAccessToken(row));
        const { scopes } = accessToken;
        await auditing.appendEvent(transaction, { authorizationId, kind: 'token_refreshed', at, scopes });
        return true;
      }))
    );
  };
}

type RotationConditions = Pick<Rotation, 'tokenHash' | 'clientId' | 'at'>;

/** Builds the update that marks an active token of a client as rotated. Excludes tokens of a withdrawn grant, since the grant can be restored. */
export function rotateToken(database: Kysely<Schema>, { tokenHash, clientId, at }: RotationConditions) {
  return database
    .updateTable('refresh_token')
    .set({ rotated_at: at })
    .where('token_hash', '=', tokenHash)
    .where('rotated_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .where(({ exists, selectFrom }) =>
      // Looks up the token's authorization by its id, since a client may have millions of authorizations.
      exists(
        selectFrom('authorization_record as a')
          .select('a.id')
          .whereRef('a.id', '=', 'refresh_token.authorization_id')
          .where('a.client_id', '=', clientId)
          .where(isRedeemed('a')),
      ),
    )
    .returning(['authorization_id', 'family_id', 'generation', 'expires_at', 'jkt']);
}

/** Revokes the authorization if its client presents an already rotated token: a replay suggests that the token was copied (RFC 9700 §4.14.2). */
async function revokeReplayed(
  transaction: Kysely<Schema>,
  { tokenHash, clientId, at }: Rotation,
  auditing: Auditing,
): Promise<void> {
  const token = await selectRefreshToken(transaction, tokenHash);
  if (token === undefined || token.rotated_at === null) return;
  const { numUpdatedRows } = await transaction
    .updateTable('authorization_record')
    .set({ status: 'revoked', revoked_at: at, updated_at: at, withdrawn_until: null })
    .where('id', '=', token.authorization_id)
    .where('client_id', '=', clientId)
    .where(isRevocable)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return;
  const event = { authorizationId: token.authorization_id, at };
  await auditing.appendEvent(transaction, { ...event, kind: 'token_replayed', about: 'refresh_token' });
  await auditing.appendEvent(transaction, {
    ...event,
    kind: 'grant_revoked',
    reason: 'refresh_token_replayed',
  });
}
