/** A token for a person whom a confidential application knows, where they have granted it something (S121–S130). */
import type { Authorization } from '../authorization/authorization.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { findNamedGrant, type PersonSelector } from '../people/people.js';
import type { ActiveGrant } from '../ports/store/grant-store.js';
import { assertBound } from '../tokens/dpop-proof.js';
import { createAccessToken, type IssuedTokens, tokenTypeOf } from '../tokens/issued-tokens.js';

/** An access token under a grant that the application named by its person. */
export interface UserToken extends Omit<IssuedTokens, 'authorization'> {
  readonly authorization: Pick<Authorization, 'id' | 'userId'>;
}

function selectorMismatch(): ServiceError {
  const message = 'The selectors must all name the same person.';
  return new ServiceError('malformed_body', { problems: [{ pointer: '', code: 'selector', message }] });
}

/** Tokens under a grant that the application names by its person. */
export function createUserTokens(context: ServiceContext) {
  return {
    /**
     * Issues an access token under an active grant, without a refresh token.
     *
     * @param selectors - One or more, which must all name the same person.
     * @param jkt - The thumbprint of the key of the request's DPoP proof; absent without one.
     * @throws {ServiceError} `invalid_dpop_proof` where the application's tokens must be bound; `grant_not_found`, with one answer for an unknown person, one without an active grant, an address that the grant
     *   does not cover, and a grant of which the application has no scope left; `malformed_body` where selectors name different people.
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
      // A selector that names another person and one that names nobody are rejected alike: each reveals no more than it does alone.
      if (grants.some((one) => one?.userId !== grant.userId)) throw selectorMismatch();
      const { authorizationId, userId, scopes } = grant;
      const { accessToken, kept } = createAccessToken(jkt, context);
      if (!(await context.store.recordAccessToken(authorizationId, { ...kept, scopes })))
        throw new ServiceError('grant_not_found');
      return {
        authorization: { id: authorizationId, userId },
        application,
        accessToken,
        tokenType: tokenTypeOf(jkt),
        scopes,
        issuedAt: kept.issuedAt,
        expiresInSeconds: context.settings.accessTokenLifetimeSeconds,
      };
    },
  };
}
