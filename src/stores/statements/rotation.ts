/** Rotating a refresh token: of several who try at once exactly one wins, and a second try ends the grant (V9, S97). */
import type { Kysely } from 'kysely';
import type { Rotation } from '../../service/ports/store/authorization-store.js';
import type { Store } from '../../service/ports/store/store.js';
import type { Schema } from '../schema.js';
import type { Auditing } from './auditing.js';
import { canBeEnded } from './authorizations.js';
import { compileOnce } from './compile-once.js';
import { type Issuing, toAccessTokenRow } from './issuing.js';
import { selectRefreshToken } from './tokens.js';

/** @returns The method of the port, with its statements compiled. */
export function prepareRotation(
  database: Kysely<Schema>,
  issuing: Issuing,
  auditing: Auditing,
): Store['rotateRefreshToken'] {
  const rotate = compileRotate(database);
  return async (rotation) =>
    await database.transaction().execute(async (transaction) => {
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
      const row = toAccessTokenRow(authorizationId, familyId, accessToken);
      await transaction.executeQuery(issuing.insertAccessToken(row));
      const { scopes } = accessToken;
      await auditing.tell(transaction, { authorizationId, kind: 'token_refreshed', at, scopes });
      return true;
    });
}

function compileRotate(database: Kysely<Schema>) {
  return compileOnce(({ tokenHash, clientId, at }: Pick<Rotation, 'tokenHash' | 'clientId' | 'at'>) =>
    database
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
      .returning(['authorization_id', 'family_id', 'generation', 'expires_at', 'jkt']),
  );
}

/** A token that was rotated before and comes from its own client again has been copied (RFC 9700 §4.14.2). */
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
    .where(canBeEnded('replay'))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return;
  const event = { authorizationId: token.authorization_id, at };
  await auditing.tell(transaction, { ...event, kind: 'token_replayed', about: 'refresh_token' });
  await auditing.tell(transaction, { ...event, kind: 'grant_revoked', reason: 'refresh_token_replayed' });
}
