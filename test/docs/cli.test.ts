/** The CLI reference lists every command, and its command lines run. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENGINE_COMMANDS } from '../../src/cli/add-commands.js';
import { runCommand, runShell } from '../support/run-command.js';

const PAGE = readFileSync(new URL('../../docs/reference/cli.md', import.meta.url), 'utf8');
const CLI = new URL('../../dist/cli.js', import.meta.url).pathname;

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-command-page-'));
  const query = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
  const credentials = [
    { id: 'c1', source: 'Registry', issuedAt: '2020-01-01', claims: { 'identity.age': 30 } },
  ];
  writeFileSync(join(cwd, 'query.json'), JSON.stringify(query));
  const cases = [18, 17].map((age) => ({
    title: `${age}`,
    claims: { 'identity.age': age },
    passes: age === 18,
  }));
  mkdirSync(join(cwd, 'policies'));
  writeFileSync(
    join(cwd, 'policies/age.policy-test.json'),
    JSON.stringify({ query: '../query.json', cases }),
  );
  writeFileSync(join(cwd, 'people.json'), JSON.stringify([credentials, credentials]));
});

afterAll(() => rmSync(cwd, { recursive: true }));

it('the CLI reference names every command', async () => {
  const { stdout } = await runCommand(['--help'], { cwd });
  const listed = stdout.split('\nCommands:\n')[1] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names.filter((one) => one !== 'help')) expect(PAGE).toContain(`\`proviso ${name}`);
});

it('the CLI reference lists the commands of the package `proviso`', () => {
  const [, listed = ''] =
    /The package `proviso` has the commands that need no service: (.*?)\./s.exec(PAGE) ?? [];
  expect([...listed.matchAll(/`([a-z]+)`/g)].map(([, name]) => name)).toEqual(Object.keys(ENGINE_COMMANDS));
});

it('the command lines of the CLI reference exit with 0', async () => {
  const lines = [...PAGE.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => block.trim().split('\n'));
  expect(lines).toHaveLength(6);
  for (const line of lines) {
    const env = { LINE: line.replaceAll('npx proviso', `node ${CLI}`) };
    const { exitCode, stderr } = await runShell('bash -c "$LINE"', { cwd, env });
    expect([line, exitCode, /invalid|must|cannot/.test(stderr)]).toEqual([line, 0, false]);
  }
});
