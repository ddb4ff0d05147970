/** The service: use cases grouped as sub-services, over its ports (V1–V12). */

import type { Catalogue, QueryLimits, RegexEngine } from '../engine/index.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { createAudiences } from './audiences/audiences.js';
import { auditReads } from './audit/audited-reads.js';
import { createAuthorizations } from './authorization/authorizations.js';
import { knownClaims } from './catalogue/known-claims.js';
import { createServiceCatalogue } from './catalogue/service-catalogue.js';
import { createDerivedClaims } from './claims/derived-claims.js';
import { createOrganizationView, createPairwiseIdentifiers } from './claims/organization-view.js';
import { createSubjectClaims } from './claims/subject-claims.js';
import { createClients } from './clients/clients.js';
import { createConditionParser } from './conditions/authorization-details.js';
import { LIMITS_OF_ACCEPTED_QUERIES } from './conditions/condition.js';
import type { ServiceContext } from './context.js';
import { createCredentials } from './credentials/credentials.js';
import { createGrants, indexGrants } from './grants/grants.js';
import { createInferenceRules } from './inference/inference-rules.js';
import { getCredentialKey } from './keys/credential-key.js';
import { createServiceKey } from './keys/service-key.js';
import { createSigningKeyCache, ensureSigningKeys } from './keys/signing-keys.js';
import { claimsOfFact } from './ledger/learned-fact.js';
import { createLedger } from './ledger/ledger.js';
import { createLedgerRecorder } from './ledger/ledger-recorder.js';
import { recordReads } from './ledger/record-reads.js';
import { createPeople } from './people/people.js';
import { createPersonalData } from './people/personal-data.js';
import { createSessions } from './people/sessions.js';
import type { PalmVerifier, Ports, SignIn } from './ports/ports.js';
import type { SignInProvider } from './ports/sign-in-provider.js';
import type { ExternalSignIn, TrustedIssuer } from './ports/verifiers.js';
import { createCompiledQueryCache } from './queries/compiled-query-cache.js';
import { createConditionEvaluator } from './queries/evaluate-condition.js';
import { createQueries } from './queries/queries.js';
import { createAttemptLimiter } from './rate-limits/attempt-limiter.js';
import { createRateLimiter } from './rate-limits/rate-limiter.js';
import { SANDBOX_ADMINISTRATOR_TOKEN, sandboxApplications } from './sandbox/applications.js';
import { sandboxPeople } from './sandbox/people.js';
import { createSandboxSignIn, NO_PALM, NO_SIGN_IN, SANDBOX_PALM } from './sandbox/sandbox.js';
import type { Environment, Settings } from './settings.js';
import { createOpaqueToken } from './tokens/opaque-token.js';
import { createTokens } from './tokens/tokens.js';

/** Ports of the service. */
export interface ServicePorts extends Ports {
  readonly regex: RegexEngine;
}

/** The use cases. Each throws {@link ServiceError} for a rejected request, and `StoreUnavailable` if the store fails. */
export type Service = Readonly<ReturnType<typeof build>>;

/** Default capacity of the cache: some thousands of queries of usual size. */
const QUERY_CACHE_BYTES = 16 * 1_048_576;
/** Capacity of the cache of compiled queries that inference bounds are applied to: recorded ones, and those of current requests. */
const ANSWERED_CACHE_BYTES = 4 * 1_048_576;
const PAIRWISE_KEY = 'pairwise-key';
const SERVICE_KEY = 'service-key';
const SESSION_KEY = 'session-key';

