/** What a token is good for, told to the client that it was issued to and to nobody else (RFC 7662, S118, S119). */
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { isTokenShaped } from './opaque-token.js';

/** A living token of the asking client. Instants are epoch milliseconds. */
export interface ActiveToken {
  readonly tokenType: 'access_token' | 'refresh_token';
  readonly scopes: readonly string[];
  readonly subject: string;
  readonly authorizationId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** @returns `undefined` for a token that is unknown, expired, revoked or another client's: all look alike. */
export async function introspect(
  token: string,
  { clientId, organizationId }: Application,
  { store, digest, clock, identifiers }: ServiceContext,
): Promise<ActiveToken | undefined> {
  if (!isTokenShaped(token)) return undefined;
  const [tokenHash, now] = [digest.sha256(token), clock.now()];
  const access = await store.findPresentedToken(tokenHash);
  if (access !== undefined) {
    if (access.revoked || access.expiresAt <= now || access.clientId !== clientId) return undefined;
    const { grantedScopes: scopes, authorizationId, issuedAt, expiresAt, userId } = access;
    const subject = identifiers.subject(organizationId, userId);
    return { tokenType: 'access_token', scopes, subject, authorizationId, issuedAt, expiresAt };
  }
  const refresh = await store.findRefreshToken(tokenHash);
  if (refresh === undefined || refresh.spent || refresh.expiresAt <= now) return undefined;
  const { authorization, issuedAt, expiresAt } = refresh;
  if (authorization.clientId !== clientId || authorization.userId === undefined) return undefined;
  return {
    tokenType: 'refresh_token',
    scopes: authorization.grantedScopes ?? [],
    subject: identifiers.subject(organizationId, authorization.userId),
    authorizationId: authorization.id,
    issuedAt,
    expiresAt,
  };
}
