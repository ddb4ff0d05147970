/** `proviso backup`: a copy of a SQLite store while it is in use (S195). */

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../system/clock.js';
import { loadConfiguration } from '../configuration/load-configuration.js';
import { CommandError, EXIT, printAnswer } from '../output.js';

/** Adds the command. */
export function addBackup(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('backup')
    .description('copy a SQLite store to a new file while it is in use')
    .argument('<file>', 'where the copy goes; it is not there yet')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      `
The store is the one of PROVISO_DATABASE_URL. No token and no code in the copy works: who had one logs in again.
Prints the path of the copy. Ends with 0 when it is whole and on the disk.

Example:
  proviso backup backups/proviso-monday.sqlite`,
    )
    .action((file: string, options: { json?: boolean }) => backup(file, options, variables));
}

/** @throws {CommandError} When the store is none that this can copy, or the copy cannot be made. */
async function backup(
  file: string,
  options: { readonly json?: boolean },
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  const { engine, address, shown } = loadConfiguration({ variables }).databaseUrl;
  if (engine !== 'sqlite') {
    throw new CommandError(
      'PostgreSQL is backed up by its own tools, such as pg_dump; see docs/operations.md',
      EXIT.usage,
    );
  }
  const target = resolve(file);
  try {
    const { backupSqlite } = await import('../../stores/sqlite/index.js');
    backupSqlite(address, target, systemClock.now());
  } catch (error) {
    throw new CommandError(`${shown} is not backed up: ${error instanceof Error ? error.message : error}`);
  }
  printAnswer(options, { copy: target }, target);
}
