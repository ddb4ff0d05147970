/** The service's use cases as one object, over its ports (V1–V12). */
import type { Catalogue, RegexEngine } from '../engine/index.js';
import { assertAdministrator } from './administrator.js';
import {
  type AudienceRequest,
  type EvaluatedAudience,
  evaluateAudience,
} from './audiences/evaluate-audience.js';
import {
  type Approved,
  type AuthorizationDetail,
  approveAuthorization,
  denyAuthorization,
  readAuthorization,
} from './authorization/approve.js';
import type { Authorization } from './authorization/authorization.js';
import { createBrowserKey, formProof, isBegunBy, isFormProof } from './authorization/browser-binding.js';
import {
  type AuthorizationParameters,
  type RequestOutcome,
  requestAuthorization,
} from './authorization/request.js';
import { createServiceCatalogue, type ServiceCatalogue } from './catalogue/service-catalogue.js';
import { createDerivedClaims } from './claims/derived-claims.js';
import type { Application } from './clients/application.js';
import {
  authenticateClient,
  authenticateConfidentialClient,
  type ClientCredentials,
} from './clients/authenticate-client.js';
import type { ServiceContext } from './context.js';
import { type Ingestion, ingestCredential, revokeCredential } from './credentials/ingest-credential.js';
import { type CredentialView, type ListRequest, listCredentials } from './credentials/list-credentials.js';
import type { Environment } from './environment.js';
import { ServiceError } from './errors.js';
import { type CodeGrantRequest, redeemAuthorizationCode } from './grants/authorization-code.js';
import {
  type GrantAudience,
  type GrantListRequest,
  type GrantView,
  listGrants,
} from './grants/list-grants.js';
import { type RefreshGrantRequest, refreshTokens } from './grants/refresh-token.js';
import { issueUserToken } from './grants/user-token.js';
import { keepSigningKeys } from './keys/keep-signing-keys.js';
import { publishedKeysAt } from './keys/signing-key.js';
import type { Page } from './paging.js';
import type { TrustedIssuer } from './ports/credential-verifier.js';
import type { Ports } from './ports/ports.js';
import { type PresetOutcome, resolvePresets } from './presets/resolve-presets.js';
import { answerQuery } from './queries/answer-query.js';
import { createCompiledQueryCache } from './queries/compiled-query-cache.js';
import { SANDBOX_ADMINISTRATOR_TOKEN, sandboxApplications } from './sandbox/applications.js';
import { grantSandboxToken } from './sandbox/grant-token.js';
import { sandboxPeople } from './sandbox/people.js';
import type { Settings } from './settings.js';
import { createPairwiseIdentifiers } from './subjects/pairwise-identifiers.js';
import { authenticateBearer, type Grant } from './tokens/authenticate-bearer.js';
import { type ActiveToken, introspect } from './tokens/introspect.js';
import type { IssuedTokens } from './tokens/issued-tokens.js';
import { createOpaqueToken } from './tokens/opaque-token.js';
import { type RevocationRequest, type RevocationResult, revoke } from './tokens/revoke.js';
import { readUserInfo, type UserInfo } from './user-info.js';
import type { User } from './users/user.js';
import type { UserSelector } from './users/user-selector.js';

/** What the service is built on. */
export interface ServicePorts extends Ports {
  readonly regex: RegexEngine;
}

/** Every method throws {@link ServiceError} where it refuses, and rejects with `StoreUnavailable` where the store does. */
export interface Service {
  readonly environment: Environment;
  readonly settings: Settings;
  readonly catalogue: ServiceCatalogue;
  /** Since when the service answers, and the instant that it is; epoch milliseconds. Asks nothing of the store. Never throws. */
  uptime(): { readonly startedAt: number; readonly now: number };

  /** Whether the store answers. Never rejects. */
  isReady(): Promise<boolean>;

  /** Records a request for authorization, or says what the client is to be told. `invalid_client`, `malformed_body` */
  requestAuthorization(parameters: AuthorizationParameters, browserKey: string): Promise<RequestOutcome>;
  /** A key for a browser that has none, for its cookie to keep. */
  createBrowserKey(): string;
  /** Whether this browser began the authorization. */
  isBegunBy(authorization: Authorization, browserKey: string | undefined): boolean;
  /** What a form carries to show that our own page made it for this browser and this authorization. */
  formProof(browserKey: string, authorizationId: string): string;
  /** Whether a form carries that proof. */
  isFormProof(proof: string | undefined, browserKey: string, authorizationId: string): boolean;
  /** `not_found` */
  readAuthorization(id: string): Promise<AuthorizationDetail>;
  /** Approves for a person; the code is shown this once. `invalid_scope`, `invalid_transition`, `palm_verification_required` … */
  approve(id: string, userName: string | undefined, scopes: readonly string[] | undefined): Promise<Approved>;
  /** `not_found`, `invalid_transition` */
  deny(id: string): Promise<AuthorizationDetail>;
  /** Records that the person was verified by palm, for a pending authorization (V6). */
  recordPalmVerification(id: string): Promise<void>;

