/** The refresh token grant, with rotation (RFC 6749 §6, V9, S97–S107). */
import { omitUndefined } from '../../util/omit-undefined.js';
import { MS_PER_SECOND } from '../../util/time.js';
import { type Application, isPublicAtTokenEndpoint } from '../clients/application.js';
import { effectiveConditions } from '../conditions/condition.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { effectiveScopes, invalidScope, understoodScopes } from '../scopes/scopes.js';
import { assertBound } from '../tokens/dpop-proof.js';
import { issueIdToken } from '../tokens/id-token.js';
import { createAccessToken, type IssuedTokens, tokenTypeOf } from '../tokens/issued-tokens.js';
import { createOpaqueToken, isTokenShaped } from '../tokens/opaque-token.js';

export interface RefreshGrantRequest {
  readonly refreshToken: string;
  /** A subset of the granted scopes. Default: all. Does not restrict later refreshes. */
  readonly scopes?: readonly string[];
  /** A subset of the granted conditions, as a JSON text (RFC 9396 §6). Default: all. Does not restrict later refreshes. */
  readonly details?: string;
  /** Thumbprint of the key of the request's DPoP proof; absent without a proof. */
  readonly jkt?: string;
}

/** Creates the refresh token grant. */
export function createTokenRefresh(context: ServiceContext) {
  return {
    /**
     * Rotates a refresh token.
     *
     * @throws {ServiceError} `invalid_grant` for a token that is unknown, used, expired, another client's or bound to another key, and for a
     *   grant without remaining scopes and conditions, which requires a new authorization (RFC 6749 §5.2). `invalid_scope` for scopes, and
     *   `invalid_authorization_details` for conditions, that were not granted or that the application lost; `understoodScopes` ignores some of them.
     *   `invalid_dpop_proof` if the client must use DPoP and did not. A wrong key, a missing proof, wrong scopes and wrong conditions do not consume
     *   the token.
     */
    async refresh(
      { refreshToken, scopes, details, jkt }: RefreshGrantRequest,
      application: Application,
    ): Promise<IssuedTokens> {
      assertBound(application, jkt);
      const { store, digest, random, clock, settings, environment } = context;
      const at = clock.now();
      const tokenHash = digest.sha256(refreshToken);
      const presented = isTokenShaped(refreshToken) ? await store.findRefreshToken(tokenHash) : undefined;
      if (presented === undefined || presented.authorization.clientId !== application.clientId) {
        throw new ServiceError('invalid_grant');
      }
      // Only a rotated token skips the checks below, for it can never be rotated again. A withdrawn grant may be restored before the rotation.
      const { rotated } = presented;
      if (!rotated && (presented.spent || presented.expiresAt <= at)) throw new ServiceError('invalid_grant');
      // Granted scopes never change, so they can be read before the rotation.
      const granted = effectiveScopes(presented.authorization.grantedScopes ?? [], application, environment);
      // Ignores the same scopes as an authorization request does.
      const requested =
        scopes === undefined || rotated
          ? (scopes ?? granted)
          : understoodScopes(scopes, context.catalogue, granted);
      if (!rotated && presented.jkt !== undefined && presented.jkt !== jkt) throw keyMismatch();
      // A rotated token continues to the rotation, which detects the replay.
      const grantedConditions = effectiveConditions(presented.authorization.grantedConditions, application);
      if (!rotated && granted.length === 0 && grantedConditions.length === 0)
        throw new ServiceError('invalid_grant');
      const notGranted = requested.filter((scope) => !granted.includes(scope));
      if (!rotated && notGranted.length > 0) throw invalidScope('scope not granted', notGranted);
      const conditions =
        details === undefined || rotated
          ? grantedConditions
          : context.conditions.select(details, grantedConditions);
      // A token with neither scopes nor conditions has no use. `scope` cannot select nothing, so `authorization_details` is at fault.
      if (!rotated && requested.length === 0 && conditions.length === 0) throw nothingLeft();
      const next = createOpaqueToken(random, digest);
      const { accessToken, record } = createAccessToken(jkt, context);
      const rotation = {
        tokenHash,
        clientId: application.clientId,
        nextTokenHash: next.tokenHash,
        accessToken: { ...record, scopes: requested },
        conditions: { authorizationId: presented.authorization.id, conditions },
        ...(jkt !== undefined && isPublicAtTokenEndpoint(application) ? { nextJkt: jkt } : {}),
        at,
      };
      // Before the token is consumed: a client that repeats the request after a failure must not seem to replay the token.
      const keys = await context.listSigningKeys();
      if (!(await store.rotateRefreshToken(rotation))) throw new ServiceError('invalid_grant');
      const { authorization } = presented;
      const idToken = await issueIdToken(
        { authorization, application, accessToken, scopes: requested, keys },
        context,
      );
      return {
        authorization,
        application,
        accessToken,
        tokenType: tokenTypeOf(jkt),
        scopes: requested,
        conditions,
        issuedAt: record.issuedAt,
        expiresInSeconds: settings.accessTokenLifetimeSeconds,
        refreshToken: next.token,
        refreshTokenExpiresInSeconds: Math.floor((presented.expiresAt - at) / MS_PER_SECOND),
        ...omitUndefined({ idToken }),
      };
    },
  };
}

function nothingLeft(): ServiceError {
  const description = 'authorization_details must select at least one condition, since no scope is granted';
  return new ServiceError('invalid_authorization_details', {}, { description });
}

/** A bound refresh token can be used only with its key (RFC 9449 §5). */
function keyMismatch(): ServiceError {
  const description = 'the request must have a DPoP proof by the key that the refresh token is bound to';
  return new ServiceError('invalid_grant', {}, { description });
}
