/** The service's use cases as one object, over its ports (V1–V12). */
import type { Catalogue, QueryLimits, RegexEngine } from '../engine/index.js';
import { assertAdministrator } from './administrator.js';
import { evaluateAudience } from './audiences/evaluate-audience.js';
import { auditReads } from './audit/audited-reads.js';
import {
  type Approved,
  type AuthorizationDetail,
  approveAuthorization,
  denyAuthorization,
  readAuthorization,
} from './authorization/approve.js';
import type { Authorization } from './authorization/authorization.js';
import {
  createBrowserKey,
  createSignInNonce,
  csrfToken,
  type FormBinding,
  isBegunBy,
  isCsrfToken,
  type SignInTrip,
} from './authorization/browser-binding.js';
import { isPalmVerified } from './authorization/palm-verification.js';
import { type PushedAuthorizationRequest, pushAuthorizationRequest } from './authorization/push-request.js';
import { isAuthenticatedFor } from './authorization/reauthentication.js';
import {
  type AuthorizationParameters,
  type RequestOutcome,
  requestAuthorization,
} from './authorization/request.js';
import { createServiceCatalogue, type ServiceCatalogue } from './catalogue/service-catalogue.js';
import { createDerivedClaims } from './claims/derived-claims.js';
import { createOrganizationView } from './claims/organization-view.js';
import { createSubjectClaims } from './claims/subject-claims.js';
import type { Application } from './clients/application.js';
import {
  authenticateBySecretOrKey,
  authenticateClient,
  authenticateConfidentialClient,
  type ClientCredentials,
} from './clients/authenticate-client.js';
import type { ServiceContext } from './context.js';
import { type Ingestion, ingestCredential, revokeCredential } from './credentials/ingest-credential.js';
import { type CredentialView, listCredentials } from './credentials/list-credentials.js';
import type { Environment } from './environment.js';
import { ServiceError } from './errors.js';
import { type CodeGrantRequest, redeemAuthorizationCode } from './grants/authorization-code.js';
import { indexGrants } from './grants/index-grants.js';
import {
  type GrantAudience,
  type GrantListRequest,
  type GrantView,
  listGrants,
} from './grants/list-grants.js';
import { type RefreshGrantRequest, refreshTokens } from './grants/refresh-token.js';
import { issueUserToken, type UserToken } from './grants/user-token.js';
import { keepSigningKeys } from './keys/keep-signing-keys.js';
import { publishedKeysAt } from './keys/signing-key.js';
import type { Page } from './paging.js';
import { checkLogoutRequest, type LogoutParameters, type LogoutRequest } from './people/logout-request.js';
import { endSharing, listSharings, resumeSharing, type Sharing } from './people/own-grants.js';
import { afterSignOut, type Session, type SignInEvent } from './people/session.js';
import {
  acceptAssertion,
  type ExpectedAssertion,
  type SignedInElsewhere,
} from './people/sign-in-elsewhere.js';
import { type OpenedSession, readSignedIn, type SignedIn, signIn, signOut } from './people/signed-in.js';
import type { PalmVerifier, Ports, SignIn } from './ports/ports.js';
import type { SignInElsewhere, TrustedIssuer } from './ports/verifiers.js';
import { resolvePresets } from './presets/resolve-presets.js';
import { answerQuery } from './queries/answer-query.js';
import { createCompiledQueryCache } from './queries/compiled-query-cache.js';
import { type AttemptLimiter, createAttemptLimiter } from './rate-limits/attempt-limiter.js';
import { createRateLimiter, type RateLimiter } from './rate-limits/rate-limiter.js';
import type { Reads } from './reads.js';
import { SANDBOX_ADMINISTRATOR_TOKEN, sandboxApplications } from './sandbox/applications.js';
import { grantSandboxToken } from './sandbox/grant-token.js';
import { sandboxPeople } from './sandbox/people.js';
import { NO_PALM, NO_SIGN_IN, SANDBOX_PALM, sandboxSignIn } from './sandbox/sign-in.js';
import type { Settings } from './settings.js';
import { createPairwiseIdentifiers } from './subjects/pairwise-identifiers.js';
import { authenticateBearer, type Grant } from './tokens/authenticate-bearer.js';
import { createDpopNonce, type PresentedProof, verifyProof } from './tokens/dpop-proof.js';
import { type ActiveToken, introspect } from './tokens/introspect.js';
import type { IssuedTokens } from './tokens/issued-tokens.js';
import { createOpaqueToken } from './tokens/opaque-token.js';
import { type RevocationRequest, type RevocationResult, revoke } from './tokens/revoke.js';
import { readUserInfo } from './user-info.js';
import { findHintedUser } from './users/login-hint.js';
import type { User } from './users/user.js';
import type { UserSelector } from './users/user-selector.js';

