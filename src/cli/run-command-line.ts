/** Parses the arguments of the command and runs a subcommand. */
import { Command, CommanderError } from 'commander';
import { ProvisoError } from '../util/proviso-error.js';
import { addCommands, type Commands } from './add-commands.js';
import { CommandError, EXIT, printMessage, toPrintableLines } from './output.js';
import { findStoreFault } from './store-faults.js';

/** Replaced by the build. */
declare const PACKAGE_VERSION: string;

/**
 * Runs the command that the arguments of the process name.
 *
 * @param commands - In the order of the help.
 * @param note - A text below the list of commands.
 */
export async function runCommandLine(commands: Commands, note = ''): Promise<void> {
  const program = new Command('proviso')
    .description('Evaluates policies over a person’s verified credentials, with evidence for every result.')
    .version(PACKAGE_VERSION)
    // An option belongs to the command whose name precedes it.
    .enablePositionalOptions()
    .showHelpAfterError('(run with --help for usage)')
    .addHelpText('after', note)
    // Messages repeat arguments, which may contain control characters.
    .configureOutput({ outputError: (text, write) => write(toPrintableLines(text)) })
    .exitOverride();

  const context = { variables: process.env, version: PACKAGE_VERSION };
  await addCommands(program, commands, process.argv[2], context);

  // A reader such as `head` may close the pipe early: the command still runs to its end.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    printMessage(`proviso: standard output cannot be written: ${error.message}`);
    process.exit(EXIT.failed);
  });
  // A message that cannot be written, such as to a file on a full disk, must not end the command either.
  process.stderr.on('error', () => undefined);

  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  // commander has already printed the error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  // The store failed after it was opened, such as on a full disk.
  if (hasCode(error, 'store_unavailable')) {
    const fault = findStoreFault(error);
    const message = fault === undefined ? error.message : `the store failed: ${fault}`;
    printMessage(`proviso: ${message}: ${codesOf(error.cause).join(', ')}`);
    return EXIT.failed;
  }
  // The message contains no part of the value.
  if (hasCode(error, 'SEALED_VALUE')) {
    printMessage(`proviso: ${error.message}`);
    return EXIT.failed;
  }
  if (!(error instanceof CommandError)) throw error;
  // Messages repeat arguments and parts of files.
  printMessage(toPrintableLines(`proviso: ${error.message}`));
  return error.exitCode;
}

/** Whether an error is one of the stores. Compared by code, since the package `proviso` has no stores. */
function hasCode(error: unknown, code: string): error is ProvisoError<string> {
  return error instanceof ProvisoError && error.code === code;
}

/** Returns the codes of an error and its causes, without messages, which may contain stored values (S198). */
function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return [code, ...codesOf(error.cause)];
}