/** Options of a deployment. */
export interface ServiceOptions {
  /** Scopes, claims and presets. Default: the default catalogue. */
  readonly catalogue?: Catalogue;
  /** Trusted issuers of signed credentials. Default: none. */
  readonly issuers?: readonly TrustedIssuer[];
  /**
   * Authenticates people. Where absent, the sandbox offers a choice of people; in production, people can sign in only with `externalSignIn` or
   * `signInProviders`.
   */
  readonly signIn?: SignIn;
  /** Verifies palms. Where absent, the sandbox has a button, and palm verification is not available in production. */
  readonly palm?: PalmVerifier;
  /** SHA-256 of the administrator's token, base64url. Default: in the sandbox, that of its documented token; in production, there is no administrator. */
  readonly administratorTokenHash?: string;
  /**
   * When the administrator may approve on behalf of people. `without-sign-in` (default): only if people cannot sign in. `always`: even if they can.
   * Ignored in the sandbox.
   */
  readonly administratorApproval?: AdministratorApproval;
  /** Whether DPoP proofs must have a nonce of this service (RFC 9449 §8, §9). Default: false. */
  readonly dpopNonce?: boolean;
  /** The external login at which people sign in. */
  readonly externalSignIn?: ExternalSignIn;
  /** The OpenID Connect providers at which people sign in. Ignored with `externalSignIn`. Default: none. */
  readonly signInProviders?: readonly SignInProvider[];
  /**
   * Secret key of the deployment, 256 bits, from which the keys of pairwise identifiers and sessions and the service key are derived. Where absent,
   * these are generated and kept in the store.
   */
  readonly key?: string;
  /** Changes to the limits of a query (L7). */
  readonly queryLimits?: Partial<QueryLimits>;
  /** Capacity of the cache of compiled queries, in bytes. Default: 16 MiB. */
  readonly queryCacheBytes?: number;
}

export type AdministratorApproval = 'without-sign-in' | 'always';

/** Builds the service once its URL is known. */
export type ServiceBuilder = (settings: Settings) => Service;

/**
 * Prepares the store for the service: creates missing keys, indexes grants, and in the sandbox fills an empty store with sample people.
 *
 * @throws {CatalogueError} For an invalid catalogue, with every problem.
 * @throws {StoreUnavailable} If the store cannot be reached.
 */
export async function prepareService(
  { regex, ...ports }: ServicePorts,
  environment: Environment,
  options: ServiceOptions = {},
): Promise<ServiceBuilder> {
  const catalogue = createServiceCatalogue(options.catalogue, regex);
  const { store, digest, random, clock } = ports;
  const { key } = options;
  const getKey = async (name: string) =>
    key === undefined
      ? await store.getOrCreateSecret(name, createOpaqueToken(random, digest).token)
      : digest.hmacSha256(key, name);
  const pairwiseKey = await getKey(PAIRWISE_KEY);
  const serviceKey = createServiceKey(digest, await getKey(SERVICE_KEY));
  const sessionKey = await getKey(SESSION_KEY);
  const credentialKey = await getCredentialKey(ports);
  if (environment.seeded) {
    const now = clock.now();
    const applications = sandboxApplications(digest, catalogue.scopes.scopes, now);
    const filled = await store.seedOnce({ applications, people: sandboxPeople(now) });
    // A store filled by an earlier version lacks newer sample applications.
    if (!filled) for (const application of applications) await store.insertApplication(application);
  }
  await ensureSigningKeys(ports);
  const identifiers = createPairwiseIdentifiers(digest, pairwiseKey);
  await indexGrants({ store, identifiers });
  const administratorTokenHash =
    options.administratorTokenHash ??
    (environment.seeded ? digest.sha256(SANDBOX_ADMINISTRATOR_TOKEN) : undefined);
  const derivedClaims = createDerivedClaims(catalogue, regex);
  const conditionRules = { regex, catalogue, limits: options.queryLimits ?? {} };
  // Recorded answers may be about queries that exceed the limits of today.
  const answered = createCompiledQueryCache(
    regex,
    catalogue.scopes,
    ANSWERED_CACHE_BYTES,
    LIMITS_OF_ACCEPTED_QUERIES,
  );
  const queries = createCompiledQueryCache(
    regex,
    catalogue.scopes,
    options.queryCacheBytes ?? QUERY_CACHE_BYTES,
    options.queryLimits,
  );
  const shared = {
    ...ports,
    environment,
    catalogue,
    serviceKey,
    sessionKey,
    credentialKey,
    palm: options.palm ?? (environment.seeded ? SANDBOX_PALM : NO_PALM),
    signIn: options.signIn ?? (environment.seeded ? createSandboxSignIn(store) : NO_SIGN_IN),
    issuers: options.issuers ?? [],
    ...(options.externalSignIn === undefined ? {} : { externalSignIn: options.externalSignIn }),
    signInProviders: options.externalSignIn === undefined ? (options.signInProviders ?? []) : [],
    dpopNonceRequired: options.dpopNonce === true,
    administratorApproves:
      options.administratorApproval === 'always' ||
      (options.externalSignIn === undefined &&
        options.signIn === undefined &&
        (options.signInProviders ?? []).length === 0),
    derivedClaims,
    queries,
    inferenceRules: createInferenceRules(catalogue, derivedClaims, (item) => answered.compile(item)),
    conditions: createConditionParser(conditionRules),
    conditionEvaluator: createConditionEvaluator(conditionRules),
    identifiers,
    regex,
    listSigningKeys: createSigningKeyCache(ports),
    ...omitUndefined({ administratorTokenHash }),
  };
  return (settings) => {
    const view = createOrganizationView(shared.identifiers, settings.timestampGranularitySeconds);
    return build({ ...shared, settings, view, subjectClaims: createSubjectClaims(derivedClaims, view) });
  };
}

