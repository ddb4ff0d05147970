/** `proviso audience`: which people in a database satisfy a policy, and how many (V14). */
import type { Command } from 'commander';
import { formatInstant, parseInstant, QueryError, re2js } from '../../index.js';
import { type Audience, AudienceError, createAudience, createServiceCatalogue } from '../../service/index.js';
import { systemClock } from '../../system/clock.js';
import {
  AUDIENCE_DATABASES,
  type AudienceDatabase,
  audienceDatabaseOf,
  openAudience,
} from '../audience-database.js';
import { readCatalogueFile } from '../catalogue-file.js';
import { loadConfiguration } from '../configuration/load-configuration.js';
import { listProblems, readJsonFile } from '../json-file.js';
import { CommandError, EXIT, printNote, printResult, writeResult } from '../output.js';
import { progressLine } from '../progress-line.js';
import { stopOnSignal } from '../stop-on-signal.js';

export interface AudienceCommandOptions {
  /** As PROVISO_DATABASE_URL, or `duckdb:` and a path; the variable's where absent. */
  readonly database?: string;
  readonly output: string;
  /** As `--output ndjson`. */
  readonly json?: boolean;
  /** The person after whom it begins. */
  readonly after?: string;
  /** RFC 3339; now where absent. */
  readonly at?: string;
  readonly catalogue?: string;
}

const OUTPUTS = ['count', 'ids', 'ndjson'] as const;

type Output = (typeof OUTPUTS)[number];

/** What has come of it so far. */
interface Tally {
  evaluated: number;
  satisfied: number;
  /** The last person who was asked about. */
  last: string | undefined;
}

/** Adds the command. */
export function addAudience(program: Command, variables: NodeJS.ProcessEnv): void {
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
      process.exitCode = await audience(policy, options, variables);
    });
}

/**
 * Asks all people in a database, some at a time, and writes who satisfies the policy as they are found.
 *
 * @returns The exit code: 1 where it was stopped before the end.
 * @throws {CommandError} When something given is not right, or the database cannot be opened.
 */
async function audience(
  policyFile: string,
  options: AudienceCommandOptions,
  variables: NodeJS.ProcessEnv,
): Promise<number> {
  const output = outputOf(options.json === true ? 'ndjson' : options.output);
  const at = options.at === undefined ? systemClock.now() : parseInstant(options.at);
  if (at === undefined) throw new CommandError(`--at takes an RFC 3339 instant: ${options.at}`, EXIT.usage);
  const query = readJsonFile(policyFile);
  const configuration = loadConfiguration({ variables });
  const catalogueFile = options.catalogue ?? configuration.catalogue;
  const catalogue = createServiceCatalogue(
    catalogueFile === undefined ? undefined : readCatalogueFile(catalogueFile),
  );
  const database =
    options.database === undefined ? configuration.databaseUrl : audienceDatabaseOf(options.database);
  const store = await openAudience(database, configuration);
  const stop = stopOnSignal();
  try {
    const asked = prepared(policyFile, () => createAudience(query, { store, catalogue, regex: re2js, at }));
    const tally: Tally = { evaluated: 0, satisfied: 0, last: options.after };
    const isWhole = await askAll(asked, database, store, output, tally, stop.isStopped);
    if (!isWhole) {
      const cursor = tally.last === undefined ? '' : ` --after=${JSON.stringify(tally.last)}`;
      printNote(
        `stopped after ${count(tally.evaluated)} people, ${count(tally.satisfied)} found; go on with --at=${formatInstant(at)}${cursor}`,
      );
      return EXIT.failed;
    }
    if (output === 'count') printResult(String(tally.satisfied));
    if (output === 'ndjson') {
      printResult(
        JSON.stringify({
          evaluated: tally.evaluated,
          satisfied: tally.satisfied,
          evaluatedAt: formatInstant(at),
        }),
      );
    }
    return EXIT.ok;
  } finally {
    stop.forget();
    await store.close();
  }
}

/** @returns Whether everybody was asked. */
async function askAll(
  asked: Audience,
  { engine }: AudienceDatabase,
  store: Awaited<ReturnType<typeof openAudience>>,
  output: Output,
  tally: Tally,
  isStopped: () => boolean,
): Promise<boolean> {
  const total = await store.countUsers();
  const progress = progressLine(total, () => systemClock.now());
  try {
    for (;;) {
      const people = await store.listUserIds(tally.last, AUDIENCE_DATABASES[engine].peopleAtOnce);
      const found = await asked.among(people);
      if (output !== 'count' && found.length > 0)
        await writeResult(found.map((id) => lineOf(id, output)).join(''));
      tally.evaluated += people.length;
      tally.satisfied += found.length;
      tally.last = people.at(-1) ?? tally.last;
      progress.tell(tally);
      if (people.length < AUDIENCE_DATABASES[engine].peopleAtOnce) return true;
      // A database that answers at once would let no signal through.
      await new Promise((resolve) => setImmediate(resolve));
      if (isStopped()) return false;
    }
  } finally {
    progress.end();
  }
}

function lineOf(id: string, output: Output): string {
  return `${output === 'ids' ? id : JSON.stringify({ id })}\n`;
}

function prepared(file: string, prepare: () => Audience): Audience {
  try {
    return prepare();
  } catch (error) {
    if (error instanceof AudienceError) throw new CommandError(`${file}: ${error.message}`, EXIT.usage);
    if (!(error instanceof QueryError)) throw error;
    throw new CommandError(listProblems(file, error.problems, error.problemCount), EXIT.usage);
  }
}

function outputOf(name: string): Output {
  const output = OUTPUTS.find((one) => one === name);
  if (output !== undefined) return output;
  throw new CommandError(`--output is ${OUTPUTS.join(', ')}: ${name}`, EXIT.usage);
}

function count(number: number): string {
  return number.toLocaleString('en');
}
