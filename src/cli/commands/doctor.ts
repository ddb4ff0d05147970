/** `proviso doctor`: checks the settings, the files that they name, the clock and the store, and prints one line per finding. Changes nothing. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { systemClock } from '../../system/clock.js';
import { readConfiguration } from '../configuration/read-configuration.js';
import type { Configuration } from '../configuration/settings.js';
import { inspectStore, readSchema, unusableStoreError } from '../database.js';
import { CLOCK_NOT_CHECKED, compareClock, compareWithUrl } from '../doctor/clock.js';
import { checkAudit, checkFiles, checkIssuer, checkSettings } from '../doctor/configuration.js';
import { type Finding, formatFinding, type Level, runCheck } from '../doctor/finding.js';
import { checkDisk, checkModes } from '../doctor/sqlite-files.js';
import {
  checkEncryption,
  checkExpired,
  checkIntegrity,
  checkSchema,
  checkSigningKeys,
} from '../doctor/store.js';
import { CommandError, EXIT, printOutput } from '../output.js';
import { paintFor } from '../paint.js';

interface DoctorOptions {
  /** A JSON file. Default: `PROVISO_CONFIG`. */
  readonly config?: string;
  /** A URL. The clock is compared with the header `Date` of its response. */
  readonly timeUrl?: string;
  readonly json?: boolean;
}

const COLORS = { ok: 'green', warn: 'yellow', fail: 'red' } as const satisfies Record<Level, string>;

/** Adds the command. */
export function addDoctor(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('doctor')
    .description('check settings, clock and store, and print one line per finding')
    .option('--config <file>', 'settings file (JSON); default: PROVISO_CONFIG')
    .option(
      '--time-url <url>',
      'compare the clock with the header `Date` that this URL returns, such as the URL of the issuer',
      parseTimeUrl,
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Each line has a level (\`ok\`, \`warn\` or \`fail\`), a subject, what was found and, for most problems, what is required.
Checks the settings and the files that they name, the issuer, the audit log, the clock, the schema, the integrity of the store, its files, its disk,
its keys, its encryption, and the rows that have expired.
Changes nothing, and may run while the service does. Reads every encrypted column, which takes a while on a large store.

Exits with 0, or with 1 if a finding is \`fail\`.

Example:
  PROVISO_CONFIG=settings.json proviso doctor`,
    )
    .action(async (options: DoctorOptions) => {
      process.exitCode = await doctor(options, variables);
    });
}

/** @returns The exit code: 1 if a finding is `fail`. */
async function doctor(options: DoctorOptions, variables: NodeJS.ProcessEnv): Promise<number> {
  const read = readConfiguration({ variables, file: options.config, serving: true });
  const isValid = read.problems.length === 0;
  const findings = [
    ...checkSettings(read),
    ...(await checkFiles(read.values)),
    // Settings that are invalid have no values.
    ...(isValid ? [...checkIssuer(read.values), checkAudit(read.values)] : []),
    ...(options.timeUrl === undefined ? [] : [await compareWithUrl(options.timeUrl, systemClock.now)]),
    ...(read.values.databaseUrl === undefined ? [] : await checkStore(read.values, options)),
  ];
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const paint = paintFor(process.stdout, variables);
  const lines = findings.map((finding) => {
    const line = formatFinding(finding, width);
    return `${paint(COLORS[finding.level], line.slice(0, 4))}${line.slice(4)}`;
  });
  printOutput(options, { findings }, lines.join('\n'));
  return findings.some(({ level }) => level === 'fail') ? EXIT.failed : EXIT.ok;
}

/** Checks a store. Returns early if it does not exist or cannot be read, or if its schema is older and may lack what the other checks read. */
async function checkStore(
  configuration: Configuration,
  { timeUrl }: DoctorOptions,
): Promise<readonly Finding[]> {
  const { databaseUrl: database } = configuration;
  const explain = (error: unknown) => unusableStoreError(database, error);
  const runStoreCheck = (subject: string, check: Parameters<typeof runCheck>[1]) =>
    runCheck(subject, check, explain);
  const findings: Finding[] = [];
  // The files are checked first: a connection to the store creates and removes files next to it.
  if (database.engine === 'sqlite') {
    if (existsSync(database.address))
      findings.push(...(await runCheck('file permissions', () => checkModes(database.address))));
    findings.push(...(await runCheck('disk', () => checkDisk(database.address))));
  }
  let status = { found: 0, newest: 0 };
  findings.push(
    ...(await runStoreCheck('schema', async () => {
      status = await readSchema(database);
      return checkSchema(status);
    })),
  );
  if (status.found === 0) return findings;
  // An error of the command already names the reason.
  const store = await inspectStore(database).catch((error: unknown) =>
    error instanceof CommandError ? error : explain(error),
  );
  if (store instanceof CommandError)
    return [...findings, ...(await runCheck('store', () => Promise.reject(store)))];
  try {
    const { readClock } = store;
    const now = systemClock.now();
    if (readClock !== undefined)
      findings.push(
        ...(await runStoreCheck('clock', () => compareClock('the database', systemClock.now, readClock))),
      );
    else if (timeUrl === undefined) findings.push(CLOCK_NOT_CHECKED);
    findings.push(...(await runStoreCheck('integrity', () => checkIntegrity(store))));
    // An older schema may lack the columns that are read.
    if (status.found < status.newest) return findings;
    findings.push(...(await runStoreCheck('signing keys', () => checkSigningKeys(store, now))));
    findings.push(...(await runStoreCheck('encryption', () => checkEncryption(store, configuration))));
    findings.push(...(await runStoreCheck('expired rows', () => checkExpired(store, now))));
  } finally {
    await store.close();
  }
  return findings;
}

/** @throws {CommandError} If the text is not an http or https URL, or has credentials. */
function parseTimeUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // `fetch` rejects credentials with a message that contains them.
  const isPlain = url !== undefined && url.username === '' && url.password === '';
  if (isPlain && /^https?:$/.test(url.protocol)) return text;
  throw new CommandError('--time-url must be an http or https URL without credentials', EXIT.usage);
}
