/** `proviso client rotate-secret`: replaces the secret of an application, such as after a leak (V7). */
import type { Command } from 'commander';
import { rotateClientSecret } from '../../service/index.js';
import { systemClock } from '../../system/clock.js';
import { systemDigest, systemRandom } from '../../system/node-ports.js';
import { CommandError, EXIT, printMessage, printOutput } from '../output.js';
import { withStore } from '../with-store.js';

interface SecretOptions {
  readonly json?: boolean;
}

/** Adds the command. @param client - The parent command. */
export function addClientSecret(client: Command, variables: NodeJS.ProcessEnv): void {
  client
    .command('rotate-secret')
    .description('replace the secret of an application, and print the new one')
    .argument('<id>', 'its client id')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The previous secret is rejected from the next request on, on every instance. Tokens stay valid: \`proviso grants revoke\` revokes them. If
the applications file lists the application, replace \`secret_sha256\` there too: the file is read at each start.
Exits with 0, with 1 when the application does not exist, or with 2 when it has no secret or was revoked.

Example:
  proviso client rotate-secret app_3kJ0vY1mPz`,
    )
    .action((id: string, options: SecretOptions) => rotate(id, options, variables));
}

/** @throws {CommandError} If the application does not exist, has no secret, or was revoked. */
async function rotate(id: string, options: SecretOptions, variables: NodeJS.ProcessEnv): Promise<void> {
  await withStore(variables, async (store) => {
    const ports = { store, clock: systemClock, random: systemRandom, digest: systemDigest };
    const secret = await rotateClientSecret(id, ports).catch((error: unknown) => {
      throw error instanceof TypeError ? new CommandError(`${id}: ${error.message}`, EXIT.usage) : error;
    });
    if (secret === undefined)
      throw new CommandError(
        `application \`${id}\` not found; \`proviso client list\` lists all applications`,
      );
    printOutput(
      options,
      { client_id: id, client_secret: secret, secret_sha256: sha256(secret) },
      `client_id      ${id}\nclient_secret  ${secret}\nsecret_sha256  ${sha256(secret)}`,
    );
    printMessage('the secret is shown only once; the store keeps its SHA-256');
  });
}

/** Returns the hash as in an applications file: in hexadecimal. */
function sha256(secret: string): string {
  return Buffer.from(systemDigest.sha256(secret), 'base64url').toString('hex');
}
