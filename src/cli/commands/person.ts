/** `proviso person`: creates a person before their first sign-in, so that their credentials can be ingested (V2). */

import type { Command } from 'commander';
import { isEvmAddress } from '../../service/index.js';
import { createOpaqueId } from '../../service/tokens/opaque-token.js';
import { systemRandom } from '../../system/node-ports.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { loadConfiguration } from '../configuration/read-configuration.js';
import { openStore } from '../database.js';
import { CommandError, EXIT, printOutput } from '../output.js';

export interface PersonOptions {
  readonly email?: string;
  readonly wallet?: string;
  readonly json?: boolean;
}

/** Adds the command. */
export function addPerson(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('person')
    .description('create a person before their first sign-in, so that their credentials can be ingested')
    .argument('<name>', 'the `sub` that your login asserts for them')
    .option('--email <address>', 'e-mail address by which applications may look them up')
    .option(
      '--wallet <address>',
      'wallet address by which applications may look them up: 0x and 40 hexadecimal digits',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      "\nPrints the person's id; for a known name, the existing id.\n\nExample:\n  proviso person u-1842 --email ada@people.example",
    )
    .action((name: string, options: PersonOptions) => person(name, options, variables));
}

/** Prints the person's id. @throws {CommandError} For invalid input. */
async function person(
  name: string,
  { email, wallet, ...options }: PersonOptions,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  if (name === '' || /\p{Cc}/u.test(name)) {
    throw new CommandError(
      'the name must be the `sub` that your login asserts: not empty, without control characters',
      EXIT.usage,
    );
  }
  if (wallet !== undefined && !isEvmAddress(wallet)) {
    throw new CommandError(`--wallet must be 0x and 40 hexadecimal digits (got \`${wallet}\`)`, EXIT.usage);
  }
  const store = await openStore(loadConfiguration({ variables }));
  try {
    const { id } = await store.getOrCreatePerson({
      id: createOpaqueId(systemRandom),
      name,
      about: '',
      ...omitUndefined({ email }),
      ...(wallet === undefined ? {} : { evmAddress: wallet.toLowerCase() }),
    });
    printOutput(options, { id }, id);
  } finally {
    await store.close();
  }
}
