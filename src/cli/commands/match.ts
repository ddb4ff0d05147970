/** `proviso match`: lists the policies of a file that a person passes. */
import type { Command } from 'commander';
import { QueryError, re2js } from '../../index.js';
import { createPolicySet, type PolicySet, PolicySetError } from '../../policy-set/index.js';
import { systemClock } from '../../system/clock.js';
import { CATALOGUE_OPTION, type CommandCatalogue, readCatalogueOption } from '../inputs/catalogue.js';
import { CREDENTIALS_ARGUMENT, readPerson } from '../inputs/credentials.js';
import { parseInstantOption } from '../inputs/evaluation.js';
import { inputName, isObject } from '../inputs/query.js';
import { parseJsonText, readTextInput } from '../json-file.js';
import {
  CommandError,
  count,
  createStatusLine,
  EXIT,
  printMessage,
  toPrintable,
  writeResult,
} from '../output.js';

const POLICIES_ARGUMENT = [
  '[policies]',
  'file with a policy per line: {"id": "…", "check": …} or {"id": "…", "policy": …}; - reads standard input',
] as const;

interface MatchOptions {
  readonly catalogue?: string;
  /** RFC 3339. Default: now. */
  readonly at?: string;
  readonly json?: boolean;
}

/** Maximum number of problems that are listed. */
const MAX_LISTED = 20;

/** Lines after which the progress is updated. */
const LINES_PER_UPDATE = 1_000;

/** Adds the command. */
export function addMatch(program: Command): void {
  program
    .command('match')
    .description('list the policies of a file that a person passes, without a server')
    .usage('[options] <policies> <credentials>')
    .argument(...POLICIES_ARGUMENT)
    .argument(...CREDENTIALS_ARGUMENT)
    .option(...CATALOGUE_OPTION)
    .option('--at <instant>', 'instant of evaluation, RFC 3339 (default: now)')
    .option('--json', 'print the ids as a JSON array; without it, control characters in ids are printed as ?')
    .addHelpText(
      'after',
      `
Prints the ids of the policies that pass, one per line, in the order of the file. Scopes are not checked.
Exits with 0 when a policy passed, 1 when none did, 2 for invalid input.

Examples:
  proviso match policies.ndjson credentials.json
  echo '{"identity.age": 34}' | proviso match policies.ndjson -`,
    )
    .action(async (policies: string | undefined, credentials: string | undefined, options: MatchOptions) => {
      process.exitCode = await matchFiles(policies, credentials, options);
    });
}

/**
 * Prints the ids of the policies that pass.
 *
 * @returns The exit code: 0 if a policy passed, otherwise 1.
 * @throws {CommandError} If an argument, a file or an option is invalid.
 */
async function matchFiles(
  policies: string | undefined,
  credentials: string | undefined,
  options: MatchOptions,
): Promise<number> {
  if (policies === undefined)
    throw new CommandError('policies are required: a file, or - for standard input', EXIT.usage);
  if (policies === '-' && credentials === '-')
    throw new CommandError('only one of policies and credentials can be standard input', EXIT.usage);
  const now = parseInstantOption(options.at);
  const catalogue = readCatalogueOption(options.catalogue);
  const set = readPolicies(inputName(policies), await readTextInput(policies), catalogue);
  const { claims } = await readPerson(credentials, { now, catalogue });
  const ids = passing(set, claims);
  if (options.json === true) await writeResult(`${JSON.stringify(ids)}\n`);
  else for (const id of ids) await writeResult(`${toPrintable(id)}\n`);
  printMessage(`${count(ids.length)} of ${count(set.size)} policies passed`);
  return ids.length > 0 ? EXIT.ok : EXIT.failed;
}

function passing(set: PolicySet, claims: Parameters<PolicySet['match']>[0]): readonly string[] {
  try {
    return set.match(claims);
  } catch (error) {
    if (error instanceof PolicySetError) throw new CommandError(error.message, EXIT.usage);
    throw error;
  }
}

/** Reads a policy per line. Empty lines are skipped. @throws {CommandError} With the first problems. */
function readPolicies(name: string, text: string, catalogue: CommandCatalogue): PolicySet {
  const set = createPolicySet({ regex: re2js });
  const lines = text.split(/\r?\n/);
  const progress = createStatusLine(() => systemClock.now());
  const problems: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() !== '') problems.push(...addLine(set, line, index + 1, catalogue));
    if (index % LINES_PER_UPDATE === 0)
      progress.update(() => `${count(index)} of ${count(lines.length)} lines`);
  }
  progress.end();
  if (problems.length > 0) {
    const rest = problems.length > MAX_LISTED ? [`  and ${problems.length - MAX_LISTED} more`] : [];
    const listed = [`${name} is invalid:`, ...problems.slice(0, MAX_LISTED), ...rest];
    throw new CommandError(listed.join('\n'), EXIT.usage);
  }
  if (set.size === 0) throw new CommandError(`${name} must have a policy per line; it has none`, EXIT.usage);
  return set;
}

/** Adds the policy of a line. @returns Its problems, each with the number of the line. */
function addLine(set: PolicySet, text: string, line: number, catalogue: CommandCatalogue): readonly string[] {
  const problem = (message: string) => [`  line ${line}: ${message}`];
  let json: unknown;
  try {
    json = parseJsonText('the line', text);
  } catch (error) {
    if (error instanceof CommandError) return problem(error.message);
    throw error;
  }
  if (!isObject(json))
    return problem('a policy must be a JSON object with an `id`, and a `check` or a `policy`');
  const { id, ...query } = json;
  if (typeof id !== 'string' || id === '') return problem('`id` must be a string that is not empty');
  try {
    // Rejects claims that the catalogue does not have.
    if (catalogue.isOwn) catalogue.engine.parse(query);
    set.add(id, query);
    return [];
  } catch (error) {
    if (error instanceof QueryError)
      return error.problems.flatMap(({ pointer, message }) => problem(`${pointer || '(root)'}: ${message}`));
    if (error instanceof PolicySetError)
      return problem(`\`id\` must be unique (got \`${toPrintable(id)}\` twice)`);
    throw error;
  }
}
