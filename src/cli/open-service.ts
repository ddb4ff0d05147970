/** Creates the service from the configuration: store, clock, randomness, keys. */

import { re2js } from '../regex/re2js.js';
import {
  createAuditTrail,
  createLedgerWriter,
  createServiceCatalogue,
  createSettings,
  PRODUCTION,
  prepareService,
  SANDBOX,
  type ServiceBuilder,
  type ServiceOptions,
  type ServicePorts,
  type Settings,
  type Store,
  type StoreObserver,
} from '../service/index.js';
import { createAssertionVerifier, systemClientAssertions } from '../system/assertion-verifier.js';
import { systemClock } from '../system/clock.js';
import { systemCredentialVerifier } from '../system/credential-verifier/credential-verifier.js';
import { systemDpopProofs } from '../system/dpop-verifier.js';
import { systemDigest, systemRandom, systemSetImmediate } from '../system/node-ports.js';
import { systemSigner } from '../system/signer.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { readCatalogueFile } from './catalogue-file.js';
import type { Configuration } from './configuration/settings.js';
import { openStore, unusableStoreError } from './database.js';
import { readApplicationsFile, readIssuersFile, readSignInProvidersFile } from './deployment-files.js';
import { readJsonFile } from './json-file.js';
import { CommandError, EXIT } from './output.js';
import { recordStoreEnvironment } from './with-store.js';

export interface OpenedService {
  /** Creates the service, once its URL is known. */
  readonly build: ServiceBuilder;
  readonly ports: ServicePorts;
  readonly store: Store;
  /** Location of the store for display: a path, or a URL without its password. */
  readonly storePath: string;
}

/**
 * Opens the store and prepares the service. A new sandbox store is seeded.
 *
 * @param observer - Observes the operations of the store. Default: none.
 * @throws {CommandError} If a file is invalid, the store cannot be opened, or it belongs to the other environment.
 */
export async function openService(
  configuration: Configuration,
  observer?: StoreObserver,
): Promise<OpenedService> {
  const { catalogue: catalogueFile, issuers: issuersFile, databaseUrl, environment } = configuration;
  const catalogue = catalogueFile === undefined ? undefined : readCatalogueFile(catalogueFile);
  const issuers =
    issuersFile === undefined ? undefined : readIssuersFile(issuersFile, createServiceCatalogue(catalogue));
  const applications =
    configuration.applications === undefined
      ? []
      : readApplicationsFile(configuration.applications, createServiceCatalogue(catalogue));
  const signInProviders =
    configuration.signInProviders === undefined
      ? undefined
      : await readSignInProvidersFile(configuration.signInProviders);
  const options = {
    ...optionsOf(configuration),
    ...omitUndefined({ catalogue, issuers, signInProviders }),
  };
  const store = await openStore(configuration, observer);
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
    ...(configuration.ledger === 'on' ? { ledgerWriter: createLedgerWriter(store, systemSetImmediate) } : {}),
  };
  try {
    await recordStoreEnvironment(environment, store);
    for (const { revoked, ...application } of applications) {
      const at = systemClock.now();
      const registered = { ...application, createdAt: at, updatedAt: at };
      await store.upsertApplication({ ...registered, ...(revoked ? { revokedAt: at } : {}) });
    }
    const build = await prepareService(ports, environment === 'production' ? PRODUCTION : SANDBOX, options);
    return { build, ports, store, storePath: databaseUrl.shown };
  } catch (error) {
    await store.close();
    throw error instanceof CommandError ? error : unusableStoreError(databaseUrl, error);
  }
}

/** Creates the service's settings for its URL. */
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
    // A hash as printed by `sha256sum`, so that the service never has the token itself.
    ...(hash === undefined ? {} : { administratorTokenHash: Buffer.from(hash, 'hex').toString('base64url') }),
    ...omitUndefined({ key }),
    administratorApproval: configuration.administratorApproval,
    dpopNonce: configuration.dpopNonce === 'on',
    ...signInOf(configuration),
    queryLimits: { checks: queryMaxChecks, depth: queryMaxDepth, matchCost: queryMaxMatchCost },
    queryCacheBytes: configuration.queryCacheBytes,
  };
}

function signInOf({
  signInUrl: url,
  signInKeys: file,
}: Configuration): Pick<ServiceOptions, 'externalSignIn'> {
  if (url === undefined || file === undefined) return {};
  return { externalSignIn: { url, assertions: readSignInKeys(file) } };
}

/** Reads the public keys of the login page. @throws {CommandError} If the file is invalid. */
export function readSignInKeys(file: string) {
  try {
    return createAssertionVerifier(readJsonFile(file));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(`${file} is invalid: ${error.message}`, EXIT.usage);
  }
}
