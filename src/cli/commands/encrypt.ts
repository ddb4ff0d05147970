/** `proviso encrypt`: brings a store's values under the newest encryption key. */

import type { Command } from 'commander';
import type { StoreEncryption } from '../../service/index.js';
import { systemClock } from '../../system/clock.js';
import { loadConfiguration } from '../configuration/load-configuration.js';
import { openStoreAsItIs } from '../database.js';
import { CommandError, EXIT, printAnswer, printNote } from '../output.js';
import { terminalLine } from '../progress-line.js';
import { stopOnSignal } from '../stop-on-signal.js';

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
  const store = await openStoreAsItIs(configuration);
  const stop = stopOnSignal();
  try {
    const { encryption } = store;
    if (encryption === undefined) throw new CommandError('this store encrypts nothing');
    const encrypted = await encryptRounds(encryption, stop.isStopped);
    if (stop.isStopped()) {
      printNote(`stopped after ${encrypted} values; run it again to go on`);
      return EXIT.failed;
    }
    if (!(await encryption.finish())) {
      printNote('others write under another key: begin them anew with these keys, and run it again');
      return EXIT.failed;
    }
    const { keyId } = encryption;
    printAnswer(
      options,
      { encrypted, keyId },
      `${encrypted} values were encrypted; all are under the key ${keyId} now`,
    );
    if (encryption.leftBehind !== undefined)
      printNote(
        `PostgreSQL keeps what rows were until they are rewritten: VACUUM FULL ${encryption.leftBehind}`,
      );
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`not everything is encrypted: ${reasonOf(error)}`);
  } finally {
    stop.forget();
    await store.close();
  }
}

async function encryptRounds(encryption: StoreEncryption, isStopped: () => boolean): Promise<number> {
  let done = 0;
  for (let round = 0; round < MAX_ROUNDS && !isStopped(); round += 1) {
    const left = await encryption.countOthers();
    if (left === 0) break;
    const total = done + left;
    const line = terminalLine(() => systemClock.now());
    try {
      for await (const count of encryption.encryptAll(STEP_VALUES)) {
        done += count;
        line.tell(() => `${done} of ${total} values encrypted`);
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
