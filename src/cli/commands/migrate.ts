/** `proviso migrate`: brings the store's tables to the newest version, or tells how far they are (V13). */
import type { Command } from 'commander';
import { loadConfiguration } from '../configuration/load-configuration.js';
import { openStore, readSchema } from '../database.js';
import { EXIT, printAnswer } from '../output.js';

export interface MigrateOptions {
  /** Only tells, and changes nothing. */
  readonly status?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function addMigrate(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('migrate')
    .description("bring the store's tables to the newest version; serve does so too when it starts")
    .option('--status', 'only tell how far they are')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      `
The store is the one of PROVISO_DATABASE_URL. Of several that migrate at once, one does and the others wait.

Ends with 0 when the tables have the newest version, 1 when they do not or a newer program wrote them.

Example:
  PROVISO_DATABASE_URL=postgres://proviso@db.example/proviso proviso migrate --status`,
    )
    .action(async (options: MigrateOptions) => {
      process.exitCode = await migrate(options, variables);
    });
}

/**
 * Applies what is missing, or tells what is.
 *
 * @returns The exit code: with `status`, 1 where something is missing.
 * @throws {CommandError} When the store cannot be opened, or a newer program wrote it.
 */
async function migrate(
  { status = false, ...options }: MigrateOptions,
  variables: NodeJS.ProcessEnv,
): Promise<number> {
  const configuration = loadConfiguration({ variables });
  const { databaseUrl: database } = configuration;
  const { found, newest } = await readSchema(database);
  const answer = { store: database.shown, found, newest, migrated: false };
  if (found === newest) {
    printAnswer(options, answer, `${database.shown} has schema version ${found}, the newest`);
    return EXIT.ok;
  }
  if (status) {
    printAnswer(
      options,
      answer,
      `${database.shown} has schema version ${found}; ${newest} is the newest: run proviso migrate`,
    );
    return EXIT.failed;
  }
  await (await openStore(configuration)).close();
  printAnswer(
    options,
    { ...answer, migrated: true },
    `${database.shown} had schema version ${found} and has ${newest}, the newest, now`,
  );
  return EXIT.ok;
}
