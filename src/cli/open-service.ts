/** Opens the service as the environment variables say: store, clock, randomness, keys. */
import { resolve } from 'node:path';
import { re2js } from '../regex/re2js.js';
import {
  prepareService,
  SANDBOX,
  type ServiceBuilder,
  type ServiceOptions,
  type ServicePorts,
  type Store,
} from '../service/index.js';
import { openSqliteStore } from '../stores/sqlite/index.js';
import { systemClock } from '../system/clock.js';
import { systemDigest } from '../system/digest.js';
import { systemRandom } from '../system/random.js';
import { systemSigner } from '../system/signer.js';
import { readCatalogueFile } from './catalogue-file.js';
import { CommandError, EXIT } from './output.js';

export interface OpenedService {
  /** Builds the service, once it is known where it will be reached. */
  readonly build: ServiceBuilder;
  readonly ports: ServicePorts;
  readonly store: Store;
  /** Where the store is, for a person to read. */
  readonly storePath: string;
}

const DEFAULT_DATABASE_URL = 'sqlite:.proviso/proviso.sqlite';

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
  const storePath = sqlitePath(variables['PROVISO_DATABASE_URL'] ?? DEFAULT_DATABASE_URL);
  const store = await openStore(storePath);
  const ports = {
    store,
    clock: systemClock,
    random: systemRandom,
    digest: systemDigest,
    signer: systemSigner,
    regex: re2js,
  };
  const options = {
    ...administratorOf(variables['PROVISO_ADMINISTRATOR_SHA256']),
    ...(catalogue === undefined ? {} : { catalogue }),
  };
  return { build: await prepareService(ports, SANDBOX, options), ports, store, storePath };
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

function sqlitePath(url: string): string {
  const path = /^sqlite:(?!\/\/)(.+)$/.exec(url)?.[1];
  if (path === undefined) {
    throw new CommandError(
      `PROVISO_DATABASE_URL is \`sqlite:\` and a path, such as \`${DEFAULT_DATABASE_URL}\``,
      EXIT.usage,
    );
  }
  return resolve(path);
}

async function openStore(path: string): Promise<Store> {
  try {
    return await openSqliteStore(path);
  } catch (error) {
    throw new CommandError(
      `the store ${path} cannot be opened: ${error instanceof Error ? error.message : error}`,
    );
  }
}
