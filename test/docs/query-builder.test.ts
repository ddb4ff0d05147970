/** Runs the snippets of the page on the query builder, and compares their output with the comments. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as builder from '../../src/builder/index.js';
import { runSnippets } from '../support/run-snippets.js';

const PAGE = readFileSync(new URL('../../docs/guides/query-builder.md', import.meta.url), 'utf8');

// L14
it('the snippets on the query builder print the output in their comments', async () => {
  const { expected, printed } = await runSnippets(PAGE, { 'proviso/builder': builder });
  expect(expected).toHaveLength(7);
  expect(printed).toEqual(expected);
});
