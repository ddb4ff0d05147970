/** The service's use cases as one object, over its ports (V1–V12). */
import { defaultScopeCatalogue, type QueryResult, type RegexEngine } from '../engine/index.js';
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
import type { Application } from './clients/application.js';
import {
  authenticateClient,
  authenticateConfidentialClient,
  type ClientCredentials,
} from './clients/authenticate-client.js';
import type { ServiceContext } from './context.js';
import type { Environment } from './environment.js';
import { ServiceError } from './errors.js';
import { type CodeGrantRequest, redeemAuthorizationCode } from './grants/authorization-code.js';
import { type RefreshGrantRequest, refreshTokens } from './grants/refresh-token.js';
import { issueUserToken } from './grants/user-token.js';
import { keepSigningKeys } from './keys/keep-signing-keys.js';
import { publishedKeysAt } from './keys/signing-key.js';
import type { Ports } from './ports/ports.js';
import { type CompiledQueryCache, createCompiledQueryCache } from './queries/compiled-query-cache.js';
import { evaluateQuery } from './queries/evaluate-query.js';
import { sandboxApplications } from './sandbox/applications.js';
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
  /** Since when the service answers, and the instant that it is; epoch milliseconds. Asks nothing of the store. Never throws. */
  uptime(): { readonly startedAt: number; readonly now: number };

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
  /** Answers a query about the person who gave a grant. `invalid_query`, `query_too_large`, `insufficient_scope` */
  evaluateQuery(query: unknown, grant: Grant): Promise<QueryResult>;
  readUserInfo(grant: Grant): Promise<UserInfo>;

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

/** Builds the service once it is known where it will be reached. */
export type ServiceBuilder = (settings: Settings) => Service;

/**
 * Does what takes time before the service can be built: keeps its keys in the store and, in the sandbox, fills an empty store with
 * made-up people.
 *
 * @throws {StoreUnavailable} When the store cannot be reached.
 */
export async function prepareService(
  { regex, ...ports }: ServicePorts,
  environment: Environment,
): Promise<ServiceBuilder> {
  const { store, digest, random, clock } = ports;
  const key = await store.keepSecret(PAIRWISE_KEY, createOpaqueToken(random, digest).token);
  if (environment.seeded) {
    const now = clock.now();
    await store.seedOnce({ applications: sandboxApplications(digest, now), people: sandboxPeople(now) });
  }
  await keepSigningKeys(ports);
  const identifiers = createPairwiseIdentifiers(digest, key);
  const queries = createCompiledQueryCache(regex, CACHED_QUERIES);
  return (settings) =>
    build({ ...ports, environment, settings, catalogue: defaultScopeCatalogue, identifiers }, queries);
}

/** As {@link prepareService}, where it is known from the start where the service will be reached. */
export async function createService(
  ports: ServicePorts,
  environment: Environment,
  settings: Settings,
): Promise<Service> {
  return (await prepareService(ports, environment))(settings);
}

function build(context: ServiceContext, queries: CompiledQueryCache): Service {
  const { environment, settings, store, clock, signer, digest, identifiers } = context;
  const startedAt = clock.now();
  return {
    environment,
    settings,
    uptime: () => ({ startedAt, now: clock.now() }),
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
    evaluateQuery: (query, grant) => evaluateQuery(query, grant, { store, clock, queries, identifiers }),
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
