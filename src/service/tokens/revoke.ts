/** Revoking tokens and authorizations: one's own only, and an unknown one is no error (RFC 7009, S108–S117). */
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { RevokedToken } from '../ports/store/token-store.js';

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
  readonly clientId?: string;
  /** The person, as this client knows them. */
  readonly userId?: string;
}

export interface RevocationResult {
  readonly revokedCount: number;
  /** One entry a subject, in the order in which they were given; a token that was given twice counts once. */
  readonly details: readonly RevocationDetail[];
}

/**
 * Revokes tokens and, where it is named, an authorization with all its tokens.
 *
 * Without a client, holding a token is enough to revoke that token (a refresh token with its family), and nothing else.
 *
 * @param client - Authenticated as it is registered; revokes its own tokens and authorizations only.
 * @throws {ServiceError} `invalid_client` without a client where an authorization is named or `cascade` is set.
 */
export async function revoke(
  request: RevocationRequest,
  client: Application | undefined,
  context: ServiceContext,
): Promise<RevocationResult> {
  const { digest, store, clock } = context;
  const { authorizationId, cascade } = request;
  if (client === undefined && (authorizationId !== undefined || cascade))
    throw new ServiceError('invalid_client');
  const outcome = await store.revoke({
    tokenHashes: [...new Set(request.tokens)].map((token) => digest.sha256(token)),
    ...(authorizationId === undefined ? {} : { authorizationId }),
    ...(client === undefined ? {} : { clientId: client.clientId }),
    cascade,
    at: clock.now(),
  });
  const details: RevocationDetail[] = outcome.tokens.map((revoked) => tokenDetail(revoked, context));
  if (authorizationId !== undefined) {
    details.push(
      outcome.authorization && client !== undefined
        ? { subject: 'authorization', status: 'revoked', authorizationId, clientId: client.clientId }
        : { subject: 'authorization', status: 'not_found' },
    );
  }
  return { revokedCount: details.filter(({ status }) => status === 'revoked').length, details };
}

function tokenDetail(revoked: RevokedToken | undefined, { identifiers }: ServiceContext): RevocationDetail {
  if (revoked === undefined) return { subject: 'token', status: 'not_found' };
  const { organizationId, userId, ...detail } = revoked;
  return {
    subject: 'token',
    status: 'revoked',
    ...detail,
    userId: identifiers.subject(organizationId, userId),
  };
}
