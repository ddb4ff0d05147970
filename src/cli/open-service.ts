/** Opens the service as the configuration says: store, clock, randomness, keys. */

import { re2js } from '../regex/re2js.js';
import {
  createAuditTrail,
  createServiceCatalogue,
  createSettings,
  type EnvironmentName,
  isSandboxApplication,
  PRODUCTION,
  prepareService,
  SANDBOX,
  type ServiceBuilder,
  type ServiceOptions,
  type ServicePorts,
  type Settings,
  type Store,
} from '../service/index.js';
import { createAssertionVerifier, systemClientAssertions } from '../system/assertion-verifier.js';
import { systemClock } from '../system/clock.js';
import { systemCredentialVerifier } from '../system/credential-verifier/credential-verifier.js';
import { systemDpopProofs } from '../system/dpop-verifier.js';
import { systemDigest, systemRandom, systemSetImmediate } from '../system/node-ports.js';
import { systemSigner } from '../system/signer.js';
import { omitUndefined } from '../util/omit-undefined.js';
import type { Configuration } from './configuration/settings.js';
import { openStore, unusableStoreError } from './database.js';
import { readApplicationsFile, readCatalogueFile, readIssuersFile } from './deployment-files.js';
import { readJsonFile } from './json-file.js';
import { CommandError, EXIT } from './output.js';

export interface OpenedService {
  /** Builds the service, once it is known where it will be reached. */
  readonly build: ServiceBuilder;
  readonly ports: ServicePorts;
  readonly store: Store;
  /** Where the store is, for a person to read: a path, or a URL without its password. */
  readonly storePath: string;
}

/**
 * Opens the service on its store; the sandbox's is filled once.
 *
 * @throws {CommandError} When a file is not right, the store cannot be opened, or production is to run on the sandbox's store.
 */
export async function openService(configuration: Configuration): Promise<OpenedService> {
  const { catalogue: catalogueFile, issuers: issuersFile, databaseUrl, environment } = configuration;
  const catalogue = catalogueFile === undefined ? undefined : readCatalogueFile(catalogueFile);
  const issuers =
    issuersFile === undefined ? undefined : readIssuersFile(issuersFile, createServiceCatalogue(catalogue));
  const applications =
    configuration.applications === undefined
      ? []
      : readApplicationsFile(configuration.applications, createServiceCatalogue(catalogue));
  const store = await openStore(configuration);
  const ports = {
    store,
    clock: systemClock,
    random: systemRandom,
    digest: systemDigest,
    signer: systemSigner,
    verifier: systemCredentialVerifier,
    clientAssertions: systemClientAssertions,
    dpopProofs: systemDpopProofs,
    regex: re2js,
    ...(configuration.audit === 'all' ? { audit: createAuditTrail(store, systemSetImmediate) } : {}),
  };
  const options = {
    ...optionsOf(configuration),
    ...omitUndefined({ catalogue, issuers }),
  };
  try {
    await assertStoreEnvironment(environment, store);
    for (const { revoked, ...application } of applications) {
      const at = systemClock.now();
      const registered = { ...application, createdAt: at, updatedAt: at };
      await store.recordApplication({ ...registered, ...(revoked ? { revokedAt: at } : {}) });
    }
    const build = await prepareService(ports, environment === 'production' ? PRODUCTION : SANDBOX, options);
    return { build, ports, store, storePath: databaseUrl.shown };
  } catch (error) {
    await store.close();
    throw error instanceof CommandError ? error : unusableStoreError(databaseUrl, error);
  }
}

/** The service's settings, once it is known where it will be reached. */
export function toSettings(configuration: Configuration, issuer: string): Settings {
  const {
    requestLifetimeSeconds,
    pushedRequestLifetimeSeconds,
    codeLifetimeSeconds,
    accessTokenLifetimeSeconds,
    refreshTokenLifetimeSeconds,
    timestampGranularitySeconds,
    rateLimitPerMinute,
    clientRateLimitPerMinute,
    addressRateLimitPerMinute,
    secretFailuresPerMinute,
    authorizationRateLimitPerMinute,
    userTokenMissesPerMinute,
  } = configuration;
  return createSettings(issuer, {
    requestLifetimeSeconds,
    pushedRequestLifetimeSeconds,
    codeLifetimeSeconds,
    accessTokenLifetimeSeconds,
    refreshTokenLifetimeSeconds,
    timestampGranularitySeconds,
    rateLimitPerMinute,
    clientRateLimitPerMinute,
    addressRateLimitPerMinute,
    secretFailuresPerMinute,
    authorizationRateLimitPerMinute,
    userTokenMissesPerMinute,
  });
}

function optionsOf(configuration: Configuration): ServiceOptions {
  const { administratorSha256: hash, key, queryMaxChecks, queryMaxDepth, queryMaxMatchCost } = configuration;
  return {
    // As `sha256sum` prints it: the token itself stays with whoever uses it.
    ...(hash === undefined ? {} : { administratorTokenHash: Buffer.from(hash, 'hex').toString('base64url') }),
    ...omitUndefined({ key }),
    administratorApproval: configuration.administratorApproval,
    dpopNonce: configuration.dpopNonce === 'on',
    ...signInOf(configuration),
    queryLimits: { checks: queryMaxChecks, depth: queryMaxDepth, matchCost: queryMaxMatchCost },
  };
}

function signInOf({
  signInUrl: url,
  signInKeys: file,
}: Configuration): Pick<ServiceOptions, 'externalSignIn'> {
  if (url === undefined || file === undefined) return {};
  try {
    return { externalSignIn: { url, assertions: createAssertionVerifier(readJsonFile(file)) } };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(`${file} is not right: ${error.message}`, EXIT.usage);
  }
}

/**
 * A store is the sandbox's or production's, for good: the sandbox's applications have secrets that anybody can read, and among real
 * people nothing is made up (S202).
 */
export async function assertStoreEnvironment(environment: EnvironmentName, store: Store): Promise<void> {
  const applications = await store.listApplications();
  const filled = applications.some(isSandboxApplication) ? 'sandbox' : environment;
  const kept = await store.getOrCreateSecret('environment', filled);
  if (kept === environment) return;
  await store.close();
  throw new CommandError(
    `this store is that of ${kept === 'sandbox' ? 'the sandbox' : 'production'}: the other needs one of its own`,
    EXIT.usage,
  );
}
