/** `proviso person`: creates, lists, shows, exports and erases people (S329, S330). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand, runShell } from '../support/run-command.js';

const PAGE = readFileSync(new URL('../../docs/guides/personal-data.md', import.meta.url), 'utf8');
const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** Replaces the installed command, which the page assumes, by that of the checkout. */
const AS_INSTALLED = `set -eu\nnpx() { shift; node "${COMMAND}" "$@"; }`;

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-person-'));
});

afterAll(() => rmSync(cwd, { recursive: true }));

it('the commands of the page on personal data create, export and erase a person, without a byte left', async () => {
  const [first = '', second = ''] = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text);
  const { exitCode, stdout, stderr } = await runShell(`${AS_INSTALLED}\n${first}${second}`, { cwd });
  expect([exitCode, stderr]).toEqual([0, '']);
  const [id = '', listed = ''] = stdout.split('\n');
  expect(listed).toBe(`${id}  u-1842  ada@people.example  -`);
  expect(stdout).toContain(`erased ${id} with 0 credentials and 0 grants`);
  expect(JSON.parse(readFileSync(join(cwd, 'u-1842.json'), 'utf8'))).toMatchObject({
    format: 1,
    person: { id, name: 'u-1842', email: 'ada@people.example' },
  });
  const folder = join(cwd, '.proviso');
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  for (const value of [id, 'u-1842', 'ada@people.example'])
    expect(files.some((content) => content.includes(value))).toBe(false);
});

it('an unknown person, and an erasure without confirmation, are rejected', async () => {
  const unknown = await runCommand(['person', 'show', 'nobody'], { cwd });
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    1,
    'proviso: no person has this id, name or address\n',
  ]);
  const unconfirmed = await runCommand(['person', 'erase', 'nobody'], { cwd });
  expect([unconfirmed.exitCode, unconfirmed.stderr]).toEqual([2, expect.stringContaining('--yes')]);
});
