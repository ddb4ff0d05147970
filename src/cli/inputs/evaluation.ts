/** Arguments and options of the commands that evaluate a query on credentials. */
import type { Command } from 'commander';
import { isInstant } from '../../engine/claims/instant.js';
import { type CompiledQuery, formatInstant, parseInstant, type QueryResult } from '../../index.js';
import { systemClock } from '../../system/clock.js';
import { CommandError, EXIT } from '../output.js';
import { CATALOGUE_OPTION, type CommandCatalogue, readCatalogueOption } from './catalogue.js';
import { type CompileInput, INLINE_OPTION, type QueryInput, readQueryInput } from './query.js';
import { ALL_SCOPES_OPTION, readGrantedScopes, SCOPE_OPTION, type ScopeOptions } from './scopes.js';

export interface EvaluationOptions extends ScopeOptions {
  /** The query as JSON. */
  readonly query?: string;
  readonly catalogue?: string;
  /** RFC 3339. Default: now. */
  readonly at?: string;
}

/** Adds the arguments and options of a command that evaluates a query on credentials. */
export function addEvaluationArguments(
  command: Command,
  query: readonly [name: string, description: string],
  credentials: readonly [name: string, description: string],
): Command {
  return command
    .usage('[options] <query> <credentials>')
    .argument(...query)
    .argument(...credentials)
    .option(...INLINE_OPTION)
    .option(...SCOPE_OPTION)
    .option(...ALL_SCOPES_OPTION)
    .option(...CATALOGUE_OPTION)
    .option('--at <instant>', 'instant of evaluation, RFC 3339 (default: now)');
}

/** The input of a command that evaluates a query. */
export interface EvaluationInput<Result extends QueryResult> {
  readonly query: QueryInput;
  readonly compiled: CompiledQuery<Result>;
  readonly catalogue: CommandCatalogue;
  readonly scopes: readonly string[];
  /** Instant of evaluation, epoch milliseconds. */
  readonly now: number;
  /** The argument that names the credentials. */
  readonly credentials: string | undefined;
}

/**
 * Reads a query, and the scopes that cover it. Problems of the query are reported before those of the scopes.
 *
 * @param first - The query, or the credentials where `--query` is used.
 * @throws {CommandError} If an argument, an option or the query is invalid.
 */
export async function readEvaluation<Result extends QueryResult>(
  first: string | undefined,
  second: string | undefined,
  options: EvaluationOptions,
  compile: CompileInput<Result>,
): Promise<EvaluationInput<Result>> {
  const isInline = options.query !== undefined;
  if (isInline && second !== undefined)
    throw new CommandError('with --query, the only argument must be the credentials', EXIT.usage);
  if (!isInline && first === '-' && second === '-')
    throw new CommandError('only one of query and credentials can be standard input', EXIT.usage);
  const now = parseInstantOption(options.at);
  const catalogue = readCatalogueOption(options.catalogue);
  const query = await readQueryInput(isInline ? undefined : first, options.query);
  const compiled = compile(query, catalogue);
  const scopes = readGrantedScopes(compiled, options, catalogue);
  return { query, compiled, catalogue, scopes, now, credentials: isInline ? first : second };
}

/**
 * Parses `--at`. Default: now.
 *
 * @returns Epoch milliseconds.
 * @throws {CommandError} If it is not an RFC 3339 instant.
 */
export function parseInstantOption(at: string | undefined): number {
  const now = at === undefined ? systemClock.now() : parseInstant(at);
  if (isInstant(now)) return now;
  const message = `--at must be an RFC 3339 instant, in the years 0000 to 9999 UTC, such as ${formatInstant(systemClock.now())} (got \`${at}\`)`;
  throw new CommandError(message, EXIT.usage);
}
