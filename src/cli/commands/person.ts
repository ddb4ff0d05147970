/** `proviso person`: records a person before they sign in for the first time, so that credentials of theirs can be taken in (V2). */

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
    .description('record a person who has not signed in yet, so that credentials of theirs can be taken in')
    .argument('<name>', 'the `sub` by which your own login knows them')
    .option('--email <address>', 'by which applications may name them')
    .option('--wallet <address>', 'by which applications may name them: 0x and 40 hexadecimal digits')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      "\nPrints the person's own id; for a name that is known already, theirs.\n\nExample:\n  proviso person u-1842 --email ada@people.example",
    )
    .action((name: string, options: PersonOptions) => person(name, options, variables));
}

/** Prints the person's own id. @throws {CommandError} When something given is not right. */
async function person(
  name: string,
  { email, wallet, ...options }: PersonOptions,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  if (name === '' || /\p{Cc}/u.test(name)) {
    throw new CommandError('a person’s name is the `sub` by which your own login knows them', EXIT.usage);
  }
  if (wallet !== undefined && !isEvmAddress(wallet)) {
    throw new CommandError(`a wallet is 0x and 40 hexadecimal digits: ${wallet}`, EXIT.usage);
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
