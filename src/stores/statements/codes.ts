/** Redeeming a code: of several who try at once exactly one wins, and a second right try ends the grant (V8, D15, S80–S83). */
import type { Kysely } from 'kysely';
import { statesAllowing } from '../../service/authorization/transitions.js';
import type { Authorization } from '../../service/index.js';
import type { NewAccessToken, NewRefreshToken, Redemption } from '../../service/ports/store.js';
import type { Schema } from '../schema.js';
import { toAuthorization } from './rows.js';
import { insertAccessToken } from './tokens.js';

/** Wrong tries at a living code; the last of them ends it (S82). */
const MAX_FAILED_REDEMPTIONS = 5;

export async function redeemCode(
  database: Kysely<Schema>,
  redemption: Redemption,
  issue: (authorization: Authorization) => {
    readonly accessToken: NewAccessToken;
    readonly refreshToken: NewRefreshToken;
  },
): Promise<Authorization | undefined> {
  return await database.transaction().execute(async (transaction) => {
    const won = await consume(transaction, redemption);
    if (won === undefined) {
      if (!(await revokeReplayed(transaction, redemption))) await countFailure(transaction, redemption);
      return undefined;
    }
    const { accessToken, refreshToken } = issue(won);
    await insertAccessToken(transaction, won.id, refreshToken.familyId, accessToken);
    await transaction
      .insertInto('refresh_token')
      .values({
        token_hash: refreshToken.tokenHash,
        authorization_id: won.id,
        family_id: refreshToken.familyId,
        generation: 1,
        issued_at: refreshToken.issuedAt,
        expires_at: refreshToken.expiresAt,
        rotated_at: null,
        revoked_at: null,
      })
      .execute();
    return won;
  });
}

async function consume(
  transaction: Kysely<Schema>,
  redemption: Redemption,
): Promise<Authorization | undefined> {
  const { codeHash, clientId, redirectUri, codeChallenge, at } = redemption;
  const row = await transaction
    .updateTable('authorization_record')
    .set({ status: 'consumed', updated_at: at, last_token_issued_at: at })
    .where('code_hash', '=', codeHash)
    .where('client_id', '=', clientId)
    .where('redirect_uri', '=', redirectUri)
    .where('code_challenge', '=', codeChallenge)
    .where('status', 'in', statesAllowing('redeem'))
    .where('code_expires_at', '>', at)
    .returningAll()
    .executeTakeFirst();
  return row && toAuthorization(row);
}

/** A second redemption that is right in everything: somebody else holds what the client holds (RFC 6749 §4.1.2). */
async function revokeReplayed(transaction: Kysely<Schema>, redemption: Redemption): Promise<boolean> {
  const { codeHash, clientId, redirectUri, codeChallenge, at } = redemption;
  const { numUpdatedRows } = await transaction
    .updateTable('authorization_record')
    .set({ status: 'revoked', revoked_at: at, updated_at: at })
    .where('code_hash', '=', codeHash)
    .where('client_id', '=', clientId)
    .where('redirect_uri', '=', redirectUri)
    .where('code_challenge', '=', codeChallenge)
    .where('status', '=', 'consumed')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** A wrong try does not burn a living code, or whoever sees it could; the fifth does, and so does the end of its lifetime. */
async function countFailure(transaction: Kysely<Schema>, { codeHash, at }: Redemption): Promise<void> {
  const row = await transaction
    .updateTable('authorization_record')
    .set((column) => ({ failed_redemptions: column('failed_redemptions', '+', 1) }))
    .where('code_hash', '=', codeHash)
    .where('status', 'in', statesAllowing('code_expired'))
    .returning(['id', 'failed_redemptions', 'code_expires_at'])
    .executeTakeFirst();
  if (row === undefined) return;
  const over = row.code_expires_at !== null && row.code_expires_at <= at;
  if (!over && row.failed_redemptions < MAX_FAILED_REDEMPTIONS) return;
  await transaction
    .updateTable('authorization_record')
    .set({ status: 'revoked', revoked_at: at, updated_at: at })
    .where('id', '=', row.id)
    .where('status', 'in', statesAllowing('code_expired'))
    .execute();
}
