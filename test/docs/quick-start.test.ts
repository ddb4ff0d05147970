/** Saves the files and runs the commands of the quick start in order, and compares their output. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CommandResult, runShell, type ServeProcess, startServe } from '../support/run-command.js';

const PAGE = readFileSync(new URL('../../docs/tutorial/quick-start.md', import.meta.url), 'utf8');
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const INSTALL = 'npm install proviso\n';
const SERVE = 'npm install proviso-server\nnpx proviso serve\n';

/** A code block of the page: a file to save, a command, or the output of the previous command. */
interface Block {
  readonly language: string;
  readonly text: string;
  /** The file name before the block, if the block is to be saved. */
  readonly file: string | undefined;
}

let cwd: string;
let serving: ServeProcess;

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-five-minutes-'));
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(PACKAGE, join(cwd, 'node_modules', 'proviso'));
  serving = await startServe({ cwd });
});

afterAll(async () => {
  await serving.stop('SIGTERM');
  rmSync(cwd, { recursive: true });
});

it('the commands of the quick start print the output on the page', async () => {
  let previous: CommandResult = { exitCode: 0, stdout: '', stderr: '' };
  let printed = 0;
  for (const { language, text, file } of blocks()) {
    if (file !== undefined) writeFileSync(join(cwd, file), text);
    else if (language === 'text') {
      expect(`${previous.stderr}${previous.stdout}`).toBe(text);
      printed += 1;
    } else if (text !== INSTALL && text !== SERVE) previous = await runShell(toRunnable(text), { cwd });
  }
  expect(printed).toBe(3);
  expect(JSON.parse(previous.stdout)).toMatchObject({ type: 'predicate', passed: true });
});

function blocks(): readonly Block[] {
  return [...PAGE.matchAll(/([^\n]*)\n\n```(json|js|sh|text)\n(.*?)```/gs)].map(
    ([, before = '', language = '', text = '']) => ({
      language,
      text,
      file: /[Ss]ave this as `([\w.]+)`/.exec(before)?.[1],
    }),
  );
}

/** Replaces the installed command by that of the checkout, and the default URL by that of the test's service. */
function toRunnable(lines: string): string {
  return lines
    .replaceAll('npx proviso', `node ${join(PACKAGE, 'dist/cli.js')}`)
    .replaceAll('http://127.0.0.1:8080/v2', serving.url);
}
