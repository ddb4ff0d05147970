/** Runs the snippets of the page on queries in words, and compares their output with the comments. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as describeEntry from '../../src/describe/index.js';
import * as proviso from '../../src/index.js';
import { runSnippets } from '../support/run-snippets.js';

const PAGE = readFileSync(new URL('../../docs/guides/describe-queries.md', import.meta.url), 'utf8');

const SNIPPETS = [...PAGE.matchAll(/```ts\n[\s\S]*?```/g)].map(([snippet]) => snippet);

it('each snippet on queries in words prints the output in its comments', async () => {
  expect(SNIPPETS).toHaveLength(7);
  for (const snippet of SNIPPETS) {
    const { expected, printed } = await runSnippets(snippet, { proviso, 'proviso/describe': describeEntry });
    expect(expected.length, snippet).toBeGreaterThan(0);
    expect(printed).toEqual(expected);
  }
});
