/** Saves the files and runs the commands of the quick start in order, and compares their output. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServeProcess, startServe } from '../support/run-command.js';
import { runTutorial } from '../support/run-tutorial.js';

const PAGE = readFileSync(new URL('../../docs/tutorial/quick-start.md', import.meta.url), 'utf8');
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));

let cwd: string;
let serving: ServeProcess;

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-quick-start-'));
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(PACKAGE, join(cwd, 'node_modules', 'proviso'));
  serving = await startServe({ cwd });
});

afterAll(async () => {
  await serving.stop('SIGTERM');
  rmSync(cwd, { recursive: true });
});

it('the commands of the quick start print the output on the page', async () => {
  const { outputs, last } = await runTutorial(PAGE, { cwd, toRunnable });
  for (const { expected, printed } of outputs) expect(printed).toBe(expected);
  expect(outputs).toHaveLength(3);
  expect(JSON.parse(last.stdout)).toMatchObject({ type: 'predicate', passed: true });
});

/** Skips installations, and replaces the default URL by that of the test's service. */
function toRunnable(commands: string): string | undefined {
  return commands.startsWith('npm install')
    ? undefined
    : commands.replaceAll('http://127.0.0.1:8080/v2', serving.url);
}
