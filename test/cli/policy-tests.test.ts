/** `proviso test` of the built command: test files, exit codes, generated cases, watch mode. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-command.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMMAND = join(ROOT, 'dist/cli.js');
const ADULT = { claim: 'identity.age', operator: '>=', value: 18 };
const PASSING = { title: 'an adult', claims: { 'identity.age': 18 }, passes: true };
/** The id of a user without privileges. */
const UNPRIVILEGED_USER = 65_534;
const MINOR = { title: 'a minor', claims: { 'identity.age': 17 }, passes: false };

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-policy-tests-'));
});

afterEach(() => rmSync(cwd, { recursive: true }));

function write(name: string, content: unknown): void {
  const path = join(cwd, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}

function run(...args: readonly string[]) {
  return runCommand(['test', ...args], { cwd });
}

describe('proviso test', () => {
  it('runs the example policies of the documentation, whose cases cover every check', async () => {
    const { exitCode, stdout } = await runCommand(['test', 'docs/examples/policies', '--coverage', '100'], {
      cwd: ROOT,
    });
    expect([stdout, exitCode]).toEqual([expect.stringContaining('passed; coverage 100 %'), 0]);
  });

  it('finds test files in folders, and merges the coverage of tests of the same query', async () => {
    write('policies/adult.json', { $schema: 'schema.json', check: ADULT });
    write('policies/a.policy-test.json', { query: './adult.json', cases: [PASSING] });
    write(
      'policies/deep/b.policy-test.yml',
      'query: ../adult.json\ncases: [{title: x, claims: {}, passes: false}]',
    );
    write('node_modules/x/c.policy-test.json', 'not read');
    write('.hidden/c.policy-test.json', 'not read');
    const { exitCode, stdout, stderr } = await run('--coverage', '100');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`✓ policies/a.policy-test.json (1 case)
✓ policies/deep/b.policy-test.yml (1 case)

2 passed; coverage 100 % (2 of 2: 1 check, passing and failing; at least 100 % required)
`);
  });

  it.each(['a.policy-test.json', './adult.json', 'link.json'])(
    'does not replace %s, which the tests read, by a report',
    async (output) => {
      write('adult.json', { check: ADULT });
      symlinkSync('adult.json', join(cwd, 'link.json'));
      write('a.policy-test.json', { query: './adult.json', cases: [PASSING] });
      const before = readFileSync(join(cwd, output), 'utf8');
      expect(await run('--reporter', 'junit', '--output', output)).toMatchObject({
        exitCode: 2,
        stderr: `proviso: --output must not be a file that the tests read (got ${output}): the report would replace it\n`,
      });
      expect(readFileSync(join(cwd, output), 'utf8')).toBe(before);
    },
  );

  it('reports a report, or a file that a test names, whose path leads through a file', async () => {
    write('adult.json', { check: ADULT });
    write('a.policy-test.json', { query: './adult.json', cases: [PASSING] });
    expect(await run('--output', 'adult.json/report.txt')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^proviso: adult\.json\/report\.txt cannot be written: .*\n$/),
    });
    write('b.policy-test.json', { query: './adult.json/x.json', cases: [PASSING] });
    expect(await run('--output', 'report.txt')).toMatchObject({
      exitCode: 2,
      stdout: expect.stringContaining('adult.json/x.json cannot be read: ENOTDIR'),
    });
  });

  it('reports a folder that it may not read, instead of leaving out its tests', () => {
    write('a.policy-test.json', { query: { check: ADULT }, cases: [PASSING] });
    mkdirSync(join(cwd, 'closed'), { mode: 0o000 });
    chmodSync(cwd, 0o755);
    // Modes do not apply to root.
    const user = process.geteuid?.() === 0 ? { uid: UNPRIVILEGED_USER } : {};
    const result = spawnSync(process.execPath, [COMMAND, 'test'], { cwd, encoding: 'utf8', ...user });
    expect([result.status, result.stderr]).toEqual([
      2,
      expect.stringMatching(/^proviso: .*\/closed cannot be read: EACCES: .*\n$/),
    ]);
  });

  it('fails and writes a report if a case fails and the coverage is too low, and prints the failing and the uncovered checks', async () => {
    const passed = { claim: 'kyc.passed', operator: '==', value: true };
    write(
      'a.yaml',
      `query: ${JSON.stringify({ policy: { allOf: [ADULT, passed] } })}
cases:
  - { title: a minor, claims: { identity.age: 17, kyc.passed: true }, passes: true }
`,
    );
    const { exitCode, stdout } = await runCommand(
      ['test', 'a.yaml', '--coverage', '50', '--reporter', 'junit', '--output', 'reports/unit/report.xml'],
      { cwd, env: { FORCE_COLOR: '1' } },
    );
    expect(exitCode).toBe(1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of colors
    expect(stdout.replaceAll(/\u001b\[\d+m/g, '')).toBe(`✗ a.yaml (1 of 1 case failed)
  ✗ a minor
    expected  passes
    actual    does not pass
      ✗ identity.age >= 18   ← 17

Uncovered checks:
  a.yaml /policy/allOf/0 identity.age >= 18: no case in which it passes and decides the verdict
  a.yaml /policy/allOf/1 kyc.passed == true: no case in which it passes or fails and decides the verdict

0 passed, 1 failed; coverage 25 % (1 of 4: each of 2 checks, passing and failing; at least 50 % required)
`);
    expect(stdout).toContain('\u001b[31m✗');
    expect(readFileSync(join(cwd, 'reports/unit/report.xml'), 'utf8')).toContain(
      'tests="2" failures="2" errors="0"',
    );
  });

  it('lists every invalid file with the location of its fault, and still runs the others', async () => {
    write('a.policy-test.json', { query: { check: ADULT }, cases: [PASSING, MINOR] });
    write('b.policy-test.yaml', 'query: [');
    write('c.policy-test.yaml', 'query: ./q.json\nquery: ./q.json');
    write('d.policy-test.json', '{');
    write('e.policy-test.json', { query: { check: { ...ADULT, operator: '=>' } }, cases: [PASSING] });
    write('f.policy-test.json', { query: './none.json', cases: [PASSING] });
    write('g.policy-test.json', { query: './q.json', cases: [PASSING] });
    write('q.json', { check: { ...ADULT, claim: 'age' } });
    write('h.policy-test.json', { query: { check: ADULT }, cases: [{ ...PASSING, pases: true }] });
    write('i.policy-test.json', {
      query: { check: ADULT },
      cases: [{ ...PASSING, claims: { 'identity.agee': 1 } }],
    });
    write('j.policy-test.yaml', `query: ${JSON.stringify({ check: ADULT })}\ncases: [!case {}]`);
    write(
      'k.policy-test.yaml',
      `query: ${JSON.stringify({ check: ADULT })}\ncases:\n  - title: an adult\n    claims: { identity.age: 18 }\n    passes: yes\n`,
    );
    write('l.policy-test.yaml', `query: ${JSON.stringify({ check: ADULT })}\ncases: &cases [*cases, *cases]`);
    const { exitCode, stdout } = await run('--reporter', 'tap');
    expect(exitCode).toBe(2);
    expect(stdout).toContain('ok 1 - a.policy-test.json › an adult');
    for (const text of [
      /b\.policy-test\.yaml is not valid YAML: .*\(line 1, column 9\)/,
      /c\.policy-test\.yaml is not valid YAML: Map keys must be unique \(line 2, column 1\)/,
      /d\.policy-test\.json is not valid JSON/,
      /e\.policy-test\.json is invalid:\\n {2}\/query\/check\/operator \(line 1\): /,
      /none\.json cannot be read: ENOENT/,
      /q\.json is invalid:\\n {2}\/check\/claim: /,
      /h\.policy-test\.json is invalid:\\n {2}\/cases\/0\/pases \(line 1\): Unknown member: did you mean `passes`\?/,
      /i\.policy-test\.json is invalid:\\n {2}\/cases\/0\/claims\/identity\.agee \(line 1\): .*`identity\.age`/,
      /j\.policy-test\.yaml is not valid YAML: /,
      /k\.policy-test\.yaml is invalid:\\n {2}\/cases\/0\/passes \(line 5\): `passes` must be true or false \(got the string `yes`: YAML 1\.2 has no other booleans\)\./,
      /l\.policy-test\.yaml is not valid YAML: an alias must not refer to a value that contains it/,
    ])
      expect(stdout).toMatch(text);
    expect(stdout.match(/^not ok /gm)).toHaveLength(11);
  });

  it('lists the first 50 problems of a test file, and the number of the others', async () => {
    write('a.policy-test.json', { query: { check: ADULT }, cases: Array(60).fill('') });
    const { exitCode, stdout } = await run();
    expect(exitCode).toBe(2);
    expect(stdout).toContain('/cases/49 (line 1): ');
    expect(stdout).not.toContain('/cases/50');
    expect(stdout).toContain('  and 10 more');
  });

  // S480
  it('merges the maps under the key `<<` of a YAML file, and locates faults in them', async () => {
    const query = `query: ${JSON.stringify({ check: ADULT })}\ncases:\n`;
    const first = '  - title: an adult\n    claims: &claims { identity.age: 18 }\n    passes: true\n';
    const second = (claims: string) => `  - title: another\n    claims: ${claims}\n    passes: true\n`;
    write(
      'a.policy-test.yaml',
      `${query}${first}${second('{ <<: *claims, identity.email: ada@example.org }')}`,
    );
    write('b.policy-test.yaml', `${query}${first}${second('{ <<: *claims, identity.agee: 18 }')}`);
    write('c.policy-test.yaml', `${query}${first}${second('{ <<: 18 }')}`);
    const { exitCode, stdout } = await run('--reporter', 'tap');
    expect(exitCode).toBe(2);
    for (const text of [
      'ok 2 - a.policy-test.yaml › another',
      '/cases/1/claims/identity.agee (line 7): The catalogue has no claim `identity.agee`',
      'c.policy-test.yaml is not valid YAML: Merge sources must be maps or map aliases',
    ])
      expect(stdout).toContain(text);
  });

  it('reads the catalogue that a test file names', async () => {
    write('catalogue.json', {
      extends: 'default',
      scopes: [
        {
          name: 'member:read',
          category: 'member',
          sensitivity: 'low',
          display_name: 'Level',
          description: 'Your level.',
        },
      ],
      claims: [
        {
          path: 'member.level',
          type: 'integer',
          scope: 'member:read',
          sensitivity: 'low',
          description: 'The level.',
        },
      ],
    });
    write('a.policy-test.json', {
      query: { check: { claim: 'member.level', operator: '>=', value: 3 } },
      catalogue: './catalogue.json',
      cases: [
        { title: 'level 3', claims: { 'member.level': 3 }, passes: true },
        { title: 'level 2.5', claims: { 'member.level': 2.5 }, passes: false },
      ],
    });
    const { exitCode, stdout } = await run();
    expect(exitCode).toBe(2);
    expect(stdout).toContain('/cases/1/claims/member.level (line 1): claim `member.level` must be ');
  });

  it.each([
    [['.'], 'no test files in .; their names must end in .policy-test.yaml'],
    [['--catalogue', 'none'], '--catalogue requires --generate'],
    [['--coverage', '101'], 'It must be a percentage, 0 or from 1 to 100, such as 90.'],
    [['--coverage', '0.9'], 'It must be a percentage, 0 or from 1 to 100, such as 90.'],
  ])('rejects the arguments %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

describe('proviso test --generate', () => {
  const TIERED = 'docs/examples/policies/tiered-access';

  it('writes the boundary cases of a query, which pass, and overwrites no file', async () => {
    const yaml = join(cwd, 'tiered-access.policy-test.yaml');
    write('tiered-access.json', readFileSync(join(ROOT, `${TIERED}.json`), 'utf8'));
    const args = ['--generate', 'tiered-access.json', '--output', 'tiered-access.policy-test.yaml'];
    const { exitCode, stderr } = await run(...args);
    expect([exitCode, stderr]).toEqual([
      0,
      'wrote 7 cases to tiered-access.policy-test.yaml: review each verdict\n',
    ]);
    expect(readFileSync(yaml, 'utf8')).toBe(readFileSync(join(ROOT, `${TIERED}.policy-test.yaml`), 'utf8'));
    const again = await run(...args);
    expect([again.exitCode, again.stderr]).toEqual([
      2,
      'proviso: tiered-access.policy-test.yaml exists: remove it first, or choose another file\n',
    ]);
  });

  it('writes JSON to a JSON file, with paths relative to it, and reports the checks that never decide', async () => {
    write('own.json', {
      $schema: 'schema.json',
      policy: {
        allOf: [
          { ...ADULT, claim: 'a.b' },
          { ...ADULT, claim: 'a.b', value: 21 },
        ],
      },
    });
    write('tests/x', '');
    const unknown = await run('--generate', 'own.json');
    expect([unknown.exitCode, unknown.stdout]).toEqual([2, '']);
    expect(unknown.stderr).toContain(
      'own.json is invalid:\n  /policy/allOf/0: The catalogue has no claim `a.b`',
    );
    expect(unknown.stderr).toContain('Name the catalogue of these claims with --catalogue <file>');
    const output = ['--output', 'tests/own.policy-test.json'];
    const { exitCode, stderr } = await run('--generate', 'own.json', '--catalogue', 'none', ...output);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'no case in which a.b >= 18 (at /policy/allOf/0) decides the verdict by failing',
    );
    const file = JSON.parse(readFileSync(join(cwd, 'tests/own.policy-test.json'), 'utf8')) as unknown;
    expect(file).toMatchObject({ query: '../own.json', catalogue: 'none', cases: { length: 3 } });
  });
});

/** Starts `proviso test --watch`. */
function startWatching(...args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, 'test', '--watch', ...args], { cwd });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    /** Resolves once a run since the last call printed the text; returns its output. */
    until: async (text: string) => {
      // Either stream may arrive first.
      await expect
        .poll(() => output)
        .toSatisfy((all: string) => all.includes(text) && all.includes('to stop.\n'));
      const printed = output;
      output = '';
      return printed;
    },
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

it('proviso test --watch runs again when a query changes and when a test file is added, until SIGINT', async () => {
  write('adult.json', { check: ADULT });
  write('a.policy-test.json', { query: './adult.json', cases: [PASSING] });
  const { until, stop } = startWatching();
  let exitCode: number | null;
  try {
    expect(await until('1 passed; coverage 50 %')).toContain('Watching 2 files; press Ctrl-C to stop.');
    write('b.policy-test.json', { query: './adult.json/deep/x.json', cases: [MINOR] });
    await until('1 passed, 1 invalid');
    write('b.policy-test.json', { query: './adult.json', cases: [MINOR] });
    await until('2 passed; coverage 100 %');
    write('adult.json', { check: { ...ADULT, value: 21 } });
    await until('1 passed, 1 failed');
    write('replaced/c.policy-test.json', { query: '../adult.json', cases: [PASSING] });
    await until('1 passed, 2 failed');
    rmSync(join(cwd, 'replaced'), { recursive: true });
    write('replaced/c.policy-test.json', { query: '../adult.json', cases: [MINOR] });
    await until('2 passed, 1 failed');
    write('replaced/c.policy-test.json', { query: '../adult.json', cases: [PASSING] });
    await until('1 passed, 2 failed');
  } finally {
    exitCode = await stop();
  }
  // The exit code is that of the last run.
  expect(exitCode).toBe(1);
});

it('proviso test --watch runs again when a removed folder is restored, and when its files change then', async () => {
  write('outer/inner/adult.json', { check: ADULT });
  const test = 'outer/inner/a.policy-test.json';
  write(test, { query: './adult.json', cases: [PASSING] });
  const { until, stop } = startWatching(test);
  try {
    await until('1 passed; coverage 50 %');
    rmSync(join(cwd, 'outer'), { recursive: true });
    await until('ENOENT');
    write('outer/other.json', {});
    write('outer/inner/adult.json', { check: ADULT });
    write(test, { query: './adult.json', cases: [PASSING] });
    await until('1 passed; coverage 50 %');
    write(test, { query: './adult.json', cases: [PASSING, MINOR] });
    await until('2 passed; coverage 100 %');
  } finally {
    await stop();
  }
});

it('proviso schema --tests prints the JSON Schema of test files', async () => {
  const { stdout } = await runCommand(['schema', '--tests'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ $id: 'urn:proviso:policy-test', required: ['query', 'cases'] });
});
