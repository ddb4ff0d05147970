/** Pushes an authorization request: a client sends its parameters directly, before the browser (RFC 9126 §2). */
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { createOpaqueToken } from '../tokens/opaque-token.js';
import { PUSHED_REQUEST_PREFIX } from './pushed-request.js';
import { type AuthorizationParameters, checkedScopes, invalid, trustedRedirectUri } from './request.js';

/** What a client gets for a request that it pushed. */
export interface PushedAuthorizationRequest {
  /** Good once, for this client. */
  readonly requestUri: string;
  readonly expiresInSeconds: number;
}

const MS_PER_SECOND = 1_000;
/** Authenticate the client that pushes; they are no parameters of the request, and are not stored. */
const CREDENTIALS: readonly string[] = ['client_secret', 'client_assertion', 'client_assertion_type'];
/** In UTF-8, as JSON: no more is stored for a caller without a secret than a URL may hold. */
const MAX_BYTES = 8_192;
const UTF8 = new TextEncoder();

/**
 * Checks a request as the authorization endpoint does, and records it for one use there.
 *
 * @param sent - Of the client that is authenticated as `application`.
 * @param jkt - The thumbprint of the key whose DPoP proof came with the request: the code is then bound to it (RFC 9449 §10.1).
 * @throws {ServiceError} For the first fault: `malformed_body`, `redirect_uri_mismatch`, `invalid_scope`, `unsupported_response_type`,
 *   `login_required`, `request_not_supported` or `invalid_dpop_proof`.
 */
export async function pushAuthorizationRequest(
  sent: AuthorizationParameters,
  application: Application,
  context: ServiceContext,
  jkt?: string,
): Promise<PushedAuthorizationRequest> {
  const parameters = new Map([...sent].filter(([name]) => !CREDENTIALS.includes(name)));
  if (!parameters.has('client_id')) throw invalid('client_id is required');
  if (parameters.has('request_uri')) throw invalid('request_uri must not be pushed');
  if (jkt !== undefined) {
    if ((parameters.get('dpop_jkt') ?? jkt) !== jkt) throw proofOfAnotherKey();
    parameters.set('dpop_jkt', jkt);
  }
  trustedRedirectUri(parameters, application, context);
  checkedScopes(parameters, application, context);
  if (UTF8.encode(JSON.stringify([...parameters])).length > MAX_BYTES)
    throw invalid(`the parameters must have at most ${MAX_BYTES} bytes in UTF-8`);
  const { store, random, digest, clock, settings } = context;
  const { token, tokenHash } = createOpaqueToken(random, digest);
  const expiresInSeconds = settings.pushedRequestLifetimeSeconds;
  await store.createPushedRequest({
    tokenHash,
    clientId: application.clientId,
    parameters,
    expiresAt: clock.now() + expiresInSeconds * MS_PER_SECOND,
  });
  return { requestUri: `${PUSHED_REQUEST_PREFIX}${token}`, expiresInSeconds };
}

function proofOfAnotherKey(): ServiceError {
  const description = 'the DPoP proof must be signed by the key that dpop_jkt names';
  return new ServiceError('invalid_dpop_proof', {}, { description });
}
