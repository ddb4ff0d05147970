/** Issued tokens, for every grant type (RFC 6749 §5.1, S78). */

import { omitUndefined } from '../../util/omit-undefined.js';
import { MS_PER_SECOND } from '../../util/time.js';
import type { Authorization } from '../authorization/authorization.js';
import type { Application } from '../clients/application.js';
import type { Condition } from '../conditions/condition.js';
import type { ServiceContext } from '../context.js';
import type { NewAccessToken } from '../ports/store/authorization-store.js';
import { createOpaqueToken } from './opaque-token.js';

/** Bearer tokens, or tokens bound to a key (RFC 9449). */
export type TokenType = 'Bearer' | 'DPoP';

/** Tokens in plain text, shown only once. */
export interface IssuedTokens {
  readonly authorization: Authorization;
  readonly application: Application;
  readonly accessToken: string;
  readonly tokenType: TokenType;
  readonly scopes: readonly string[];
  readonly conditions: readonly Condition[];
  /** Epoch milliseconds. */
  readonly issuedAt: number;
  readonly expiresInSeconds: number;
  readonly refreshToken?: string;
  readonly refreshTokenExpiresInSeconds?: number;
  readonly idToken?: string;
}

/** Returns the type of a token, given the thumbprint of the key that it is bound to. */
export function tokenTypeOf(jkt: string | undefined): TokenType {
  return jkt === undefined ? 'Bearer' : 'DPoP';
}

/**
 * Creates an access token and its record.
 *
 * @param jkt - The thumbprint of the key that it is bound to; absent for a bearer token.
 */
export function createAccessToken(
  jkt: string | undefined,
  { random, digest, clock, settings }: ServiceContext,
): { readonly accessToken: string; readonly record: Omit<NewAccessToken, 'scopes'> } {
  const { token, tokenHash } = createOpaqueToken(random, digest);
  const issuedAt = clock.now();
  const expiresAt = issuedAt + settings.accessTokenLifetimeSeconds * MS_PER_SECOND;
  const record = omitUndefined({ tokenHash, issuedAt, expiresAt, jkt });
  return { accessToken: token, record };
}
