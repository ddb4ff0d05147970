/** Saves the files and runs the commands of the tutorial on testing policies in order, and compares their output. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as policyTests from '../../src/policy-tests/index.js';
import { runSnippets } from '../support/run-snippets.js';
import { runTutorial } from '../support/run-tutorial.js';

const PAGE = readFileSync(new URL('../../docs/tutorial/testing-policies.md', import.meta.url), 'utf8');

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-testing-policies-'));
});

afterAll(() => rmSync(cwd, { recursive: true }));

it('the commands of the tutorial on testing policies print the output on the page', async () => {
  const { outputs, files } = await runTutorial(PAGE, { cwd });
  for (const { expected, printed } of outputs) expect(printed).toBe(expected);
  expect(outputs).toHaveLength(7);
  expect(files).toHaveLength(5);
});

it('the snippet of the tutorial on testing policies prints the output in its comments', async () => {
  const { expected, printed } = await runSnippets(PAGE, { 'proviso/policy-tests': policyTests });
  expect(expected).toHaveLength(2);
  expect(printed).toEqual(expected);
});