/** What the service is built on. */
export interface ServicePorts extends Ports {
  readonly regex: RegexEngine;
}

/** Every method throws {@link ServiceError} where it refuses, and rejects with `StoreUnavailable` where the store does. */
export interface Service extends Reads {
  readonly environment: Environment;
  readonly settings: Settings;
  readonly catalogue: ServiceCatalogue;
  /** Whether clients may authenticate by signing (RFC 7523). */
  readonly signedClients: boolean;
  /** The algorithms by which DPoP proofs may be signed (RFC 9449); none where tokens cannot be bound to a key of the client. */
  readonly dpopAlgorithms: readonly string[];
  /** Counts who asks how often. */
  readonly rateLimiter: RateLimiter;
  /** Limits attempts that may fail, such as guesses of a secret. */
  readonly attemptLimiter: AttemptLimiter;
  /** Since when the service answers, and the instant that it is; epoch milliseconds. Asks nothing of the store. Never throws. */
  uptime(): { readonly startedAt: number; readonly now: number };

  /** Whether the store answers. Never rejects. */
  isReady(): Promise<boolean>;

  /**
   * Checks and records an authorization request that an authenticated client pushed (RFC 9126). `malformed_body`, `redirect_uri_mismatch`,
   * `invalid_scope` …
   */
  pushAuthorizationRequest(
    parameters: AuthorizationParameters,
    application: Application,
    jkt?: string,
  ): Promise<PushedAuthorizationRequest>;
  /**
   * Records a request for authorization, or says what the client is to be told. `invalid_client`, `invalid_request_uri`, `malformed_body`
   */
  requestAuthorization(parameters: AuthorizationParameters, browserKey: string): Promise<RequestOutcome>;
  /** A key for a browser that has none, for its cookie to keep. */
  createBrowserKey(): string;
  /** Whether this browser began the authorization. */
  isBegunBy(authorization: Authorization, browserKey: string | undefined): boolean;
  /** Returns the token that a form carries: valid only at the browser, for the purpose and in the session it was rendered for. */
  csrfToken(binding: FormBinding): string;
  /** Whether a form carries the token of what it is submitted for. */
  isCsrfToken(token: string | undefined, binding: FormBinding): boolean;
  /** Creates the nonce of one trip to an external login, bound to the browser that is sent there and to the authorization. */
  createSignInNonce(trip: SignInTrip): string;
  /** `not_found` */
  readAuthorization(id: string): Promise<AuthorizationDetail>;
  /**
   * Approves for a person, in production for the administrator; the code is shown this once. `administrator_approval_disabled`,
   * `invalid_scope`, `invalid_transition`, `palm_verification_required` …
   */
  approve(id: string, userName: string | undefined, scopes: readonly string[] | undefined): Promise<Approved>;
  /** As {@link approve}, for a caller of the API: the sandbox simulates the palm verification. */
  approveByApi(id: string, scopes: readonly string[] | undefined): Promise<Approved>;
  /** As {@link approve}, for a person who is signed in. `reauthentication_required` */
  approveAs(id: string, person: Session, scopes: readonly string[] | undefined): Promise<Approved>;
  /** `not_found`, `invalid_transition` */
  deny(id: string): Promise<AuthorizationDetail>;
  /** Where a browser is sent to sign in; absent where that is here. */
  readonly signInUrl?: string;
  /**
   * Returns who signed in elsewhere, by an assertion that is good once; `undefined` where it is not what was expected.
   * `reauthentication_required`
   */
  acceptAssertion(text: string, expected: ExpectedAssertion): Promise<SignedInElsewhere | undefined>;
  /** Records that a person was verified by palm, for a pending authorization (V6). `not_found` */
  recordPalmVerification(id: string, userId: string): Promise<void>;
  /**
   * Verifies a person by palm and records that for a pending authorization (V6); returns whether it was their palm. `not_found`
   *
   * @param userId - Where absent, the person for whom {@link approve} would approve.
   */
  verifyPalm(id: string, userId: string | undefined, sent: ReadonlyMap<string, string>): Promise<boolean>;
  /** Whether this person's palm was verified for an authorization, and still counts. */
  isPalmVerified(authorization: Authorization, user: User): boolean;
  /** Whether a session is recent enough for what the client asked of the sign-in. */
  isAuthenticatedFor(authorization: Authorization, session: Session): boolean;

