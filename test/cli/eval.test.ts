/** `proviso eval`, `proviso schema` and the help of the built command. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryJsonSchema } from '../../src/index.js';
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
  write('nobody.json', [{ id: 'c1', source: 'Registry', issuedAt: 'soon', claims: { age: 34 } }]);
  writeFileSync(join(cwd, 'broken.json'), '{"check":');
});

afterAll(() => rmSync(cwd, { recursive: true }));

const SCOPES = ['--scope', 'identity:read identity:date_of_birth', '--at', '2026-06-01T00:00:00Z'];

describe('eval', () => {
  it('prints the result and ends with 0 where it passed', async () => {
    const { exitCode, stdout } = await runCommand(['eval', 'adult.json', 'person.json', ...SCOPES], { cwd });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      passed: true,
      evaluatedAt: '2026-06-01T00:00:00.000Z',
      expiresAt: '2027-01-01T00:00:00.000Z',
    });
  });

  it('ends with 1 where it did not pass, and with 0 for projections', async () => {
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
      ['adult.json', 'nobody.json'],
      /^proviso: nobody\.json is invalid:\n {2}\/0\/issuedAt: .*\n {2}\/0\/claims\/age: /,
    ],
    [['broken.json', 'person.json'], /^proviso: broken\.json is not valid JSON: /],
    [['absent.json', 'person.json'], /^proviso: absent\.json cannot be read: /],
    [['adult.json'], /missing required argument 'credentials'/],
  ])('with %j says what would be right and ends with 2', async (files, sentence) => {
    const { exitCode, stdout, stderr } = await runCommand(['eval', ...files, ...SCOPES], { cwd });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
  });

  // L20
  it('says which scope is missing', async () => {
    const { exitCode, stderr } = await runCommand(
      ['eval', 'adult.json', 'person.json', '--scope', 'kyc:read'],
      { cwd },
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('identity.age: --scope identity:date_of_birth');
  });

  it('says what an instant is', async () => {
    const { exitCode, stderr } = await runCommand(
      ['eval', 'adult.json', 'person.json', '--scope', 'x', '--at', 'noon'],
      { cwd },
    );
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/--at must be an RFC 3339 instant such as .* \(got `noon`\)/),
    ]);
  });
});

describe('the command', () => {
  it('prints the schema of a query', async () => {
    const { stdout } = await runCommand(['schema'], { cwd });
    expect(JSON.parse(stdout)).toEqual(queryJsonSchema());
  });

  it.each([[['--help']], [['serve', '--help']], [['eval', '--help']], [['sandbox', 'token', '--help']]])(
    'explains itself: %j',
    async (args) => {
      const { exitCode, stdout } = await runCommand(args, { cwd });
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Usage: proviso')]);
    },
  );

  it('answers a command that it does not know with the nearest, and ends with 2', async () => {
    const { exitCode, stderr } = await runCommand(['evall'], { cwd });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Did you mean eval?')]);
  });
});
