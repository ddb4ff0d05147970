/** `proviso match` of the built command. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, runShell } from '../support/run-command.js';

const COMMAND = join(import.meta.dirname, '../../dist/cli.js');

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-match-'));
  const check = (id: string, value: number) =>
    JSON.stringify({ id, check: { claim: 'identity.age', operator: '>=', value } });
  writeFileSync(
    join(cwd, 'policies.ndjson'),
    `${check('adult', 18)}\n\n${check('elder', 65)}\n${check('teenager', 13)}\n`,
  );
  writeFileSync(
    join(cwd, 'wrong.ndjson'),
    [
      check('adult', 18),
      '{"id":',
      check('adult', 21),
      '{"id": "x", "check": {"claim": "a"}}',
      '[]',
      '{"id": 7}',
    ].join('\n'),
  );
  writeFileSync(join(cwd, 'empty.ndjson'), '\n');
  writeFileSync(join(cwd, 'person.json'), '{"identity.age": 34}');
  writeFileSync(join(cwd, 'child.json'), '{"identity.age": 3}');
});

afterAll(() => rmSync(cwd, { recursive: true }));

describe('proviso match', () => {
  it('prints the ids of the policies that pass in the order of the file, and exits with 0', async () => {
    const result = await runCommand(['match', 'policies.ndjson', 'person.json'], { cwd });
    expect(result).toEqual({ exitCode: 0, stdout: 'adult\nteenager\n', stderr: '2 of 3 policies passed\n' });
  });

  it('reads the policies or the person from standard input, and prints JSON on request', async () => {
    const node = `${process.execPath} ${COMMAND}`;
    const person = await runShell(`${node} match policies.ndjson - --json < person.json`, { cwd });
    expect(JSON.parse(person.stdout)).toEqual(['adult', 'teenager']);
    const policies = await runShell(`${node} match - child.json < policies.ndjson`, { cwd });
    expect(policies).toEqual({ exitCode: 1, stdout: '', stderr: '0 of 3 policies passed\n' });
  });

  it('prints control characters in ids as ?, so that each line is one id; with --json, ids are exact', async () => {
    const policies = { id: 'a\nb\u001b[2J', check: { claim: 'identity.age', operator: '>=', value: 18 } };
    const line = JSON.stringify(policies);
    writeFileSync(join(cwd, 'control.ndjson'), line);
    const text = await runCommand(['match', 'control.ndjson', 'person.json'], { cwd });
    expect(text.stdout).toBe('a?b?[2J\n');
    const json = await runCommand(['match', 'control.ndjson', 'person.json', '--json'], { cwd });
    expect(JSON.parse(json.stdout)).toEqual([policies.id]);
    writeFileSync(join(cwd, 'control.ndjson'), `${line}\n${line}`);
    const twice = await runCommand(['match', 'control.ndjson', 'person.json'], { cwd });
    expect(twice.stderr).toContain('  line 2: `id` must be unique (got `a?b?[2J` twice)\n');
  });

  it('lists the problems of every line with its number, and exits with 2', async () => {
    const { exitCode, stdout, stderr } = await runCommand(['match', 'wrong.ndjson', 'person.json'], { cwd });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^proviso: wrong\.ndjson is invalid:\n {2}line 2: the line is not valid JSON/);
    expect(stderr).toContain('  line 3: `id` must be unique (got `adult` twice)');
    expect(stderr).toContain('  line 4: /check/claim: ');
    expect(stderr).toContain('  line 5: a policy must be a JSON object');
    expect(stderr).toContain('  line 6: `id` must be a string that is not empty');
  });

  it.each([
    [['empty.ndjson', 'person.json'], 'must have a policy per line'],
    [[], 'policies are required'],
    [['-', '-'], 'only one of policies and credentials'],
    [['policies.ndjson'], 'credentials are required'],
  ])('rejects %j with a message', async (files, message) => {
    const { exitCode, stderr } = await runCommand(['match', ...files], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
