/** The commands that operate on a database as a whole: `migrate`, `encrypt` and `backup`. */
import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { StoreEncryption } from '../../service/index.js';
import { systemClock } from '../../system/clock.js';
import { loadConfiguration } from '../configuration/read-configuration.js';
import type { Configuration } from '../configuration/settings.js';
import { inspectStore, openExistingStore, openStore, readSchema, unusableStoreError } from '../database.js';
import { CommandError, createStatusLine, EXIT, printMessage, printOutput } from '../output.js';
import { toRewriteStatements } from '../rewrite-statements.js';
import { watchStopSignals } from '../signals.js';

export interface MigrateOptions {
  /** Whether to only report the version. */
  readonly status?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function addMigrate(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('migrate')
    .description('migrate the store to the newest schema version; serve also does this when it starts')
    .option('--status', 'only print the schema version')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Migrates the store of PROVISO_DATABASE_URL. Of several concurrent migrations, one runs and the others wait.

A store that a newer program migrated is left unchanged; this program may still be compatible with it.

Exits with 0 when the schema is up to date, was migrated, or is newer and compatible;
1 when it is not compatible or, with --status, older.

Example:
  PROVISO_DATABASE_URL=postgres://proviso@db.example/proviso proviso migrate --status`,
    )
    .action(async (options: MigrateOptions) => {
      process.exitCode = await migrate(options, variables);
    });
}

/**
 * Applies the missing migrations and builds missing indexes, or reports whether a migration is missing.
 *
 * @returns The exit code: with `status`, 1 if a migration is missing.
 * @throws {CommandError} If the store cannot be opened, or a newer program that is not compatible with this one migrated it.
 */
async function migrate(
  { status = false, ...options }: MigrateOptions,
  variables: NodeJS.ProcessEnv,
): Promise<number> {
  const configuration = loadConfiguration({ variables });
  const { databaseUrl: database } = configuration;
  const { found, newest } = await readSchema(database);
  const schemaStatus = { store: database.shown, found, newest, migrated: false };
  if (found === newest) {
    if (!status) await completeIndexes(configuration);
    printOutput(options, schemaStatus, `${database.shown} has the newest schema version, ${found}`);
    return EXIT.ok;
  }
  if (found > newest) {
    printOutput(
      options,
      schemaStatus,
      `${database.shown} has schema version ${found} of a newer program, with which this one (${newest}) is compatible`,
    );
    return EXIT.ok;
  }
  if (status) {
    printOutput(
      options,
      schemaStatus,
      `${database.shown} has schema version ${found}; the newest is ${newest}: run proviso migrate`,
    );
    return EXIT.failed;
  }
  await (await openStore(configuration)).close();
  printOutput(
    options,
    { ...schemaStatus, migrated: true },
    `${database.shown} was migrated from schema version ${found} to ${newest}, the newest`,
  );
  return EXIT.ok;
}

/** Opens the store if an interrupted migration left indexes missing or invalid, since opening it builds them. */
async function completeIndexes(configuration: Configuration): Promise<void> {
  const { databaseUrl: database } = configuration;
  const inspection = await inspectStore(database);
  const missing = await inspection
    .listMissingIndexes()
    .catch((error: unknown) => {
      throw unusableStoreError(database, error);
    })
    .finally(inspection.close);
  if (missing.length > 0) await (await openStore(configuration)).close();
}

/** Few, so that on SQLite a request waits only a few milliseconds for the lock of a batch. */
const STEP_ROWS = 100;
const FULL_SHARE = 100;
/** More than one, since instances that were not restarted with the new first key write values with another key meanwhile. */
const MAX_ROUNDS = 3;

interface EncryptOptions {
  readonly json?: boolean;
  /** Percentage of the time in which to work. */
  readonly share: number;
}

const DEFAULT_SHARE = 50;

/** @throws {CommandError} If the text is not an integer from 1 to 100. */
function parseShare(text: string): number {
  const share = Number(text);
  if (Number.isInteger(share) && share >= 1 && share <= FULL_SHARE) return share;
  throw new CommandError(`--share must be an integer from 1 to 100 (got \`${text}\`)`, EXIT.usage);
}

