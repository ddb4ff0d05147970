/** Binds an authorization to the browser that began it, and forms to that browser and to who is signed in there (S60, S65). */
import type { ServiceContext } from '../context.js';
import { createOpaqueToken } from '../tokens/opaque-token.js';
import type { Authorization } from './authorization.js';

/** Creates a key for a browser that has none: 256 bits, kept by its cookie alone. */
export function createBrowserKey({ random, digest }: ServiceContext): string {
  return createOpaqueToken(random, digest).token;
}

/** Whether this browser began the authorization. An authorization that no browser began belongs to none. */
export function isBegunBy(
  { browserHash }: Authorization,
  browserKey: string | undefined,
  { digest }: ServiceContext,
): boolean {
  return (
    browserKey !== undefined &&
    browserHash !== undefined &&
    digest.equal(digest.sha256(browserKey), browserHash)
  );
}

/** What a form is for: a page of its own, or one page for each authorization. */
export type FormPurpose = 'sign-in' | 'grants' | `consent:${string}`;

/** What a form was rendered for. */
export interface FormBinding {
  readonly browserKey: string;
  readonly purpose: FormPurpose;
  /** The session that the page showed; absent where nobody was signed in. */
  readonly session?: string | undefined;
}

/** Returns the token that a form carries: it is valid only at the browser, for the purpose and in the session it was rendered for. */
export function csrfToken({ browserKey, purpose, session }: FormBinding, { digest }: ServiceContext): string {
  return digest.hmacSha256(browserKey, JSON.stringify(['csrf', purpose, session ?? null]));
}

/** Whether a form carries the token of what it is submitted for. */
export function isCsrfToken(
  token: string | undefined,
  binding: FormBinding,
  context: ServiceContext,
): boolean {
  return token !== undefined && context.digest.equal(token, csrfToken(binding, context));
}

/**
 * Returns the nonce that binds an external sign-in to the browser that was sent there, so that nobody can sign another's browser in as
 * themselves.
 *
 * @param authorizationId - The authorization that waits for the person; empty where there is none.
 */
export function signInNonce(browserKey: string, authorizationId: string, { digest }: ServiceContext): string {
  return digest.hmacSha256(browserKey, JSON.stringify(['sign-in', authorizationId]));
}
