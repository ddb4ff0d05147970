#!/usr/bin/env node
/** The `proviso` command: reads its arguments and hands them to one file a command. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addAudience } from './commands/audience.js';
import { addAudit } from './commands/audit.js';
import { addBackup } from './commands/backup.js';
import { addBench } from './commands/bench.js';
import { addCatalogue } from './commands/catalogue.js';
import { addClient } from './commands/client.js';
import { addCompletion } from './commands/completion.js';
import { addConfig } from './commands/config.js';
import { addEncrypt } from './commands/encrypt.js';
import { addEval } from './commands/eval.js';
import { addExplain } from './commands/explain.js';
import { addKeys } from './commands/keys-rotate.js';
import { addLint } from './commands/lint.js';
import { addMigrate } from './commands/migrate.js';
import { addOpenapi } from './commands/openapi.js';
import { addPerson } from './commands/person.js';
import { addSandbox } from './commands/sandbox-token.js';
import { addSchema } from './commands/schema.js';
import { addServe } from './commands/serve.js';
import { CommandError, EXIT, printNote } from './output.js';

const version = packageVersion();

const program = new Command('proviso')
  .description('Answers one question about a person: do their verified credentials meet this condition?')
  .version(version)
  .showHelpAfterError('(run with --help to see what there is)')
  .exitOverride();

addServe(program, process.env, version);
addConfig(program, process.env);
addSandbox(program, process.env);
addPerson(program, process.env);
addEval(program);
addExplain(program, process.env);
addLint(program);
addAudience(program, process.env);
addAudit(program, process.env);
addKeys(program, process.env);
addCatalogue(program);
addMigrate(program, process.env);
addEncrypt(program, process.env);
addBackup(program, process.env);
addClient(program, process.env);
addBench(program);
addOpenapi(program, version);
addCompletion(program);
addSchema(program);

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
  printNote(`proviso: ${error.message}`);
  return error.exitCode;
}

/** The version of the package that the built command stands in. */
function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
