/** Revoking tokens and authorizations: one's own only, and an unknown one is no error (RFC 7009, S108–S117). */
import type { ClientCredentials } from '../clients/authenticate-client.js';
import { authenticateClient } from '../clients/authenticate-client.js';
import type { ServiceContext } from '../context.js';

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
  const { clientId, organizationId } = await authenticateClient(credentials, context);
  const { digest, store, clock, identifiers } = context;
  const tokens = [...new Set(request.tokens)];
  const { authorizationId } = request;
  const outcome = await store.revoke({
    tokenHashes: tokens.map((token) => digest.sha256(token)),
    ...(authorizationId === undefined ? {} : { authorizationId }),
    clientId,
    cascade: request.cascade,
    at: clock.now(),
  });
  const details: RevocationDetail[] = outcome.tokens.map((revoked) => {
    if (revoked === undefined) return { subject: 'token', status: 'not_found' };
    const { userId, ...detail } = revoked;
    return {
      subject: 'token',
      status: 'revoked',
      ...detail,
      userId: identifiers.subject(organizationId, userId),
    };
  });
  if (authorizationId !== undefined) {
    details.push(
      outcome.authorization
        ? { subject: 'authorization', status: 'revoked', authorizationId }
        : { subject: 'authorization', status: 'not_found' },
    );
  }
  return { clientId, revokedCount: details.filter(({ status }) => status === 'revoked').length, details };
}
