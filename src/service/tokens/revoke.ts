/** Revocation of a client's own tokens and authorizations; unknown ones are not an error (RFC 7009, S108–S117). */
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { RevokedToken } from '../ports/store/authorization-store.js';

export interface RevocationRequest {
  readonly tokens: readonly string[];
  readonly authorizationId?: string;
  /** Whether the authorization of each token is revoked as well. */
  readonly cascade: boolean;
}

/** The result for one token or authorization. */
export interface RevocationDetail {
  readonly subject: 'token' | 'authorization';
  readonly status: 'revoked' | 'not_found';
  readonly tokenType?: 'access_token' | 'refresh_token';
  readonly authorizationId?: string;
  readonly clientId?: string;
  /** Pairwise identifier of the person. */
  readonly userId?: string;
  /** `requested`: named by the request; `cascade`: revoked with a token; `not_in_force`: not found, for any reason. */
  readonly reason: 'requested' | 'cascade' | 'not_in_force';
}

export interface RevocationResult {
  readonly revokedCount: number;
  /** One entry per subject: tokens in the given order without duplicates, then authorizations. */
  readonly details: readonly RevocationDetail[];
}

const NOT_FOUND = { status: 'not_found', reason: 'not_in_force' } as const;

/** Creates the use case of revocation. */
export function createRevocation(context: ServiceContext) {
  return {
    /**
     * Revokes tokens and, if given, an authorization with all its tokens; with `cascade`, also the authorization of each token.
     *
     * Without a client, holding a token is enough to revoke that token (a refresh token with its family), and nothing else.
     *
     * @param client - The authenticated client, which can revoke only its own tokens and authorizations.
     * @throws {ServiceError} `invalid_client` without a client if an authorization is given or `cascade` is set.
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
