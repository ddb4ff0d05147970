/** `proviso backup`: a complete copy of a store in use, in which no token is valid (S195, S196). */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isTokenValid, logIn, refresh, type Tokens } from '../support/oauth-client.js';
import { COMMAND, runCommand, runShell, type ServeProcess, startServe } from '../support/run-command.js';

let cwd: string;
let serving: ServeProcess | undefined;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-backup-'));
});

afterEach(async () => {
  await serving?.stop('SIGKILL');
  serving = undefined;
  rmSync(cwd, { recursive: true });
});

// S196
it('a backup copies a store in use, with all acknowledged writes, into a file that only its owner can read', async () => {
  serving = await startServe({ cwd });
  const { url } = serving;
  const logIns: string[] = [];
  let stopped = false;
  const logInLoop = (async () => {
    while (!stopped) logIns.push((await logIn({ url })).authorization_id);
  })();
  await expect.poll(() => logIns.length).toBeGreaterThan(3);
  const acknowledged = [...logIns];
  const { exitCode, stdout, stderr } = await runCommand(['backup', 'copy.sqlite'], { cwd });
  stopped = true;
  await logInLoop;
  const copy = join(cwd, 'copy.sqlite');
  expect([exitCode, stdout.trim().endsWith('copy.sqlite'), stderr]).toEqual([0, true, '']);
  expect(statSync(copy).mode & 0o077).toBe(0);
  expect(readdirSync(cwd).sort()).toEqual(['.proviso', 'copy.sqlite']);
  const file = new Libsql(copy, { readonly: true });
  const statement = file.prepare('SELECT status FROM authorization_record WHERE id = ?');
  for (const id of acknowledged) expect(statement.all([id])).toMatchObject([{ status: 'consumed' }]);
  file.close();
});

// S195
it('a restored backup accepts no earlier token, whether it was rotated since or not', async () => {
  serving = await startServe({ cwd });
  const rotated = await logIn(serving);
  const untouched = await logIn(serving);
  await runCommand(['backup', 'copy.sqlite'], { cwd });
  const next = (await (await refresh(serving, rotated.refresh_token)).json()) as Tokens;
  expect(await isTokenValid(serving, next.access_token)).toBe(true);
  await serving.stop('SIGTERM');
  serving = await startServe({ cwd, env: { PROVISO_DATABASE_URL: `sqlite:${join(cwd, 'copy.sqlite')}` } });
  for (const tokens of [rotated, untouched, next]) {
    expect((await refresh(serving, tokens.refresh_token)).status).toBe(400);
    expect(await isTokenValid(serving, tokens.access_token)).toBe(false);
  }
  const newLogIn = await logIn(serving);
  expect(newLogIn.app_scoped_user_id).toBe(untouched.app_scoped_user_id);
  expect(await isTokenValid(serving, newLogIn.access_token)).toBe(true);
});

it('a backup overwrites no file, and leaves none behind on failure', async () => {
  await runCommand(['migrate'], { cwd });
  writeFileSync(join(cwd, 'existing'), 'x');

  for (const file of ['existing', 'no/such/folder']) {
    const { exitCode, stdout, stderr } = await runCommand(['backup', file], { cwd });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^proviso: backup of .* failed: .+\n$/);
  }
  expect(readFileSync(join(cwd, 'existing'), 'utf8')).toBe('x');
  const env = { PROVISO_DATABASE_URL: `sqlite:${join(cwd, 'none.sqlite')}` };
  expect((await runCommand(['backup', 'copy'], { cwd, env })).stderr).toMatch(
    /the store to back up does not exist/,
  );
  expect([existsSync(join(cwd, 'copy')), existsSync(join(cwd, 'none.sqlite'))]).toEqual([false, false]);
  expect(readdirSync(cwd).filter((name) => name.includes('partial'))).toEqual([]);
});

