/** `proviso schema`: prints the JSON Schema of query files or of policy tests, for editors. */
import type { Command } from 'commander';
import { queryFileJsonSchema } from '../../engine/query/json-schema.js';
import { policyTestJsonSchema } from '../../policy-tests/json-schema.js';
import { printResult } from '../output.js';

/** Adds the command. */
export function addSchema(program: Command): void {
  program
    .command('schema')
    .description('print the JSON Schema of a query file, for editors')
    .option('--tests', 'print the schema of the test files of `proviso test`')
    .addHelpText(
      'after',
      `
Examples:
  proviso schema > query.schema.json
  proviso schema --tests > policy-test.schema.json`,
    )
    .action(schema);
}

function schema({ tests = false }: { readonly tests?: boolean }): void {
  printResult(JSON.stringify(tests ? policyTestJsonSchema() : queryFileJsonSchema(), undefined, 2));
}
