/** `proviso eval`: evaluates a query on a file of credentials, without a server. */
import type { Command } from 'commander';
import {
  CredentialError,
  evaluate,
  formatInstant,
  parseCredentials,
  parseInstant,
  QueryError,
  re2js,
} from '../../index.js';
import { systemClock } from '../../system/clock.js';
import { formatProblems, readJsonFile } from '../json-file.js';
import { CommandError, EXIT, printResult } from '../output.js';
import { parseScopeList } from '../scope-list.js';

export interface EvalOptions {
  /** Separated by spaces, as in OAuth. */
  readonly scope: string;
  /** RFC 3339. Default: now. */
  readonly at?: string;
}

/** Adds the command. */
export function addEval(program: Command): void {
  program
    .command('eval')
    .description('evaluate a query on a file of credentials, without a server')
    .argument('<query>', 'file with a query as JSON')
    .argument('<credentials>', 'file with an array of credentials as JSON')
    .requiredOption('--scope <scopes>', 'the scopes that the person granted, separated by spaces')
    .option('--at <instant>', 'instant of evaluation, RFC 3339 (default: now)')
    .addHelpText(
      'after',
      `
Prints the result as JSON. Exits with 0 when the query passed, 1 when it did not, 2 for invalid input.

Example:
  proviso eval query.json credentials.json --scope "identity:read kyc:read"`,
    )
    .action((query: string, credentials: string, options: { scope: string; at?: string }) => {
      process.exitCode = evaluateFiles(query, credentials, options);
    });
}

/**
 * Prints the result as JSON.
 *
 * @returns The exit code: 0 if the predicate passed or the query is a projection, 1 if the predicate did not pass.
 * @throws {CommandError} If a file, the query, the credentials or the instant is invalid, or a scope is missing.
 */
function evaluateFiles(queryFile: string, credentialsFile: string, { scope, at }: EvalOptions): number {
  const now = parseInstantOption(at);
  const query = readJsonFile(queryFile);
  const json = readJsonFile(credentialsFile);
  try {
    const result = evaluate(query, parseCredentials(json), {
      now,
      scopes: parseScopeList(scope),
      regex: re2js,
    });
    printResult(JSON.stringify(result, undefined, 2));
    return result.type === 'projection' || result.passed ? EXIT.ok : EXIT.failed;
  } catch (error) {
    if (error instanceof QueryError) throw new CommandError(describeQueryError(queryFile, error), EXIT.usage);
    if (error instanceof CredentialError) {
      throw new CommandError(formatProblems(credentialsFile, error.problems), EXIT.usage);
    }
    throw error;
  }
}

/**
 * Parses `--at`. Default: now.
 *
 * @returns Epoch milliseconds.
 * @throws {CommandError} If it is not an RFC 3339 instant.
 */
export function parseInstantOption(at: string | undefined): number {
  const now = at === undefined ? systemClock.now() : parseInstant(at);
  if (now !== undefined) return now;
  const message = `--at must be an RFC 3339 instant such as ${formatInstant(systemClock.now())} (got \`${at}\`)`;
  throw new CommandError(message, EXIT.usage);
}

/** Formats the problems of a query for the terminal. */
export function describeQueryError(file: string, error: QueryError): string {
  if (error.code !== 'insufficient_scope') return formatProblems(file, error.problems, error.problemCount);
  const lines = error.missing.map(({ claim, scopes }) =>
    scopes.length === 0 ? `  ${claim}: no scope covers it` : `  ${claim}: --scope ${scopes.join(' or ')}`,
  );
  return ['the scopes do not cover every claim of the query:', ...lines].join('\n');
}
