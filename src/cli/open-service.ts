/** Opens the service as the environment variables say: store, clock, randomness, keys. */
import { re2js } from '../regex/re2js.js';
import {
  createServiceCatalogue,
  prepareService,
  SANDBOX,
  type ServiceBuilder,
  type ServiceOptions,
  type ServicePorts,
  type Store,
} from '../service/index.js';
import { systemClock } from '../system/clock.js';
import { systemCredentialVerifier } from '../system/credential-verifier.js';
import { systemDigest } from '../system/digest.js';
import { systemRandom } from '../system/random.js';
import { systemSigner } from '../system/signer.js';
import { readCatalogueFile } from './catalogue-file.js';
import { databaseOf, openStore } from './database.js';
import { readIssuersFile } from './issuers-file.js';
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
 * Opens the sandbox's service on the store that `PROVISO_DATABASE_URL` names, filling it once.
 *
 * @throws {CommandError} When the variables ask for what there is not, or the store cannot be opened.
 */
export async function openService(variables: NodeJS.ProcessEnv): Promise<OpenedService> {
  const environment = variables['PROVISO_ENVIRONMENT'] ?? 'sandbox';
  if (environment !== 'sandbox') {
    const message = `PROVISO_ENVIRONMENT is \`sandbox\`: production needs keys, an issuer URL and an administrator, which this version cannot take yet; it is \`${environment}\``;
    throw new CommandError(message, EXIT.usage);
  }
  const catalogueFile = variables['PROVISO_CATALOGUE'];
  const catalogue = catalogueFile === undefined ? undefined : readCatalogueFile(catalogueFile);
  const database = databaseOf(variables);
  const store = await openStore(database);
  const ports = {
    store,
    clock: systemClock,
    random: systemRandom,
    digest: systemDigest,
    signer: systemSigner,
    verifier: systemCredentialVerifier,
    regex: re2js,
  };
  const issuersFile = variables['PROVISO_ISSUERS'];
  const options = {
    ...administratorOf(variables['PROVISO_ADMINISTRATOR_SHA256']),
    ...(catalogue === undefined ? {} : { catalogue }),
    ...(issuersFile === undefined
      ? {}
      : { issuers: readIssuersFile(issuersFile, createServiceCatalogue(catalogue)) }),
  };
  return { build: await prepareService(ports, SANDBOX, options), ports, store, storePath: database.shown };
}

/** The hash as `sha256sum` prints it: the token itself stays with whoever uses it. */
function administratorOf(sha256: string | undefined): Pick<ServiceOptions, 'administratorTokenHash'> {
  if (sha256 === undefined) return {};
  if (/^[0-9a-f]{64}$/i.test(sha256)) {
    return { administratorTokenHash: Buffer.from(sha256, 'hex').toString('base64url') };
  }
  const message = 'PROVISO_ADMINISTRATOR_SHA256 is 64 hexadecimal digits: printf %s "$TOKEN" | sha256sum';
  throw new CommandError(message, EXIT.usage);
}
