/** From an access token to the grant that it stems from: one look-up, nothing cached (V7, V11, S136, S148). */
import { isInForce } from '../authorization/authorization.js';
import type { Environment } from '../environment.js';
import { ServiceError } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { Digest } from '../ports/digest.js';
import type { Store } from '../ports/store/store.js';
import type { PresentedToken } from '../ports/store/token-store.js';
import { effectiveScopes } from '../scopes/effective-scopes.js';
import { isTokenShaped } from './opaque-token.js';

/** What an active access token is good for: `grantedScopes` are those that its application still has. */
export type Grant = Omit<PresentedToken, 'expiresAt' | 'revoked' | 'authorization' | 'applicationScopes'>;

interface BearerContext {
  readonly store: Store;
  readonly digest: Digest;
  readonly clock: Clock;
  readonly environment: Environment;
}

/**
 * Finds the grant of an access token.
 *
 * @throws {ServiceError} `token_expired`; `token_invalid` for one that is unknown, malformed, revoked, or of which the application has
 *   no scope left, with one message for all.
 */
export async function authenticateBearer(
  token: string,
  { store, digest, clock, environment }: BearerContext,
): Promise<Grant> {
  if (!isTokenShaped(token)) throw new ServiceError('token_invalid');
  const presented = await store.findPresentedToken(digest.sha256(token));
  if (presented === undefined || presented.revoked) throw new ServiceError('token_invalid');
  const { applicationScopes: scopes, authorization, ...grant } = presented;
  const now = clock.now();
  if (!isInForce(authorization, now)) throw new ServiceError('token_invalid');
  if (grant.expiresAt <= now) throw new ServiceError('token_expired');
  const grantedScopes = effectiveScopes(grant.grantedScopes, { ...grant, scopes }, environment);
  if (grantedScopes.length === 0) throw new ServiceError('token_invalid');
  return { ...grant, grantedScopes };
}
