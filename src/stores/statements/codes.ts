/** Redemption of codes: of concurrent redemptions exactly one wins, and a second valid one revokes the grant (V8, D15, S80–S83). */
import type { ExpressionBuilder, Kysely } from 'kysely';
import { statesAllowing } from '../../service/authorization/authorization.js';
import type { Redemption } from '../../service/ports/store/authorization-store.js';
import type { Store } from '../../service/ports/store/store.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Schema } from '../schema.js';
import type { Sealing } from '../sealing/sealing.js';
import type { Auditing } from './auditing.js';
import type { CombinedStatements } from './combined.js';
import { compileOnce } from './conditions.js';
import { AUTHORIZATION_COLUMNS, toAuthorization } from './rows.js';
import { type Issuing, toAccessTokenRow, toFirstGeneration } from './tokens.js';

/** Number of failed redemptions after which an active code is revoked (S82). */
const MAX_FAILED_REDEMPTIONS = 5;
/** The `jkt` of a redemption without a DPoP proof. Equals no thumbprint. */
export const NO_KEY = '';

/** Prepares `redeemCode`, with compiled statements. */
export function prepareRedemption(
  database: Kysely<Schema>,
  issuing: Issuing,
  auditing: Auditing,
  sealing: Sealing,
  combined: CombinedStatements | undefined,
): Store['redeemCode'] {
  const consume = compileOnce((conditions: RedemptionConditions) =>
    consumeCode(database, conditions).returning(AUTHORIZATION_COLUMNS),
  );
  return async (redemption) =>
    (await combined?.redeem(redemption)) ??
    (await database.transaction().execute(async (transaction) => {
      const {
        rows: [row],
      } = await transaction.executeQuery(consume({ jkt: NO_KEY, ...redemption }));
      if (row === undefined) {
        if (!(await revokeReplayed(transaction, redemption, auditing)))
          await countFailure(transaction, redemption, auditing);
        return undefined;
      }
      const authorization = toAuthorization(row, sealing);
      const { id: authorizationId, grantedScopes = [] } = authorization;
      const { accessToken, refreshToken, allowedScopes, allowsConditions = false, at } = redemption;
      const scopes = grantedScopes.filter((scope) => allowedScopes?.includes(scope) ?? true);
      const details = allowsConditions ? row.granted_details : null;
      const token = { ...accessToken, scopes };
      const access = toAccessTokenRow(authorizationId, refreshToken.familyId, token, details);
      await transaction.executeQuery(issuing.insertAccessToken(access));
      const refresh = toFirstGeneration(authorizationId, refreshToken);
      await transaction.executeQuery(issuing.insertRefreshToken(refresh));
      const issued = {
        authorizationId,
        at,
        scopes,
        kind: 'token_issued',
        about: 'authorization_code',
      } as const;
      await auditing.appendEvent(transaction, issued);
      const conditions = allowsConditions ? authorization.grantedConditions : undefined;
      return { authorization, scopes, ...omitUndefined({ conditions }) };
    }));
}

/** Values that must match for a redemption. */
type RedemptionConditions = Required<
  Omit<Redemption, 'accessToken' | 'refreshToken' | 'allowedScopes' | 'allowsConditions'>
>;

/** Marks the grant of a valid code as redeemed. */
export function consumeCode(
  database: Kysely<Schema>,
  { codeHash, clientId, redirectUri, codeChallenge, jkt, at }: RedemptionConditions,
) {
  return database
    .updateTable('authorization_record')
    .set({ status: 'consumed', updated_at: at, last_token_issued_at: at })
    .where('code_hash', '=', codeHash)
    .where('client_id', '=', clientId)
    .where('redirect_uri', '=', redirectUri)
    .where('code_challenge', '=', codeChallenge)
    .where(isBoundTo(jkt))
    .where('status', 'in', statesAllowing('redeem'))
    .where('code_expires_at', '>', at);
}

/** Condition for codes that are bound to this key or unbound (RFC 9449 §10). */
function isBoundTo(jkt: string) {
  return ({ eb, or }: ExpressionBuilder<Schema, 'authorization_record'>) =>
    or([eb('dpop_jkt', 'is', null), eb('dpop_jkt', '=', jkt)]);
}

/** Revokes the grant after a second valid redemption: the code and verifier have leaked (RFC 6749 §4.1.2). */
async function revokeReplayed(
  transaction: Kysely<Schema>,
  redemption: Redemption,
  auditing: Auditing,
): Promise<boolean> {
  const { codeHash, clientId, redirectUri, codeChallenge, jkt = NO_KEY, at } = redemption;
  const replayed = await transaction
    .updateTable('authorization_record')
    .set({ status: 'revoked', revoked_at: at, updated_at: at, withdrawn_until: null })
    .where('code_hash', '=', codeHash)
    .where('client_id', '=', clientId)
    .where('redirect_uri', '=', redirectUri)
    .where('code_challenge', '=', codeChallenge)
    .where(isBoundTo(jkt))
    // A withdrawn grant can still be restored. Its code was redeemed, so this is a replay as well and makes the withdrawal final.
    .where((where) => where.or([where('status', '=', 'consumed'), where('withdrawn_until', 'is not', null)]))
    .returning('id')
    .executeTakeFirst();
  if (replayed === undefined) return false;
  const event = { authorizationId: replayed.id, at };
  await auditing.appendEvent(transaction, { ...event, kind: 'token_replayed', about: 'authorization_code' });
  await auditing.appendEvent(transaction, { ...event, kind: 'grant_revoked', reason: 'code_replayed' });
  return true;
}

/** Counts a failed redemption of an active code. Revokes the code at the fifth failure, or if it has expired. */
async function countFailure(
  transaction: Kysely<Schema>,
  { codeHash, at }: Redemption,
  auditing: Auditing,
): Promise<void> {
  // A single failure must not revoke the code, or anyone who has seen it could revoke it.
  const row = await transaction
    .updateTable('authorization_record')
    .set((column) => ({ failed_redemptions: column('failed_redemptions', '+', 1) }))
    .where('code_hash', '=', codeHash)
    .where('status', 'in', statesAllowing('code_expired'))
    .returning(['id', 'failed_redemptions', 'code_expires_at'])
    .executeTakeFirst();
  if (row === undefined) return;
  const isExpired = row.code_expires_at !== null && row.code_expires_at <= at;
  if (!isExpired && row.failed_redemptions < MAX_FAILED_REDEMPTIONS) return;
  const { numUpdatedRows } = await transaction
    .updateTable('authorization_record')
    .set({ status: 'revoked', revoked_at: at, updated_at: at })
    .where('id', '=', row.id)
    .where('status', 'in', statesAllowing('code_expired'))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return;
  const reason = isExpired ? 'code_expired' : 'code_guessed';
  await auditing.appendEvent(transaction, { authorizationId: row.id, kind: 'grant_revoked', at, reason });
}
