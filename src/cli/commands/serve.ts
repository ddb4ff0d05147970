/** `proviso serve`: runs the service until it receives a signal. */

import type { Command } from 'commander';
import { loadConfiguration } from '../configuration/read-configuration.js';
import { countProcesses } from '../configuration/settings.js';
import { findSupervisedProcess, SINGLE_PROCESS } from '../serving/host-process.js';
import { superviseProcesses } from '../serving/supervise-processes.js';

export interface ServeOptions {
  /** A settings file; overrides PROVISO_CONFIG. */
  readonly config?: string;
  /** A file of scopes, claims and presets; overrides PROVISO_CATALOGUE. */
  readonly catalogue?: string;
  /** A file of issuers whose signed credentials are accepted; overrides PROVISO_ISSUERS. */
  readonly issuers?: string;
  /** Number of processes; overrides PROVISO_PROCESSES. */
  readonly processes?: string;
}

/** Adds the command. @param version - Version of this program. */
export function addServe(program: Command, variables: NodeJS.ProcessEnv, version: string): void {
  program
    .command('serve')
    .description('run the service: as a sandbox with sample people, or in production')
    .option('--config <file>', 'settings file (JSON); see `proviso config`')
    .option('--catalogue <file>', 'catalogue file with scopes, claims and presets; see `proviso catalogue`')
    .option('--issuers <file>', 'file with the issuers whose signed credentials are accepted, and their keys')
    .option('--processes <count>', 'number of processes that share the port; 0: one per processor')
    .addHelpText(
      'after',
      `
Settings come from options, from environment variables (PROVISO_PORT and so on), and from the settings file, in this order of precedence;
\`proviso config\` prints all of them.

SIGTERM and SIGINT stop the service, and so does SIGHUP with one process. With several, SIGHUP replaces them one by one, without losing a request:
the new ones read the settings and files again. A process that crashes is replaced.

Exits with 0 when stopped, 1 when the port is in use, the store cannot be opened, or a pending request had to be aborted,
2 when a setting is invalid.

Examples:
  PROVISO_PORT=0 proviso serve
  proviso serve --processes 2`,
    )
    .action(async (options: ServeOptions) => {
      process.exitCode = await serve(variables, options, version);
    });
}

/**
 * Serves until SIGINT or SIGTERM, in this process or in several; with one process, also until SIGHUP.
 *
 * @param version - Version of this program, shown at `/health` in the sandbox.
 * @returns The exit code: 1 if an accepted request had to be aborted.
 * @throws {CommandError} If the configuration is invalid (with all problems), the store cannot be opened, or the port is in use.
 */
async function serve(
  variables: NodeJS.ProcessEnv,
  { config: file, ...options }: ServeOptions,
  version: string,
): Promise<number> {
  const supervised = findSupervisedProcess();
  try {
    const configuration = loadConfiguration({ variables, file, options, serving: true });
    const count = countProcesses(configuration);
    if (supervised === undefined && count > 1) return await superviseProcesses(configuration, count);
    const { runService } = await import('../serving/run-service.js');
    return await runService(configuration, version, supervised ?? SINGLE_PROCESS);
  } finally {
    supervised?.release();
  }
}
