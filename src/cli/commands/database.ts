/** The commands on a database as a whole: `migrate`, `encrypt` and `backup`. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { StoreEncryption } from '../../service/index.js';
import { systemClock } from '../../system/clock.js';
import { loadConfiguration } from '../configuration/read-configuration.js';
import { openExistingStore, openStore, readSchema } from '../database.js';
import { CommandError, createStatusLine, EXIT, printMessage, printOutput } from '../output.js';
import { stopOnSignal } from '../signals.js';

export interface MigrateOptions {
  /** Only tells, and changes nothing. */
  readonly status?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function addMigrate(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('migrate')
    .description("bring the store's tables to the newest version; serve does so too when it starts")
    .option('--status', 'only tell how far they are')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      `
The store is the one of PROVISO_DATABASE_URL. Of several that migrate at once, one does and the others wait.

Ends with 0 when the tables have the newest version, 1 when they do not or a newer program wrote them.

Example:
  PROVISO_DATABASE_URL=postgres://proviso@db.example/proviso proviso migrate --status`,
    )
    .action(async (options: MigrateOptions) => {
      process.exitCode = await migrate(options, variables);
    });
}

/**
 * Applies what is missing, or tells what is.
 *
 * @returns The exit code: with `status`, 1 where something is missing.
 * @throws {CommandError} When the store cannot be opened, or a newer program wrote it.
 */
async function migrate(
  { status = false, ...options }: MigrateOptions,
  variables: NodeJS.ProcessEnv,
): Promise<number> {
  const configuration = loadConfiguration({ variables });
  const { databaseUrl: database } = configuration;
  const { found, newest } = await readSchema(database);
  const answer = { store: database.shown, found, newest, migrated: false };
  if (found === newest) {
    printOutput(options, answer, `${database.shown} has schema version ${found}, the newest`);
    return EXIT.ok;
  }
  if (status) {
    printOutput(
      options,
      answer,
      `${database.shown} has schema version ${found}; ${newest} is the newest: run proviso migrate`,
    );
    return EXIT.failed;
  }
  await (await openStore(configuration)).close();
  printOutput(
    options,
    { ...answer, migrated: true },
    `${database.shown} had schema version ${found} and has ${newest}, the newest, now`,
  );
  return EXIT.ok;
}

const STEP_VALUES = 500;
/** Instances that have not begun anew with the newest key go on writing under another. */
const MAX_ROUNDS = 3;

/** Adds the command. */
export function addEncrypt(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('encrypt')
    .description("bring the store's values under the newest encryption key, or under one for the first time")
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      `
The keys are those of PROVISO_ENCRYPTION_KEYS (or PROVISO_ENCRYPTION_KEYS_FILE), the newest first. Begin all instances anew with them
before you run this; it may run while they serve. An instance that was not is noticed only where it writes before the end of this. It can
be stopped and run again. At its end a SQLite file is written anew, so
that nothing is left of what was in clear, and keys that encrypt nothing any more can be taken away.

Ends with 0 when everything is under the newest key, 1 when it was stopped or could not be done, 2 when there is no key.

Example:
  PROVISO_ENCRYPTION_KEYS_FILE=secrets/encryption-keys proviso encrypt`,
    )
    .action(async (options: { json?: boolean }) => {
      process.exitCode = await encrypt(options, variables);
    });
}

/**
 * Encrypts whatever is not under the first of PROVISO_ENCRYPTION_KEYS, while others use the store.
 *
 * @returns The exit code: 1 where it was stopped, or others still write under another key.
 * @throws {CommandError} When there is no key, the store cannot be opened, or a value is not what was written.
 */
async function encrypt(options: { readonly json?: boolean }, variables: NodeJS.ProcessEnv): Promise<number> {
  const configuration = loadConfiguration({ variables });
  if (configuration.encryptionKeys === undefined) {
    const message = 'PROVISO_ENCRYPTION_KEYS has the keys, the one first under which everything is to be';
    throw new CommandError(message, EXIT.usage);
  }
  const store = await openExistingStore(configuration);
  const stop = stopOnSignal();
  try {
    const { encryption } = store;
    if (encryption === undefined) throw new CommandError('this store encrypts nothing');
    const encrypted = await encryptRounds(encryption, stop.isStopped);
    if (stop.isStopped()) {
      printMessage(`stopped after ${encrypted} values; run it again to go on`);
      return EXIT.failed;
    }
    if (!(await encryption.finish())) {
      printMessage('others write under another key: begin them anew with these keys, and run it again');
      return EXIT.failed;
    }
    const { keyId } = encryption;
    printOutput(
      options,
      { encrypted, keyId },
      `${encrypted} values were encrypted; all are under the key ${keyId} now`,
    );
    if (encryption.tablesToVacuum !== undefined)
      printMessage(
        `PostgreSQL keeps what rows were until they are rewritten: VACUUM FULL ${encryption.tablesToVacuum}`,
      );
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`not everything is encrypted: ${reasonOf(error)}`);
  } finally {
    stop.dispose();
    await store.close();
  }
}

async function encryptRounds(encryption: StoreEncryption, isStopped: () => boolean): Promise<number> {
  let done = 0;
  for (let round = 0; round < MAX_ROUNDS && !isStopped(); round += 1) {
    const left = await encryption.countUnderOtherKeys();
    if (left === 0) break;
    const total = done + left;
    const line = createStatusLine(() => systemClock.now());
    try {
      for await (const count of encryption.encryptAll(STEP_VALUES)) {
        done += count;
        line.update(() => `${done} of ${total} values encrypted`);
        // A database that answers at once would let no signal through.
        await new Promise((resolve) => setImmediate(resolve));
        if (isStopped()) break;
      }
    } finally {
      line.end();
    }
  }
  return done;
}

function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** Adds the command. */
export function addBackup(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('backup')
    .description('copy a SQLite store to a new file while it is in use')
    .argument('<file>', 'where the copy goes; it is not there yet')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      `
The store is the one of PROVISO_DATABASE_URL. No token and no code in the copy works: who had one logs in again.
Prints the path of the copy. Ends with 0 when it is whole and on the disk.

Example:
  proviso backup backups/proviso-monday.sqlite`,
    )
    .action((file: string, options: { json?: boolean }) => backup(file, options, variables));
}

/** @throws {CommandError} When the store is none that this can copy, or the copy cannot be made. */
async function backup(
  file: string,
  options: { readonly json?: boolean },
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  const { engine, address, shown } = loadConfiguration({ variables }).databaseUrl;
  if (engine !== 'sqlite') {
    throw new CommandError(
      'PostgreSQL is backed up by its own tools, such as pg_dump; see docs/guides/deployment.md',
      EXIT.usage,
    );
  }
  const target = resolve(file);
  try {
    const { backupSqlite } = await import('../../stores/sqlite/index.js');
    backupSqlite(address, target, systemClock.now());
  } catch (error) {
    throw new CommandError(`${shown} is not backed up: ${error instanceof Error ? error.message : error}`);
  }
  printOutput(options, { copy: target }, target);
}
