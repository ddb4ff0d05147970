/** Registers and revokes single applications and replaces their secrets, as an alternative to the applications file (V2, V7, S49). */
import type { EvidenceLevel } from '../../engine/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { Clock, Digest, Random } from '../ports/ports.js';
import type { Store } from '../ports/store/store.js';
import { createOpaqueId, createOpaqueToken } from '../tokens/opaque-token.js';
import type { Application, IdTokenAlgorithm, TokenEndpointAuthMethod } from './application.js';
import { ApplicationsError, parseApplications } from './parse-applications.js';

/** An application to be registered. */
export interface NewApplication {
  /** Default: generated. */
  readonly clientId?: string;
  readonly name: string;
  /** Applications of one organization get the same pairwise identifiers. Default: generated. */
  readonly organizationId?: string;
  readonly organizationName?: string;
  /** An image as a data URL. */
  readonly logoUri?: string;
  readonly policyUri?: string;
  readonly tosUri?: string;
  readonly purpose?: string;
  readonly redirectUris: readonly string[];
  /** Redirect URIs after a sign-out. */
  readonly postLogoutRedirectUris?: readonly string[];
  readonly scopes: readonly string[];
  /** The types of authorization details that it may request (RFC 9396 §10). Default: none. */
  readonly authorizationDetailsTypes?: readonly string[];
  /** The most evidence that results for the application contain. Default: `full`. */
  readonly maxEvidence?: EvidenceLevel;
  /** How the client authenticates: with a generated secret, with signatures by its keys, or not at all (`public`, PKCE only). */
  readonly authentication: 'secret' | 'public' | { readonly jwks: unknown };
  /**
   * The only accepted method. Default: each method that `authentication` allows. With `none`, a secret authenticates only user-token requests and the list
   * of grants.
   */
  readonly tokenEndpointAuthMethod?: TokenEndpointAuthMethod;
  /** Algorithm of its ID tokens. Default: RS256. */
  readonly idTokenAlgorithm?: IdTokenAlgorithm;
  /** Whether every authorization request must be pushed first (RFC 9126 §6). Default: false. */
  readonly requirePushedAuthorizationRequests?: boolean;
  /** Whether its access tokens must be bound to a key of the client. Default: false. */
  readonly dpopBoundAccessTokens?: boolean;
  /** The user who registers it, by a name or id that the operator chooses. */
  readonly createdByUserId?: string;
}

export interface RegisteredApplication {
  readonly application: Application;
  /** 256 bits, shown only once; the store keeps its SHA-256 (V7). Absent for a client without a secret. */
  readonly clientSecret?: string;
}

export interface RegistrationPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly catalogue: ServiceCatalogue;
}

/** Has the form of a `secret_sha256`. The parser replaces it with `secret.tokenHash`, which is not hexadecimal. */
const PLACEHOLDER_SHA256 = '0'.repeat(64);

/**
 * Registers an application.
 *
 * @throws {ApplicationsError} With every problem; also if the client id is taken, even by a revoked application.
 */
export async function registerApplication(
  requested: NewApplication,
  { store, clock, random, digest, catalogue }: RegistrationPorts,
): Promise<RegisteredApplication> {
  const secret = requested.authentication === 'secret' ? createOpaqueToken(random, digest) : undefined;
  const clientId = requested.clientId ?? `app_${createOpaqueId(random)}`;
  const entry = {
    client_id: clientId,
    name: requested.name,
    organization_id: requested.organizationId ?? `org_${createOpaqueId(random)}`,
    ...omitUndefined({
      organization_name: requested.organizationName,
      logo_uri: requested.logoUri,
      policy_uri: requested.policyUri,
      tos_uri: requested.tosUri,
      purpose: requested.purpose,
    }),
    redirect_uris: requested.redirectUris,
    ...(requested.postLogoutRedirectUris === undefined
      ? {}
      : { post_logout_redirect_uris: requested.postLogoutRedirectUris }),
    scopes: requested.scopes,
    ...(requested.authorizationDetailsTypes === undefined
      ? {}
      : { authorization_details_types: requested.authorizationDetailsTypes }),
    ...(requested.maxEvidence === undefined ? {} : { max_evidence: requested.maxEvidence }),
    ...(typeof requested.authentication === 'object' ? { jwks: requested.authentication.jwks } : {}),
    ...(secret === undefined ? {} : { secret_sha256: PLACEHOLDER_SHA256 }),
    ...(requested.tokenEndpointAuthMethod === undefined
      ? {}
      : { token_endpoint_auth_method: requested.tokenEndpointAuthMethod }),
    ...(requested.idTokenAlgorithm === undefined
      ? {}
      : { id_token_signed_response_alg: requested.idTokenAlgorithm }),
    ...(requested.requirePushedAuthorizationRequests === undefined
      ? {}
      : { require_pushed_authorization_requests: requested.requirePushedAuthorizationRequests }),
    ...(requested.dpopBoundAccessTokens === undefined
      ? {}
      : { dpop_bound_access_tokens: requested.dpopBoundAccessTokens }),
    ...(requested.createdByUserId === undefined ? {} : { created_by_user_id: requested.createdByUserId }),
  };
  const toHash = () => secret?.tokenHash ?? '';
  const [application] = parseApplications({ applications: [entry] }, catalogue, toHash);
  if (application === undefined) throw new TypeError('the entry must yield one application');
  const { revoked: _revoked, ...configured } = application;
  const registered = { ...configured, createdAt: clock.now() };
  if (!(await store.insertApplication(registered))) throw clientIdTaken(clientId);
  return { application: registered, ...(secret === undefined ? {} : { clientSecret: secret.token }) };
}

/**
 * Revokes an application for good. Its tokens stop working with the next request (V11), and no new tokens are issued to it.
 *
 * @returns The revoked application; `undefined` for an unknown id. An application that was already revoked is unchanged.
 */
export async function revokeApplication(
  clientId: string,
  { store, clock }: Pick<RegistrationPorts, 'store' | 'clock'>,
): Promise<Application | undefined> {
  const at = clock.now();
  const revoked = await store.updateApplication(clientId, { revokedAt: at, updatedAt: at });
  return revoked ?? (await store.findApplication(clientId));
}

/**
 * Replaces the secret of an application. The previous secret is rejected from the next request on, on every instance.
 *
 * @returns The new secret; `undefined` for an unknown id.
 * @throws {TypeError} If the application has no secret, or was revoked.
 */
export async function rotateClientSecret(
  clientId: string,
  { store, clock, random, digest }: Omit<RegistrationPorts, 'catalogue'>,
): Promise<string | undefined> {
  const { token, tokenHash } = createOpaqueToken(random, digest);
  const changes = { secretHash: tokenHash, updatedAt: clock.now() };
  if ((await store.updateApplication(clientId, changes)) !== undefined) return token;
  const application = await store.findApplication(clientId);
  if (application === undefined) return undefined;
  if (application.revokedAt !== undefined) throw new TypeError('the application must not be revoked');
  throw new TypeError('the application must have a secret');
}

function clientIdTaken(clientId: string): ApplicationsError {
  return new ApplicationsError([
    {
      code: 'name_repeated',
      pointer: '/applications/0/client_id',
      message: `\`${clientId}\` is already registered: client ids are never reused.`,
    },
  ]);
}
