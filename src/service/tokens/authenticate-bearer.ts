/** From an access token to the grant that it stems from: one look-up, nothing cached (V7, V11, S136, S148). */
import { isInForce } from '../authorization/authorization.js';
import type { Environment } from '../environment.js';
import { ServiceError } from '../errors.js';
import type { PresentedToken } from '../ports/store/authorization-store.js';
import { effectiveScopes } from '../scopes/effective-scopes.js';
import { assertPossession, type DpopContext, type PresentedProof } from './dpop-proof.js';
import { isTokenShaped } from './opaque-token.js';

/** What an active access token is good for: `grantedScopes` are those that its application still has. */
export type Grant = Omit<
  PresentedToken,
  'expiresAt' | 'revoked' | 'authorization' | 'applicationScopes' | 'jkt'
>;

interface BearerContext extends DpopContext {
  readonly environment: Environment;
}

/**
 * Finds the grant of an access token.
 *
 * @param proof - Presented with a token that is bound to a key, and with no other (RFC 9449 §7).
 * @throws {ServiceError} `token_expired`; `token_invalid` for one that is unknown, malformed, revoked, or of which the application has
 *   no scope left, with one message for all, and for one that is presented by the wrong scheme; `token_proof_invalid`,
 *   `token_nonce_required`.
 */
export async function authenticateBearer(
  token: string,
  context: BearerContext,
  proof?: PresentedProof,
): Promise<Grant> {
  const { store, digest, clock, environment } = context;
  if (!isTokenShaped(token)) throw new ServiceError('token_invalid');
  const tokenHash = digest.sha256(token);
  const presented = await store.findPresentedToken(tokenHash);
  if (presented === undefined || presented.revoked) throw new ServiceError('token_invalid');
  const { applicationScopes: scopes, authorization, jkt, ...grant } = presented;
  const now = clock.now();
  if (!isInForce(authorization, now)) throw new ServiceError('token_invalid');
  if (grant.expiresAt <= now) throw new ServiceError('token_expired');
  const grantedScopes = effectiveScopes(grant.grantedScopes, { ...grant, scopes }, environment);
  if (grantedScopes.length === 0) throw new ServiceError('token_invalid');
  if (jkt !== undefined || proof !== undefined) await assertPossession(tokenHash, jkt, proof, context);
  return { ...grant, grantedScopes };
}