  /** Those among whom one chooses when signing in; nobody where one proves who one is. */
  listPeople(): Promise<readonly User[]>;
  /** Finds the person whom a `login_hint` names; `undefined` where it names nobody, or two people. */
  findHintedPerson(hint: string): Promise<User | undefined>;
  /** Who somebody is by what they sent from the sign-in form; `undefined` where it does not show that. */
  verifyPerson(sent: ReadonlyMap<string, string>): Promise<User | undefined>;
  /**
   * Signs a person in at a browser: opens a new session, and clears other people's palm verifications there. `not_found`
   */
  signIn(userId: string, browserKey: string, event: SignInEvent): Promise<OpenedSession>;
  /** Reads the session of a cookie, and whose it is; `undefined` where it is invalid, has expired, or its person has signed out since. */
  readSession(text: string | undefined): Promise<SignedIn | undefined>;
  /** Ends all sessions of a person, at every browser. */
  signOut(session: Session): Promise<void>;
  /**
   * Checks an application's request to sign out the person of a session. `malformed_body`, `invalid_client`,
   * `post_logout_redirect_uri_mismatch`
   */
  checkLogoutRequest(parameters: LogoutParameters, session: Session | undefined): Promise<LogoutRequest>;
  /** What a person shares with whom, and what they no longer do. */
  listSharings(userId: string): Promise<readonly Sharing[]>;
  /** Ends all that a person shares with an application, at once; tells whether there was anything. */
  endSharing(userId: string, clientId: string): Promise<boolean>;
  /** Takes that back; tells whether it still could. */
  resumeSharing(userId: string, clientId: string): Promise<boolean>;

  /** `invalid_client` */
  authenticateClient(credentials: ClientCredentials | undefined): Promise<Application>;
  /** `invalid_client` */
  authenticateConfidentialClient(credentials: ClientCredentials | undefined): Promise<Application>;
  /** By secret or signature, whatever is registered for the token endpoint. `invalid_client` */
  authenticateBySecretOrKey(credentials: ClientCredentials | undefined): Promise<Application>;
  /**
   * Verifies the DPoP proof of a request for tokens, which is then used up; returns the thumbprint of its key. `invalid_dpop_proof`,
   * `use_dpop_nonce`
   */
  verifyDpopProof(proof: PresentedProof): Promise<string>;
  /** Creates a nonce for the next DPoP proof; `undefined` where proofs need none. */
  createDpopNonce(): string | undefined;
  /** `invalid_grant`, `malformed_body`, `invalid_dpop_proof` */
  redeemAuthorizationCode(request: CodeGrantRequest, application: Application): Promise<IssuedTokens>;
  /** `invalid_grant`, `invalid_scope`, `invalid_dpop_proof` */
  refreshTokens(request: RefreshGrantRequest, application: Application): Promise<IssuedTokens>;
  /**
   * For the person whom every selector names. `grant_not_found`, `malformed_body` where they name different people, `invalid_dpop_proof`
   *
   * @param jkt - The thumbprint of the key that the token is to be bound to; absent for a bearer token.
   */
  issueUserToken(
    selectors: readonly UserSelector[],
    application: Application,
    jkt?: string,
  ): Promise<UserToken>;
  /** `invalid_client` where nobody is authenticated and more is asked for than to revoke the given tokens */
  revoke(request: RevocationRequest, application: Application | undefined): Promise<RevocationResult>;
  introspect(token: string, application: Application): Promise<ActiveToken | undefined>;

  /**
   * The grant of an access token. `token_invalid`, `token_expired`, `token_proof_invalid`, `token_nonce_required`
   *
   * @param proof - Presented with a token of type DPoP, and with no other.
   */
  authenticate(token: string, proof?: PresentedProof): Promise<Grant>;
  /** What people agreed to towards an application. `cursor_invalid` */
  listGrants(request: GrantListRequest, audience: GrantAudience): Promise<Page<GrantView>>;

