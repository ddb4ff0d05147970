/** Runs the snippets of the pages on migration and recipes, and compares their output with the comments. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as analysis from '../../src/analysis/index.js';
import * as convert from '../../src/convert/index.js';
import * as proviso from '../../src/index.js';
import { runSnippets } from '../support/run-snippets.js';

const readPage = (name: string) =>
  readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8');
const MODULES = { proviso, 'proviso/analysis': analysis, 'proviso/convert': convert };

it.each([
  ['migration', 9],
  ['recipes', 9],
])('the snippets of the page on %s print the output in their comments', async (name, count) => {
  const { expected, printed } = await runSnippets(readPage(name), MODULES);
  expect(expected).toHaveLength(count);
  expect(printed).toEqual(expected);
});
