/** `proviso eval`: evaluates a query on a file of credentials, without a server. */
import type { Command } from 'commander';
import { CREDENTIALS_ARGUMENT, readPerson } from '../inputs/credentials.js';
import { addEvaluationArguments, type EvaluationOptions, readEvaluation } from '../inputs/evaluation.js';
import { compileQueryInput, QUERY_ARGUMENT, withQueryProblems } from '../inputs/query.js';
import { EXIT, printResult } from '../output.js';

/** Adds the command. */
export function addEval(program: Command): void {
  const command = program
    .command('eval')
    .description('evaluate a query on a file of credentials or claims, without a server');
  addEvaluationArguments(command, QUERY_ARGUMENT, CREDENTIALS_ARGUMENT)
    .addHelpText(
      'after',
      `
Prints the result as JSON. Exits with 0 when the query passed or is a projection, 1 when it did not pass, 2 for invalid input.

Examples:
  proviso eval query.json credentials.json --scope "identity:read kyc:read"
  echo '{"member.level": 4}' | proviso eval -q '{"check": {"claim": "member.level", "operator": ">=", "value": 3}}' - --catalogue none`,
    )
    .action(
      async (query: string | undefined, credentials: string | undefined, options: EvaluationOptions) => {
        process.exitCode = await evaluateFiles(query, credentials, options);
      },
    );
}

/**
 * Prints the result as JSON.
 *
 * @returns The exit code: 0 if the predicate passed or the query is a projection, 1 if the predicate did not pass.
 * @throws {CommandError} If an argument, an option or the content of a file is invalid, or the scopes do not cover the query.
 */
async function evaluateFiles(
  first: string | undefined,
  second: string | undefined,
  options: EvaluationOptions,
): Promise<number> {
  const { query, compiled, catalogue, scopes, now, credentials } = await readEvaluation(
    first,
    second,
    options,
    compileQueryInput,
  );
  const { claims } = await readPerson(credentials, { now, catalogue });
  const result = withQueryProblems(query.name, query.json, () => compiled.evaluate(claims, { now, scopes }));
  printResult(JSON.stringify(result, undefined, 2));
  return result.type === 'projection' || result.passed ? EXIT.ok : EXIT.failed;
}
