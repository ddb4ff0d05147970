/** From an access token to the grant that it stems from: one look-up, nothing cached (V7, V11, S136, S148). */
import { ServiceError } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { Digest } from '../ports/digest.js';
import type { Store } from '../ports/store/store.js';
import type { PresentedToken } from '../ports/store/token-store.js';
import { isTokenShaped } from './opaque-token.js';

/** What a living access token is good for. */
export type Grant = Omit<PresentedToken, 'expiresAt' | 'revoked'>;

/**
 * Finds the grant of an access token.
 *
 * @throws {ServiceError} `token_expired`; `token_invalid` for one that is unknown, malformed or revoked, with one message for all.
 */
export async function authenticateBearer(
  token: string,
  { store, digest, clock }: { readonly store: Store; readonly digest: Digest; readonly clock: Clock },
): Promise<Grant> {
  if (!isTokenShaped(token)) throw new ServiceError('token_invalid');
  const presented = await store.findPresentedToken(digest.sha256(token));
  if (presented === undefined || presented.revoked) throw new ServiceError('token_invalid');
  if (presented.expiresAt <= clock.now()) throw new ServiceError('token_expired');
  return presented;
}
