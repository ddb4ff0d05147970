/** The service: its use cases as sub-services, over its ports (V1–V12). */

import type { Catalogue, QueryLimits, RegexEngine } from '../engine/index.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { createAudiences } from './audiences/audiences.js';
import { auditReads } from './audit/audited-reads.js';
import { createAuthorizations } from './authorization/authorizations.js';
import { createServiceCatalogue } from './catalogue/service-catalogue.js';
import { createDerivedClaims } from './claims/derived-claims.js';
import { createOrganizationView, createPairwiseIdentifiers } from './claims/organization-view.js';
import { createSubjectClaims } from './claims/subject-claims.js';
import { createClients } from './clients/clients.js';
import type { ServiceContext } from './context.js';
import { createCredentials } from './credentials/credentials.js';
import { createGrants, indexGrants } from './grants/grants.js';
import { ensureSigningKeys } from './keys/signing-keys.js';
import { createPeople } from './people/people.js';
import { createSessions } from './people/sessions.js';
import type { PalmVerifier, Ports, SignIn } from './ports/ports.js';
import type { ExternalSignIn, TrustedIssuer } from './ports/verifiers.js';
import { createCompiledQueryCache } from './queries/compiled-query-cache.js';
import { createQueries } from './queries/queries.js';
import { createAttemptLimiter } from './rate-limits/attempt-limiter.js';
import { createRateLimiter } from './rate-limits/rate-limiter.js';
import { SANDBOX_ADMINISTRATOR_TOKEN, sandboxApplications } from './sandbox/applications.js';
import { sandboxPeople } from './sandbox/people.js';
import { createSandboxSignIn, NO_PALM, NO_SIGN_IN, SANDBOX_PALM } from './sandbox/sandbox.js';
import type { Environment, Settings } from './settings.js';
import { createOpaqueToken } from './tokens/opaque-token.js';
import { createTokens } from './tokens/tokens.js';

/** What the service is built on. */
export interface ServicePorts extends Ports {
  readonly regex: RegexEngine;
}

/** The use cases. Every one throws {@link ServiceError} where it rejects, and rejects with `StoreUnavailable` where the store does. */
export type Service = Readonly<ReturnType<typeof build>>;

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
  readonly externalSignIn?: ExternalSignIn;
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
      ? await store.getOrCreateSecret(name, createOpaqueToken(random, digest).token)
      : digest.hmacSha256(key, name);
  const [pairwiseKey, serviceKey] = [await keep(PAIRWISE_KEY), await keep(CURSOR_KEY)];
  const sessionKey = await keep(SESSION_KEY);
  // Always of the store, next to what it identifies: with another key, revoked credentials would not be recognized.
  const credentialKey = await store.getOrCreateSecret(
    CREDENTIAL_KEY,
    createOpaqueToken(random, digest).token,
  );
  if (environment.seeded) {
    const now = clock.now();
    const applications = sandboxApplications(digest, catalogue.scopes.scopes, now);
    const filled = await store.seedOnce({ applications, people: sandboxPeople(now) });
    // A store that an earlier version filled lacks the sample applications that were added since.
    if (!filled) for (const application of applications) await store.registerApplication(application);
  }
  await ensureSigningKeys(ports);
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
    serviceKey,
    sessionKey,
    credentialKey,
    palm: options.palm ?? (environment.seeded ? SANDBOX_PALM : NO_PALM),
    signIn: options.signIn ?? (environment.seeded ? createSandboxSignIn(store) : NO_SIGN_IN),
    issuers: options.issuers ?? [],
    ...(options.externalSignIn === undefined ? {} : { externalSignIn: options.externalSignIn }),
    dpopNonceRequired: options.dpopNonce === true,
    administratorApproves:
      options.administratorApproval === 'always' ||
      (options.externalSignIn === undefined && options.signIn === undefined),
    derivedClaims,
    queries: createCompiledQueryCache(regex, catalogue.scopes, CACHED_QUERIES, options.queryLimits),
    identifiers,
    ...omitUndefined({ administratorTokenHash }),
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
    context.serviceKey,
    context,
  );
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
    /** Since when the service is up; epoch milliseconds. */
    startedAt: clock.now(),
    /** Whether clients may authenticate by signing (RFC 7523). */
    signedClients: context.clientAssertions !== undefined,
    /** The algorithms by which DPoP proofs may be signed (RFC 9449); none where tokens cannot be bound to a key of the client. */
    dpopAlgorithms: context.dpopProofs?.algorithms ?? [],
    /** The external login to which a browser is sent; `undefined` where people sign in here. */
    signInUrl: context.externalSignIn?.url,
    /** Limits how often callers may send requests. */
    rateLimiter,
    /** Limits attempts that may fail, such as guesses of a secret. */
    attemptLimiter: createAttemptLimiter(rateLimiter, context.serviceKey, context),
    /** Returns whether the store answers. Never rejects. */
    isReady: (): Promise<boolean> =>
      store.listSigningKeys().then(
        () => true,
        () => false,
      ),
    authorizations: createAuthorizations(context),
    clients: createClients(context),
    grants: createGrants(context),
    people: createPeople(context),
    sessions: createSessions(context),
    tokens: createTokens(context),
    ...auditReads(reads, context),
  };
}
