/** `proviso sandbox token`: prints an access token for a sample person of the sandbox. */
import type { Command } from 'commander';
import { createSettings, SandboxError } from '../../service/index.js';
import { loadConfiguration } from '../configuration/read-configuration.js';
import { openService } from '../open-service.js';
import { CommandError, EXIT, printOutput } from '../output.js';
import { joinScopeLists, parseScopeList } from '../scope-list.js';

export interface SandboxTokenOptions {
  readonly person: string;
  /** Separated by spaces, as in OAuth. */
  readonly scope: string;
  readonly json?: boolean;
}

/** A placeholder: this process serves no requests. */
const UNUSED_ISSUER = 'http://127.0.0.1/v2';

/** Adds the command. */
export function addSandbox(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('sandbox')
    .description('work with the sample people of the sandbox')
    .command('token')
    .description('print an access token for a sample person, valid for one hour')
    .requiredOption('--person <name>', 'the person, such as ada')
    .requiredOption('--scope <scopes>', 'the scopes to grant, separated by spaces', joinScopeLists)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  proviso sandbox token --person ada --scope "identity:read kyc:read"')
    .action((options: SandboxTokenOptions) => sandboxToken(options, variables));
}

/** Prints the token. @throws {CommandError} For an unknown person or scope, and in production, where it opens no store. */
async function sandboxToken(
  { person, scope, ...options }: SandboxTokenOptions,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  const configuration = loadConfiguration({ variables });
  if (configuration.environment !== 'sandbox') {
    throw new CommandError('proviso sandbox token requires PROVISO_ENVIRONMENT to be sandbox', EXIT.usage);
  }
  const { build, store } = await openService(configuration);
  try {
    const token = await build(createSettings(UNUSED_ISSUER)).tokens.issueSandboxToken(
      person,
      parseScopeList(scope),
    );
    printOutput(options, { access_token: token }, token);
  } catch (error) {
    throw error instanceof SandboxError ? new CommandError(error.message, EXIT.usage) : error;
  } finally {
    await store.close();
  }
}
