/** Token introspection by the client that a token was issued to (RFC 7662, S118, S119). */
import { omitUndefined } from '../../util/omit-undefined.js';
import { isInForce } from '../authorization/authorization.js';
import type { Application } from '../clients/application.js';
import { type Condition, effectiveConditions } from '../conditions/condition.js';
import type { ServiceContext } from '../context.js';
import { effectiveScopes } from '../scopes/scopes.js';
import { isTokenShaped } from './opaque-token.js';

/** An active token of the client. Instants are epoch milliseconds. */
export interface ActiveToken {
  readonly tokenType: 'access_token' | 'refresh_token';
  readonly scopes: readonly string[];
  readonly conditions: readonly Condition[];
  readonly subject: string;
  readonly authorizationId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The thumbprint of the key that it is bound to; absent for an unbound token. */
  readonly jkt?: string;
}

/** Creates the use case of introspection. */
export function createIntrospection(context: ServiceContext) {
  return {
    /**
     * Describes an active token to the client that it was issued to.
     *
     * @returns `undefined` for every inactive token: unknown, expired, revoked, issued to another client, or without remaining scopes and conditions.
     */
    async introspect(token: string, application: Application): Promise<ActiveToken | undefined> {
      const { store, digest, clock, identifiers, environment } = context;
      if (!isTokenShaped(token)) return undefined;
      const { clientId, organizationId } = application;
      const [tokenHash, now] = [digest.sha256(token), clock.now()];
      const access = await store.findAccessToken(tokenHash);
      if (access !== undefined) {
        if (access.revoked || access.expiresAt <= now || access.clientId !== clientId) return undefined;
        if (!isInForce(access.authorization, now)) return undefined;
        const { grantedScopes, grantedConditions, authorizationId, issuedAt, expiresAt, userId, jkt } =
          access;
        const scopes = effectiveScopes(grantedScopes, application, environment);
        const conditions = effectiveConditions(grantedConditions, application);
        if (scopes.length === 0 && conditions.length === 0) return undefined;
        const subject = identifiers.subject(organizationId, userId);
        const active = { scopes, conditions, subject, authorizationId, issuedAt, expiresAt };
        return { tokenType: 'access_token', ...active, ...omitUndefined({ jkt }) };
      }
      const refresh = await store.findRefreshToken(tokenHash);
      if (refresh === undefined || refresh.spent || refresh.expiresAt <= now) return undefined;
      const { authorization, issuedAt, expiresAt, jkt } = refresh;
      if (authorization.clientId !== clientId || authorization.userId === undefined) return undefined;
      const scopes = effectiveScopes(authorization.grantedScopes ?? [], application, environment);
      const conditions = effectiveConditions(authorization.grantedConditions, application);
      if (scopes.length === 0 && conditions.length === 0) return undefined;
      return {
        tokenType: 'refresh_token',
        scopes,
        conditions,
        subject: identifiers.subject(organizationId, authorization.userId),
        authorizationId: authorization.id,
        issuedAt,
        expiresAt,
        ...omitUndefined({ jkt }),
      };
    },
  };
}
