/** Registers an application and gives it up: what a deployment's own file describes otherwise (V2, V7, S49). */
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { Clock, Digest, Random } from '../ports/ports.js';
import type { Store } from '../ports/store/store.js';
import { createOpaqueId, createOpaqueToken } from '../tokens/opaque-token.js';
import type { Application, IdTokenAlgorithm, TokenEndpointAuthMethod } from './application.js';
import { ApplicationsError, parseApplications } from './parse-applications.js';

/** An application that nobody knows yet. */
export interface NewApplication {
  /** Made up where absent. */
  readonly clientId?: string;
  readonly name: string;
  /** Applications of one organisation know people by the same identifiers; one of its own where absent. */
  readonly organizationId?: string;
  readonly purpose?: string;
  readonly redirectUris: readonly string[];
  /** Where a browser may be sent after a sign-out; nowhere where absent. */
  readonly postLogoutRedirectUris?: readonly string[];
  readonly scopes: readonly string[];
  /** How it proves who it is: by a secret that is made for it, by signing with its own keys, or as a public client by PKCE alone. */
  readonly proof: 'secret' | 'public' | { readonly jwks: unknown };
  /** The only accepted method; any that the proof allows where absent. `none` with a secret: the secret is for the user token alone. */
  readonly tokenEndpointAuthMethod?: TokenEndpointAuthMethod;
  /** How its ID tokens are signed; RS256 where absent. */
  readonly idTokenAlgorithm?: IdTokenAlgorithm;
  /** Whether every authorization request must be pushed first (RFC 9126 §6); not where absent. */
  readonly requirePushedAuthorizationRequests?: boolean;
  /** Whether it gets access tokens that are bound to a key of its own, and no other; not where absent. */
  readonly dpopBoundAccessTokens?: boolean;
  /** Who registers it, as the operator names them. */
  readonly createdByUserId?: string;
}

export interface RegisteredApplication {
  readonly application: Application;
  /** 256 bits, shown this once; the store keeps its SHA-256 (V7). Absent for one that has none. */
  readonly clientSecret?: string;
}

export interface RegistrationPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly catalogue: ServiceCatalogue;
}

/** Stands for the secret in the description: its hash is known in the store's form already. */
const PLACEHOLDER_SHA256 = '0'.repeat(64);

/**
 * Registers an application.
 *
 * @throws {ApplicationsError} With every problem; also where the client id is taken, be it by a revoked application.
 */
export async function registerApplication(
  requested: NewApplication,
  { store, clock, random, digest, catalogue }: RegistrationPorts,
): Promise<RegisteredApplication> {
  const secret = requested.proof === 'secret' ? createOpaqueToken(random, digest) : undefined;
  const clientId = requested.clientId ?? `app_${createOpaqueId(random)}`;
  const described = {
    client_id: clientId,
    name: requested.name,
    organization_id: requested.organizationId ?? `org_${createOpaqueId(random)}`,
    ...(requested.purpose === undefined ? {} : { purpose: requested.purpose }),
    redirect_uris: requested.redirectUris,
    ...(requested.postLogoutRedirectUris === undefined
      ? {}
      : { post_logout_redirect_uris: requested.postLogoutRedirectUris }),
    scopes: requested.scopes,
    ...(typeof requested.proof === 'object' ? { jwks: requested.proof.jwks } : {}),
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
  const [application] = parseApplications({ applications: [described] }, catalogue, toHash);
  if (application === undefined) throw new TypeError('the description must yield one application');
  const { revoked: _revoked, ...known } = application;
  const registered = { ...known, createdAt: clock.now() };
  if (!(await store.registerApplication(registered))) throw clientIdTaken(clientId);
  return { application: registered, ...(secret === undefined ? {} : { clientSecret: secret.token }) };
}

/**
 * Ends an application for good: no token of its works from the next request on (V11), and it can ask for none.
 *
 * @returns It, as it is now; `undefined` where there is none of this id. One that was revoked before stays as it was.
 */
export async function revokeApplication(
  clientId: string,
  { store, clock }: Pick<RegistrationPorts, 'store' | 'clock'>,
): Promise<Application | undefined> {
  const application = await store.findApplication(clientId);
  if (application === undefined || application.revokedAt !== undefined) return application;
  const at = clock.now();
  const revoked = { ...application, updatedAt: at, revokedAt: at };
  await store.recordApplication(revoked);
  return revoked;
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
