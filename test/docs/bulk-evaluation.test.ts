/** Runs the snippets of the page on bulk evaluation, and compares their output with the comments. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as proviso from '../../src/index.js';
import { runSnippets } from '../support/run-snippets.js';

const PAGE = readFileSync(new URL('../../docs/guides/bulk-evaluation.md', import.meta.url), 'utf8');

/** The built module: it starts `column-worker.js`, which must be next to it. */
const workers: unknown = await import(new URL('../../dist/workers.js', import.meta.url).href);

// V14
it('the snippets on bulk evaluation print the output in their comments', async () => {
  const { expected, printed } = await runSnippets(PAGE, { proviso, 'proviso/workers': workers });
  expect(expected).toHaveLength(7);
  expect(printed).toEqual(expected);
});
