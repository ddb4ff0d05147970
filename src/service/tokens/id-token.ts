/** ID tokens: who agreed, for which client, when (V10, S177; OpenID Connect Core §2). */
import type { Authorization } from '../authorization/authorization.js';
import type { OrganizationView } from '../claims/organization-view.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ID_TOKEN_LIFETIME_SECONDS, signingKeyAt } from '../keys/signing-key.js';

const MS_PER_SECOND = 1_000;
/** Half of a SHA-256 in base64url, cut at a whole number of bytes: what `at_hash` is (OpenID Connect Core §3.1.3.6). */
const HALF_HASH_BYTES = 16;

/** What an ID token is issued beside, and for whom. */
export interface IdTokenRequest {
  readonly authorization: Authorization;
  readonly application: Application;
  readonly accessToken: string;
  /** The access token's: a refresh may have narrowed them to fewer than were granted. */
  readonly scopes: readonly string[];
  /** Handed back at the first issue only (S106). */
  readonly nonce?: string | undefined;
}

/**
 * Signs an ID token for an access token that has `openid` among its scopes or those that they imply.
 *
 * @returns `undefined` without `openid`.
 * @throws {Error} When there is no key of the client's algorithm: the service makes both at its start.
 */
export async function issueIdToken(
  { authorization, application, accessToken, scopes, nonce }: IdTokenRequest,
  context: ServiceContext,
): Promise<string | undefined> {
  const { userId } = authorization;
  if (userId === undefined || !context.catalogue.scopes.expand(scopes).has('openid')) return undefined;
  const now = context.clock.now();
  const key = signingKeyAt(await context.store.listSigningKeys(), application.idTokenAlgorithm, now);
  if (key === undefined) throw new Error(`there is no signing key for ${application.idTokenAlgorithm}`);
  const issuedAt = Math.floor(now / MS_PER_SECOND);
  const authTime = authTimeOf(authorization, context.view);
  return await context.signer.sign(
    {
      iss: context.settings.issuer,
      sub: context.identifiers.subject(application.organizationId, userId),
      aud: application.clientId,
      exp: issuedAt + ID_TOKEN_LIFETIME_SECONDS,
      iat: issuedAt,
      ...(authTime === undefined ? {} : { auth_time: authTime }),
      ...(nonce === undefined ? {} : { nonce }),
      at_hash: context.digest.sha256Prefix(accessToken, HALF_HASH_BYTES),
    },
    key,
  );
}

/**
 * Returns when the person had signed in, in seconds. One session may serve several organizations, which could recognize the person by its
 * instant (V5): unless the client required a recent sign-in, a session from before the request has its instant rounded down.
 */
function authTimeOf(
  { authenticatedAt, createdAt, maxAgeSeconds }: Authorization,
  view: OrganizationView,
): number | undefined {
  if (authenticatedAt === undefined) return undefined;
  const isExact = maxAgeSeconds !== undefined || authenticatedAt >= createdAt;
  return Math.floor((isExact ? authenticatedAt : view.roundDown(authenticatedAt)) / MS_PER_SECOND);
}
