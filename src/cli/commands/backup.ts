/** `proviso backup`: a copy of a SQLite store while it is in use (S195). */
import { resolve } from 'node:path';
import { backupSqlite } from '../../stores/sqlite/index.js';
import { systemClock } from '../../system/clock.js';
import { loadConfiguration } from '../configuration/load-configuration.js';
import { CommandError, EXIT, printAnswer } from '../output.js';

/** @throws {CommandError} When the store is none that this can copy, or the copy cannot be made. */
export function backup(
  file: string,
  options: { readonly json?: boolean },
  variables: NodeJS.ProcessEnv,
): void {
  const { engine, address, shown } = loadConfiguration({ variables }).databaseUrl;
  if (engine !== 'sqlite') {
    throw new CommandError(
      'PostgreSQL is backed up by its own tools, such as pg_dump; see docs/operations.md',
      EXIT.usage,
    );
  }
  const target = resolve(file);
  try {
    backupSqlite(address, target, systemClock.now());
  } catch (error) {
    throw new CommandError(`${shown} is not backed up: ${error instanceof Error ? error.message : error}`);
  }
  printAnswer(options, { copy: target }, target);
}
