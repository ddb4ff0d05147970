/** `proviso migrate` on both stores, `proviso serve` and `encrypt` on PostgreSQL, and messages without the password of the URL (V12, V13, S193, S196). */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { encryptionSetting } from '../support/encryption-keys.js';
import { runStatement } from '../support/postgres-cluster.js';
import { createDatabase, type EmptyDatabase } from '../support/postgres-for-tests.js';
import { runCommand, runShell, startServe } from '../support/run-command.js';
import { startTcpProxy } from '../support/tcp-proxy.js';

let cwd: string;
let database: EmptyDatabase;

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-migrate-'));
  database = await createDatabase();
});

afterEach(async () => {
  await database.remove();
  rmSync(cwd, { recursive: true });
});

describe.each(['sqlite', 'postgres'])('proviso migrate on %s', (engine) => {
  const env = () => ({
    PROVISO_DATABASE_URL: engine === 'sqlite' ? `sqlite:${join(cwd, 'store.sqlite')}` : database.url,
  });

  // V13
  it('prints the schema version, migrates to the newest one, and then changes nothing', async () => {
    const runs = [];
    for (const args of [['--status'], [], ['--status'], []]) {
      runs.push(await runCommand(['migrate', ...args], { cwd, env: env() }));
    }
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([1, 0, 0, 0]);
    const [missing, applied, ...nothing] = runs.map(({ stdout }) => stdout);
    expect(missing).toMatch(/ has schema version 0; the newest is \d+: run proviso migrate\n$/);
    expect(applied).toMatch(/ was migrated from schema version 0 to \d+, the newest\n$/);
    for (const line of nothing) expect(line).toMatch(/ has the newest schema version, [1-9]\d*\n$/);
  });

  // V13, S193
  it('rejects the store of a newer program that is not compatible, and does not change it', async () => {
    await runCommand(['migrate'], { cwd, env: env() });
    const change = 'UPDATE schema_version SET version = 99, compatible_from = 99';
    if (engine === 'sqlite') {
      const file = new Libsql(join(cwd, 'store.sqlite'));
      file.exec(change);
      file.close();
    } else await runStatement(database.url, change);
    for (const args of [['migrate'], ['migrate', '--status'], ['serve']]) {
      const { exitCode, stdout, stderr } = await runCommand(args, { cwd, env: env() });
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^proviso: the store .* has schema version 99, .*: run a newer program\n$/);
    }
  });
});

// S198
it.each([
  ['57014', 'a statement was canceled, '],
  ['55P03', 'another transaction kept a lock'],
  ['22P05', 'its database lacks a character in its encoding, which must be UTF8: '],
])('a command on a PostgreSQL store that fails with the code %s names the fault', async (code, fault) => {
  const env = { PROVISO_DATABASE_URL: database.url };
  expect((await runCommand(['person', 'create', 'ada'], { cwd, env })).exitCode).toBe(0);
  await runStatement(
    database.url,
    `create function fail() returns trigger language plpgsql as
       $$ begin raise exception 'a stored value' using errcode = '${code}'; end $$;
     create trigger fail before insert on person for each row execute function fail()`,
  );
  const { exitCode, stderr } = await runCommand(['person', 'create', 'bo'], { cwd, env });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`proviso: the store failed: ${fault}`)]);
  expect(stderr).toMatch(new RegExp(`: ${code}\\n$`));
  expect(stderr).not.toContain('a stored value');
});

it('migrate builds an index that an interrupted migration left missing; migrate --status does not', async () => {
  const env = { PROVISO_DATABASE_URL: database.url };
  const findIndex = () => runStatement(database.url, `select 1 from pg_class where relname = 'grant_by_end'`);
  await runCommand(['migrate'], { cwd, env });
  await runStatement(database.url, 'drop index grant_by_end');
  await runCommand(['migrate', '--status'], { cwd, env });
  expect(await findIndex()).toEqual([]);
  const { exitCode, stdout } = await runCommand(['migrate'], { cwd, env });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/ has the newest schema version, [1-9]\d*\n$/);
  expect(await findIndex()).toHaveLength(1);
});

it('serve ends after SIGINT although PostgreSQL does not respond', async () => {
  const address = new URL(database.url);
  const proxy = await startTcpProxy(Number(address.port));
  address.port = String(proxy.port);
  const serving = await startServe({ cwd, env: { PROVISO_DATABASE_URL: address.href } });
  onTestFinished(async () => {
    await serving.stop('SIGKILL');
    await proxy.close();
  });
  proxy.pause();
  expect(await serving.stop('SIGINT')).toBe(0);
});

