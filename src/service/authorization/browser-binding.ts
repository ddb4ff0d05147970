/** What ties an authorization to the browser that began it, and a form to both (S60, S65). */
import type { ServiceContext } from '../context.js';
import { createOpaqueToken } from '../tokens/opaque-token.js';
import type { Authorization } from './authorization.js';

/** A key for a browser that has none: 256 bits, kept by its cookie alone. */
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

/** What a form carries to show that our own page made it for this browser and this authorization. */
export function formProof(browserKey: string, authorizationId: string, { digest }: ServiceContext): string {
  return digest.hmacSha256(browserKey, `consent:${authorizationId}`);
}

/** Whether a form carries that proof. */
export function isFormProof(
  proof: string | undefined,
  browserKey: string,
  authorizationId: string,
  context: ServiceContext,
): boolean {
  return proof !== undefined && context.digest.equal(proof, formProof(browserKey, authorizationId, context));
}
