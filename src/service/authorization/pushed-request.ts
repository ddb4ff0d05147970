/** The use of a pushed authorization request (RFC 9126 §4). */
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { isTokenShaped } from '../tokens/opaque-token.js';
import type { AuthorizationParameters } from './request.js';

/** How the `request_uri` of every pushed request begins (RFC 9126 §2.2); a token of 256 bits follows. */
export const PUSHED_REQUEST_PREFIX = 'urn:ietf:params:oauth:request_uri:';

/**
 * Consumes the pushed request that a `request_uri` names, and returns its parameters; `undefined` where the `request_uri` is absent or not
 * of the form that pushed requests have.
 *
 * @throws {ServiceError} `invalid_request_uri`, with one description for a request that is unknown, used, expired or another client's; that of
 *   another client is not consumed.
 */
export async function consumePushedRequest(
  requestUri: string | undefined,
  { clientId }: Application,
  { store, digest, clock }: ServiceContext,
): Promise<AuthorizationParameters | undefined> {
  if (requestUri?.startsWith(PUSHED_REQUEST_PREFIX) !== true) return undefined;
  const token = requestUri.slice(PUSHED_REQUEST_PREFIX.length);
  const parameters = isTokenShaped(token)
    ? await store.consumePushedRequest(digest.sha256(token), clientId, clock.now())
    : undefined;
  if (parameters === undefined) throw new ServiceError('invalid_request_uri');
  return parameters;
}
