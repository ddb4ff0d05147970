/** `proviso explain`: shows a policy as a tree, with expected and actual values, and the smallest changes that make it pass. */
import type { Command } from 'commander';
import { type ClaimChange, type Explanation, explain } from '../../analysis/index.js';
import { policyTree, type TreeNode } from '../../analysis/policy-tree.js';
import {
  type CheckResult,
  ClaimSet,
  CredentialError,
  compile,
  formatInstant,
  parseCredentials,
  QueryError,
  re2js,
} from '../../index.js';
import { formatProblems, readJsonFile } from '../json-file.js';
import { CommandError, EXIT, printResult } from '../output.js';
import { formatValue, type Paint, paintFor } from '../paint.js';
import { parseScopeList } from '../scope-list.js';
import { describeQueryError, parseInstantOption } from './eval.js';

export interface ExplainCommandOptions {
  /** Separated by spaces, as in OAuth. */
  readonly scope: string;
  /** RFC 3339. Default: now. */
  readonly at?: string;
  readonly json?: boolean;
}

/** Adds the command. */
export function addExplain(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('explain')
    .description('show a policy as a tree, with expected and actual values, and what would have to change')
    .argument('<query>', 'file with a check or a policy as JSON')
    .argument('<credentials>', 'file with an array of credentials as JSON')
    .requiredOption('--scope <scopes>', 'the scopes that the person granted, separated by spaces')
    .option('--at <instant>', 'instant of evaluation, RFC 3339 (default: now)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Exits with 0 when the policy passed, 1 when it did not, 2 for invalid input. Uses colors only on a terminal.

Example:
  proviso explain query.json credentials.json --scope "identity:read kyc:read"`,
    )
    .action((query: string, credentials: string, options: ExplainCommandOptions) => {
      process.exitCode = explainFiles(query, credentials, options, variables);
    });
}

/**
 * Prints the tree, and what would change the result.
 *
 * @returns The exit code: 0 if the policy passed, 1 if not.
 * @throws {CommandError} If a file, the query, the credentials or the instant is invalid, or a scope is missing.
 */
function explainFiles(
  queryFile: string,
  credentialsFile: string,
  { scope, at, json = false }: ExplainCommandOptions,
  environment: NodeJS.ProcessEnv,
): number {
  const now = parseInstantOption(at);
  const query = readJsonFile(queryFile);
  const person = readJsonFile(credentialsFile);
  try {
    const credentials = parseCredentials(person);
    const options = { now, scopes: parseScopeList(scope) };
    const explained = explain(query, credentials, options);
    const result = compile(explained.query, { regex: re2js }).evaluate(
      ClaimSet.at(credentials, now),
      options,
    );
    if (result.type !== 'predicate')
      throw new TypeError('the result of a predicate must be a predicate result');
    if (json) {
      printResult(JSON.stringify({ ...explained, evidence: result.evidence }, undefined, 2));
    } else {
      const paint = paintFor(process.stdout, environment);
      const lines = [
        ...treeLines(policyTree(explained.query, result.evidence), paint),
        '',
        ...advice(explained, paint),
      ];
      printResult(lines.join('\n'));
    }
    return explained.passes ? EXIT.ok : EXIT.failed;
  } catch (error) {
    if (error instanceof QueryError) throw new CommandError(describeQueryError(queryFile, error), EXIT.usage);
    if (error instanceof CredentialError) {
      throw new CommandError(formatProblems(credentialsFile, error.problems), EXIT.usage);
    }
    if (error instanceof TypeError && 'projections' in (query as object)) {
      throw new CommandError(`${queryFile}: ${error.message}`, EXIT.usage);
    }
    throw error;
  }
}

function advice(explained: Explanation, paint: Paint): readonly string[] {
  const verdict = explained.passes
    ? [
        `It passes: ${explained.sufficient.length === 0 ? 'for any claims' : `${explained.sufficient.join(', ')} ${explained.sufficient.length === 1 ? 'is' : 'are'} enough`}.`,
      ]
    : explained.changes.length === 0
      ? ['It does not pass, and no claims were found that would make it pass.']
      : [
          'It does not pass. It would pass with',
          ...explained.changes.map((set) => `  ${set.map((one) => changeText(one, paint)).join(' and ')}`),
        ];
  const when =
    explained.changesAt === undefined
      ? []
      : [`With these credentials, the result changes at ${formatInstant(explained.changesAt)}.`];
  const incomplete =
    explained.incomplete === undefined ? [] : [`There may be smaller changes: ${explained.incomplete}.`];
  return [...verdict, ...when, ...incomplete];
}

function changeText({ claim, from, to }: ClaimChange, paint: Paint): string {
  return `${claim} ${paint('green', to === undefined ? 'not defined' : formatValue(to))} ${paint('gray', `(is ${formatValue(from)})`)}`;
}

/** Renders a policy's tree as lines. */
function treeLines(node: TreeNode, paint: Paint): readonly string[] {
  if (node.kind === 'check') return [checkLine(node.result, paint)];
  const heading = `${mark(node.passed, paint)} ${HEADINGS[node.kind]}`;
  return [heading, ...indentBranches(node.items.map((item) => treeLines(item, paint)))];
}

const HEADINGS = { allOf: 'all of', anyOf: 'any of', not: 'not' } as const;

function checkLine(
  { claim, operator, expectedValue, actualValue, passed }: CheckResult,
  paint: Paint,
): string {
  const expected = operator === 'isDefined' ? '' : ` ${formatValue(expectedValue)}`;
  const found = paint(
    actualValue === undefined ? 'gray' : passed ? 'green' : 'red',
    formatValue(actualValue),
  );
  return `${mark(passed, paint)} ${claim} ${operator}${expected}   ${paint('gray', '←')} ${found}`;
}

function mark(passed: boolean, paint: Paint): string {
  return passed ? paint('green', '✓') : paint('red', '✗');
}

function indentBranches(branches: readonly (readonly string[])[]): readonly string[] {
  return branches.flatMap(([first = '', ...rest], index) => {
    const isLast = index === branches.length - 1;
    return [`${isLast ? '└─' : '├─'} ${first}`, ...rest.map((line) => `${isLast ? '  ' : '│ '} ${line}`)];
  });
}
