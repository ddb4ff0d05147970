/** The authorization code grant with PKCE (RFC 6749 §4.1.3, RFC 7636, V8, S79–S89). */

import { omitUndefined } from '../../util/omit-undefined.js';
import { MS_PER_SECOND } from '../../util/time.js';
import { type Application, isPublicAtTokenEndpoint } from '../clients/application.js';
import { mayRequestConditions } from '../conditions/condition.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { Digest } from '../ports/ports.js';
import { allowedScopes } from '../scopes/scopes.js';
import { assertBound } from '../tokens/dpop-proof.js';
import { issueIdToken } from '../tokens/id-token.js';
import { createAccessToken, type IssuedTokens, tokenTypeOf } from '../tokens/issued-tokens.js';
import { createOpaqueId, createOpaqueToken, isTokenShaped } from '../tokens/opaque-token.js';
import { SCOPES_WITHDRAWN } from './stale-grants.js';

export interface CodeGrantRequest {
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
  /** Thumbprint of the key of the request's DPoP proof; absent without a proof. */
  readonly jkt?: string;
}

/** Creates the authorization code grant. */
export function createCodeRedemption(context: ServiceContext) {
  return {
    /**
     * Redeems a code.
     *
     * @throws {ServiceError} `invalid_grant`, the same for a code that is wrong, used, expired, or another client's, for a redirect URI, verifier
     *   or key (`dpop_jkt`) that does not match, and for a grant without remaining scopes and conditions, which is then revoked; `malformed_body`
     *   for a malformed verifier; `invalid_dpop_proof` if the client must use DPoP and did not.
     */
    async redeemCode(
      { code, redirectUri, codeVerifier, jkt }: CodeGrantRequest,
      application: Application,
    ): Promise<IssuedTokens> {
      assertBound(application, jkt);
      if (!isCodeVerifier(codeVerifier)) throw verifierMalformed();
      if (!isTokenShaped(code)) throw new ServiceError('invalid_grant');
      const { digest, random, settings, store, clock, environment } = context;
      const refresh = createOpaqueToken(random, digest);
      const { accessToken, record } = createAccessToken(jkt, context);
      // Before the code is consumed: a client that repeats the request after a failure must not seem to replay the code.
      const keys = await context.listSigningKeys();
      const redeemed = await store.redeemCode(
        omitUndefined({
          codeHash: digest.sha256(code),
          clientId: application.clientId,
          redirectUri,
          codeChallenge: toCodeChallenge(codeVerifier, digest),
          jkt,
          at: clock.now(),
          accessToken: record,
          refreshToken: omitUndefined({
            tokenHash: refresh.tokenHash,
            familyId: createOpaqueId(random),
            issuedAt: record.issuedAt,
            expiresAt: record.issuedAt + settings.refreshTokenLifetimeSeconds * MS_PER_SECOND,
            // Refresh tokens of confidential clients are bound by client authentication (RFC 9449 §5).
            jkt: isPublicAtTokenEndpoint(application) ? jkt : undefined,
          }),
          allowedScopes: allowedScopes(application, environment),
          allowsConditions: mayRequestConditions(application),
        }),
      );
      if (redeemed === undefined) throw new ServiceError('invalid_grant');
      const { authorization, scopes, conditions = [] } = redeemed;
      if (scopes.length === 0 && conditions.length === 0) {
        // The code is consumed, and its tokens were not returned.
        await store.revokeAuthorization(authorization.id, clock.now(), SCOPES_WITHDRAWN);
        throw new ServiceError('invalid_grant');
      }
      const { nonce } = authorization;
      const idToken = await issueIdToken(
        { authorization, application, accessToken, scopes, keys, nonce },
        context,
      );
      return {
        authorization,
        application,
        accessToken,
        tokenType: tokenTypeOf(jkt),
        scopes,
        conditions,
        issuedAt: record.issuedAt,
        expiresInSeconds: settings.accessTokenLifetimeSeconds,
        refreshToken: refresh.token,
        refreshTokenExpiresInSeconds: settings.refreshTokenLifetimeSeconds,
        ...omitUndefined({ idToken }),
      };
    },
  };
}

function verifierMalformed(): ServiceError {
  const message = '`code_verifier` must be 43 to 128 characters of `A-Z a-z 0-9 - . _ ~` (RFC 7636 §4.1).';
  return new ServiceError('malformed_body', {
    problems: [{ pointer: '/code_verifier', code: 'code_verifier_malformed', message }],
  });
}

/** SHA-256 in base64url: 43 characters. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Whether a string has the form of an S256 challenge (RFC 7636 §4.2, S53). Never throws. */
export function isCodeChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Whether a string has the form of a code verifier (RFC 7636 §4.1, S85). Never throws. */
export function isCodeVerifier(text: string): boolean {
  return VERIFIER.test(text);
}

/** Computes the S256 challenge of a verifier (RFC 7636 §4.2). */
export function toCodeChallenge(verifier: string, digest: Digest): string {
  return digest.sha256(verifier);
}
