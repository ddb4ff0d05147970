/** Features of all commands: help with an example, `--json`, completion; and `bench` and `openapi`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, runShell } from '../support/run-command.js';

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-commands-'));
  const adult = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
  const personOfAge = (age: number) => [
    { id: 'c1', source: 'Registry', issuedAt: '2020-01-01', claims: { 'identity.age': age } },
  ];
  const files = {
    'query.json': adult,
    'shown.json': { projections: [{ claim: 'identity.age', lens: 'pluck' }] },
    'ada.json': personOfAge(36),
    'people.json': [personOfAge(36), personOfAge(12), personOfAge(70)],
    'wrong.json': [personOfAge(36), [{ id: 'c1' }]],
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(cwd, name), JSON.stringify(content));
  }
});

afterAll(() => rmSync(cwd, { recursive: true }));

async function run(...args: readonly string[]) {
  return await runCommand(args, { cwd });
}

/** The commands without subcommands, from the completion script. */
async function listCommands(): Promise<readonly string[]> {
  const { stdout } = await run('completion', 'bash');
  const paths = [...stdout.matchAll(/^ {4}'([a-z ]+)'\) words=/gm)].map(([, path = '']) => path);
  return paths.filter((path) => !paths.some((longer) => longer.startsWith(`${path} `)));
}

describe('every command', () => {
  it('has a help text with an example of the command', async () => {
    const commands = await listCommands();
    expect(commands.length).toBeGreaterThan(15);
    const helps = await Promise.all(commands.map((path) => run(...path.split(' '), '--help')));
    for (const [index, { exitCode, stdout }] of helps.entries()) {
      const path = commands[index] ?? '';
      expect([path, exitCode]).toEqual([path, 0]);
      expect(stdout).toMatch(new RegExp(`Examples?:\\n(.*\\n)*?.*proviso ${path}`));
    }
  });

  it('is rejected with a message if it is misspelled', async () => {
    const { exitCode, stdout, stderr } = await run('evaluate');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain("unknown command 'evaluate'");
  });

  it('prints control characters of misspelled commands and options as ?', async () => {
    const [command, option] = [await run('ev\u001b[2Jal'), await run('eval', '--\u202ex')];
    expect(command.stderr).toContain("unknown command 'ev?[2Jal'\n");
    expect(option.stderr).toContain("unknown option '--?x'\n");
  });

  it('is rejected with a suggestion if it is the misspelled command of a group', async () => {
    const { exitCode, stdout, stderr } = await run('person', 'lits');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain("unknown command 'lits'\n(Did you mean list?)");
  });

  it.each([
    ['config'],
    ['config', '--check'],
    ['migrate', '--status'],
    ['migrate'],
    ['client', 'list'],
    ['sandbox', 'token', '--person', 'ada', '--scope', 'kyc:read'],
    ['keys', 'rotate'],
    ['person', 'create', 'u-1842'],
    ['backup', 'copy.sqlite'],
    ['explain', 'query.json', 'ada.json', '--scope', 'identity:date_of_birth'],
    ['lint', 'query.json'],
    ['bench', 'query.json', 'ada.json', '--scope', 'identity:date_of_birth', '--seconds', '0.001'],
  ])('prints only JSON with --json: %s %s', async (...args) => {
    const { stdout } = await run(...args, '--json');
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
  });

  it('prints a line of JSON for each person of an audience, and a summary', async () => {
    // Creates a store with the sample people.
    await run('sandbox', 'token', '--person', 'ada', '--scope', 'kyc:read');
    const { stdout } = await run('audience', 'query.json', '--json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.at(-1)).toMatchObject({ satisfied: lines.length - 1 });
  });

  it('stops without an error when its output is closed', async () => {
    const cli = join(import.meta.dirname, '../../dist/cli.js');
    const { stderr } = await runShell(`node ${cli} openapi | head -1`, { cwd });
    expect(stderr).toBe('');
  });

  it.runIf(existsSync('/dev/full'))('fails with a message when its output cannot be written', async () => {
    const cli = join(import.meta.dirname, '../../dist/cli.js');
    const { exitCode, stderr } = await runShell(`node ${cli} openapi > /dev/full`, { cwd });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/^proviso: standard output cannot be written: ENOSPC.*\n$/),
    ]);
  });
});

