/** `proviso sandbox token`: a token for a made-up person. */
import type { Command } from 'commander';
import { createSettings, SandboxError } from '../../service/index.js';
import { loadConfiguration } from '../configuration/read-configuration.js';
import { openService } from '../open-service.js';
import { CommandError, EXIT, printOutput } from '../output.js';
import { parseScopeList } from '../scope-list.js';

export interface SandboxTokenOptions {
  readonly user: string;
  /** Separated by blanks, as OAuth writes them. */
  readonly scope: string;
  readonly json?: boolean;
}

/** No request comes in by way of this process, so where it would be reached does not matter. */
const UNUSED_ISSUER = 'http://127.0.0.1/v2';

/** Adds the command. */
export function addSandbox(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('sandbox')
    .description("the sandbox's made-up people")
    .command('token')
    .description('print an access token for one of them, good for an hour')
    .requiredOption('--user <name>', 'the person, such as ada')
    .requiredOption('--scope <scopes>', 'what the person grants, separated by blanks')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExample:\n  proviso sandbox token --user ada --scope "identity:read kyc:read"')
    .action((options: SandboxTokenOptions) => sandboxToken(options, variables));
}

/** Prints the token alone. @throws {CommandError} When there is no such person or scope. */
async function sandboxToken(
  { user, scope, ...options }: SandboxTokenOptions,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  const { build, store } = await openService(loadConfiguration({ variables }));
  try {
    const token = await build(createSettings(UNUSED_ISSUER)).tokens.issueSandboxToken(
      user,
      parseScopeList(scope),
    );
    printOutput(options, { access_token: token }, token);
  } catch (error) {
    throw error instanceof SandboxError ? new CommandError(error.message, EXIT.usage) : error;
  } finally {
    await store.close();
  }
}
