/** `proviso audience`: lists or counts the people in a database who satisfy a policy (V14). */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { isInstant } from '../../engine/claims/instant.js';
import { formatInstant, parseInstant, re2js } from '../../index.js';
import { type Audience, AudienceError, createAudience, createServiceCatalogue } from '../../service/index.js';
import { type AudienceReader, openDuckdbAudience } from '../../stores/duckdb/open-duckdb-audience.js';
import { systemClock } from '../../system/clock.js';
import { shellQuoted } from '../../util/shell-quoted.js';
import { readCatalogueFile } from '../catalogue-file.js';
import { listExposedKeys, loadConfiguration } from '../configuration/read-configuration.js';
import { type Database, parseDatabaseUrl } from '../configuration/setting-types.js';
import { openExistingStore, type StoreConfiguration } from '../database.js';
import {
  INLINE_OPTION,
  POLICY_ARGUMENT,
  type QueryInput,
  readQueryInput,
  withQueryProblems,
} from '../inputs/query.js';
import {
  CommandError,
  count,
  createProgressLine,
  EXIT,
  printMessage,
  printResult,
  writeResult,
} from '../output.js';
import { watchStopSignals } from '../signals.js';

export interface AudienceCommandOptions {
  /** The policy as JSON. */
  readonly query?: string;
  /** Same format as PROVISO_DATABASE_URL, or `duckdb:` and a path. Default: the variable. */
  readonly database?: string;
  readonly output: string;
  /** Same as `--output ndjson`. */
  readonly json?: boolean;
  /** Evaluate only the people whose ids follow this one. */
  readonly after?: string;
  /** RFC 3339. Default: now. */
  readonly at?: string;
  readonly catalogue?: string;
}

const OUTPUTS = ['count', 'ids', 'ndjson'] as const;

type Output = (typeof OUTPUTS)[number];

/** Counts so far. */
interface Tally {
  evaluated: number;
  satisfied: number;
  /** Id of the last person evaluated. */
  last: string | undefined;
}

/** Adds the command. */
export function addAudience(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('audience')
    .description('list or count the people in a database who satisfy a policy')
    .argument(...POLICY_ARGUMENT)
    .option(...INLINE_OPTION)
    .option('--database <url>', 'database URL, or duckdb: and a path; overrides PROVISO_DATABASE_URL')
    .option(
      '--output <form>',
      'count, ids (one per line), or ndjson (one object per line, and a last one with the counts)',
      'count',
    )
    .option('--json', 'same as --output ndjson')
    .option('--at <instant>', 'instant of evaluation, RFC 3339 (default: now)')
    .option('--after <id>', 'continue after this person id, as an interrupted run printed it')
    .option('--catalogue <file>', 'catalogue file, for derived claims; overrides PROVISO_CATALOGUE')
    .addHelpText(
      'after',
      `
Evaluates all people in the database, regardless of grants: for operators only. The parts of the policy that the database
evaluates exactly are translated to SQL; the engine evaluates the rest. Changes nothing.
A DuckDB file must have the tables person and credential, with the columns of a store. Reading it requires the package @duckdb/node-api.

Exits with 0 when all people were evaluated, 1 when interrupted or when the database cannot be opened, 2 for invalid input or if
@duckdb/node-api is not installed.
Ctrl-C stops between two statements and prints how to continue.

Example:
  proviso audience policy.json --database sqlite:.proviso/proviso.sqlite --output ids`,
    )
    .action(async (policy: string | undefined, options: AudienceCommandOptions) => {
      process.exitCode = await audience(policy, options, variables);
    });
}

/**
 * Evaluates all people in a database in batches, and writes those who satisfy the policy as they are found.
 *
 * @returns The exit code: 1 if interrupted.
 * @throws {CommandError} For invalid input, or if the database cannot be opened.
 */