  /** `invalid_client` */
  authenticateClient(credentials: ClientCredentials | undefined): Promise<Application>;
  /** `invalid_client` */
  authenticateConfidentialClient(credentials: ClientCredentials | undefined): Promise<Application>;
  /** `invalid_grant`, `malformed_body` */
  redeemAuthorizationCode(request: CodeGrantRequest, application: Application): Promise<IssuedTokens>;
  /** `invalid_grant`, `invalid_scope` */
  refreshTokens(request: RefreshGrantRequest, application: Application): Promise<IssuedTokens>;
  /** `grant_not_found` */
  issueUserToken(selector: UserSelector, application: Application): Promise<IssuedTokens>;
  /** `invalid_client` */
  revoke(request: RevocationRequest, credentials: ClientCredentials | undefined): Promise<RevocationResult>;
  introspect(token: string, application: Application): Promise<ActiveToken | undefined>;

  /** The grant of an access token. `token_invalid`, `token_expired` */
  authenticate(token: string): Promise<Grant>;
  /** Answers a query about the person who gave a grant, as JSON. `invalid_query`, `query_too_large`, `insufficient_scope` */
  answerQuery(query: unknown, grant: Grant): Promise<string>;
  /** Answers presets about that person, each on its own: errors stand beside the answers. */
  resolvePresets(names: readonly string[], grant: Grant): Promise<readonly PresetOutcome[]>;
  readUserInfo(grant: Grant): Promise<UserInfo>;
  /** That person's own credentials, as far as the scopes cover them. `insufficient_scope`, `cursor_invalid` */
  listCredentials(request: ListRequest, grant: Grant): Promise<Page<CredentialView>>;
  /** What people agreed to towards an application. `cursor_invalid` */
  listGrants(request: GrantListRequest, audience: GrantAudience): Promise<Page<GrantView>>;

  /** Passes for the administrator's token alone. `access_denied`, `token_invalid`, `token_expired` */
  assertAdministrator(token: string): Promise<void>;
  /** Takes in what an issuer attested of a person. `not_found`, `malformed_body` */
  ingestCredential(ingestion: Ingestion): Promise<CredentialView>;
  /** `not_found` */
  revokeCredential(id: string): Promise<CredentialView>;

  /** Who of an application's people satisfies a policy, some people at a time. `not_found`, `invalid_query`, `query_too_large` */
  evaluateAudience(request: AudienceRequest): Promise<EvaluatedAudience>;

  /** The public keys that may have signed what is still good (V10). */
  publicKeys(): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** A person as an organisation knows them (V5). */
  subjectOf(organizationId: string, userId: string): string;
  /** Those among whom one chooses in the sandbox; nobody elsewhere. */
  listPeople(): Promise<readonly User[]>;
  /** The redirect URIs of the applications in force: their origins may call from a browser. */
  listRedirectUris(): Promise<readonly string[]>;
  /** A token for one of the sandbox's people. @throws {SandboxError} When there is no such person or scope. */
  grantSandboxToken(userName: string, scopes: readonly string[]): Promise<string>;
}

const CACHED_QUERIES = 500;
const PAIRWISE_KEY = 'pairwise-key';
const CURSOR_KEY = 'cursor-key';

/** What a deployment brings of its own. */
export interface ServiceOptions {
  /** Scopes, claims and presets; the default ones where absent. */
  readonly catalogue?: Catalogue;
  /** Whose signed credentials are taken in; nobody's where absent. */
  readonly issuers?: readonly TrustedIssuer[];
  /** SHA-256 of the administrator's token, base64url. */
  readonly administratorTokenHash?: string;
}

/** Builds the service once it is known where it will be reached. */
export type ServiceBuilder = (settings: Settings) => Service;

/**
 * Does what takes time before the service can be built: keeps its keys in the store and, in the sandbox, fills an empty store with
 * made-up people.
 *
 * @throws {CatalogueError} When the catalogue is not one, with every problem.
 * @throws {StoreUnavailable} When the store cannot be reached.
 */
