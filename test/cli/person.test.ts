/** `proviso person`: creates, lists, shows, exports, erases and purges people (S329, S330). */
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

it('the commands of the page on personal data create, export and erase a person, whose id, name and address are then in no file of the store', async () => {
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

// S453
it.each([
  ['name', ['u-1'], 'u-1'],
  ['name (and another address)', ['u-1', '--email', 'other@people.example'], 'u-1'],
  ['e-mail address', ['u-2', '--email', 'one@people.example'], 'one@people.example'],
  ['wallet address', ['u-2', '--wallet', `0x${'AB'.repeat(20)}`], `0x${'ab'.repeat(20)}`],
])(
  'the creation of a person with the %s of an existing person is rejected with the id of that person',
  async (_by, args, value) => {
    const folder = mkdtempSync(join(tmpdir(), 'proviso-person-'));
    const run = (...words: readonly string[]) => runCommand(['person', ...words], { cwd: folder });
    try {
      const addresses = ['--email', 'one@people.example', '--wallet', `0x${'ab'.repeat(20)}`];
      const created = await run('create', 'u-1', ...addresses);
      const id = created.stdout.trim();
      expect([created.exitCode, created.stderr]).toEqual([0, '']);
      const again = await run('create', ...args);
      expect(again).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: `proviso: a person with \`${value}\` already exists: their id is ${id}\n`,
      });
      expect((await run('list')).stdout).toBe(`${id}  u-1  one@people.example  0x${'ab'.repeat(20)}\n`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

// S128
it('the creation of a person with a wallet address whose checksum is wrong is rejected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-person-'));
  const wallet = `0x${'Ab'.repeat(20)}`;
  try {
    expect(await runCommand(['person', 'create', 'u-1', '--wallet', wallet], { cwd: folder })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `proviso: --wallet must be \`0x\` and 40 hexadecimal digits, with a correct EIP-55 checksum if upper and lower case are mixed (got \`${wallet}\`)\n`,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each(['ada', '', 'a@b\u001b[2J', `${'a'.repeat(250)}@b.example`])(
  'the creation of a person with the e-mail address %j is rejected',
  async (email) => {
    const folder = mkdtempSync(join(tmpdir(), 'proviso-person-'));
    const printed = email.replace('\u001b', '?');
    try {
      expect(await runCommand(['person', 'create', 'u-1', '--email', email], { cwd: folder })).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: `proviso: --email must be an e-mail address of at most 255 characters, without control characters (got \`${printed}\`)\n`,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

// S451
it.each([
  ['all', 1],
  ['changes', 0],
])(
  'with the audit level `%s`, `proviso person export` adds %i entries to the audit log',
  async (level, count) => {
    const folder = mkdtempSync(join(tmpdir(), 'proviso-person-'));
    const run = (...args: readonly string[]) =>
      runCommand(args, { cwd: folder, env: { PROVISO_AUDIT: level } });
    try {
      await run('person', 'create', 'u-1');
      const exported = JSON.parse((await run('person', 'export', 'u-1')).stdout) as {
        readonly audit: unknown;
      };
      expect(exported.audit).toEqual([]);
      await run('person', 'show', 'u-1');
      const entries = (await run('audit', '--json', '--person', 'u-1')).stdout.split('\n').filter(Boolean);
      const entry = { position: 1, kind: 'person_exported', reason: 'by_operator' };
      expect(entries.map((line) => JSON.parse(line) as unknown)).toEqual(
        Array.from({ length: count }, () => expect.objectContaining(entry)),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

it('an unknown person, and an erasure without confirmation, are rejected', async () => {
  const unknown = await runCommand(['person', 'show', 'nobody'], { cwd });
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    1,
    'proviso: no person has this id, name or address\n',
  ]);
  const unconfirmed = await runCommand(['person', 'erase', 'nobody'], { cwd });
  expect([unconfirmed.exitCode, unconfirmed.stderr]).toEqual([2, expect.stringContaining('--yes')]);
});
