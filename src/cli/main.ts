#!/usr/bin/env node
/** The `proviso` command: reads its arguments and hands them to one file a command. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addCommands } from './add-commands.js';
import { CommandError, EXIT, printMessage } from './output.js';

const version = packageVersion();

const program = new Command('proviso')
  .description('Answers one question about a person: do their verified credentials meet this condition?')
  .version(version)
  // An option belongs to the command whose name precedes it.
  .enablePositionalOptions()
  .showHelpAfterError('(run with --help to see what there is)')
  .exitOverride();

await addCommands(program, process.argv[2], { variables: process.env, version });

// Whoever reads what is printed may have had enough, as `head` has: what is left of the command goes on to its end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  // commander has said it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (!(error instanceof CommandError)) throw error;
  printMessage(`proviso: ${error.message}`);
  return error.exitCode;
}

/** The version of the package that the built command stands in. */
function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
