/** Revoking tokens and authorizations: one's own only, and an unknown one is no error (RFC 7009, S108–S117). */
import type { ClientCredentials } from '../clients/authenticate-client.js';
import { authenticateClient } from '../clients/authenticate-client.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { isTokenShaped } from './opaque-token.js';

export interface RevocationRequest {
  readonly tokens: readonly string[];
  readonly authorizationId?: string;
  readonly cascade: boolean;
}

/** What came of one subject. */
export interface RevocationDetail {
  readonly subject: 'token' | 'authorization';
  readonly status: 'revoked' | 'not_found';
  readonly tokenType?: 'access_token' | 'refresh_token';
  readonly authorizationId?: string;
  /** The person, as this client knows them. */
  readonly userId?: string;
}

export interface RevocationResult {
  readonly clientId: string;
  readonly revokedCount: number;
  /** One entry a subject, in the order in which they were given; a token that was given twice counts once. */
  readonly details: readonly RevocationDetail[];
}

/**
 * Revokes tokens and, where it is named, an authorization with all its tokens.
 *
 * @throws {ServiceError} `invalid_client` where a confidential client does not authenticate, or nobody is named.
 */
export async function revoke(
  request: RevocationRequest,
  credentials: ClientCredentials | undefined,
  context: ServiceContext,
): Promise<RevocationResult> {
  const application = await authenticateClient(credentials, context);
  const { clientId, organizationId } = application;
  const at = context.clock.now();
  const details: RevocationDetail[] = [];
  let revokedCount = 0;
  for (const token of new Set(request.tokens)) {
    const tokenHash = context.digest.sha256(token);
    const revoked = isTokenShaped(token)
      ? await context.store.revokeToken({ tokenHash, clientId, cascade: request.cascade, at })
      : undefined;
    if (revoked?.changed === true) revokedCount += 1;
    details.push(
      revoked?.changed === true
        ? {
            subject: 'token',
            status: 'revoked',
            tokenType: revoked.tokenType,
            authorizationId: revoked.authorizationId,
            userId: context.identifiers.subject(organizationId, revoked.userId),
          }
        : { subject: 'token', status: 'not_found' },
    );
  }
  if (request.authorizationId !== undefined) {
    const detail = await revokeOwnAuthorization(request.authorizationId, clientId, at, context);
    if (detail.status === 'revoked') revokedCount += 1;
    details.push(detail);
  }
  if (details.length === 0) throw new ServiceError('malformed_body');
  return { clientId, revokedCount, details };
}

async function revokeOwnAuthorization(
  authorizationId: string,
  clientId: string,
  at: number,
  { store }: ServiceContext,
): Promise<RevocationDetail> {
  const authorization = await store.findAuthorization(authorizationId);
  const own = authorization?.clientId === clientId;
  const outcome = own ? await store.revokeAuthorization(authorizationId, at) : undefined;
  return outcome?.done === true
    ? { subject: 'authorization', status: 'revoked', authorizationId }
    : { subject: 'authorization', status: 'not_found' };
}
