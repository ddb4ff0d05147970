/** `proviso explain` and `proviso lint` of the built command. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, runShell } from '../support/run-command.js';

const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-explain-'));
  const write = (name: string, value: unknown) => writeFileSync(join(cwd, name), JSON.stringify(value));
  const adult = { claim: 'identity.age', operator: '>=', value: 18 };
  const level = { claim: 'kyc.level', operator: 'in', value: ['basic', 'enhanced'] };
  write('policy.json', {
    policy: { allOf: [adult, { anyOf: [level, { claim: 'kyc.passed', operator: '==', value: true }] }] },
  });
  write('surprise.json', {
    policy: {
      allOf: [adult, adult, { not: { claim: 'kyc.document_country', operator: '==', value: 'KP' } }],
    },
  });
  write('plain.json', { check: adult });
  write('country.json', { projections: [{ claim: 'identity.nationality', lens: 'pluck' }] });
  write('wrong.json', { policy: { anyof: [{ ...adult, operator: '=>' }] } });
  const credential = { id: 'c1', source: 'Registry', issuedAt: '2026-01-01', expiresAt: '2027-01-01' };
  write('child.json', [{ ...credential, claims: { 'identity.age': 16, 'kyc.level': 'basic' } }]);
  write('adult.json', [{ ...credential, claims: { 'identity.age': 30, 'kyc.level': 'basic' } }]);
  write('inactive.json', [
    { ...credential, expiresAt: '2026-02-01', claims: { 'identity.age': 18 } },
    { ...credential, id: 'c2', revokedAt: '2026-03-01T09:30:00Z', claims: { 'kyc.level': 'basic' } },
    { ...credential, id: 'c3', issuedAt: '2026-12-01', claims: { 'kyc.passed': true } },
  ]);
});

afterAll(() => rmSync(cwd, { recursive: true }));

const SCOPES = ['--scope', 'identity:date_of_birth kyc:read', '--at', '2026-06-01T00:00:00Z'];

describe('proviso explain', () => {
  it('prints the tree and the required changes', async () => {
    const { exitCode, stdout } = await runCommand(['explain', 'policy.json', 'child.json', ...SCOPES], {
      cwd,
    });
    expect(exitCode).toBe(1);
    expect(stdout).toBe(`✗ all of
├─ ✗ identity.age >= 18   ← 16
└─ ✓ any of
   ├─ ✓ kyc.level in ["basic","enhanced"]   ← "basic"
   └─ ✗ kyc.passed == true   ← not defined

It does not pass. It would pass with
  identity.age 18 (is 16)
To the person:
  You must be 18 or older.
An application learns:
  Whether all of these are true:
  - you are 18 or older
  - at least one of these is true:
    - your level of identity check is basic or enhanced
    - your identity check is passed
  Not your age itself, not your date of birth, not your sanctions check, not your money laundering screening, and not 25 other details.
`);
  });

  it('prints the sufficient claims and until when they suffice, in color with FORCE_COLOR', async () => {
    const args = ['explain', 'policy.json', 'adult.json', ...SCOPES];
    const { exitCode, stdout } = await runCommand(args, { cwd, env: { FORCE_COLOR: '1' } });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('\u001b[32m✓\u001b[39m all of');
    expect(stdout).toContain('It passes: identity.age, kyc.level are enough.');
    expect(stdout).toContain('changes at 2027-01-01T00:00:00.000Z');
  });

  // L10
  it('prints until when undefined claims were defined, or from when on they will be', async () => {
    const { exitCode, stdout } = await runCommand(['explain', 'policy.json', 'inactive.json', ...SCOPES], {
      cwd,
    });
    expect(exitCode).toBe(1);
    expect(stdout.slice(stdout.indexOf('\nidentity.age was'))).toBe(`
identity.age was 18 until the credential of Registry expired on 2026-02-01.
kyc.level was "basic" until the credential of Registry was revoked on 2026-03-01T09:30:00.000Z.
kyc.passed will be true: the credential of Registry is not valid before 2026-12-01.
To the person:
  We have no verified record of your age.
  Your level of identity check must be basic or enhanced (we have no verified record of this), or your identity check must be passed (we have no verified record of this).
An application learns:
  Whether all of these are true:
  - you are 18 or older
  - at least one of these is true:
    - your level of identity check is basic or enhanced
    - your identity check is passed
  Not your age itself, not your date of birth, not your sanctions check, not your money laundering screening, and not 25 other details.
`);
  });

  it('prints control characters of values and sources as ? or escaped, so that a terminal does not execute them', async () => {
    const check = { claim: 'member.name', operator: '==', value: 'b\u009b\u202e' };
    const expired = { id: 'a', source: 'S\u001b[2J', issuedAt: '2026-01-01', expiresAt: '2026-01-02' };
    const credentials = JSON.stringify([{ ...expired, claims: { 'member.name': 'c\u001b\u009b' } }]);
    writeFileSync(join(cwd, 'control.json'), credentials);
    const args = ['-q', JSON.stringify({ check }), 'control.json', '--catalogue', 'none'];
    const { stdout } = await runCommand(['explain', ...args, '--at', '2026-03-01T00:00:00Z'], { cwd });
    expect(stdout).toContain('member.name == "b??"');
    expect(stdout).toContain('was "c\\u001b?" until the credential of S?[2J expired on 2026-01-02.');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  it('reads the policy or the credentials from standard input for -, but not both', async () => {
    const explain = (...args: readonly string[]) =>
      runShell(`node ${COMMAND} explain ${args.join(' ')} --all-scopes --at 2026-06-01`, { cwd });
    const fromFiles = await explain('policy.json', 'child.json');
    expect(fromFiles.exitCode).toBe(1);
    expect(await explain('-', 'child.json', '< policy.json')).toEqual(fromFiles);
    expect(await explain('policy.json', '-', '< child.json')).toEqual(fromFiles);
    expect(await explain('-', '-', '< policy.json')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'proviso: only one of query and credentials can be standard input\n',
    });
    const broken = await runShell(`echo '{' | node ${COMMAND} explain - child.json --all-scopes`, { cwd });
    expect([broken.exitCode, broken.stderr]).toEqual([
      2,
      expect.stringContaining('standard input is not valid JSON (line 1, column 2)'),
    ]);
  });

  it('prints the sentences in the language of --locale', async () => {
    const inLocale = (locale: string) =>
      runCommand(['explain', 'policy.json', 'child.json', ...SCOPES, '--locale', locale], { cwd });
    const german = await inLocale('de');
    expect(german.stdout).toContain('  Sie müssen 18 Jahre oder älter sein.\n');
    expect(german.stdout).toContain('  - dass Sie 18 Jahre oder älter sind\n');
    expect(await inLocale('nl')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(
        'the language of `locale` must be one of en, de, fr, es, pt, ar (got nl)',
      ),
    });
  });

  // L20
  it('prints JSON, rejects claims without a granted scope, and rejects projections', async () => {
    const json = await runCommand(['explain', 'policy.json', 'child.json', ...SCOPES, '--json'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({
      passes: false,
      changes: [[{ to: 18 }]],
      evidence: {},
      description: { kind: 'question' },
    });
    const withoutScope = await runCommand(['explain', 'policy.json', 'child.json', '--scope', 'kyc:read'], {
      cwd,
    });
    expect(withoutScope).toMatchObject({ exitCode: 2, stdout: '' });
    expect(withoutScope.stderr).toContain('identity.age: --scope identity:date_of_birth');
    const data = await runCommand(['explain', 'country.json', 'child.json', ...SCOPES], { cwd });
    expect(data.exitCode).toBe(2);
    expect(data.stderr).toContain('The query must be a check or a policy, not projections');
  });
});

describe('proviso lint', () => {
  it('prints no control characters of a query, except as JSON', async () => {
    const check = { claim: 'identity.email', operator: '==', value: '\u009b31m\u202e' };
    writeFileSync(join(cwd, 'control.json'), JSON.stringify({ policy: { allOf: [check, check] } }));
    const { stdout } = await runCommand(['lint', 'control.json'], { cwd });
    expect(stdout).toContain('"value":"?31m?"');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  it('prints each finding with the corrected query', async () => {
    const { exitCode, stdout } = await runCommand(['lint', 'surprise.json'], { cwd });
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      '/policy/allOf/1: duplicate_check: Duplicate item. Remove it.\n  equivalent: {"policy"',
    );
    expect(stdout).toContain('/policy/allOf/2: negated_undefined: ');
  });

  it('fixes all findings, and then reports none', async () => {
    const { stdout, exitCode } = await runCommand(['lint', 'surprise.json', '--fix'], { cwd });
    expect(exitCode).toBe(0);
    writeFileSync(join(cwd, 'corrected.json'), stdout);
    const second = await runCommand(['lint', 'corrected.json'], { cwd });
    expect(second).toMatchObject({ exitCode: 0, stdout: '', stderr: 'no findings\n' });
  });

  it('rejects --fix with --json, which would have no effect', async () => {
    expect(await runCommand(['lint', 'surprise.json', '--fix', '--json'], { cwd })).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'proviso: --fix must not be combined with --json\n',
    });
  });

  // L8
  it('rejects an invalid query with every problem and its JSON Pointer', async () => {
    const { exitCode, stderr } = await runCommand(['lint', 'wrong.json'], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /wrong\.json is invalid:\n {2}\/policy\/anyof: .*\n {2}\/policy\/anyof\/0\/operator: /,
    );
  });

  it('exits with 0 for a query without findings', async () => {
    expect((await runCommand(['lint', 'plain.json', '--json'], { cwd })).exitCode).toBe(0);
  });
});
