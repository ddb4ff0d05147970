/** `proviso keys rotate`: creates new keys for ID tokens, which overlap with the old ones (V10, S179). */
import type { Command } from 'commander';
import { formatInstant } from '../../index.js';
import { ensureSigningKeys, rotateSigningKeys } from '../../service/index.js';
import { systemClock } from '../../system/clock.js';
import { systemSigner } from '../../system/signer.js';
import { printOutput } from '../output.js';
import { withStore } from '../with-store.js';

/** Adds the command. */
export function addKeys(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('keys')
    .description('manage the keys that sign ID tokens')
    .command('rotate')
    .description('create new keys: published immediately, used for signing once caches have expired')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nThe old keys stay published until the last token that they signed has expired.\n\nExample:\n  proviso keys rotate',
    )
    .action((options: { json?: boolean }) => keysRotate(options, variables));
}

/** Creates a key of each algorithm and prints when it starts to sign. Running instances need no restart. */
async function keysRotate(options: { readonly json?: boolean }, variables: NodeJS.ProcessEnv): Promise<void> {
  await withStore(variables, async (store) => {
    const ports = { store, signer: systemSigner, clock: systemClock };
    // A store without keys gets keys that sign immediately, since the keys of the rotation sign only later.
    await ensureSigningKeys(ports);
    const keys = (await rotateSigningKeys(ports)).map(({ algorithm, kid, signsFrom }) => ({
      algorithm,
      kid,
      signs_from: formatInstant(signsFrom),
    }));
    const lines = keys.map(
      (key) => `${key.algorithm} ${key.kid} is published now and signs from ${key.signs_from}`,
    );
    printOutput(options, { keys }, lines.join('\n'));
  });
}