/** Prepares and builds the service: see {@link prepareService}. */
export async function createService(
  ports: ServicePorts,
  environment: Environment,
  settings: Settings,
  options: ServiceOptions = {},
): Promise<Service> {
  return (await prepareService(ports, environment, options))(settings);
}

function build(context: ServiceContext) {
  const { environment, settings, catalogue, store, clock } = context;
  const rateLimiter = createRateLimiter(
    {
      address: settings.addressRateLimitPerMinute,
      client: settings.clientRateLimitPerMinute,
      token: settings.rateLimitPerMinute,
      failures: settings.secretFailuresPerMinute,
      authorizations: settings.authorizationRateLimitPerMinute,
      misses: settings.userTokenMissesPerMinute,
    },
    context.serviceKey.derive('rate-limits'),
    context,
  );
  const ledger =
    context.ledgerWriter &&
    createLedgerRecorder({
      store,
      writer: context.ledgerWriter,
      digest: context.digest,
      key: context.serviceKey.derive('ledger'),
      claimsOf: (fact) => knownClaims(claimsOfFact(fact), catalogue),
    });
  const reads = {
    queries: createQueries(context),
    credentials: createCredentials(context),
    audiences: createAudiences(context),
  };
  return {
    environment,
    settings,
    catalogue,
    clock,
    /** When the service started; epoch milliseconds. */
    startedAt: clock.now(),
    /** Whether clients may authenticate by `private_key_jwt` (RFC 7523). */
    signedClients: context.clientAssertions !== undefined,
    /** Signature algorithms of DPoP proofs (RFC 9449); empty if DPoP is not supported. */
    dpopAlgorithms: context.dpopProofs?.algorithms ?? [],
    /** URL of the external login; `undefined` if people sign in at the service. */
    signInUrl: context.externalSignIn?.url,
    /** Returns the statistics of the cache of compiled queries. */
    readQueryCache: context.queries.readStatistics,
    /** Limits how often callers may send requests. */
    rateLimiter,
    /** Limits attempts that may fail, such as guesses of a secret. */
    attemptLimiter: createAttemptLimiter(rateLimiter, context.serviceKey.derive('verified-secrets'), context),
    /** Returns whether the store can be reached. Never rejects. */
    isReady: (): Promise<boolean> =>
      store.listSigningKeys().then(
        () => true,
        () => false,
      ),
    authorizations: createAuthorizations(context),
    clients: createClients(context),
    grants: createGrants(context),
    people: createPeople(context),
    personalData: createPersonalData(context),
    sessions: createSessions(context),
    tokens: createTokens(context),
    ledger: createLedger({ ...context, ledger }),
    ...auditReads(recordReads(reads, { ...context, ledger }), context),
  };
}
