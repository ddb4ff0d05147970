/** `proviso schema`: the language as a JSON Schema, for editors. */
import { queryJsonSchema } from '../../index.js';
import { printResult } from '../output.js';

export function schema(): void {
  printResult(JSON.stringify(queryJsonSchema(), undefined, 2));
}
