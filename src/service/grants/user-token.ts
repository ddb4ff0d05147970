/** Access tokens for a person whom a confidential client identifies, under an existing grant (S121–S130). */
import type { Authorization } from '../authorization/authorization.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { findNamedGrant, type PersonSelector } from '../people/people.js';
import type { ActiveGrant } from '../ports/store/grant-store.js';
import { assertBound } from '../tokens/dpop-proof.js';
import { createAccessToken, type IssuedTokens, tokenTypeOf } from '../tokens/issued-tokens.js';

/** An access token under a grant that was found by selectors of its person. */
export interface UserToken extends Omit<IssuedTokens, 'authorization'> {
  readonly authorization: Pick<Authorization, 'id' | 'userId'>;
}

function selectorMismatch(): ServiceError {
  const message = 'The selectors must all name the same person.';
  return new ServiceError('malformed_body', { problems: [{ pointer: '', code: 'selector', message }] });
}

/** Creates the user token grant. */
export function createUserTokens(context: ServiceContext) {
  return {
    /**
     * Issues an access token under an active grant, without a refresh token.
     *
     * @param selectors - One or more selectors, which must all identify the same person.
     * @param jkt - Thumbprint of the key of the request's DPoP proof; absent without a proof.
     * @throws {ServiceError} `invalid_dpop_proof` if the client must use DPoP and did not; `grant_not_found` if no selector finds a grant, the same
     *   for an unknown person, a person without an active grant, an address that the grant does not cover, and a grant without remaining scopes;
     *   `malformed_body` if some selectors find the grant of a person, and others find another person or nothing.
     */
    async issueUserToken(
      selectors: readonly PersonSelector[],
      application: Application,
      jkt?: string,
    ): Promise<UserToken> {
      assertBound(application, jkt);
      const grants: (ActiveGrant | undefined)[] = [];
      for (const selector of selectors) grants.push(await findNamedGrant(selector, application, context));
      const [grant] = grants.filter((one) => one !== undefined);
      if (grant === undefined) throw new ServiceError('grant_not_found');
      // A selector of another person and an unknown selector are rejected alike, so that combining selectors reveals nothing more.
      if (grants.some((one) => one?.userId !== grant.userId)) throw selectorMismatch();
      const { authorizationId, userId, scopes } = grant;
      const { accessToken, record } = createAccessToken(jkt, context);
      if (!(await context.store.recordAccessToken(authorizationId, { ...record, scopes })))
        throw new ServiceError('grant_not_found');
      return {
        authorization: { id: authorizationId, userId },
        application,
        accessToken,
        tokenType: tokenTypeOf(jkt),
        scopes,
        // Only access tokens of the authorization code flow, refreshed ones included, can evaluate conditions (S297).
        conditions: [],
        issuedAt: record.issuedAt,
        expiresInSeconds: context.settings.accessTokenLifetimeSeconds,
      };
    },
  };
}