// V13
it('migrate waits for another migration of a SQLite file, however long it takes', async () => {
  const path = join(cwd, 'store.sqlite');
  const env = { PROVISO_DATABASE_URL: `sqlite:${path}` };
  await runCommand(['migrate'], { cwd, env });
  const file = new Libsql(path);
  file.exec('UPDATE schema_version SET version = version - 1');
  file.exec('BEGIN IMMEDIATE');
  file.exec('UPDATE schema_version SET version = version + 1');
  const waiting = runCommand(['migrate'], { cwd, env });
  // Longer than SQLite waits for a lock.
  await setTimeout(6_000);
  file.exec('COMMIT');
  file.close();
  expect(await waiting).toMatchObject({ exitCode: 0, stderr: '' });
});

it('migrate --status creates no file', async () => {
  expect((await runCommand(['migrate', '--status'], { cwd })).exitCode).toBe(1);
  expect(existsSync(join(cwd, '.proviso'))).toBe(false);
});

// S196
it('encrypts a PostgreSQL store in place, and prints the statements that remove old values, also from the statistics of the planner', async () => {
  const env = { PROVISO_DATABASE_URL: database.url };
  const keyed = { ...env, PROVISO_ENCRYPTION_KEYS: encryptionSetting('one') };
  const token = ['sandbox', 'token', '--person', 'ada', '--scope', 'openid'];
  await runCommand(token, { cwd, env });
  await runStatement(database.url, 'analyze person');
  const statistics = `select 1 from pg_stats where tablename = 'person' and histogram_bounds::text like '%ada@example.org%'`;
  expect(await runStatement(database.url, statistics)).toHaveLength(1);
  const { exitCode, stdout, stderr } = await runCommand(['encrypt'], { cwd, env: keyed });
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringMatching(/all values are now encrypted with the key one\n$/),
  ]);
  const [, statements = ''] = /: (DELETE FROM pg_statistic .+)\n$/.exec(stderr) ?? [];
  expect(statements).toContain('VACUUM (FULL, ANALYZE) access_token, authorization_record, credential, ');
  for (const statement of statements.split('; ')) await runStatement(database.url, statement);
  expect(await runStatement(database.url, statistics)).toEqual([]);
  expect(await runStatement(database.url, `select 1 from credential where claims like '{%'`)).toEqual([]);
  expect((await runCommand(token, { cwd, env: keyed })).exitCode).toBe(0);
  const refused = await runCommand(token, { cwd, env });
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('under the key `one`')]);
});

// V13, S193
it('migrates one PostgreSQL database once if several processes start concurrently', async () => {
  const env = { PROVISO_DATABASE_URL: database.url };
  const runs = await Promise.all([1, 2, 3].map(() => runCommand(['migrate'], { cwd, env })));
  expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(Array(3).fill([0, '']));
  expect(await runStatement(database.url, 'select count(*)::int as rows from schema_version')).toEqual([
    { rows: 1 },
  ]);
});

// V12
it('serves on PostgreSQL, and exits with 0 on SIGTERM', async () => {
  const serving = await startServe({ cwd, env: { PROVISO_DATABASE_URL: database.url } });
  const { stdout } = await runShell(serving.curlLine, { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ type: 'predicate', passed: true });
  expect(await serving.stop('SIGTERM')).toBe(0);
  expect(existsSync(join(cwd, '.proviso'))).toBe(false);
});

describe('the password of a PostgreSQL URL', () => {
  const password = 'correct-horse-battery';

  // S196
  it.each([
    ['a server that cannot be reached', `postgres://somebody:${password}@127.0.0.1:1/proviso`, 1],
    ['a parameter', `postgres://somebody@127.0.0.1:1/proviso?password=${password}`, 1],
    ['an invalid URL', `postgres://somebody:${password}@/@:x`, 2],
    ['a password that starts with `/`', `postgres://somebody:/${password}@127.0.0.1/proviso`, 2],
    ['a password that contains `#`', `postgres://somebody:1#${password}@127.0.0.1/proviso`, 2],
    ['an unsupported database', `mysql://somebody:${password}@127.0.0.1/proviso`, 2],
  ])('is not repeated in messages: %s', async (_title, url, expected) => {
    for (const args of [['serve'], ['migrate'], ['migrate', '--status']]) {
      const { exitCode, stdout, stderr } = await runCommand(args, {
        cwd,
        env: { PROVISO_DATABASE_URL: url },
      });
      expect([exitCode, stdout]).toEqual([expected, '']);
      expect(stderr).toMatch(/^proviso: .+\n(?: {2}PROVISO_DATABASE_URL.+\n)?$/);
      expect(stderr).not.toContain(password);
    }
  });
});
