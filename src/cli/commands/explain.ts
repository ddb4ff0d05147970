/** `proviso explain`: shows a policy as a tree with the smallest changes that make it pass, and sentences for the person. */
import type { Command } from 'commander';
import { type ClaimChange, type Explanation, explain, type InactiveClaim } from '../../analysis/index.js';
import { policyTree, type TreeNode } from '../../analysis/policy-tree.js';
import { describeFailures, describeQuery, renderDescription } from '../../describe/index.js';
import { type CheckResult, DEFAULT_CLAIMS, formatInstant } from '../../index.js';
import { CREDENTIALS_ARGUMENT, readPerson } from '../inputs/credentials.js';
import { addEvaluationArguments, type EvaluationOptions, readEvaluation } from '../inputs/evaluation.js';
import { compilePolicyInput, POLICY_ARGUMENT, withQueryProblems } from '../inputs/query.js';
import { CommandError, EXIT, printResult, toPrintable } from '../output.js';
import { formatValue, type Paint, paintFor } from '../paint.js';

export interface ExplainCommandOptions extends EvaluationOptions {
  readonly json?: boolean;
  /** BCP 47 tag of the language of the sentences. */
  readonly locale?: string;
}

/** Adds the command. */
export function addExplain(program: Command, variables: NodeJS.ProcessEnv): void {
  const command = program
    .command('explain')
    .description('show a policy as a tree, with expected and actual values, and what would have to change');
  addEvaluationArguments(command, POLICY_ARGUMENT, CREDENTIALS_ARGUMENT)
    .option(
      '--locale <tag>',
      'language of the sentences to the person: en, de, fr, es, pt or ar (default: en-GB)',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Exits with 0 when the policy passed, 1 when it did not, 2 for invalid input. Uses colors only on a terminal.

Example:
  proviso explain query.json credentials.json --scope "identity:read kyc:read"`,
    )
    .action(
      async (query: string | undefined, credentials: string | undefined, options: ExplainCommandOptions) => {
        process.exitCode = await explainFiles(query, credentials, options, variables);
      },
    );
}

/**
 * Prints the tree, and what would change the result.
 *
 * @returns The exit code: 0 if the policy passed, 1 if not.
 * @throws {CommandError} If a file, the query, the credentials or the instant is invalid, or a scope is missing.
 */
async function explainFiles(
  first: string | undefined,
  second: string | undefined,
  options: ExplainCommandOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const input = await readEvaluation(first, second, options, compilePolicyInput);
  const { query, compiled, catalogue, scopes, now } = input;
  const { credentials, claims } = await readPerson(input.credentials, { now, catalogue });
  const result = withQueryProblems(query.name, query.json, () => compiled.evaluate(claims, { now, scopes }));
  const language = {
    catalogue: { claims: catalogue.claims ?? DEFAULT_CLAIMS },
    ...(options.locale === undefined ? {} : { locale: options.locale }),
  };
  const description = describeInLocale(() => describeQuery(query.json, language));
  const { analyzed } = catalogue;
  const explained = explain(query.json, credentials, {
    now,
    scopes,
    ...(analyzed === undefined ? {} : { catalogue: analyzed }),
  });
  if (options.json === true) {
    printResult(JSON.stringify({ ...explained, evidence: result.evidence, description }, undefined, 2));
  } else {
    const paint = paintFor(process.stdout, environment);
    const lines = [
      ...treeLines(policyTree(explained.query, result.evidence), paint),
      '',
      ...advice(explained, paint),
      ...section('To the person:', describeFailures(compiled.check(claims), language)),
      ...section('An application learns:', renderDescription(description).split('\n')),
    ];
    printResult(lines.join('\n'));
  }
  return explained.passes ? EXIT.ok : EXIT.failed;
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
    explained.incomplete === undefined ? [] : [`The search was incomplete: ${explained.incomplete}.`];
  return [...verdict, ...explained.inactive.map(inactiveText), ...when, ...incomplete];
}

/** Formats lines below a title. Without lines, it returns no title either. */
function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

/** Describes the query. @throws {CommandError} If there are no messages in the locale. */
function describeInLocale<Description>(describe: () => Description): Description {
  try {
    return describe();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(`--locale: ${error.message}`, EXIT.usage);
  }
}

/** Describes when a claim was or will be defined. */
function inactiveText({ claim, value, reason, at, source }: InactiveClaim): string {
  const credential = source === '' ? 'its credential' : `the credential of ${toPrintable(source)}`;
  const day = formatInstant(at).replace('T00:00:00.000Z', '');
  switch (reason) {
    case 'expired':
      return `${claim} was ${formatValue(value)} until ${credential} expired on ${day}.`;
    case 'revoked':
      return `${claim} was ${formatValue(value)} until ${credential} was revoked on ${day}.`;
    case 'not_yet_valid':
      return `${claim} will be ${formatValue(value)}: ${credential} is not valid before ${day}.`;
  }
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
