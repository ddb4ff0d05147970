/** Statements that revoke tokens and authorizations, in one transaction (S111, S113). */
import { type Kysely, sql } from 'kysely';
import { isInForce } from '../../service/authorization/authorization.js';
import type {
  Revocation,
  RevocationOutcome,
  RevokedAuthorization,
  RevokedToken,
} from '../../service/ports/store/authorization-store.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Schema } from '../schema.js';
import type { Auditing } from './auditing.js';
import { revokeAuthorization } from './authorizations.js';
import type { CombinedStatements } from './combined.js';

export async function revokeTokens(
  database: Kysely<Schema>,
  revocation: Revocation,
  auditing: Auditing,
  combined: CombinedStatements | undefined,
): Promise<RevocationOutcome> {
  const outcome = await combined?.revoke(revocation);
  if (outcome !== undefined) return outcome;
  const { tokenHashes, clientId, cascade, at } = revocation;
  return await database.transaction().execute(async (transaction) => {
    const found: (FoundToken | undefined)[] = [];
    for (const tokenHash of tokenHashes)
      found.push(await findToken(transaction, { tokenHash, clientId, at }));
    const own = found.filter((token) => token !== undefined);
    // Access tokens first, then families, then authorizations: in another order, a revocation could end another token of the request before that
    // token is counted as active.
    const revoked = new Set<FoundToken>();
    for (const token of own)
      if (token.familyId === undefined && (await revokeAccessToken(transaction, token.tokenHash, at)))
        revoked.add(token);
    for (const token of await revokeFamilies(transaction, own, at)) revoked.add(token);
    for (const { authorizationId: id, tokenType } of revoked)
      await auditing.appendEvent(transaction, {
        authorizationId: id,
        kind: 'token_revoked',
        at,
        about: tokenType,
      });
    const named = await findNamedAuthorization(transaction, revocation);
    const ended = [...(cascade ? own : []), ...(named === undefined ? [] : [named])];
    return {
      tokens: found.map((token) =>
        token !== undefined && revoked.has(token) && token.inForce && token.expiresAt > at
          ? toRevokedToken(token)
          : undefined,
      ),
      authorizations: await revokeAuthorizations(transaction, ended, at, auditing),
    };
  });
}

/** Audit reason for a grant that its client or a token holder revoked. */
const REVOKED_BY_CLIENT = 'given_back';

interface FoundToken extends RevokedToken, Owner {
  readonly tokenHash: string;
  /** Absent for an access token. */
  readonly familyId: string | undefined;
  readonly expiresAt: number;
}

function toRevokedToken({
  tokenType,
  authorizationId,
  userId,
  clientId,
  organizationId,
}: FoundToken): RevokedToken {
  return { tokenType, authorizationId, userId, clientId, organizationId };
}

interface TokenQuery {
  readonly tokenHash: string;
  readonly clientId: string | undefined;
  readonly at: number;
}

/** Finds a token; for an authenticated client, only if the token is its own. */
async function findToken(
  transaction: Kysely<Schema>,
  { tokenHash, clientId, at }: TokenQuery,
): Promise<FoundToken | undefined> {
  const access = transaction
    .selectFrom('access_token')
    .select([
      'authorization_id',
      'expires_at',
      sql<string | null>`cast(null as text)`.as('family_id'),
      sql.lit<TokenType>('access_token').as('token_type'),
    ])
    .where('token_hash', '=', tokenHash);
  const refresh = transaction
    .selectFrom('refresh_token')
    .select([
      'authorization_id',
      'expires_at',
      'family_id',
      sql.lit<TokenType>('refresh_token').as('token_type'),
    ])
    .where('token_hash', '=', tokenHash);
  const row = await transaction
    .selectFrom(access.unionAll(refresh).as('t'))
    .innerJoin('authorization_record as a', 'a.id', 't.authorization_id')
    .innerJoin('application as c', 'c.client_id', 'a.client_id')
    .select(['t.authorization_id', 't.expires_at', 't.family_id', 't.token_type'])
    .select(OWNER_COLUMNS)
    .executeTakeFirst();
  if (row === undefined || (clientId !== undefined && row.client_id !== clientId)) return undefined;
  return {
    ...toOwner(row.authorization_id, row, at),
    tokenHash,
    tokenType: row.token_type,
    familyId: row.family_id ?? undefined,
    expiresAt: row.expires_at,
  };
}