// S156
it.each(['eval', 'explain', 'bench'])(
  '%s rejects claims on which matching the patterns costs too much, with exit code 2',
  async (command) => {
    const check = { claim: 'a.b', operator: 'matchRegex', value: '(a|b|ab)*c{1,20}(d|e)*$' };
    writeFileSync(join(cwd, 'costly.json'), JSON.stringify({ check }));
    writeFileSync(join(cwd, 'long.json'), JSON.stringify({ 'a.b': 'ab'.repeat(500_000) }));
    const result = await run(command, 'costly.json', 'long.json', '--catalogue', 'none');
    expect(result).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^proviso: costly\.json is invalid:\n {2}\/check: Matching .*\n$/),
    });
  },
);

describe('bench', () => {
  it('measures a query on one person and on many people', async () => {
    const args = ['--scope', 'identity:date_of_birth', '--seconds', '0.001'];
    for (const [file, people] of [
      ['ada.json', 1],
      ['people.json', 3],
    ] as const) {
      const { exitCode, stdout } = await run('bench', 'query.json', file, ...args, '--json');
      const measured = JSON.parse(stdout) as Record<string, { median: number; runs: number }>;
      expect([exitCode, measured['people']]).toEqual([0, people]);
      for (const measure of ['compile', 'test', 'evaluate', 'evaluateToJson']) {
        expect(measured[measure]?.median).toBeGreaterThan(0);
        expect(measured[measure]?.runs).toBeGreaterThan(5);
      }
    }
    const { stdout } = await run('bench', 'shown.json', 'ada.json', ...args);
    expect(stdout).toMatch(/^1 person, 0\.001 s each\ncompile .*\nevaluate .*\nevaluateToJson .*\n$/);
  });

  it.each([
    [['query.json', 'ada.json', '--scope', 'kyc:read'], 'identity.age: --scope identity:date_of_birth'],
    [['query.json', 'wrong.json', '--scope', 'identity:date_of_birth'], 'wrong.json, person 2, is invalid'],
    [['ada.json', 'ada.json', '--scope', 'identity:date_of_birth'], 'ada.json is invalid'],
    [
      ['query.json', 'ada.json', '--scope', 'openid', '--seconds', 'long'],
      '--seconds must be greater than 0',
    ],
  ])('rejects %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await run('bench', ...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

describe('openapi', () => {
  it('prints the OpenAPI document of a service at the given URL', async () => {
    const { exitCode, stdout } = await run('openapi', '--issuer', 'https://id.example/v2');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'https://id.example' }],
      paths: { '/v2/queries/evaluate': { post: { operationId: 'evaluateQuery' } } },
    });
    expect(await run('openapi', '--issuer', 'nowhere')).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('completion', () => {
  /** Returns the completions of a command line in bash. @param last - The word to complete. */
  async function complete(words: readonly string[], last = ''): Promise<readonly string[]> {
    const { stdout } = await run('completion', 'bash');
    writeFileSync(join(cwd, 'completion.bash'), stdout);
    const line = `source completion.bash; COMP_WORDS=(proviso ${words.join(' ')} '${last}'); COMP_CWORD=${words.length + 1}; _proviso; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout: found } = spawnSync('bash', ['-c', line], { cwd, encoding: 'utf8' });
    return found.trim().split('\n');
  }

  it('completes commands, subcommands and options', async () => {
    expect(await complete([])).toEqual(expect.arrayContaining(['serve', 'client', 'eval', '--version']));
    expect(await complete(['client'])).toEqual(expect.arrayContaining(['add', 'list', 'revoke']));
    expect(await complete(['client', 'add'])).toEqual(expect.arrayContaining(['--redirect-uri', '--public']));
    // A file name that looks like a command does not count as one.
    expect(await complete(['eval', 'client.json'])).toContain('--scope');
  });

  it('offers no file names itself, but leaves them to the default completion of bash', async () => {
    expect(await complete([], 'evaluat')).toEqual(['']);
    expect(await complete(['eval'], 'query')).toEqual(['']);
    const { stdout } = await run('completion', 'bash');
    expect(stdout).toMatch(/^complete -o default -F _proviso proviso$/m);
  });

  it.each(['bash', 'zsh', 'fish'])('is a script that %s parses, if installed', async (shell) => {
    const { exitCode, stdout } = await run('completion', shell);
    writeFileSync(join(cwd, `completion.${shell}`), stdout);
    expect([exitCode, stdout.includes('redirect-uri')]).toEqual([0, true]);
    const installed = ['/bin', '/usr/bin', '/usr/local/bin'].some((folder) =>
      existsSync(join(folder, shell)),
    );
    if (installed) expect(spawnSync(shell, ['-n', `completion.${shell}`], { cwd }).status).toBe(0);
  });

  it('is rejected for an unknown shell', async () => {
    expect(await run('completion', 'tcsh')).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