// SQLite deletes such a file when it opens the store: the copy would be lost.
it.each(['-wal', '-shm', '-journal'])(
  'a backup is not written to a file whose name ends in %s',
  async (suffix) => {
    await runCommand(['migrate'], { cwd });
    const file = join(cwd, '.proviso', `proviso.sqlite${suffix}`);
    const { exitCode, stdout, stderr } = await runCommand(['backup', file], { cwd });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('the name of the copy must not end in -wal, -shm or -journal');
    expect(readdirSync(join(cwd, '.proviso'))).toEqual(['proviso.sqlite']);
  },
);

it('`proviso backup -` writes the copy to standard output, and leaves no file behind', async () => {
  await runCommand(['migrate'], { cwd });
  const { exitCode, stderr } = await runShell(`node ${COMMAND} backup - > copy.sqlite`, { cwd });
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(readdirSync(cwd).sort()).toEqual(['.proviso', 'copy.sqlite']);
  expect(readdirSync(join(cwd, '.proviso')).filter((name) => name.includes('backup'))).toEqual([]);
  const env = { PROVISO_DATABASE_URL: `sqlite:${join(cwd, 'copy.sqlite')}` };
  expect((await runCommand(['migrate', '--status'], { cwd, env })).exitCode).toBe(0);
});

it('`proviso backup -` fails if standard output is closed before the copy is written', async () => {
  await runCommand(['migrate'], { cwd });
  const { stdout } = await runShell(`{ node ${COMMAND} backup - 2> message; echo $? >&2; } 2> code | true`, {
    cwd,
  });
  expect([stdout, readFileSync(join(cwd, 'code'), 'utf8')]).toEqual(['', '1\n']);
  expect(readFileSync(join(cwd, 'message'), 'utf8')).toMatch(/^proviso: backup of .* failed: .*EPIPE/);
  expect(readdirSync(join(cwd, '.proviso')).filter((name) => name.includes('backup'))).toEqual([]);
});

it('`proviso backup -` rejects --json', async () => {
  const { exitCode, stdout, stderr } = await runCommand(['backup', '-', '--json'], { cwd });
  expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringMatching(/--json requires a file/)]);
});

it('a backup names the file that an interrupted one left behind', async () => {
  await runCommand(['migrate'], { cwd });
  writeFileSync(join(cwd, 'copy.sqlite.partial'), '');
  const { exitCode, stderr } = await runCommand(['backup', 'copy.sqlite'], { cwd });
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(/copy\.sqlite\.partial already exists: .* interrupted/),
  ]);
  expect(readdirSync(cwd).sort()).toEqual(['.proviso', 'copy.sqlite.partial']);
});

// S195, V13
it.each([
  ['that is compatible with this one copies every table', 1, 0],
  ['that is not compatible with this one is rejected', 99, 1],
])('a backup of the store of a newer program %s', async (_outcome, compatibleFrom, expected) => {
  await runCommand(['migrate'], { cwd });
  const store = new Libsql(join(cwd, '.proviso/proviso.sqlite'));
  store.exec(`UPDATE schema_version SET version = 99, compatible_from = ${compatibleFrom};
    CREATE TABLE added (name TEXT); INSERT INTO added VALUES ('kept')`);
  store.close();
  const { exitCode, stderr } = await runCommand(['backup', 'copy.sqlite'], { cwd });
  expect(exitCode).toBe(expected);
  if (expected === 1) {
    expect(stderr).toMatch(/^proviso: the store .* has schema version 99, .*: run a newer program\n$/);
    expect(readdirSync(cwd)).toEqual(['.proviso']);
    return;
  }
  const copy = new Libsql(join(cwd, 'copy.sqlite'), { readonly: true });
  expect(copy.prepare('SELECT name FROM added').pluck().all([])).toEqual(['kept']);
  expect(copy.prepare('SELECT version FROM schema_version').pluck().all([])).toEqual([99]);
  copy.close();
});

it('a backup of a PostgreSQL store is rejected with a reference to pg_dump', async () => {
  const env = { PROVISO_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' };
  const { exitCode, stderr } = await runCommand(['backup', 'copy'], { cwd, env });
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringMatching(/pg_dump; see docs\/guides\/deployment\.md#backup-and-restore$/m),
  ]);
});
