/** Revoking tokens and authorizations: one's own only, and an unknown one is no error (RFC 7009, S108–S117). */
import type { ClientCredentials } from '../clients/authenticate-client.js';
import { authenticateClient } from '../clients/authenticate-client.js';
import type { ServiceContext } from '../context.js';
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
 * Who shows no client at all may give back the tokens that it holds: holding one is proof enough for it.
 *
 * @throws {ServiceError} `invalid_client` where a confidential client does not authenticate, or nobody does and an authorization is named.
 */
export async function revoke(
  request: RevocationRequest,
  credentials: ClientCredentials | undefined,
  context: ServiceContext,
): Promise<RevocationResult> {
  const { digest, store, clock } = context;
  const { authorizationId, cascade } = request;
  const anonymous = credentials === undefined && authorizationId === undefined;
  const client = anonymous ? undefined : await authenticateClient(credentials, context);
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