  /** Passes for the administrator's token alone. `access_denied`, `token_invalid`, `token_expired` */
  assertAdministrator(token: string): Promise<void>;
  /** Takes in what an issuer attested of a person. `not_found`, `malformed_body` */
  ingestCredential(ingestion: Ingestion): Promise<CredentialView>;
  /** `not_found` */
  revokeCredential(id: string): Promise<CredentialView>;

  /** The public keys that may have signed what is still good (V10). */
  publicKeys(): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** A person as an organisation knows them (V5). */
  subjectOf(organizationId: string, userId: string): string;
  /** Whether pages of an origin may call from a browser: an application in force has a redirect URI there. */
  isRegisteredOrigin(origin: string): Promise<boolean>;
  /** A token for one of the sandbox's people. @throws {SandboxError} When there is no such person or scope. */
  grantSandboxToken(userName: string, scopes: readonly string[]): Promise<string>;
}

const CACHED_QUERIES = 500;
const PAIRWISE_KEY = 'pairwise-key';
const CURSOR_KEY = 'cursor-key';
const SESSION_KEY = 'session-key';
const CREDENTIAL_KEY = 'credential-key';

/** What a deployment brings of its own. */
export interface ServiceOptions {
  /** Scopes, claims and presets; the default ones where absent. */
  readonly catalogue?: Catalogue;
  /** Whose signed credentials are taken in; nobody's where absent. */
  readonly issuers?: readonly TrustedIssuer[];
  /** How people show who they are; in the sandbox they choose, elsewhere nobody is known where it is absent. */
  readonly signIn?: SignIn;
  /** How people prove to be present; in the sandbox by a button, elsewhere nobody can where it is absent. */
  readonly palm?: PalmVerifier;
  /** SHA-256 of the administrator's token, base64url. */
  readonly administratorTokenHash?: string;
  /**
   * When the administrator may approve for a person: only where people cannot sign in, or always. `without-sign-in` where absent; the
   * sandbox has nobody to protect.
   */
  readonly administratorApproval?: AdministratorApproval;
  /** Whether DPoP proofs must have a nonce of this service (RFC 9449 §8, §9); not where absent. */
  readonly dpopNonce?: boolean;
  /** A login that is not ours, where a person signs in. */
  readonly signInElsewhere?: SignInElsewhere;
  /** The deployment's own key, 256 bits: pairwise names and cursors come of it. Where absent, one is made and kept in the store. */
  readonly key?: string;
  /** Changes to the limits of a query (L7). */
  readonly queryLimits?: Partial<QueryLimits>;
}

export type AdministratorApproval = 'without-sign-in' | 'always';

/** Builds the service once it is known where it will be reached. */
export type ServiceBuilder = (settings: Settings) => Service;

