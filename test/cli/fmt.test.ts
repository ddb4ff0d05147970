/** `proviso fmt` of the built command. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand, runShell } from '../support/run-command.js';

const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const PLAIN =
  '{"$schema":"schema.json","policy":{"allOf":[{"check":{"claim":"a.b","operator":"isDefined"}}]}}';
const FORMATTED = `{
  "$schema": "schema.json",
  "policy": {
    "allOf": [
      { "claim": "a.b", "operator": "isDefined" }
    ]
  }
}
`;

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-fmt-'));
  writeFileSync(join(cwd, 'plain.json'), PLAIN);
  writeFileSync(join(cwd, 'formatted.json'), FORMATTED);
});

afterEach(() => rmSync(cwd, { recursive: true }));

const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
const fmt = (...args: readonly string[]) => runCommand(['fmt', ...args], { cwd });

describe('proviso fmt', () => {
  it('prints the formatted query of a file or of standard input, with its `$schema`', async () => {
    const expected = { exitCode: 0, stdout: FORMATTED, stderr: '' };
    expect(await fmt('plain.json')).toEqual(expected);
    expect(await runShell(`node ${COMMAND} fmt - < plain.json`, { cwd })).toEqual(expected);
    expect(read('plain.json')).toBe(PLAIN);
  });

  it('lists with --check the files that are not formatted, and exits with 1 if there are any', async () => {
    expect(await fmt('--check', 'plain.json', 'formatted.json')).toEqual({
      exitCode: 1,
      stdout: 'plain.json\n',
      stderr: '',
    });
    expect(await fmt('--check', 'formatted.json')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(read('plain.json')).toBe(PLAIN);
  });

  it('rewrites with --write the files that are not formatted, and none if one is invalid', async () => {
    writeFileSync(join(cwd, 'invalid.json'), '{"policy":{}}');
    const invalid = await fmt('--write', 'plain.json', 'invalid.json');
    expect([invalid.exitCode, invalid.stderr]).toEqual([
      2,
      expect.stringMatching(/^proviso: invalid\.json is invalid:\n {2}\/policy: /),
    ]);
    expect(read('plain.json')).toBe(PLAIN);
    expect(await fmt('--write', 'plain.json', 'formatted.json')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'formatted plain.json\n',
    });
    expect(read('plain.json')).toBe(FORMATTED);
  });

  it('rejects a file that is not UTF-8, and leaves it as it is', async () => {
    const latin1 = Buffer.from(PLAIN.replace('schema', 'sch\u00e9ma'), 'latin1');
    writeFileSync(join(cwd, 'plain.json'), latin1);
    const rejected = { exitCode: 2, stdout: '', stderr: 'proviso: plain.json must be encoded in UTF-8\n' };
    expect(await fmt('--write', 'plain.json')).toEqual(rejected);
    expect(readFileSync(join(cwd, 'plain.json'))).toEqual(latin1);
    expect(await runShell(`node ${COMMAND} fmt - < plain.json`, { cwd })).toEqual({
      ...rejected,
      stderr: 'proviso: standard input must be encoded in UTF-8\n',
    });
  });

  it('accepts a byte order mark at the start of a file, and omits it when it rewrites the file', async () => {
    writeFileSync(join(cwd, 'plain.json'), `\ufeff${PLAIN}`);
    expect((await fmt('--write', 'plain.json')).exitCode).toBe(0);
    expect(read('plain.json')).toBe(FORMATTED);
  });

  it.each([
    [['--check', '--write', 'plain.json'], '--check and --write must not be used together'],
    [['--write', '-'], '--write takes files, not the standard input `-`'],
    [['plain.json', 'formatted.json'], 'several files require --check or --write'],
  ])('rejects %j', async (args, message) => {
    expect(await fmt(...args)).toEqual({ exitCode: 2, stdout: '', stderr: `proviso: ${message}\n` });
  });
});
