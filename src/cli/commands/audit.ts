/** `proviso audit`: prints the audit log, page by page (S199, L25). */

import type { Command } from 'commander';
import { canonicalText, formatInstant, parse, parseInstant, QueryError, re2js } from '../../index.js';
import {
  AUDIT_KINDS,
  type AuditKind,
  type AuditQuery,
  type AuditRecord,
  LIMITS_OF_ACCEPTED_QUERIES,
  type Store,
} from '../../service/index.js';
import { systemClock } from '../../system/clock.js';
import { systemDigest } from '../../system/node-ports.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { loadConfiguration } from '../configuration/read-configuration.js';
import { openExistingStore } from '../database.js';
import { readQueryFile } from '../inputs/query.js';
import { formatProblems } from '../json-file.js';
import { CommandError, EXIT, printMessage, toPrintable, writeResult } from '../output.js';
import { watchStopSignals } from '../signals.js';
import { addAuditChain } from './audit-chain.js';
import { addAuditLearned } from './audit-learned.js';

export interface AuditCommandOptions {
  /** RFC 3339, or a duration before now: `90m`, `24h`, `7d`. */
  readonly since?: string;
  readonly until?: string;
  readonly client?: string;
  /** The id or the name of a person. */
  readonly person?: string;
  /** Kinds, separated by commas. */
  readonly kind?: string;
  /** A file with a query; only entries about it are printed. */
  readonly query?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

const PAGE_ENTRIES = 500;
const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const HEADINGS = ['TIME', 'KIND', 'CLIENT', 'PERSON', 'WHAT'] as const;
const HASH_SHOWN_CODE_UNITS = 12;

const KIND_WIDTH = 23;

/** Adds the command. */
export function addAudit(program: Command, variables: NodeJS.ProcessEnv): void {
  const command = program.command('audit');
  command
    .description(
      'print the audit log: changes, disclosures and rejections, with their time and the hash of their query',
    )
    .option(
      '--since <when>',
      'at or after this instant: RFC 3339, or a duration before now such as 90m, 24h, 7d',
    )
    .option('--until <when>', 'before this instant: RFC 3339, or a duration before now')
    .option('--client <id>', 'of this application')
    .option('--person <id>', 'of this person: id or name')
    .option('--kind <kinds>', 'of these kinds, separated by commas')
    .option(
      '--query <file>',
      'about this query (a JSON file): entries whose query has the same canonical text',
    )
    .option('--limit <count>', 'the maximum number of entries')
    .option(
      '--json',
      'print one JSON object per line, as stored: with pseudonyms instead of the ids of people and credentials',
    )
    .addHelpText(
      'after',
      `
The oldest entry comes first. Reads the store of PROVISO_DATABASE_URL; PROVISO_AUDIT sets what is logged.
Entries contain no claim values, results, tokens or secrets. Kinds:

${Object.entries(AUDIT_KINDS)
  .map(([kind, about]) => `  ${kind.padEnd(KIND_WIDTH)}${about.replaceAll('`', '')}`)
  .join('\n')}

Exits with 0 when all entries were printed, 1 when interrupted or when the store cannot be read, 2 for invalid input.

Example:
  proviso audit --since 24h --kind query_refused,client_refused`,
    )
    .action(async (options: AuditCommandOptions) => {
      process.exitCode = await audit(options, variables);
    });
  addAuditChain(command, variables);
  addAuditLearned(command, variables);
}

/**
 * Writes the matching entries, the oldest first, holding one page in memory.
 *
 * @returns The exit code: 1 if interrupted.
 * @throws {CommandError} For invalid input, or if the store cannot be read.
 */
async function audit(options: AuditCommandOptions, variables: NodeJS.ProcessEnv): Promise<number> {
  const now = systemClock.now();
  const filters = parseFilters(options, now);
  const limit = parseLimit(options.limit);
  const configuration = loadConfiguration({ variables });
  const store = await openExistingStore(configuration);
  const stop = watchStopSignals();
  try {
    const userId = options.person === undefined ? undefined : await findPersonId(options.person, store);
    // JSON is for archives. It has the entries as stored, which the seals cover, with pseudonyms, which identify no person after an erasure. The table
    // has the ids of people.
    const asStored = options.json === true;
    const pages = readPages(store, { ...filters, asStored, ...omitUndefined({ userId }) }, limit);
    const toLines = options.json === true ? toJsonLines : createTable();
    let count = 0;
    for await (const page of pages) {
      if (page.length > 0) await writeResult(`${toLines(page).join('\n')}\n`);
      count += page.length;
      if (stop.isStopped()) return EXIT.failed;
    }
    if (count === 0) printMessage(`no entries${configuration.audit === 'off' ? AUDIT_OFF_HINT : ''}`);
    return EXIT.ok;
  } finally {
    stop.dispose();
    await store.close();
  }
}

const AUDIT_OFF_HINT = '; PROVISO_AUDIT is `off`: set it to `changes` or `all` to log entries';

async function* readPages(
  store: Store,
  query: Omit<AuditQuery, 'limit' | 'after'>,
  limit: number,
): AsyncIterable<readonly AuditRecord[]> {
  let left = limit;
  let after: AuditRecord | undefined;
  while (left > 0) {
    const most = Math.min(left, PAGE_ENTRIES);
    const page = await store.listAudit({ ...query, ...omitUndefined({ after }), limit: most });
    yield page;
    if (page.length < most) return;
    left -= page.length;
    after = page.at(-1);
    // Lets signals be handled even if the database responds synchronously.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function parseFilters(
  { since, until, client, kind, query }: AuditCommandOptions,
  now: number,
): Omit<AuditQuery, 'limit' | 'after' | 'userId'> {
  return {
    ...(since === undefined ? {} : { since: parseInstantOption('--since', since, now) }),
    ...(until === undefined ? {} : { until: parseInstantOption('--until', until, now) }),
    ...omitUndefined({ clientId: client }),
    ...(kind === undefined ? {} : { kinds: kind.split(',').map(parseKind) }),
    ...(query === undefined ? {} : { queryHash: hashOf(query) }),
  };
}

function parseInstantOption(option: string, text: string, now: number): number {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ago = amount === undefined ? undefined : Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS];
  const at = ago === undefined ? parseInstant(text) : now - ago;
  if (at !== undefined) return at;
  throw new CommandError(
    `${option} must be an RFC 3339 instant, or a duration of at most six digits such as 90m, 24h or 7d (got \`${text}\`)`,
    EXIT.usage,
  );
}

function parseKind(text: string): AuditKind {
  const kind = Object.keys(AUDIT_KINDS).find((one) => one === text.trim());
  if (kind !== undefined) return kind as AuditKind;
  throw new CommandError(
    `--kind must be one of ${Object.keys(AUDIT_KINDS).join(', ')} (got \`${text}\`)`,
    EXIT.usage,
  );
}

/** Returns the hash that identifies a query in entries, computed from its canonical text (L25). */
function hashOf(file: string): string {
  const json = readQueryFile(file);
  try {
    return systemDigest.sha256(
      canonicalText(parse(json, { regex: re2js, limits: LIMITS_OF_ACCEPTED_QUERIES })),
    );
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new CommandError(formatProblems(file, error.problems, error.problemCount), EXIT.usage);
  }
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit > 0) return limit;
  throw new CommandError(`--limit must be an integer from 1 to 999,999,999 (got \`${text}\`)`, EXIT.usage);
}

