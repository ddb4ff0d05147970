/** Runs the snippets of the page on static analysis, and compares their output with the comments. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as analysis from '../../src/analysis/index.js';
import * as proviso from '../../src/index.js';
import { runSnippets } from '../support/run-snippets.js';

const PAGE = readFileSync(new URL('../../docs/guides/static-analysis.md', import.meta.url), 'utf8');

// L14
it('the snippets on static analysis print the output in their comments', async () => {
  const { expected, printed } = await runSnippets(PAGE, { proviso, 'proviso/analysis': analysis });
  expect(expected.length).toBeGreaterThanOrEqual(8);
  expect(printed).toEqual(expected);
});

it('the page on static analysis names every kind of finding', () => {
  expect(analysis.FINDING_CODES.filter((code) => !PAGE.includes(`\`${code}\``))).toEqual([]);
});
