/** `proviso schema`: prints the JSON Schema of queries, for editors. */

import type { Command } from 'commander';
import { queryJsonSchema } from '../../engine/query/json-schema.js';
import { printResult } from '../output.js';

/** Adds the command. */
export function addSchema(program: Command): void {
  program
    .command('schema')
    .description('print the JSON Schema of a query, for editors')
    .addHelpText('after', '\nExample:\n  proviso schema > query.schema.json')
    .action(schema);
}

function schema(): void {
  printResult(JSON.stringify(queryJsonSchema(), undefined, 2));
}