/** Returns the id of a person. Returns an unknown name or id unchanged: the log may still have entries of that id. */
async function findPersonId(person: string, store: Store): Promise<string> {
  const found = (await store.findPerson('id', person)) ?? (await store.findPerson('name', person));
  return found?.id ?? person;
}

function toJsonLines(page: readonly AuditRecord[]): readonly string[] {
  return page.map(({ position, at, kind, ...more }) =>
    JSON.stringify({ position, at: formatInstant(at), kind, ...more }),
  );
}

/** Formats a table. The first page determines the widths of the columns. */
function createTable(): (page: readonly AuditRecord[]) => readonly string[] {
  let widths: readonly number[] | undefined;
  const toLine = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
      .join('  ')
      .trimEnd();
  return (page) => {
    const rows = page.map(toCells);
    const head = widths === undefined ? [HEADINGS] : [];
    widths ??= HEADINGS.map((heading, column) =>
      column === HEADINGS.length - 1
        ? 0
        : Math.max(heading.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
    );
    return [...head, ...rows].map(toLine);
  };
}

function toCells(record: AuditRecord): readonly string[] {
  const { at, kind, clientId = '-', userId = '-', about, reason, claims, scopes, queryHash } = record;
  const what = [
    ...(about === undefined ? [] : [about]),
    ...(reason === undefined ? [] : [reason]),
    ...(claims === undefined ? [] : [claims.join(' ')]),
    ...(scopes === undefined || claims !== undefined ? [] : [scopes.join(' ')]),
    ...(queryHash === undefined ? [] : [`query ${queryHash.slice(0, HASH_SHOWN_CODE_UNITS)}…`]),
  ];
  // Replaces control characters, since callers choose the ids of credentials.
  return [formatInstant(at), kind, clientId, userId, what.join(', ')].map(toPrintable);
}
