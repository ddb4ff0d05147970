/** `proviso eval`, `proviso schema` and the help of the built command. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryFileJsonSchema } from '../../src/engine/query/json-schema.js';
import { runCommand } from '../support/run-command.js';

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-eval-'));
  const write = (name: string, value: unknown) => writeFileSync(join(cwd, name), JSON.stringify(value));
  write('adult.json', { check: { claim: 'identity.age', operator: '>=', value: 18 } });
  write('elder.json', { check: { claim: 'identity.age', operator: '>=', value: 65 } });
  write('country.json', { projections: [{ claim: 'identity.nationality', lens: 'pluck' }] });
  write('wrong.json', { policy: { anyof: [{ claim: 'kyc..passed', operator: 'isDefned' }] } });
  write('person.json', [
    {
      id: 'c1',
      source: 'Registry',
      issuedAt: '2026-01-01',
      expiresAt: '2027-01-01',
      claims: { 'identity.age': 34, 'identity.nationality': 'PT' },
    },
  ]);
  write('invalid-person.json', [{ id: 'c1', source: 'Registry', issuedAt: 'soon', claims: { age: 34 } }]);
  writeFileSync(join(cwd, 'broken.json'), '{"check":');
});

afterAll(() => rmSync(cwd, { recursive: true }));

const SCOPES = ['--scope', 'identity:read identity:date_of_birth', '--at', '2026-06-01T00:00:00Z'];

describe('proviso eval', () => {
  it('prints the result, and exits with 0 if the query passes', async () => {
    const { exitCode, stdout } = await runCommand(['eval', 'adult.json', 'person.json', ...SCOPES], { cwd });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      passed: true,
      evaluatedAt: '2026-06-01T00:00:00.000Z',
      expiresAt: '2027-01-01T00:00:00.000Z',
    });
  });

  it('exits with 1 if the query does not pass, and with 0 for projections', async () => {
    const elder = await runCommand(['eval', 'elder.json', 'person.json', ...SCOPES], { cwd });
    const country = await runCommand(['eval', 'country.json', 'person.json', ...SCOPES], { cwd });
    expect([elder.exitCode, JSON.parse(elder.stdout).passed]).toEqual([1, false]);
    expect([country.exitCode, JSON.parse(country.stdout).data]).toEqual([
      0,
      { 'identity.nationality': 'PT' },
    ]);
  });

  // L8
  it.each([
    [
      ['wrong.json', 'person.json'],
      /^proviso: wrong\.json is invalid:\n {2}\/policy\/anyof: .*`anyOf`.*\n {2}\/policy\/anyof\/0\/claim: .*\n {2}.*`isDefined`/,
    ],
    [
      ['adult.json', 'invalid-person.json'],
      /^proviso: invalid-person\.json is invalid:\n {2}\/0\/issuedAt: .*\n {2}\/0\/claims\/age: /,
    ],
    [
      ['broken.json', 'person.json'],
      /^proviso: broken\.json is not valid JSON \(line 1, column 9\): Expected a value\.\n$/,
    ],
    [['absent.json', 'person.json'], /^proviso: absent\.json cannot be read: /],
    [['adult.json'], /credentials are required: a file after the query/],
  ])('rejects %j with a message and exit code 2', async (files, message) => {
    const { exitCode, stdout, stderr } = await runCommand(['eval', ...files, ...SCOPES], { cwd });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  it('lists the first 50 problems of credentials, and the number of the others', async () => {
    writeFileSync(join(cwd, 'faulty.json'), JSON.stringify(Array(60).fill({})));
    const { exitCode, stderr } = await runCommand(['eval', 'adult.json', 'faulty.json', ...SCOPES], { cwd });
    const lines = stderr.trimEnd().split('\n');
    expect([exitCode, lines.length, lines[0]]).toEqual([2, 52, 'proviso: faulty.json is invalid:']);
    expect(lines.at(-1)).toMatch(/^ {2}and \d{3} more$/);
  });

  // L20
  it('names the missing scope', async () => {
    const { exitCode, stderr } = await runCommand(
      ['eval', 'adult.json', 'person.json', '--scope', 'kyc:read'],
      { cwd },
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('identity.age: --scope identity:date_of_birth');
  });

  it('rejects an invalid instant with an example of a valid one', async () => {
    const { exitCode, stderr } = await runCommand(
      ['eval', 'adult.json', 'person.json', '--scope', 'x', '--at', 'noon'],
      { cwd },
    );
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/--at must be an RFC 3339 instant, .* such as .* \(got `noon`\)/),
    ]);
  });

  it.each(['0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
    'rejects the instant %s, which is in no year of four digits in UTC',
    async (at) => {
      const args = ['eval', 'adult.json', 'person.json', '--scope', 'x', '--at', at];
      const { exitCode, stderr } = await runCommand(args, { cwd });
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('in the years 0000 to 9999 UTC')]);
    },
  );
});

describe('the command', () => {
  // S421, S429
  it('rejects a check that no value of its claim passes, and a catalogue with an empty enum', async () => {
    const write = (name: string, value: unknown) => writeFileSync(join(cwd, name), JSON.stringify(value));
    const shared = { sensitivity: 'low', description: 'A description.' };
    const scopes = [{ name: 'club:read', category: 'club', display_name: 'Club', ...shared }];
    const tier = { path: 'club.tier', type: 'enum', scope: 'club:read', ...shared };
    write('club.json', { scopes, claims: [{ ...tier, values: ['basic', 'gold'] }] });
    write('empty.json', { scopes, claims: [{ ...tier, values: [] }] });
    write('member.json', { 'club.tier': 'gold' });
    const evaluate = (catalogue: string, value: string) => {
      const query = { policy: { not: { claim: 'club.tier', operator: '==', value } } };
      const options = ['--catalogue', catalogue, '--scope', 'club:read'];
      return runCommand(['eval', '-q', JSON.stringify(query), 'member.json', ...options], { cwd });
    };
    expect((await evaluate('club.json', 'basic')).exitCode).toBe(0);
    const clash = await evaluate('club.json', 'golden');
    expect(clash.exitCode).toBe(2);
    expect(clash.stderr).toContain('must be one of `basic`, `gold`, not the string `golden`');
    const empty = await evaluate('empty.json', 'basic');
    expect(empty.exitCode).toBe(2);
    expect(empty.stderr).toContain(
      '`values` must be one or more different strings, for a claim of type `enum` or `array`.',
    );
    expect(empty.stderr).toContain('/claims/0/values');
    expect(empty.stderr).not.toContain('    at ');
  });

  it('prints the JSON Schema of query files', async () => {
    const { stdout } = await runCommand(['schema'], { cwd });
    expect(JSON.parse(stdout)).toEqual(queryFileJsonSchema());
  });

  it.each([[['--help']], [['serve', '--help']], [['eval', '--help']], [['sandbox', 'token', '--help']]])(
    'prints its usage: %j',
    async (args) => {
      const { exitCode, stdout } = await runCommand(args, { cwd });
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Usage: proviso')]);
    },
  );

  it('suggests the nearest command for an unknown one, and exits with 2', async () => {
    const { exitCode, stderr } = await runCommand(['evall'], { cwd });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Did you mean eval?')]);
  });
});
