/** A token for a person whom a confidential application knows, where they have granted it something (S121–S130). */
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { createAccessToken, type IssuedTokens } from '../tokens/issued-tokens.js';
import { findUser, type UserSelector } from '../users/user-selector.js';

/**
 * Issues an access token under a living grant, without a refresh token.
 *
 * @throws {ServiceError} `grant_not_found`, with one answer for no such person and no living grant.
 */
export async function issueUserToken(
  selector: UserSelector,
  application: Application,
  context: ServiceContext,
): Promise<IssuedTokens> {
  const user = await findUser(selector, application.organizationId, context);
  const grant = user && (await context.store.findLivingGrant(application.clientId, user.id));
  if (grant === undefined) throw new ServiceError('grant_not_found');
  const scopes = grant.grantedScopes ?? [];
  const { accessToken, kept } = createAccessToken(scopes, context);
  if (!(await context.store.recordAccessToken(grant.id, kept))) throw new ServiceError('grant_not_found');
  return {
    authorization: grant,
    application,
    accessToken,
    scopes,
    issuedAt: kept.issuedAt,
    expiresInSeconds: context.settings.accessTokenLifetimeSeconds,
  };
}
