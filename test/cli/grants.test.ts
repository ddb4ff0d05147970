/** `proviso grants revoke` and `proviso client rotate-secret` of the built command, while a service runs (S403, S405). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { AS_CONFIDENTIAL, CONFIDENTIAL, isTokenValid, logIn, PUBLIC } from '../support/oauth-client.js';
import { runCommand, type ServeProcess, startServe } from '../support/run-command.js';

const PRODUCTION_KEY = '0123456789abcdef'.repeat(4);

let cwd: string;
let serving: ServeProcess;
/** Tokens of ada and bruno for the public application, and of ada for the confidential one. */
let tokens: readonly string[];

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-grants-'));
  serving = await startServe({ cwd, env: { PROVISO_AUDIT: 'changes' } });
});

beforeEach(async () => {
  await run('revoke', '--everyone', '--yes');
  const logins = [
    await logIn(serving, { login_hint: 'ada' }),
    await logIn(serving, { login_hint: 'bruno' }),
    await logIn(serving, { ...AS_CONFIDENTIAL, login_hint: 'ada' }),
  ];
  tokens = logins.map(({ access_token }) => access_token);
});

afterAll(async () => {
  await serving.stop('SIGTERM');
  rmSync(cwd, { recursive: true });
});

async function run(...args: readonly string[]) {
  return await runCommand(['grants', ...args], { cwd, env: { PROVISO_AUDIT: 'changes' } });
}

async function valid(): Promise<readonly boolean[]> {
  return await Promise.all(tokens.map((token) => isTokenValid(serving, token)));
}

// S405
it('the grants of one application are revoked, and no one is signed out', async () => {
  const { exitCode, stdout } = await run('revoke', '--client', PUBLIC.clientId, '--yes');
  expect([exitCode, stdout]).toEqual([0, 'revoked grants: 2; people signed out: 0\n']);
  expect(await valid()).toEqual([false, false, true]);
});

// S405
it('the grants of one person are revoked, to one application or to all', async () => {
  const toOne = await run('revoke', '--client', CONFIDENTIAL.clientId, '--person', 'ada', '--yes', '--json');
  expect(JSON.parse(toOne.stdout)).toEqual({ revoked: true, grants: 1, people: 1 });
  expect(await valid()).toEqual([true, true, false]);
  const toAll = await run('revoke', '--person', 'ada', '--yes');
  expect(toAll.stdout).toBe('revoked grants: 1; people signed out: 1\n');
  expect(await valid()).toEqual([false, true, false]);
});

// S405
it('the grants of everyone are revoked, with an entry of the audit log for each', async () => {
  const { exitCode, stdout } = await run('revoke', '--everyone', '--yes');
  expect([exitCode, stdout]).toMatchObject([
    0,
    expect.stringMatching(/^revoked grants: 3; people signed out: \d+\n$/),
  ]);
  expect(await valid()).toEqual([false, false, false]);
  const { stdout: log } = await runCommand(['audit', '--kind', 'grant_revoked', '--json'], { cwd });
  const reasons = log
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { reason: string }).reason);
  expect(reasons.slice(-3)).toEqual(['by_operator', 'by_operator', 'by_operator']);
});

// S405
it('a revocation without a selection, without a confirmation, or of an unknown application or person is rejected', async () => {
  const results = [
    await run('revoke', '--yes'),
    await run('revoke', '--everyone', '--client', PUBLIC.clientId, '--yes'),
    await run('revoke', '--everyone'),
    await run('revoke', '--client', 'unknown', '--yes'),
    await run('revoke', '--person', 'unknown', '--yes'),
  ];
  expect(results.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 1, 1]);
  expect(results[3]?.stderr).toContain('application `unknown` not found');
  expect(results[4]?.stderr).toBe('proviso: no person has this id, name or address\n');
  expect(await valid()).toEqual([true, true, true]);
});

// S403
it('an application without a secret, a revoked one and an unknown one get no new secret', async () => {
  const rotate = (id: string) => runCommand(['client', 'rotate-secret', id], { cwd });
  const added = ['--name', 'A', '--redirect-uri', 'https://a.example/back', '--id', 'ended'];
  await runCommand(['client', 'add', ...added], { cwd });
  await runCommand(['client', 'revoke', 'ended'], { cwd });
  const results = [await rotate(PUBLIC.clientId), await rotate('ended'), await rotate('unknown')];
  expect(results.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual([
    [2, ''],
    [2, ''],
    [1, ''],
  ]);
  expect(results[0]?.stderr).toBe('proviso: sandbox-public: the application must have a secret\n');
  expect(results[1]?.stderr).toBe('proviso: ended: the application must not be revoked\n');
});

// S202
it.each([
  ['grants', 'revoke', '--everyone', '--yes'],
  ['client', 'add', '--name', 'Quay', '--redirect-uri', 'https://quay.example/cb', '--organization', 'o9'],
  ['client', 'list'],
  ['client', 'revoke', CONFIDENTIAL.clientId],
  ['client', 'stale-grants', CONFIDENTIAL.clientId],
  ['client', 'rotate-secret', CONFIDENTIAL.clientId],
  ['person', 'create', 'u-1842'],
  ['person', 'list'],
])('in the wrong environment, `proviso %s %s` is rejected and makes no token invalid', async (...args) => {
  const before = await valid();
  const { exitCode, stdout, stderr } = await runCommand(args, {
    cwd,
    env: { PROVISO_ENVIRONMENT: 'production', PROVISO_KEY: PRODUCTION_KEY },
  });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain('this store belongs to the sandbox and cannot be used in production');
  expect(await valid()).toEqual(before);
});

// S202
it.each([
  ['client', 'add', '--name', 'Quay', '--redirect-uri', 'https://quay.example/cb', '--organization', 'o9'],
  ['person', 'create', 'u-1842'],
])(
  'a store that `proviso %s %s` created in production is rejected by the sandbox, which would add sample people',
  async (...args) => {
    const folder = mkdtempSync(join(tmpdir(), 'proviso-environment-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const env = { PROVISO_ENVIRONMENT: 'production', PROVISO_KEY: PRODUCTION_KEY };
    expect((await runCommand(args, { cwd: folder, env })).exitCode).toBe(0);
    const { exitCode, stderr } = await runCommand(['serve'], { cwd: folder, env: { PROVISO_PORT: '0' } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('this store belongs to production and cannot be used in the sandbox');
  },
);
