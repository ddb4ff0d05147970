/** What a token request is answered with, whatever the grant (RFC 6749 §5.1, S78). */
import type { Authorization } from '../authorization/authorization.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import type { NewAccessToken } from '../ports/store/token-store.js';
import { createOpaqueToken } from './opaque-token.js';

/** Tokens in the clear: shown this once. */
export interface IssuedTokens {
  readonly authorization: Authorization;
  readonly application: Application;
  readonly accessToken: string;
  readonly scopes: readonly string[];
  /** Epoch milliseconds. */
  readonly issuedAt: number;
  readonly expiresInSeconds: number;
  readonly refreshToken?: string;
  readonly refreshTokenExpiresInSeconds?: number;
  readonly idToken?: string;
}

const MS_PER_SECOND = 1_000;

/** An access token, as it is shown and as it is kept. */
export function createAccessToken(
  scopes: readonly string[],
  { random, digest, clock, settings }: ServiceContext,
): { readonly accessToken: string; readonly kept: NewAccessToken } {
  const { token, tokenHash } = createOpaqueToken(random, digest);
  const issuedAt = clock.now();
  const expiresAt = issuedAt + settings.accessTokenLifetimeSeconds * MS_PER_SECOND;
  return { accessToken: token, kept: { tokenHash, scopes, issuedAt, expiresAt } };
}
