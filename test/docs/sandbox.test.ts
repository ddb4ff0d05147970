/** Runs the commands of the page on the sandbox against a running service. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxPeople } from '../../src/service/sandbox/people.js';
import { runShell, type ServeProcess, startServe } from '../support/run-command.js';

const PAGE = readFileSync(new URL('../../docs/tutorial/sandbox.md', import.meta.url), 'utf8');

let cwd: string;
let serving: ServeProcess;

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-docs-'));
  serving = await startServe({ cwd });
});

afterAll(async () => {
  await serving.stop('SIGTERM');
  rmSync(cwd, { recursive: true });
});

// V8
it('the commands of the page on the sandbox log a person in and evaluate a query', async () => {
  const lines = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text).join('\n');
  const { exitCode, stdout, stderr } = await runShell(`set -eu\n${lines}`, {
    cwd,
    env: { BASE: serving.url },
  });
  expect([exitCode, stderr]).toEqual([0, '']);
  const [address = '', answer = ''] = stdout.trim().split('\n');
  expect(address).toContain('/oauth/authorize?');
  expect(JSON.parse(answer)).toMatchObject({ type: 'predicate', passed: true });
});

it('the page on the sandbox lists every person of the sandbox', () => {
  const listed = [...PAGE.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(sandboxPeople(0).map(({ person }) => person.name));
});
