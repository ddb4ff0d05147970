/** Saves the files and runs the commands of the tutorial on testing policies in order, and compares their output. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as policyTests from '../../src/policy-tests/index.js';
import { type CommandResult, runShell } from '../support/run-command.js';
import { runSnippets } from '../support/run-snippets.js';

const PAGE = readFileSync(new URL('../../docs/tutorial/testing-policies.md', import.meta.url), 'utf8');
const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** A code block: a file to save, commands, or the output of the previous commands. */
interface Block {
  readonly language: string;
  readonly text: string;
  /** The file name in the paragraph before the block, if the block is to be saved. */
  readonly file: string | undefined;
}

const blocks = [...PAGE.matchAll(/([^\n]*(?:\n[^\n]+)*)\n\n```(json|yaml|sh|text)\n(.*?)```/gs)].map(
  ([, before = '', language = '', text = '']): Block => ({
    language,
    text,
    file: /Save this as `([\w.-]+)`/.exec(before)?.[1],
  }),
);

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-testing-policies-'));
});

afterAll(() => rmSync(cwd, { recursive: true }));

it('the commands of the tutorial print the output on the page', async () => {
  let previous: CommandResult = { exitCode: 0, stdout: '', stderr: '' };
  let compared = 0;
  for (const { language, text, file } of blocks) {
    if (file !== undefined) writeFileSync(join(cwd, file), text);
    else if (language === 'sh')
      previous = await runShell(text.replaceAll('npx proviso', `node ${COMMAND}`), { cwd });
    else {
      expect(`${previous.stderr}${previous.stdout}`).toBe(text);
      compared += 1;
    }
  }
  expect(compared).toBe(7);
  expect(blocks.filter(({ file }) => file !== undefined)).toHaveLength(5);
});

it('the snippet of the tutorial prints the output in its comments', async () => {
  const { expected, printed } = await runSnippets(PAGE, { 'proviso/policy-tests': policyTests });
  expect(expected).toHaveLength(2);
  expect(printed).toEqual(expected);
});
