/** Opens the configured store for a command that changes it, and checks that it belongs to the configured environment (S202). */
import { type EnvironmentName, isSandboxApplication, type Store } from '../service/index.js';
import { loadConfiguration } from './configuration/read-configuration.js';
import type { Configuration } from './configuration/settings.js';
import { openExistingStore, openStore } from './database.js';
import { CommandError, EXIT } from './output.js';

/** The name under which a store records its environment. */
const ENVIRONMENT_SECRET = 'environment';

/**
 * Opens the store, does the work, and closes the store.
 *
 * @param kind - `new`: creates and migrates the store where necessary, and records its environment once the work is done: work that fails, such as for an
 *   invalid application, must not bind a new store. Default: opens only an existing store.
 * @throws {CommandError} If the configuration is invalid, the store cannot be opened, or it belongs to the other environment.
 */
export async function withStore(
  variables: NodeJS.ProcessEnv,
  work: (store: Store, configuration: Configuration) => Promise<void>,
  kind: 'existing' | 'new' = 'existing',
): Promise<void> {
  const configuration = loadConfiguration({ variables });
  const { environment } = configuration;
  const store = await (kind === 'new' ? openStore(configuration) : openExistingStore(configuration));
  try {
    await assertStoreEnvironment(environment, store);
    await work(store, configuration);
    if (kind === 'new') await recordStoreEnvironment(environment, store);
  } finally {
    await store.close();
  }
}

/**
 * Checks that a store does not belong to the other environment, whose default settings differ: in the sandbox, the audit log is off, so a
 * command would change a production store without an entry. A store that records no environment belongs to neither.
 *
 * @throws {CommandError} If it belongs to the other environment.
 */
export async function assertStoreEnvironment(environment: EnvironmentName, store: Store): Promise<void> {
  const known = await findEnvironment(store);
  if (known !== undefined && known !== environment) throw wrongEnvironment(environment, known);
}

/**
 * Checks that a store belongs to the environment, and records the environment in a new store. A store never changes environment: the secrets of
 * the sandbox's applications are public, and production must not contain sample people (S202).
 *
 * @throws {CommandError} If it belongs to the other environment.
 */
export async function recordStoreEnvironment(environment: EnvironmentName, store: Store): Promise<void> {
  const known = (await findEnvironment(store)) ?? environment;
  const recorded = await store.getOrCreateSecret(ENVIRONMENT_SECRET, known);
  if (recorded !== environment) throw wrongEnvironment(environment, recorded);
}

/** Returns the environment that a store records; in a store of an older version, infers the sandbox from its applications. */
async function findEnvironment(store: Store): Promise<string | undefined> {
  const recorded = await store.findSecret(ENVIRONMENT_SECRET);
  if (recorded !== undefined) return recorded;
  return (await store.listApplications()).some(isSandboxApplication) ? 'sandbox' : undefined;
}

/** Returns the error for a store of the other environment. */
function wrongEnvironment(environment: EnvironmentName, recorded: string): CommandError {
  const nameOf = (name: string) => (name === 'sandbox' ? 'the sandbox' : 'production');
  return new CommandError(
    `this store belongs to ${nameOf(recorded)} and cannot be used in ${nameOf(environment)}: set PROVISO_ENVIRONMENT to ${recorded}, or choose another store with PROVISO_DATABASE_URL`,
    EXIT.usage,
  );
}
