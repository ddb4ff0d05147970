/** Runs the snippets of the page on policy sets, and compares their output with the comments. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as proviso from '../../src/index.js';
import * as policySet from '../../src/policy-set/index.js';
import { runSnippets } from '../support/run-snippets.js';

const PAGE = readFileSync(new URL('../../docs/guides/policy-sets.md', import.meta.url), 'utf8');

it('the snippets on policy sets print the output in their comments', async () => {
  const { expected, printed } = await runSnippets(PAGE, { proviso, 'proviso/policy-set': policySet });
  expect(expected).toHaveLength(5);
  expect(printed).toEqual(expected);
});