export async function prepareService(
  { regex, ...ports }: ServicePorts,
  environment: Environment,
  options: ServiceOptions = {},
): Promise<ServiceBuilder> {
  const catalogue = createServiceCatalogue(options.catalogue);
  const { store, digest, random, clock } = ports;
  const keep = (name: string) => store.keepSecret(name, createOpaqueToken(random, digest).token);
  const [pairwiseKey, cursorKey] = [await keep(PAIRWISE_KEY), await keep(CURSOR_KEY)];
  if (environment.seeded) {
    const now = clock.now();
    const applications = sandboxApplications(digest, catalogue.scopes.scopes, now);
    await store.seedOnce({ applications, people: sandboxPeople(now) });
  }
  await keepSigningKeys(ports);
  const administratorTokenHash =
    options.administratorTokenHash ??
    (environment.seeded ? digest.sha256(SANDBOX_ADMINISTRATOR_TOKEN) : undefined);
  const shared = {
    ...ports,
    environment,
    catalogue,
    cursorKey,
    issuers: options.issuers ?? [],
    derivedClaims: createDerivedClaims(catalogue, regex),
    queries: createCompiledQueryCache(regex, catalogue.scopes, CACHED_QUERIES),
    identifiers: createPairwiseIdentifiers(digest, pairwiseKey),
    ...(administratorTokenHash === undefined ? {} : { administratorTokenHash }),
  };
  return (settings) => build({ ...shared, settings });
}

/** As {@link prepareService}, where it is known from the start where the service will be reached. */
export async function createService(
  ports: ServicePorts,
  environment: Environment,
  settings: Settings,
  options: ServiceOptions = {},
): Promise<Service> {
  return (await prepareService(ports, environment, options))(settings);
}

function build(context: ServiceContext): Service {
  const { environment, settings, catalogue, store, clock, signer, digest, identifiers } = context;
  const startedAt = clock.now();
  return {
    environment,
    settings,
    catalogue,
    uptime: () => ({ startedAt, now: clock.now() }),
    isReady: () =>
      store.listSigningKeys().then(
        () => true,
        () => false,
      ),
    requestAuthorization: (parameters, browserKey) =>
      requestAuthorization(parameters, digest.sha256(browserKey), context),
    createBrowserKey: () => createBrowserKey(context),
    isBegunBy: (authorization, browserKey) => isBegunBy(authorization, browserKey, context),
    formProof: (browserKey, id) => formProof(browserKey, id, context),
    isFormProof: (proof, browserKey, id) => isFormProof(proof, browserKey, id, context),
    readAuthorization: (id) => readAuthorization(id, context),
    approve: async (id, userName, scopes) =>
      await approveAuthorization(id, await personWhoApproves(id, userName, context), scopes, context),
    deny: (id) => denyAuthorization(id, context),
    recordPalmVerification: (id) => store.recordPalmVerification(id, clock.now()),
    authenticateClient: (credentials) => authenticateClient(credentials, context),
    authenticateConfidentialClient: (credentials) => authenticateConfidentialClient(credentials, context),
    redeemAuthorizationCode: (request, application) => redeemAuthorizationCode(request, application, context),
    refreshTokens: (request, application) => refreshTokens(request, application, context),
    issueUserToken: (selector, application) => issueUserToken(selector, application, context),
    revoke: (request, credentials) => revoke(request, credentials, context),
    introspect: (token, application) => introspect(token, application, context),
    authenticate: (token) => authenticateBearer(token, context),
    answerQuery: (query, grant) => answerQuery(query, grant, context),
    resolvePresets: (names, grant) => resolvePresets(names, grant, context),
    listCredentials: (request, grant) => listCredentials(request, grant, context),
    listGrants: (request, audience) => listGrants(request, audience, context),
    assertAdministrator: (token) => assertAdministrator(token, context),
    ingestCredential: (ingestion) => ingestCredential(ingestion, context),
    revokeCredential: (id) => revokeCredential(id, context),
    evaluateAudience: (request) => evaluateAudience(request, context),
    readUserInfo: (grant) => readUserInfo(grant, context),
    publicKeys: async () =>
      publishedKeysAt(await store.listSigningKeys(), clock.now()).map(signer.toPublicJwk),
    subjectOf: (organizationId, userId) => identifiers.subject(organizationId, userId),
    listPeople: async () => (environment.seeded ? await store.listUsers() : []),
    listRedirectUris: async () => {
      const applications = await store.listApplications();
      return applications
        .filter(({ revokedAt }) => revokedAt === undefined)
        .flatMap((one) => one.redirectUris);
    },
    grantSandboxToken: (userName, scopes) => grantSandboxToken(userName, scopes, context),
  };
}

/** In the sandbox whoever knows the id approves as one of its people: the one named, hinted at, or the first (V1). */
async function personWhoApproves(
  id: string,
  userName: string | undefined,
  context: ServiceContext,
): Promise<User> {
  const { authorization } = await readAuthorization(id, context);
  const people = await context.store.listUsers();
  const wanted = userName ?? authorization.loginHint;
  const found = people.find(
    ({ name, email }) => name === wanted || (email !== undefined && email === wanted),
  );
  const [first] = people;
  const person = found ?? (userName === undefined ? first : undefined);
  if (person === undefined) throw new ServiceError('not_found');
  return person;
}
