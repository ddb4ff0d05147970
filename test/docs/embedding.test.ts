/** Runs the snippets of the page on embedding the engine, and compares their output with the comments. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as analysis from '../../src/analysis/index.js';
import * as builder from '../../src/builder/index.js';
import * as describeEntry from '../../src/describe/index.js';
import * as proviso from '../../src/index.js';
import { runSnippets } from '../support/run-snippets.js';

const PAGE = readFileSync(new URL('../../docs/guides/embedding.md', import.meta.url), 'utf8');

const SNIPPETS = [...PAGE.matchAll(/```ts\n[\s\S]*?```/g)].map(([snippet]) => snippet);

it('each snippet on embedding prints the output in its comments', async () => {
  expect(SNIPPETS).toHaveLength(13);
  for (const snippet of SNIPPETS) {
    const { expected, printed } = await runSnippets(snippet, {
      proviso,
      'proviso/analysis': analysis,
      'proviso/builder': builder,
      'proviso/describe': describeEntry,
    });
    expect(expected.length, snippet).toBeGreaterThan(0);
    expect(printed).toEqual(expected);
  }
});
