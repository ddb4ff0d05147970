/** `proviso migrate`: brings the store's tables to the newest version, or tells how far they are (V13). */
import { loadConfiguration } from '../configuration/load-configuration.js';
import { openStore, readSchema } from '../database.js';
import { EXIT, printResult } from '../output.js';

export interface MigrateOptions {
  /** Only tells, and changes nothing. */
  readonly status?: boolean;
}

/**
 * Applies what is missing, or tells what is.
 *
 * @returns The exit code: with `status`, 1 where something is missing.
 * @throws {CommandError} When the store cannot be opened, or a newer program wrote it.
 */
export async function migrate(
  { status = false }: MigrateOptions,
  variables: NodeJS.ProcessEnv,
): Promise<number> {
  const configuration = loadConfiguration({ variables });
  const { databaseUrl: database } = configuration;
  const { found, newest } = await readSchema(database);
  if (found === newest) {
    printResult(`${database.shown} has schema version ${found}, the newest`);
    return EXIT.ok;
  }
  if (status) {
    printResult(
      `${database.shown} has schema version ${found}; ${newest} is the newest: run proviso migrate`,
    );
    return EXIT.failed;
  }
  await (await openStore(configuration)).close();
  printResult(`${database.shown} had schema version ${found} and has ${newest}, the newest, now`);
  return EXIT.ok;
}