/**
 * Does what takes time before the service can be built: keeps its keys in the store, indexes grants that are not yet, and, in the
 * sandbox, fills an empty store with made-up people.
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
  const { key } = options;
  const keep = async (name: string) =>
    key === undefined
      ? await store.keepSecret(name, createOpaqueToken(random, digest).token)
      : digest.hmacSha256(key, name);
  const [pairwiseKey, cursorKey] = [await keep(PAIRWISE_KEY), await keep(CURSOR_KEY)];
  const sessionKey = await keep(SESSION_KEY);
  // Always of the store, next to what it identifies: with another key, revoked credentials would not be recognized.
  const credentialKey = await store.keepSecret(CREDENTIAL_KEY, createOpaqueToken(random, digest).token);
  if (environment.seeded) {
    const now = clock.now();
    const applications = sandboxApplications(digest, catalogue.scopes.scopes, now);
    const filled = await store.seedOnce({ applications, people: sandboxPeople(now) });
    // A store that an earlier version filled lacks the sample applications that were added since.
    if (!filled) for (const application of applications) await store.registerApplication(application);
  }
  await keepSigningKeys(ports);
  const identifiers = createPairwiseIdentifiers(digest, pairwiseKey);
  await indexGrants({ store, identifiers });
  const administratorTokenHash =
    options.administratorTokenHash ??
    (environment.seeded ? digest.sha256(SANDBOX_ADMINISTRATOR_TOKEN) : undefined);
  const derivedClaims = createDerivedClaims(catalogue, regex);
  const shared = {
    ...ports,
    environment,
    catalogue,
    cursorKey,
    sessionKey,
    credentialKey,
    palm: options.palm ?? (environment.seeded ? SANDBOX_PALM : NO_PALM),
    signIn: options.signIn ?? (environment.seeded ? sandboxSignIn(store) : NO_SIGN_IN),
    issuers: options.issuers ?? [],
    ...(options.signInElsewhere === undefined ? {} : { signInElsewhere: options.signInElsewhere }),
    dpopNonceRequired: options.dpopNonce === true,
    administratorApproves:
      options.administratorApproval === 'always' ||
      (options.signInElsewhere === undefined && options.signIn === undefined),
    derivedClaims,
    queries: createCompiledQueryCache(regex, catalogue.scopes, CACHED_QUERIES, options.queryLimits),
    identifiers,
    ...(administratorTokenHash === undefined ? {} : { administratorTokenHash }),
  };
  return (settings) => {
    const view = createOrganizationView(shared.identifiers, settings.timestampGranularitySeconds);
    return build({ ...shared, settings, view, subjectClaims: createSubjectClaims(derivedClaims, view) });
  };
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
  const rateLimiter = createRateLimiter(
    {
      address: settings.addressRateLimitPerMinute,
      client: settings.clientRateLimitPerMinute,
      token: settings.rateLimitPerMinute,
      failures: settings.secretFailuresPerMinute,
      authorizations: settings.authorizationRateLimitPerMinute,
      misses: settings.userTokenMissesPerMinute,
    },
    context.cursorKey,
    context,
  );
  return {
    environment,
    settings,
    catalogue,
    signedClients: context.clientAssertions !== undefined,
    dpopAlgorithms: context.dpopProofs?.algorithms ?? [],
    rateLimiter,
    attemptLimiter: createAttemptLimiter(rateLimiter, context.cursorKey, context),
    uptime: () => ({ startedAt, now: clock.now() }),
    isReady: () =>
      store.listSigningKeys().then(
        () => true,
        () => false,
      ),
    pushAuthorizationRequest: (parameters, application, jkt) =>
      pushAuthorizationRequest(parameters, application, context, jkt),
    requestAuthorization: (parameters, browserKey) =>
      requestAuthorization(parameters, digest.sha256(browserKey), context),
    createBrowserKey: () => createBrowserKey(context),
    isBegunBy: (authorization, browserKey) => isBegunBy(authorization, browserKey, context),
    csrfToken: (binding) => csrfToken(binding, context),
    isCsrfToken: (token, binding) => isCsrfToken(token, binding, context),
    createSignInNonce: (trip) => createSignInNonce(trip, context),
    readAuthorization: (id) => readAuthorization(id, context),
    approve: async (id, userName, scopes) => {
      assertAdministratorApproves(context);
      return await approveAuthorization(id, await personWhoApproves(id, userName, context), scopes, context);
    },
    approveByApi: async (id, scopes) => {
      assertAdministratorApproves(context);
      const person = await personWhoApproves(id, undefined, context);
      // Among sample people only: there is no reader, and nobody in front of one.
      const palm = environment.seeded ? 'simulated' : 'required';
      return await approveAuthorization(id, person, scopes, context, undefined, palm);
    },
    approveAs: async (id, session, scopes) =>
      await approveAuthorization(id, await personOf(session.userId, context), scopes, context, session),
    deny: (id) => denyAuthorization(id, context),
    ...(context.signInElsewhere === undefined ? {} : { signInUrl: context.signInElsewhere.url }),
    acceptAssertion: async (text, expected) =>
      context.signInElsewhere && (await acceptAssertion(text, expected, context.signInElsewhere, context)),
    recordPalmVerification: async (id, userId) =>
      await recordPalmVerification(id, await personOf(userId, context), context),
    verifyPalm: async (id, userId, sent) => {
      const person =
        userId === undefined
          ? await personWhoApproves(id, undefined, context)
          : await personOf(userId, context);
      const verified = await context.palm.verify(person, id, sent);
      if (verified) await recordPalmVerification(id, person, context);
      return verified;
    },
    isPalmVerified,
    isAuthenticatedFor,
    listPeople: () => context.signIn.choices(),
    findHintedPerson: (hint) => findHintedUser(hint, store),
    verifyPerson: (sent) => context.signIn.verify(sent),
    signIn: async (userId, browserKey, event) =>
      await signIn(await personOf(userId, context), browserKey, event, context),
    readSession: (text) => readSignedIn(text, context),
    signOut: (session) => signOut(session, context),
    checkLogoutRequest: (parameters, session) => checkLogoutRequest(parameters, session, context),
    listSharings: (userId) => listSharings(userId, context),
    endSharing: (userId, clientId) => endSharing(userId, clientId, context),
    resumeSharing: (userId, clientId) => resumeSharing(userId, clientId, context),
    authenticateClient: (credentials) => authenticateClient(credentials, context),
    authenticateConfidentialClient: (credentials) => authenticateConfidentialClient(credentials, context),
    authenticateBySecretOrKey: (credentials) => authenticateBySecretOrKey(credentials, context),
    verifyDpopProof: (proof) => verifyProof(proof, context),
    createDpopNonce: () => (context.dpopNonceRequired ? createDpopNonce(context) : undefined),
    redeemAuthorizationCode: (request, application) => redeemAuthorizationCode(request, application, context),
    refreshTokens: (request, application) => refreshTokens(request, application, context),
    issueUserToken: (selectors, application, jkt) => issueUserToken(selectors, application, jkt, context),
    revoke: (request, application) => revoke(request, application, context),
    introspect: (token, application) => introspect(token, application, context),
    authenticate: (token, proof) => authenticateBearer(token, context, proof),
    ...auditReads(readsOf(context), context),
    listGrants: (request, audience) => listGrants(request, audience, context),
    assertAdministrator: (token) => assertAdministrator(token, context),
    ingestCredential: (ingestion) => ingestCredential(ingestion, context),
    revokeCredential: (id) => revokeCredential(id, context),
    publicKeys: async () =>
      publishedKeysAt(await store.listSigningKeys(), clock.now()).map(signer.toPublicJwk),
    subjectOf: (organizationId, userId) => identifiers.subject(organizationId, userId),
    isRegisteredOrigin: (origin) => store.isRegisteredOrigin(origin),
    grantSandboxToken: (userName, scopes) => grantSandboxToken(userName, scopes, context),
  };
}

/** What shows something of people, not recorded yet. */
function readsOf(context: ServiceContext): Reads {
  return {
    answerQuery: (request, grant, meter) => answerQuery(request, grant, context, meter),
    resolvePresets: (names, grant, meter) => resolvePresets(names, grant, context, meter),
    readUserInfo: (grant) => readUserInfo(grant, context),
    listCredentials: (request, grant) => listCredentials(request, grant, context),
    evaluateAudience: (request) => evaluateAudience(request, context),
  };
}