async function audience(
  policyFile: string | undefined,
  options: AudienceCommandOptions,
  variables: NodeJS.ProcessEnv,
): Promise<number> {
  const output = parseOutput(options.json === true ? 'ndjson' : options.output);
  const at = options.at === undefined ? systemClock.now() : parseInstant(options.at);
  if (!isInstant(at))
    throw new CommandError(
      `--at must be an RFC 3339 instant, in the years 0000 to 9999 UTC (got \`${options.at}\`)`,
      EXIT.usage,
    );
  const query = await readQueryInput(policyFile, options.query);
  const configuration = loadConfiguration({ variables });
  const catalogueFile = options.catalogue ?? configuration.catalogue;
  const catalogue = createServiceCatalogue(
    catalogueFile === undefined ? undefined : readCatalogueFile(catalogueFile),
  );
  const database =
    options.database === undefined ? configuration.databaseUrl : parseAudienceDatabase(options.database);
  const store = await openAudienceReader(database, configuration);
  const stop = watchStopSignals();
  try {
    const evaluator = withQueryErrors(query, () =>
      createAudience(query.json, { store, catalogue, regex: re2js, at }),
    );
    const tally: Tally = { evaluated: 0, satisfied: 0, last: options.after };
    const isComplete = await evaluateAll(evaluator, database, store, output, tally, stop.isStopped);
    if (!isComplete) {
      const cursor = tally.last === undefined ? '' : ` --after=${shellQuoted(tally.last)}`;
      printMessage(
        `interrupted after ${count(tally.evaluated)} people, ${count(tally.satisfied)} found; continue with --at=${formatInstant(at)}${cursor}`,
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

/** @returns Whether all people were evaluated; `false` if interrupted. */
async function evaluateAll(
  evaluator: Audience,
  { engine }: AudienceDatabase,
  store: Awaited<ReturnType<typeof openAudienceReader>>,
  output: Output,
  tally: Tally,
  isStopped: () => boolean,
): Promise<boolean> {
  const estimated = await store.estimatePeople();
  const progress = createProgressLine(estimated, () => systemClock.now());
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
      // Lets signals be handled even if the database responds synchronously.
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

/** Creates an audience; reports an invalid query as a `CommandError` that names the file. */
function withQueryErrors({ name, json }: QueryInput, create: () => Audience): Audience {
  try {
    return withQueryProblems(name, json, create);
  } catch (error) {
    if (error instanceof AudienceError) throw new CommandError(`${name}: ${error.message}`, EXIT.usage);
    throw error;
  }
}

function parseOutput(name: string): Output {
  const output = OUTPUTS.find((one) => one === name);
  if (output !== undefined) return output;
  throw new CommandError(`--output must be one of ${OUTPUTS.join(', ')} (got \`${name}\`)`, EXIT.usage);
}

export type AudienceDatabase = Database | { readonly engine: 'duckdb'; readonly address: string };

/** The databases that can be read, and the number of people per statement, so that each statement is short. */
export const AUDIENCE_DATABASES: Readonly<
  Record<AudienceDatabase['engine'], { readonly batchSize: number }>
> = {
  sqlite: { batchSize: 1_000 },
  postgres: { batchSize: 5_000 },
  duckdb: { batchSize: 50_000 },
};

/**
 * @param url - `sqlite:` and a path, `duckdb:` and a path, or `postgres://…`.
 * @throws {CommandError} For any other URL, and if the file of its `sslkey` is not private.
 */
export function parseAudienceDatabase(url: string): AudienceDatabase {
  const path = /^duckdb:(.+)$/.exec(url)?.[1];
  if (path !== undefined) return { engine: 'duckdb', address: resolve(path) };
  const database = parseDatabaseUrl(url);
  const [exposed] = listExposedKeys(database, '--database');
  if (exposed !== undefined) throw new CommandError(exposed, EXIT.usage);
  if (database !== undefined) return database;
  // Omits the URL, since it may contain a password.
  const message =
    '--database must be `sqlite:` or `duckdb:` and a path, or `postgres://user:password@host:port/database`';
  throw new CommandError(message, EXIT.usage);
}

/** Opens a database for reading, without migrating it. @throws {CommandError} If it cannot be opened, or its schema is not up to date. */
export async function openAudienceReader(
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
      const message =
        'reading a DuckDB file requires the package @duckdb/node-api: npm install @duckdb/node-api';
      throw new CommandError(message, EXIT.usage);
    }
    throw new CommandError(`${path} cannot be opened: ${error instanceof Error ? error.message : error}`);
  }
}
