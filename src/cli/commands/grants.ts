/** `proviso grants revoke`: revokes the grants of an application, of a person, or of everyone, with their tokens (V11). */
import type { Command } from 'commander';
import {
  createPersonalData,
  getCredentialKey,
  revokeGrants,
  ServiceError,
  type Store,
} from '../../service/index.js';
import { systemClock } from '../../system/clock.js';
import { systemDigest, systemRandom } from '../../system/node-ports.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { CommandError, EXIT, printOutput } from '../output.js';
import { withStore } from '../with-store.js';

interface RevokeOptions {
  readonly client?: string;
  readonly person?: string;
  readonly everyone?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function addGrants(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('grants')
    .description('revoke grants and their tokens, and sign people out')
    .command('revoke')
    .description('revoke all grants of an application, of a person, or of everyone, permanently')
    .option('--client <id>', 'of this application')
    .option('--person <person>', 'of this person: id or name, or `email|ADDRESS` or `wallet|ADDRESS`')
    .option('--everyone', 'of all applications and all people')
    .requiredOption('--yes', 'confirm: people have to approve again')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Every access token, refresh token and code of these grants is rejected from the next request on, on every instance. With --person or
--everyone, the people are also signed out at every browser. --client together with --person revokes the grants of this person to this
application. Applications stay registered, and people can approve again.
Exits with 0, with 1 when the application or the person does not exist or the store cannot be opened, or with 2 for
invalid options or settings.

Examples:
  proviso grants revoke --client app_3kJ0vY1mPz --yes
  proviso grants revoke --everyone --yes`,
    )
    .action((options: RevokeOptions) => revoke(options, variables));
}

/** @throws {CommandError} If the application or the person does not exist, or the selection is missing or contradictory. */
async function revoke(
  { client, person, everyone = false, ...options }: RevokeOptions,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  const isSelective = client !== undefined || person !== undefined;
  if (isSelective === everyone)
    throw new CommandError(
      'either --everyone, or one or both of --client and --person, must be given',
      EXIT.usage,
    );
  await withStore(variables, async (store) => {
    if (client !== undefined && (await store.findApplication(client)) === undefined)
      throw new CommandError(
        `application \`${client}\` not found; \`proviso client list\` lists all applications`,
      );
    const userId = person === undefined ? undefined : await findPersonId(person, store);
    const selection = omitUndefined({ clientId: client, userId });
    const { grants, people } = await revokeGrants(selection, { store, clock: systemClock });
    printOutput(
      options,
      { revoked: true, grants, people },
      `revoked grants: ${grants}; people signed out: ${people}`,
    );
  });
}

/** @throws {CommandError} For an unknown person. */
async function findPersonId(person: string, store: Store): Promise<string> {
  const ports = { store, clock: systemClock, digest: systemDigest, random: systemRandom };
  try {
    const credentialKey = await getCredentialKey(ports);
    return (await createPersonalData({ ...ports, credentialKey }).find(person)).id;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.subcode !== 'not_found') throw error;
    throw new CommandError('no person has this id, name or address');
  }
}
