/** `grant_type=refresh_token`: the next tokens of a family, each used once (RFC 6749 §6, V9, S97–S107). */
import { omitUndefined } from '../../util/omit-undefined.js';
import { MS_PER_SECOND } from '../../util/time.js';
import { type Application, isPublicAtTokenEndpoint } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { effectiveScopes, invalidScope, understoodScopes } from '../scopes/scopes.js';
import { assertBound } from '../tokens/dpop-proof.js';
import { issueIdToken } from '../tokens/id-token.js';
import { createAccessToken, type IssuedTokens, tokenTypeOf } from '../tokens/issued-tokens.js';
import { createOpaqueToken, isTokenShaped } from '../tokens/opaque-token.js';

export interface RefreshGrantRequest {
  readonly refreshToken: string;
  /** Fewer than were granted; all of them where absent. The next rotation starts from the grant again. */
  readonly scopes?: readonly string[];
  /** The thumbprint of the key of the request's DPoP proof; absent without one. */
  readonly jkt?: string;
}

/** `grant_type=refresh_token`. */
export function createTokenRefresh(context: ServiceContext) {
  return {
    /**
     * Rotates a refresh token.
     *
     * @throws {ServiceError} `invalid_grant` for a token that is none, spent, expired, another client's or bound to another key, and for one of
     *   whose grant the application has no scope left: only a new authorization helps (RFC 6749 §5.2). `invalid_scope` for scopes that were not
     *   granted, or that the application no longer has. `invalid_dpop_proof` where the application's tokens must be bound to a key. A wrong key,
     *   a missing proof and wrong scopes do not spend the token.
     */
    async refresh(
      { refreshToken, scopes, jkt }: RefreshGrantRequest,
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
      // What was granted never changes, so it may be read before the rotation that decides.
      const granted = effectiveScopes(presented.authorization.grantedScopes ?? [], application, environment);
      // Scopes that the authorization request ignored are ignored here too.
      const asked =
        scopes === undefined || presented.spent
          ? (scopes ?? granted)
          : understoodScopes(scopes, context.catalogue, granted);
      if (!presented.spent && presented.jkt !== undefined && presented.jkt !== jkt) throw keyMismatch();
      // A spent token goes on to the rotation, which detects the replay.
      if (!presented.spent && granted.length === 0) throw new ServiceError('invalid_grant');
      const notGranted = asked.filter((scope) => !granted.includes(scope));
      if (!presented.spent && notGranted.length > 0) throw invalidScope('scope not granted', notGranted);
      const next = createOpaqueToken(random, digest);
      const { accessToken, kept } = createAccessToken(jkt, context);
      const rotation = {
        tokenHash,
        clientId: application.clientId,
        nextTokenHash: next.tokenHash,
        accessToken: { ...kept, scopes: asked },
        ...(jkt !== undefined && isPublicAtTokenEndpoint(application) ? { nextJkt: jkt } : {}),
        at,
      };
      if (!(await store.rotateRefreshToken(rotation))) throw new ServiceError('invalid_grant');
      const { authorization } = presented;
      const idToken = await issueIdToken({ authorization, application, accessToken, scopes: asked }, context);
      return {
        authorization,
        application,
        accessToken,
        tokenType: tokenTypeOf(jkt),
        scopes: asked,
        issuedAt: kept.issuedAt,
        expiresInSeconds: settings.accessTokenLifetimeSeconds,
        refreshToken: next.token,
        refreshTokenExpiresInSeconds: Math.floor((presented.expiresAt - at) / MS_PER_SECOND),
        ...omitUndefined({ idToken }),
      };
    },
  };
}

/** What was granted to a key is used with this key alone (RFC 9449 §5). */
function keyMismatch(): ServiceError {
  const description = 'the request must have a DPoP proof by the key that the refresh token is bound to';
  return new ServiceError('invalid_grant', {}, { description });
}
