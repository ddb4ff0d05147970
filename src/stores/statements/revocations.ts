/** Giving back tokens and authorizations, all that is asked for in one transaction (S111, S113). */
import type { Kysely } from 'kysely';
import { isInForce } from '../../service/authorization/authorization.js';
import type { Revocation, RevocationOutcome, RevokedToken } from '../../service/ports/store/token-store.js';
import type { Schema } from '../schema.js';
import type { Auditing } from './auditing.js';
import { revokeAuthorization } from './authorizations.js';
import { selectRefreshToken } from './tokens.js';

export async function revoke(
  database: Kysely<Schema>,
  revocation: Revocation,
  auditing: Auditing,
): Promise<RevocationOutcome> {
  return await database.transaction().execute(async (transaction) => {
    const tokens: (RevokedToken | undefined)[] = [];
    for (const tokenHash of revocation.tokenHashes)
      tokens.push(await revokeToken(transaction, tokenHash, revocation, auditing));
    return { tokens, authorization: await revokeNamed(transaction, revocation, auditing) };
  });
}

/** Why a grant ended that its application, or who held a token of it, gave back. */
const GIVEN_BACK = 'given_back';

async function revokeToken(
  transaction: Kysely<Schema>,
  tokenHash: string,
  { clientId, cascade, at }: Revocation,
  auditing: Auditing,
): Promise<RevokedToken | undefined> {
  const access = await transaction
    .selectFrom('access_token')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  const token = access ?? (await selectRefreshToken(transaction, tokenHash));
  if (token === undefined) return undefined;
  const owner = await transaction
    .selectFrom('authorization_record as a')
    .innerJoin('application as c', 'c.client_id', 'a.client_id')
    .select(['a.person_id', 'a.status', 'a.client_id', 'c.organization_id'])
    .where('a.id', '=', token.authorization_id)
    .executeTakeFirstOrThrow();
  if (clientId !== undefined && owner.client_id !== clientId) return undefined;
  const revoked =
    access === undefined && token.family_id !== null
      ? await revokeFamily(transaction, token.family_id, at)
      : await revokeAccessToken(transaction, tokenHash, at);
  const tokenType = access === undefined ? 'refresh_token' : 'access_token';
  const { authorization_id: authorizationId } = token;
  if (revoked) {
    await auditing.tell(transaction, { authorizationId, kind: 'token_revoked', at, about: tokenType });
  }
  if (cascade) await revokeAuthorization(transaction, authorizationId, at, auditing, GIVEN_BACK);
  if (!revoked || token.expires_at <= at || !isInForce(owner.status)) return undefined;
  return {
    tokenType,
    authorizationId,
    userId: owner.person_id ?? '',
    clientId: owner.client_id,
    organizationId: owner.organization_id,
  };
}

async function revokeNamed(
  transaction: Kysely<Schema>,
  { authorizationId, clientId, at }: Revocation,
  auditing: Auditing,
): Promise<boolean> {
  if (authorizationId === undefined || clientId === undefined) return false;
  const own = await transaction
    .selectFrom('authorization_record')
    .select('id')
    .where('id', '=', authorizationId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (own === undefined) return false;
  return (await revokeAuthorization(transaction, authorizationId, at, auditing, GIVEN_BACK))?.done === true;
}

/** Tells whether the token was not revoked before. */
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

/** Ends every token of a family; tells whether it had a living generation. */
async function revokeFamily(transaction: Kysely<Schema>, familyId: string, at: number): Promise<boolean> {
  const revoked = await revokeLivingGeneration(transaction, familyId, at);
  // Only now: what held the living generation until here may have issued one more.
  await transaction
    .updateTable('access_token')
    .set({ revoked_at: at })
    .where('family_id', '=', familyId)
    .where('revoked_at', 'is', null)
    .execute();
  return revoked;
}

/** A rotation that commits while we wait for it leaves a generation that our statement does not see: the next statement does. */
async function revokeLivingGeneration(
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
    const living = await transaction
      .selectFrom('refresh_token')
      .select('token_hash')
      .where('family_id', '=', familyId)
      .where('rotated_at', 'is', null)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (living === undefined) return false;
  }
}
