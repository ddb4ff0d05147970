/** ID tokens: issued with access tokens (V10, S177; OpenID Connect Core §2), and verified as `id_token_hint` (RP-Initiated Logout 1.0 §2, S250). */
import { omitUndefined } from '../../util/omit-undefined.js';
import { MS_PER_SECOND } from '../../util/time.js';
import type { Authorization } from '../authorization/authorization.js';
import { demandsNewSignIn } from '../authorization/reauthentication.js';
import type { OrganizationView } from '../claims/organization-view.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ID_TOKEN_LIFETIME_SECONDS, type SigningKey, signingKeyAt } from '../keys/signing-keys.js';

/** Length of `at_hash`: the left half of a SHA-256 (OpenID Connect Core §3.1.3.6). */
const HALF_HASH_BYTES = 16;

/** The access token and grant that an ID token is issued for. */
export interface IdTokenRequest {
  readonly authorization: Authorization;
  readonly application: Application;
  readonly accessToken: string;
  /** The scopes of the access token; after a refresh possibly fewer than granted. */
  readonly scopes: readonly string[];
  /** The keys that may sign. Read before a code or a refresh token is consumed, so that a failure consumes nothing. */
  readonly keys: readonly SigningKey[];
  /** Included in the first ID token only (S106). */
  readonly nonce?: string | undefined;
}

/**
 * Signs an ID token for an access token whose scopes include or imply `openid`.
 *
 * @returns `undefined` without `openid`.
 * @throws {Error} If there is no key for the client's algorithm; the service creates all keys at its start.
 */
export async function issueIdToken(
  { authorization, application, accessToken, scopes, keys, nonce }: IdTokenRequest,
  context: ServiceContext,
): Promise<string | undefined> {
  const { userId } = authorization;
  if (userId === undefined || !context.catalogue.scopes.expand(scopes).has('openid')) return undefined;
  const now = context.clock.now();
  const key = signingKeyAt(keys, application.idTokenAlgorithm, now);
  if (key === undefined) throw new Error(`no signing key for ${application.idTokenAlgorithm}`);
  const issuedAt = Math.floor(now / MS_PER_SECOND);
  const authTime = authTimeOf(authorization, context.view);
  return await context.signer.sign(
    {
      iss: context.settings.issuer,
      sub: context.identifiers.subject(application.organizationId, userId),
      aud: application.clientId,
      exp: issuedAt + ID_TOKEN_LIFETIME_SECONDS,
      iat: issuedAt,
      ...omitUndefined({ auth_time: authTime, nonce }),
      at_hash: context.digest.sha256Prefix(accessToken, HALF_HASH_BYTES),
    },
    key,
  );
}

/**
 * Returns when the person authenticated, in seconds. If that was before the request, the instant is rounded down, since organizations could
 * correlate people by it (V5). It is exact if the client required `max_age` or a new sign-in; the instant of a new sign-in may precede the request by
 * the clock tolerance.
 */
function authTimeOf(authorization: Authorization, view: OrganizationView): number | undefined {
  const { authenticatedAt, createdAt, maxAgeSeconds } = authorization;
  if (authenticatedAt === undefined) return undefined;
  const isExact =
    maxAgeSeconds !== undefined || demandsNewSignIn(authorization) || authenticatedAt >= createdAt;
  return Math.floor((isExact ? authenticatedAt : view.roundDown(authenticatedAt)) / MS_PER_SECOND);
}

/** The application and subject of a verified ID token. */
export interface IdTokenHint {
  readonly application: Application;
  /** The person, as the application's organization knows them. */
  readonly subject: string;
}

/**
 * Verifies that this service issued an ID token to an active application. The expiry is ignored, as RP-Initiated Logout §2 recommends, and
 * retired keys are accepted.
 *
 * @returns `undefined` for any other token. Rejects only with `StoreUnavailable`.
 */
export async function readIdTokenHint(
  text: string,
  { store, signer, settings }: Pick<ServiceContext, 'store' | 'signer' | 'settings'>,
): Promise<IdTokenHint | undefined> {
  const claims = await signer.verify(text, await store.listSigningKeys());
  if (claims === undefined || claims['iss'] !== settings.issuer) return undefined;
  const { aud: clientId, sub: subject } = claims;
  if (typeof clientId !== 'string' || typeof subject !== 'string') return undefined;
  const application = await store.findApplication(clientId);
  return application === undefined || application.revokedAt !== undefined
    ? undefined
    : { application, subject };
}