/** Adds the command. */
export function addEncrypt(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('encrypt')
    .description("encrypt the store's values with the first encryption key")
    .option(
      '--share <percent>',
      'the share of the time in which to work, from 1 to 100; the rest is left to requests',
      parseShare,
      DEFAULT_SHARE,
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Uses the keys of PROVISO_ENCRYPTION_KEYS (or PROVISO_ENCRYPTION_KEYS_FILE); the first key encrypts. Restart all instances with these keys
before you run this command; they may serve while it runs: by default it works half of the time. Use --share 100 to finish
sooner when nothing else uses the store. An instance that was not restarted is detected only if it writes before the
command ends. The command can be interrupted and run again. At the end it rewrites a SQLite file, so that no plaintext remains:
requests that write wait meanwhile, and return 503 after about five seconds. Keys that no longer encrypt any value can then be removed.

Exits with 0 when every value is encrypted with the first key, 1 when interrupted or failed, 2 when there is no key.

Example:
  PROVISO_ENCRYPTION_KEYS_FILE=secrets/encryption-keys proviso encrypt`,
    )
    .action(async (options: EncryptOptions) => {
      process.exitCode = await encrypt(options, variables);
    });
}

/**
 * Encrypts every value that is not encrypted with the first of PROVISO_ENCRYPTION_KEYS, while the store is in use.
 *
 * @returns The exit code: 1 if interrupted, or if other instances still write with another key.
 * @throws {CommandError} If there is no key, the store cannot be opened or has a newer schema, whose encrypted columns this program does not know,
 *   or a value cannot be decrypted.
 */
async function encrypt(options: EncryptOptions, variables: NodeJS.ProcessEnv): Promise<number> {
  const configuration = loadConfiguration({ variables });
  if (configuration.encryptionKeys === undefined) {
    const message =
      'PROVISO_ENCRYPTION_KEYS is missing: it must list the keys, the one to encrypt with first';
    throw new CommandError(message, EXIT.usage);
  }
  const store = await openExistingStore(configuration, 'newest');
  const stop = watchStopSignals();
  try {
    const { encryption } = store;
    if (encryption === undefined) throw new CommandError('this store does not support encryption');
    const encrypted = await encryptRounds(encryption, options.share, stop.isStopped);
    if (stop.isStopped()) {
      printMessage(`interrupted after ${encrypted} values; run the command again to continue`);
      return EXIT.failed;
    }
    if (!(await encryption.finish())) {
      printMessage(
        'some values are not encrypted with the first key: other instances write with another key, or requests locked the rows. Restart the instances with these keys and run the command again',
      );
      return EXIT.failed;
    }
    const { keyId } = encryption;
    printOutput(
      options,
      { encrypted, keyId },
      `${encrypted} values were encrypted; all values are now encrypted with the key ${keyId}`,
    );
    if (encryption.tablesToRewrite !== undefined)
      printMessage(
        `PostgreSQL keeps old values until they are rewritten: ${toRewriteStatements(encryption.tablesToRewrite)}`,
      );
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`encryption is incomplete: ${reasonOf(error)}`);
  } finally {
    stop.dispose();
    await store.close();
  }
}

async function encryptRounds(
  encryption: StoreEncryption,
  share: number,
  isStopped: () => boolean,
): Promise<number> {
  let done = 0;
  for (let round = 0; round < MAX_ROUNDS && !isStopped(); round += 1) {
    const left = await encryption.countUnderOtherKeys();
    if (left === 0) break;
    const total = done + left;
    const line = createStatusLine(() => systemClock.now());
    try {
      let startedAt = systemClock.now();
      for await (const count of encryption.encryptAll(STEP_ROWS)) {
        done += count;
        line.update(() => `${done} of ${total} values encrypted`);
        // Also lets signals be handled, even if the database responds synchronously.
        const pauseMs = ((systemClock.now() - startedAt) * (FULL_SHARE - share)) / share;
        await new Promise((resolve) => (pauseMs > 0 ? setTimeout(resolve, pauseMs) : setImmediate(resolve)));
        if (isStopped()) break;
        startedAt = systemClock.now();
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
    .argument('<file>', 'path of the copy, which must not exist; - for standard output')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Copies the store of PROVISO_DATABASE_URL. Tokens and codes in the copy are not valid: applications must be authorized again.
Prints the path of the copy. Exits with 0 when the copy is complete and on disk.

With -, writes the copy to standard output, from a temporary file in the folder of the store.

Examples:
  proviso backup backups/proviso-monday.sqlite
  proviso backup - | gzip > backups/proviso-monday.sqlite.gz`,
    )
    .action((file: string, options: { json?: boolean }) => backup(file, options, variables));
}

/**
 * @throws {CommandError} If the store is not SQLite, a newer program that is not compatible with this one migrated it, the name of the copy is reserved,
 *   or the copy fails.
 */
async function backup(
  file: string,
  options: { readonly json?: boolean },
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  const { databaseUrl: database } = loadConfiguration({ variables });
  const { engine, address, shown } = database;
  if (engine !== 'sqlite') {
    throw new CommandError(
      '`proviso backup` supports SQLite only: back up PostgreSQL with its own tools, such as pg_dump; see docs/guides/deployment.md#backup-and-restore',
      EXIT.usage,
    );
  }
  const isStreamed = file === STANDARD_OUTPUT;
  if (isStreamed && options.json === true)
    throw new CommandError(
      '--json requires a file: with -, the copy is written to standard output',
      EXIT.usage,
    );
  if (isStreamed && process.stdout.isTTY)
    throw new CommandError(
      'the copy is binary: redirect it, such as `proviso backup - > copy.sqlite`',
      EXIT.usage,
    );
  if (RESERVED_NAME.test(file))
    throw new CommandError(
      `the name of the copy must not end in -wal, -shm or -journal, since SQLite deletes such files (got ${file})`,
      EXIT.usage,
    );
  // Rejects a newer store that is not compatible: this program may not know all tokens and codes, which must not be valid in the copy.
  await readSchema(database);
  const target = isStreamed ? `${address}.backup` : resolve(file);
  try {
    const { backupSqlite } = await import('../../stores/sqlite/index.js');
    backupSqlite(address, target, systemClock.now());
    if (isStreamed) await writeAndDelete(target);
  } catch (error) {
    throw new CommandError(`backup of ${shown} failed: ${error instanceof Error ? error.message : error}`);
  }
  if (!isStreamed) printOutput(options, { copy: target }, target);
}

const STANDARD_OUTPUT = '-';
/** The names of the log, the index of the log and the rollback journal of a database. */
const RESERVED_NAME = /-(?:wal|shm|journal)$/i;

/** Writes a file to standard output, and deletes it. Deletes it before writing, so that nothing remains if the command is interrupted. */
async function writeAndDelete(path: string): Promise<void> {
  const file = await open(path);
  await rm(path);
  await pipeline(file.createReadStream(), process.stdout, { end: false });
}
