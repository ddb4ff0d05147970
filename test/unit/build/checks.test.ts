import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BUILD_FILES, BUILD_FOLDERS, CHECKS, findUnknownOption, usageOf } from '../../../build/checks.js';
import { ENGINE_ENTRIES, SERVER_ENTRIES } from '../../../build/packages.js';

const TSX = 'node_modules/.bin/tsx';

describe('npm run check', () => {
  it.each(CHECKS)('describes $name', (check) => {
    expect(usageOf(check)).toMatch(/^[^ ].{10}/);
    expect(usageOf(check)).not.toMatch(/^ ?\*/m);
  });

  it('finds an option that a check does not have, with or without a value', () => {
    const usage =
      'Kills a process.\n\n  npm run check -- crash [--rounds 50] [--store sqlite|postgres] [--report-only]';
    expect(findUnknownOption(usage, ['--rounds', '5', '--store=sqlite', '--report-only'])).toBeUndefined();
    expect(findUnknownOption(usage, ['--rounds', '5', '--stores', 'sqlite'])).toBe('--stores');
    expect(findUnknownOption(usage, ['--round=5'])).toBe('--round');
  });

  it('repeats the build after a change to a file or folder that a script of the build imports', () => {
    const imported = ['build/build.ts', 'tsup.config.ts'].flatMap((script) =>
      ts
        .preProcessFile(readFileSync(script, 'utf8'))
        .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
        .map(({ fileName }) => posix.join(posix.dirname(script), fileName.replace(/\.js$/, '.ts'))),
    );
    expect(imported).toContain('src/testing/write-json.ts');
    const isRead = (path: string) =>
      BUILD_FILES.includes(path) || BUILD_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
    expect(imported.filter((path) => !isRead(path))).toEqual([]);
  });

  it('accepts every option of a check whose usage lists none', () => {
    expect(findUnknownOption('Measures the size of each entry point.', ['--anything'])).toBeUndefined();
  });

  it('rejects an unknown option with the usage, and runs nothing', () => {
    const { status, stdout, stderr } = run('crash', '--round', '5');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^unknown option `--round` of the check `crash`\n\nKills a serving process/);
    expect(stderr).toContain('npm run check -- crash [--rounds 50]');
  });

  it.concurrent.each([
    ['test/faults/crash.ts', '--rounds', 'x'],
    ['test/faults/crash.ts', '--store', 'postgresql'],
    ['test/faults/restart.ts', '--rounds', '0'],
    ['test/faults/disk-full.ts', '--rounds', '1.5'],
    ['test/faults/instances.ts', '--seconds', 'x'],
    ['test/conformance/run.ts', '--runs', '0'],
    ['test/conformance/run.ts', '--runs', ''],
    ['test/conformance/run-policy-set.ts', '--seed', ''],
    ['test/conformance/smt/run.ts', '--timeout', '0'],
    ['test/fuzz/run.ts', '--only', 'https'],
    ['test/implementations/mutants.ts', '--count', 'x'],
    ['bench/scale/run.ts', '--only', 'evaluate,refesh'],
    ['bench/scale/run.ts', '--audit', 'on'],
  ])('%s rejects %s %s, and checks nothing', async (script, name, value) => {
    const args = ['--import', './build/text-files.mjs', script, name, value];
    await expect(promisify(execFile)(TSX, args)).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(name),
    });
  });

  it('rejects a part of a name that no comparison of audiences has, and compares nothing', () => {
    const { status, stdout, stderr } = run('bench-audience', '10', '1', 'no-such-name');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe('no name of a comparison contains "no-such-name"\n');
  });

  it('fails the check of public suites if a suite has no tests', () => {
    const folder = mkdtempSync(join(tmpdir(), 'proviso-suite-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { status, stdout, stderr } = run('conformance-suites', '--json', folder);
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: 'JSON parsing tests: 0 tried, 0 rejected (not compared), 0 failed\n',
    });
    expect(stderr).toBe('JSON parsing tests: the suite must have at least one test\n');
  });

  it('counts only compared files of a public suite as tried', () => {
    const folder = mkdtempSync(join(tmpdir(), 'proviso-suite-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const files = { y_array: '[]', n_open: '[', i_number: '[1e400]', y_duplicate: '{"a":1,"a":2}' };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.json`), text);
    const { status, stdout } = run('conformance-suites', '--json', folder);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'JSON parsing tests: 2 tried, 1 rejected (not compared), 0 failed\n',
    });
  });

  it('prints the usage of a check', () => {
    const { status, stdout } = run('scale', '--help');
    expect(status).toBe(0);
    expect(stdout).toContain('[--people 1000,100000]');
  });
});

it('the API reference covers every entry of both packages, except the internal one', () => {
  const { entryPoints } = JSON.parse(readFileSync('build/typedoc.json', 'utf8')) as {
    readonly entryPoints: readonly string[];
  };
  const { internal: _, ...entries } = ENGINE_ENTRIES;
  const files = [...Object.values(entries), ...Object.values(SERVER_ENTRIES)];
  expect(entryPoints.toSorted()).toEqual(files.map((file) => `../src/${file}`).sort());
});

function run(...args: readonly string[]) {
  return spawnSync(TSX, ['build/checks.ts', ...args], { encoding: 'utf8' });
}