async function findPerson(userId: string, { store }: ServiceContext): Promise<User | undefined> {
  return await store.findUser('id', userId);
}

async function recordPalmVerification(
  id: string,
  person: User,
  { store, clock }: ServiceContext,
): Promise<void> {
  await store.recordPalmVerification(id, person.id, afterSignOut(person, clock.now()));
}

async function personOf(userId: string, context: ServiceContext): Promise<User> {
  const person = await findPerson(userId, context);
  if (person === undefined) throw new ServiceError('not_found');
  return person;
}

/** @throws {ServiceError} `administrator_approval_disabled` in production, where people sign in themselves and no setting allows it. */
function assertAdministratorApproves({ environment, administratorApproves }: ServiceContext): void {
  if (!environment.seeded && !administratorApproves)
    throw new ServiceError('administrator_approval_disabled');
}

/** Returns the person who is named or hinted at; in the sandbox, without a name and a hint, one of its sample people (V1). */
async function personWhoApproves(
  id: string,
  userName: string | undefined,
  context: ServiceContext,
): Promise<User> {
  const { authorization } = await readAuthorization(id, context);
  const wanted = userName ?? authorization.loginHint;
  const found = wanted === undefined ? undefined : await findHintedUser(wanted, context.store);
  // A hint that names nobody must not end in somebody else's claims.
  const mayBeAnybody = wanted === undefined && context.environment.seeded;
  const person = found ?? (mayBeAnybody ? await sandboxPerson(authorization, context) : undefined);
  if (person === undefined) throw new ServiceError('not_found');
  return person;
}

/** The person whose palm was verified, so that they can be approved for; else the first of the sandbox's people. */
async function sandboxPerson(
  { palmVerifiedPersonId }: Authorization,
  context: ServiceContext,
): Promise<User | undefined> {
  if (palmVerifiedPersonId !== undefined) return await findPerson(palmVerifiedPersonId, context);
  const [first] = await context.store.listUsers(1);
  return first;
}
