/** `proviso audience`: which people in a database satisfy a policy, and how many (V14). */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { formatInstant, parseInstant, QueryError, re2js } from '../../index.js';
import { type Audience, AudienceError, createAudience, createServiceCatalogue } from '../../service/index.js';
import { type AudienceReader, openDuckdbAudience } from '../../stores/duckdb/open-duckdb-audience.js';
import { systemClock } from '../../system/clock.js';
import { loadConfiguration } from '../configuration/read-configuration.js';
import { type Database, parseDatabaseUrl } from '../configuration/setting-types.js';
import { openExistingStore, type StoreConfiguration } from '../database.js';
import { readCatalogueFile } from '../deployment-files.js';
import { formatProblems, readJsonFile } from '../json-file.js';
import { CommandError, createProgressLine, EXIT, printMessage, printResult, writeResult } from '../output.js';
import { stopOnSignal } from '../signals.js';

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
  const output = parseOutput(options.json === true ? 'ndjson' : options.output);
  const at = options.at === undefined ? systemClock.now() : parseInstant(options.at);
  if (at === undefined) throw new CommandError(`--at takes an RFC 3339 instant: ${options.at}`, EXIT.usage);
  const query = readJsonFile(policyFile);
  const configuration = loadConfiguration({ variables });
  const catalogueFile = options.catalogue ?? configuration.catalogue;
  const catalogue = createServiceCatalogue(
    catalogueFile === undefined ? undefined : readCatalogueFile(catalogueFile),
  );
  const database =
    options.database === undefined ? configuration.databaseUrl : parseAudienceDatabase(options.database);
  const store = await openAudience(database, configuration);
  const stop = stopOnSignal();
  try {
    const evaluator = prepareAudience(policyFile, () =>
      createAudience(query, { store, catalogue, regex: re2js, at }),
    );
    const tally: Tally = { evaluated: 0, satisfied: 0, last: options.after };
    const isComplete = await evaluateAll(evaluator, database, store, output, tally, stop.isStopped);
    if (!isComplete) {
      const cursor = tally.last === undefined ? '' : ` --after=${JSON.stringify(tally.last)}`;
      printMessage(
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
    stop.dispose();
    await store.close();
  }
}

/** @returns Whether everybody was asked. */
async function evaluateAll(
  evaluator: Audience,
  { engine }: AudienceDatabase,
  store: Awaited<ReturnType<typeof openAudience>>,
  output: Output,
  tally: Tally,
  isStopped: () => boolean,
): Promise<boolean> {
  const total = await store.countPeople();
  const progress = createProgressLine(total, () => systemClock.now());
  try {
    for (;;) {
      const people = await store.listPersonIds(tally.last, AUDIENCE_DATABASES[engine].batchSize);
      const found = await evaluator.filter(people);
      if (output !== 'count' && found.length > 0)
        await writeResult(found.map((id) => formatId(id, output)).join(''));
      tally.evaluated += people.length;
      tally.satisfied += found.length;
      tally.last = people.at(-1) ?? tally.last;
      progress.update(tally);
      if (people.length < AUDIENCE_DATABASES[engine].batchSize) return true;
      // A database that answers at once would let no signal through.
      await new Promise((resolve) => setImmediate(resolve));
      if (isStopped()) return false;
    }
  } finally {
    progress.end();
  }
}

function formatId(id: string, output: Output): string {
  return `${output === 'ids' ? id : JSON.stringify({ id })}\n`;
}

function prepareAudience(file: string, prepare: () => Audience): Audience {
  try {
    return prepare();
  } catch (error) {
    if (error instanceof AudienceError) throw new CommandError(`${file}: ${error.message}`, EXIT.usage);
    if (!(error instanceof QueryError)) throw error;
    throw new CommandError(formatProblems(file, error.problems, error.problemCount), EXIT.usage);
  }
}

function parseOutput(name: string): Output {
  const output = OUTPUTS.find((one) => one === name);
  if (output !== undefined) return output;
  throw new CommandError(`--output is ${OUTPUTS.join(', ')}: ${name}`, EXIT.usage);
}

function count(number: number): string {
  return number.toLocaleString('en');
}

export type AudienceDatabase = Database | { readonly engine: 'duckdb'; readonly address: string };

/** How many people a statement is about: as many as are answered in a moment. */
export const AUDIENCE_DATABASES: Readonly<
  Record<AudienceDatabase['engine'], { readonly batchSize: number }>
> = {
  sqlite: { batchSize: 1_000 },
  postgres: { batchSize: 5_000 },
  duckdb: { batchSize: 50_000 },
};

/** @param url - `sqlite:` and a path, `duckdb:` and a path, or `postgres://…`. @throws {CommandError} When it is none. */
export function parseAudienceDatabase(url: string): AudienceDatabase {
  const path = /^duckdb:(.+)$/.exec(url)?.[1];
  const database: AudienceDatabase | undefined =
    path === undefined ? parseDatabaseUrl(url) : { engine: 'duckdb', address: resolve(path) };
  if (database !== undefined) return database;
  // What was given is not repeated: it may hold a password.
  const message =
    '--database is `sqlite:` or `duckdb:` and a path, or `postgres://user:password@host:port/database`';
  throw new CommandError(message, EXIT.usage);
}

/** @throws {CommandError} When it cannot be opened, or its tables are not of the newest version: asking changes nothing. */
export async function openAudience(
  database: AudienceDatabase,
  configuration: StoreConfiguration,
): Promise<AudienceReader> {
  if (database.engine === 'duckdb') return await openDuckdb(database.address);
  return await openExistingStore({ ...configuration, databaseUrl: database });
}

async function openDuckdb(path: string): Promise<AudienceReader> {
  try {
    return await openDuckdbAudience(path);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (isMissing) {
      const message = 'a DuckDB file needs the package @duckdb/node-api: npm install @duckdb/node-api';
      throw new CommandError(message, EXIT.usage);
    }
    throw new CommandError(`${path} cannot be opened: ${error instanceof Error ? error.message : error}`);
  }
}