type TokenType = RevokedToken['tokenType'];

async function findNamedAuthorization(
  transaction: Kysely<Schema>,
  { authorizationId: id, clientId, at }: Revocation,
): Promise<Owner | undefined> {
  if (id === undefined || clientId === undefined) return undefined;
  const row = await transaction
    .selectFrom('authorization_record as a')
    .innerJoin('application as c', 'c.client_id', 'a.client_id')
    .select(OWNER_COLUMNS)
    .where('a.id', '=', id)
    .executeTakeFirst();
  return row?.client_id === clientId ? toOwner(id, row, at) : undefined;
}

interface Owner extends RevokedAuthorization {
  /** Whether the authorization is in force. */
  readonly inForce: boolean;
}

const OWNER_COLUMNS = [
  'a.person_id',
  'a.status',
  'a.code_expires_at',
  'a.client_id',
  'c.organization_id',
] as const;

function toOwner(
  authorizationId: string,
  row: Pick<Schema['authorization_record'], 'person_id' | 'status' | 'code_expires_at' | 'client_id'> &
    Pick<Schema['application'], 'organization_id'>,
  at: number,
): Owner {
  const { status, code_expires_at: codeExpiresAt } = row;
  return {
    authorizationId,
    userId: row.person_id ?? '',
    clientId: row.client_id,
    organizationId: row.organization_id,
    inForce: isInForce(omitUndefined({ status, codeExpiresAt: codeExpiresAt ?? undefined }), at),
  };
}

/** Revokes the families of refresh tokens. @returns The tokens whose family was not revoked before. */
async function revokeFamilies(
  transaction: Kysely<Schema>,
  tokens: readonly FoundToken[],
  at: number,
): Promise<readonly FoundToken[]> {
  const families = new Map<string, boolean>();
  for (const { familyId } of tokens)
    if (familyId !== undefined && !families.has(familyId))
      families.set(familyId, await revokeFamily(transaction, familyId, at));
  return tokens.filter(({ familyId }) => familyId !== undefined && families.get(familyId) === true);
}

/** Revokes authorizations, each once. @returns The authorizations that this call revoked and that were in force. */
async function revokeAuthorizations(
  transaction: Kysely<Schema>,
  authorizations: readonly Owner[],
  at: number,
  auditing: Auditing,
): Promise<readonly RevokedAuthorization[]> {
  const ended = new Map<string, RevokedAuthorization>();
  for (const { authorizationId, userId, clientId, organizationId, inForce } of authorizations) {
    const outcome = await revokeAuthorization(transaction, authorizationId, at, auditing, REVOKED_BY_CLIENT);
    if (inForce && outcome?.done === true)
      ended.set(authorizationId, { authorizationId, userId, clientId, organizationId });
  }
  return [...ended.values()];
}

/** Revokes an access token; returns false if it was revoked before. */
async function revokeAccessToken(
  transaction: Kysely<Schema>,
  tokenHash: string,
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('access_token')
    .set({ revoked_at: at })
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Revokes every token of a family; returns false if its current generation was revoked before. */
async function revokeFamily(transaction: Kysely<Schema>, familyId: string, at: number): Promise<boolean> {
  const revoked = await revokeCurrentGeneration(transaction, familyId, at);
  // After the refresh token, since a concurrent rotation may have issued another access token.
  await transaction
    .updateTable('access_token')
    .set({ revoked_at: at })
    .where('family_id', '=', familyId)
    .where('revoked_at', 'is', null)
    .execute();
  return revoked;
}

/** Retries, since the statement does not see a generation from a rotation that commits while it waits. */
async function revokeCurrentGeneration(
  transaction: Kysely<Schema>,
  familyId: string,
  at: number,
): Promise<boolean> {
  for (;;) {
    const { numUpdatedRows } = await transaction
      .updateTable('refresh_token')
      .set({ revoked_at: at })
      .where('family_id', '=', familyId)
      .where('rotated_at', 'is', null)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return true;
    const active = await transaction
      .selectFrom('refresh_token')
      .select('token_hash')
      .where('family_id', '=', familyId)
      .where('rotated_at', 'is', null)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (active === undefined) return false;
  }
}
