#!/usr/bin/env node
/** The `proviso` command: reads its arguments and hands them to one file a command. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { AUDIT_KINDS } from '../service/index.js';
import { type AudienceCommandOptions, audience } from './commands/audience.js';
import { type AuditCommandOptions, audit } from './commands/audit.js';
import { backup } from './commands/backup.js';
import { addBench } from './commands/bench.js';
import { catalogue } from './commands/catalogue.js';
import { addClient } from './commands/client.js';
import { addCompletion } from './commands/completion.js';
import { type ConfigOptions, config } from './commands/config.js';
import { encrypt } from './commands/encrypt.js';
import { evaluateFiles } from './commands/eval.js';
import { type ExplainCommandOptions, explainFiles } from './commands/explain.js';
import { keysRotate } from './commands/keys-rotate.js';
import { type LintCommandOptions, lintFile } from './commands/lint.js';
import { type MigrateOptions, migrate } from './commands/migrate.js';
import { addOpenapi } from './commands/openapi.js';
import { type PersonOptions, person } from './commands/person.js';
import { type SandboxTokenOptions, sandboxToken } from './commands/sandbox-token.js';
import { schema } from './commands/schema.js';
import { type ServeOptions, serve } from './commands/serve.js';
import { CommandError, EXIT, printNote } from './output.js';

const KIND_WIDTH = 23;

const program = new Command('proviso')
  .description('Answers one question about a person: do their verified credentials meet this condition?')
  .version(packageVersion())
  .showHelpAfterError('(run with --help to see what there is)')
  .exitOverride();

program
  .command('serve')
  .description('run the service: in its sandbox, with made-up people, or in production')
  .option('--config <file>', 'settings as JSON; see `proviso config`')
  .option('--catalogue <file>', 'scopes, claims and presets of your own; see `proviso catalogue`')
  .option('--issuers <file>', 'issuers whose signed credentials are taken in, with their keys')
  .addHelpText(
    'after',
    `
Settings come from options, from the environment (PROVISO_PORT and so on), and from the file, in this order;
\`proviso config\` prints them all.

Ends with 0 when it is stopped, 1 when the port is in use, the store cannot be opened, or what was under way
had to be cut off, 2 when a setting is not right.

Example:
  PROVISO_PORT=0 proviso serve`,
  )
  .action(async (options: ServeOptions) => {
    process.exitCode = await serve(process.env, options, packageVersion());
  });

program
  .command('config')
  .description('print the settings as they take effect, or only check them')
  .option('--config <file>', 'settings as JSON; PROVISO_CONFIG where absent')
  .option('--check', 'only tell whether they are right')
  .option('--json', 'print it as JSON')
  .addHelpText(
    'after',
    `
Secrets are masked. Ends with 0, or with 2 when something is not right: then everything that is not is listed.

Example:
  PROVISO_ENVIRONMENT=production proviso config --check`,
  )
  .action((options: ConfigOptions) => config(options, process.env));

program
  .command('sandbox')
  .description("the sandbox's made-up people")
  .command('token')
  .description('print an access token for one of them, good for an hour')
  .requiredOption('--user <name>', 'the person, such as ada')
  .requiredOption('--scope <scopes>', 'what the person grants, separated by blanks')
  .option('--json', 'print it as JSON')
  .addHelpText('after', '\nExample:\n  proviso sandbox token --user ada --scope "identity:read kyc:read"')
  .action((options: SandboxTokenOptions) => sandboxToken(options, process.env));

program
  .command('person')
  .description('record a person who has not signed in yet, so that credentials of theirs can be taken in')
  .argument('<name>', 'the `sub` by which your own login knows them')
  .option('--email <address>', 'by which applications may name them')
  .option('--wallet <address>', 'by which applications may name them: 0x and 40 hexadecimal digits')
  .option('--json', 'print it as JSON')
  .addHelpText(
    'after',
    "\nPrints the person's own id; for a name that is known already, theirs.\n\nExample:\n  proviso person u-1842 --email ada@people.example",
  )
  .action((name: string, options: PersonOptions) => person(name, options, process.env));

program
  .command('eval')
  .description('evaluate a query on a file of credentials, without a server')
  .argument('<query>', 'file with a query as JSON')
  .argument('<credentials>', 'file with an array of credentials as JSON')
  .requiredOption('--scope <scopes>', 'the scopes that the person granted, separated by blanks')
  .option('--at <instant>', 'instant of evaluation, RFC 3339; now where absent')
  .addHelpText(
    'after',
    `
Prints the result as JSON. Ends with 0 when it passed, 1 when it did not, 2 when something given is not right.

Example:
  proviso eval query.json credentials.json --scope "identity:read kyc:read"`,
  )
  .action((query: string, credentials: string, options: { scope: string; at?: string }) => {
    process.exitCode = evaluateFiles(query, credentials, options);
  });

program
  .command('explain')
  .description('show a policy as a tree, with what was expected and found, and what would have to change')
  .argument('<query>', 'file with a check or a policy as JSON')
  .argument('<credentials>', 'file with an array of credentials as JSON')
  .requiredOption('--scope <scopes>', 'the scopes that the person granted, separated by blanks')
  .option('--at <instant>', 'instant of evaluation, RFC 3339; now where absent')
  .option('--json', 'print it as JSON')
  .addHelpText(
    'after',
    `
Ends with 0 when the policy passed, 1 when it did not, 2 when something given is not right. Colours only on a terminal.

Example:
  proviso explain query.json credentials.json --scope "identity:read kyc:read"`,
  )
  .action((query: string, credentials: string, options: ExplainCommandOptions) => {
    process.exitCode = explainFiles(query, credentials, options, process.env);
  });

program
  .command('lint')
  .description(
    'find what the author of a query hardly meant: what never passes, passes by surprise, or makes no difference',
  )
  .argument('<query>', 'file with a check or a policy as JSON')
  .option('--catalogue <file>', 'claims and their types; see `proviso catalogue`')
  .option('--fix', 'print the query, mended')
  .option('--json', 'print the findings as JSON')
  .addHelpText(
    'after',
    `
Each finding comes with the whole query mended, shown to mean the same or to be stricter.
Ends with 0 when there is nothing to say, 1 when there is, 2 when the query is not right.

Example:
  proviso lint query.json`,
  )
  .action((query: string, options: LintCommandOptions) => {
    process.exitCode = lintFile(query, options);
  });

program
  .command('audience')
  .description('tell which people in a database satisfy a policy, and how many')
  .argument('<policy>', 'file with a check or a policy as JSON')
  .option('--database <url>', 'as PROVISO_DATABASE_URL, which it comes before; or duckdb: and a path')
  .option(
    '--output <form>',
    'count, ids (a line each), or ndjson (a line each, and one that counts)',
    'count',
  )
  .option('--json', 'as --output ndjson')
  .option('--at <instant>', 'the instant for which everybody is asked, RFC 3339; now where absent')
  .option('--after <id>', 'go on after this person, as a run that was stopped has told')
  .option(
    '--catalogue <file>',
    'as for serve, for claims that are worked out; it comes before PROVISO_CATALOGUE',
  )
  .addHelpText(
    'after',
    `
Everybody in the database is asked, whatever they granted: this is for who runs it. The policy is run inside the database as far as
that can hold its meaning, and by the engine where it cannot. Nothing is changed.
A DuckDB file has the tables person and credential, as a store has them, and needs the package @duckdb/node-api.

Ends with 0 when everybody was asked, 1 when it was stopped or the database cannot be opened, 2 when something given is not right.
Ctrl-C stops between two statements, and tells how to go on.

Example:
  proviso audience policy.json --database sqlite:.proviso/proviso.sqlite --output ids`,
  )
  .action(async (policy: string, options: AudienceCommandOptions) => {
    process.exitCode = await audience(policy, options, process.env);
  });

program
  .command('audit')
  .description('read the audit log: who was granted, shown and refused what, when, and by which query')
  .option('--since <when>', 'at this instant or later: RFC 3339, or how long ago, such as 90m, 24h, 7d')
  .option('--until <when>', 'before this instant')
  .option('--client <id>', 'of this application')
  .option('--person <id>', 'of this person: their own id, or the name that your login knows them by')
  .option('--kind <kinds>', 'of these kinds, separated by commas')
  .option('--query <file>', 'about this query, however it is written: a file of JSON')
  .option('--limit <count>', 'the first so many')
  .option('--json', 'print JSON, a line each')
  .addHelpText(
    'after',
    `
The oldest comes first. The store is the one of PROVISO_DATABASE_URL, and PROVISO_AUDIT says what is written to the log;
no entry holds a claim's value, an answer, a token or a secret. Kinds:

${Object.entries(AUDIT_KINDS)
  .map(([kind, about]) => `  ${kind.padEnd(KIND_WIDTH)}${about.replaceAll('`', '')}`)
  .join('\n')}

Ends with 0 when everything was written, 1 when it was stopped or the store cannot be read, 2 when something given is not right.

Example:
  proviso audit --since 24h --kind query_refused,client_refused`,
  )
  .action(async (options: AuditCommandOptions) => {
    process.exitCode = await audit(options, process.env);
  });

program
  .command('keys')
  .description('the keys that sign ID tokens')
  .command('rotate')
  .description('make new keys: published at once, signing once every reader has seen them')
  .option('--json', 'print it as JSON')
  .addHelpText(
    'after',
    '\nThe old keys are shown until the last token that they signed has ended.\n\nExample:\n  proviso keys rotate',
  )
  .action((options: { json?: boolean }) => keysRotate(options, process.env));

program
  .command('catalogue')
  .description('print the scopes, claims and presets, as a file that `serve --catalogue` takes')
  .argument('[file]', 'a catalogue to check, and to print with what it extends')
  .addHelpText(
    'after',
    `
A file that begins with "extends": "default" adds to the default catalogue; without it, the file is all that there is.
Ends with 0, or with 2 when the file is not right: then every problem is listed with its place.

Example:
  proviso catalogue > catalogue.json
  proviso catalogue catalogue.json`,
  )
  .action(catalogue);

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
    process.exitCode = await migrate(options, process.env);
  });

program
  .command('encrypt')
  .description("bring the store's values under the newest encryption key, or under one for the first time")
  .option('--json', 'print it as JSON')
  .addHelpText(
    'after',
    `
The keys are those of PROVISO_ENCRYPTION_KEYS (or PROVISO_ENCRYPTION_KEYS_FILE), the newest first. Begin all instances anew with them
before you run this; it may run while they serve. It can be stopped and run again. At its end a SQLite file is written anew, so
that nothing is left of what was in clear, and keys that encrypt nothing any more can be taken away.

Ends with 0 when everything is under the newest key, 1 when it was stopped or could not be done, 2 when there is no key.

Example:
  PROVISO_ENCRYPTION_KEYS_FILE=secrets/encryption-keys proviso encrypt`,
  )
  .action(async (options: { json?: boolean }) => {
    process.exitCode = await encrypt(options, process.env);
  });

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
  .action((file: string, options: { json?: boolean }) => backup(file, options, process.env));

addClient(program, process.env);
addBench(program);
addOpenapi(program, packageVersion());
addCompletion(program);

program
  .command('schema')
  .description('print the JSON Schema of a query, for editors')
  .addHelpText('after', '\nExample:\n  proviso schema > query.schema.json')
  .action(schema);

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
