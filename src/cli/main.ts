#!/usr/bin/env node
/** The `proviso` command: parses its arguments and runs a subcommand. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addCommands } from './add-commands.js';
import { CommandError, EXIT, printMessage } from './output.js';

const version = packageVersion();

const program = new Command('proviso')
  .description('Evaluates policies over a person’s verified credentials, with evidence for every result.')
  .version(version)
  // An option belongs to the command whose name precedes it.
  .enablePositionalOptions()
  .showHelpAfterError('(run with --help for usage)')
  .exitOverride();

await addCommands(program, process.argv[2], { variables: process.env, version });

// A reader such as `head` may close the pipe early: the command still runs to its end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  // commander has already printed the error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (!(error instanceof CommandError)) throw error;
  printMessage(`proviso: ${error.message}`);
  return error.exitCode;
}

/** Reads the version of the package that contains the built command. */
function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
