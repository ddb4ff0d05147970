/** Revoking tokens and authorizations: one's own only, and an unknown one is no error (RFC 7009, S108–S117). */
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { RevokedToken } from '../ports/store/authorization-store.js';

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
  /** `requested`: the request named it; `cascade`: it was revoked with a token; `not_in_force`: one reason for all that was not found. */
  readonly reason: 'requested' | 'cascade' | 'not_in_force';
}

export interface RevocationResult {
  readonly revokedCount: number;
  /** One entry a subject: the tokens in the order in which they were given, each once, then the authorizations, each once. */
  readonly details: readonly RevocationDetail[];
}

const NOT_FOUND = { status: 'not_found', reason: 'not_in_force' } as const;

/** Revocation (RFC 7009). */
export function createRevocation(context: ServiceContext) {
  return {
    /**
     * Revokes tokens and, where it is named, an authorization with all its tokens.
     *
     * Without a client, holding a token is enough to revoke that token (a refresh token with its family), and nothing else.
     *
     * @param client - Authenticated as it is registered; revokes its own tokens and authorizations only.
     * @throws {ServiceError} `invalid_client` without a client where an authorization is named or `cascade` is set.
     */
    async revoke(request: RevocationRequest, client: Application | undefined): Promise<RevocationResult> {
      const { digest, store, clock } = context;
      const { authorizationId, cascade } = request;
      if (client === undefined && (authorizationId !== undefined || cascade))
        throw new ServiceError('invalid_client');
      const outcome = await store.revokeTokens({
        tokenHashes: [...new Set(request.tokens)].map((token) => digest.sha256(token)),
        ...omitUndefined({ authorizationId }),
        ...(client === undefined ? {} : { clientId: client.clientId }),
        cascade,
        at: clock.now(),
      });
      const details: RevocationDetail[] = outcome.tokens.map((revoked) => tokenDetail(revoked, context));
      for (const { authorizationId: id, organizationId, userId, clientId } of outcome.authorizations) {
        details.push({
          subject: 'authorization',
          status: 'revoked',
          authorizationId: id,
          clientId,
          userId: context.identifiers.subject(organizationId, userId),
          reason: id === authorizationId ? 'requested' : 'cascade',
        });
      }
      if (
        authorizationId !== undefined &&
        !outcome.authorizations.some((one) => one.authorizationId === authorizationId)
      ) {
        details.push({ subject: 'authorization', ...NOT_FOUND });
      }
      return { revokedCount: details.filter(({ status }) => status === 'revoked').length, details };
    },
  };
}

function tokenDetail(revoked: RevokedToken | undefined, { identifiers }: ServiceContext): RevocationDetail {
  if (revoked === undefined) return { subject: 'token', ...NOT_FOUND };
  const { organizationId, userId, ...detail } = revoked;
  return {
    subject: 'token',
    status: 'revoked',
    ...detail,
    userId: identifiers.subject(organizationId, userId),
    reason: 'requested',
  };
}
