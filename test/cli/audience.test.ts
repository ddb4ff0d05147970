/** `proviso audience` on each kind of database: ids, counts, interruption and resumption, errors (V14). */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runStatement } from '../support/postgres-cluster.js';
import { createDatabase, type EmptyDatabase } from '../support/postgres-for-tests.js';
import { runCommand } from '../support/run-command.js';

const AT = '2026-06-01T00:00:00Z';
const OF_AGE = { policy: { allOf: [{ claim: 'identity.age', operator: '>=', value: 18 }] } };
const BORN_BY_2008 = { check: { claim: 'identity.date_of_birth', operator: '<=', value: '2008-06-01' } };
const ADULTS = [
  'person-ada',
  'person-chiyo',
  'person-dmitri',
  'person-emeka',
  'person-fatima',
  'person-hugo',
];

let cwd: string;
let database: EmptyDatabase;

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-audience-'));
  database = await createDatabase();
});

afterEach(async () => {
  await database.remove();
  rmSync(cwd, { recursive: true });
});

/** Creates a database with the sample people. @returns Its URL. */
async function createSampleDatabase(engine: string): Promise<string> {
  const url = engine === 'postgres' ? database.url : `sqlite:${join(cwd, 'store.sqlite')}`;
  const env = { PROVISO_DATABASE_URL: url };
  await runCommand(['sandbox', 'token', '--person', 'ada', '--scope', 'kyc:read'], { cwd, env });
  return engine === 'duckdb' ? await copyToDuckDb() : url;
}

/** Copies the two tables that an audience requires from the SQLite store into a DuckDB file. @returns Its URL. */
async function copyToDuckDb(): Promise<string> {
  const path = join(cwd, 'people.duckdb');
  const file = new Libsql(join(cwd, 'store.sqlite'), { readonly: true });
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run('CREATE TABLE person (id VARCHAR)');
  await connection.run(
    'CREATE TABLE credential (id VARCHAR, person_id VARCHAR, source VARCHAR, issued_at BIGINT, expires_at BIGINT, revoked_at BIGINT, claims JSON)',
  );
  for (const { id } of file.prepare('SELECT id FROM person').all([]) as { id: string }[]) {
    await connection.run('INSERT INTO person VALUES ($1)', [id]);
  }
  const columns = 'id, person_id, source, issued_at, expires_at, revoked_at, claims';
  const rows = file.prepare(`SELECT ${columns} FROM credential`).all([]) as Record<
    string,
    string | number | null
  >[];
  for (const row of rows) {
    const values = Object.values(row).map((value) => (typeof value === 'number' ? String(value) : value));
    await connection.run('INSERT INTO credential VALUES ($1, $2, $3, $4, $5, $6, $7)', values);
  }
  file.close();
  connection.closeSync();
  instance.closeSync();
  return `duckdb:${path}`;
}

// V14
it('rejects a DuckDB copy with encrypted claims', async () => {
  const path = join(cwd, 'people.duckdb');
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run('CREATE TABLE person (id VARCHAR)');
  await connection.run('CREATE TABLE credential (claims VARCHAR)');
  await connection.run(`INSERT INTO credential VALUES ('{}'), ('enc:1:one:AAAA')`);
  connection.closeSync();
  instance.closeSync();
  const args = ['audience', policyFile(OF_AGE), '--database', `duckdb:${path}`];
  const { exitCode, stdout, stderr } = await runCommand(args, { cwd });
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain('its claims are encrypted');
});

// V14
it('rejects a DuckDB file without the table of people', async () => {
  const path = join(cwd, 'people.duckdb');
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run('CREATE TABLE credential (claims VARCHAR)');
  connection.closeSync();
  instance.closeSync();
  const args = ['audience', policyFile(OF_AGE), '--database', `duckdb:${path}`];
  const { exitCode, stdout, stderr } = await runCommand(args, { cwd });
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^proviso: .*people\.duckdb cannot be opened: .*person/);
});

function policyFile(policy: unknown): string {
  writeFileSync(join(cwd, 'policy.json'), JSON.stringify(policy));
  return 'policy.json';
}

describe.each(['sqlite', 'postgres', 'duckdb'])('proviso audience on %s', (engine) => {
  // V14
  it('prints the count, the ids, or NDJSON with a summary as the last line', async () => {
    const url = await createSampleDatabase(engine);
    for (const policy of [OF_AGE, BORN_BY_2008]) {
      const run = (output: string) =>
        runCommand(['audience', policyFile(policy), '--database', url, '--output', output, '--at', AT], {
          cwd,
        });
      expect(await run('count')).toEqual({ exitCode: 0, stdout: '6\n', stderr: '' });
      const ids = await run('ids');
      expect(ids.stdout.trim().split('\n').sort()).toEqual(ADULTS);
      const lines = (await run('ndjson')).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object);
      expect(lines).toHaveLength(7);
      expect(lines.at(-1)).toEqual({ evaluated: 10, satisfied: 6, evaluatedAt: '2026-06-01T00:00:00.000Z' });
    }
  });

  // V14
  it('starts after the person that --after names', async () => {
    const url = await createSampleDatabase(engine);
    const after = [
      'audience',
      policyFile(OF_AGE),
      '--database',
      url,
      '--output',
      'ids',
      '--at',
      AT,
      '--after',
      'person-dmitri',
    ];
    const { stdout } = await runCommand(after, { cwd });
    expect(stdout.trim().split('\n').sort()).toEqual(ADULTS.slice(3));
  });
});

/** Runs the command, and interrupts it at its first output. */
function runInterrupted(
  args: readonly string[],
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const command = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [command, ...args], { cwd });
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', (chunk) => {
      if (stdout === '') child.kill('SIGINT');
      stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

// V14
it('stops at Ctrl-C, and resumes with the printed options without losing or repeating a person', async () => {
  const url = await createSampleDatabase('postgres');
  await runStatement(
    database.url,
    `INSERT INTO person (id, name, about) SELECT 'many-' || i, 'many-' || i, '' FROM generate_series(1, 60000) AS i`,
  );
  const policy = policyFile({ policy: { not: { claim: 'identity.date_of_birth', operator: 'isDefined' } } });
  const args = ['audience', policy, '--database', url, '--output', 'ids'];
  const first = await runInterrupted([...args, '--at', AT]);
  expect(first.exitCode).toBe(1);
  const [, at = '', after = ''] = /continue with --at=(\S+) --after='(.*)'\n$/.exec(first.stderr) ?? [];
  expect(at).toBe('2026-06-01T00:00:00.000Z');
  const rest = await runCommand([...args, '--at', at, '--after', after], { cwd });
  expect(rest.exitCode).toBe(0);
  const ids = [...first.stdout.trim().split('\n'), ...rest.stdout.trim().split('\n')];
  const [{ count }] = (await runStatement(
    database.url,
    `SELECT count(*)::int AS count FROM person p WHERE NOT EXISTS (SELECT 1 FROM credential c WHERE c.person_id = p.id AND c.claims LIKE '%date_of_birth%')`,
  )) as [{ count: number }];
  expect([ids.length, new Set(ids).size]).toEqual([count, count]);
});

// V14
it.each([
  ['an invalid query', {}, [], /policy\.json is invalid/],
  [
    'projections',
    { projections: [{ claim: 'x.a', lens: 'pluck' }] },
    [],
    /projections neither pass nor fail/,
  ],
  ['an unknown output', OF_AGE, ['--output', 'csv'], /--output must be one of count, ids, ndjson/],
  [
    'an unsupported database URL, without repeating its password,',
    OF_AGE,
    ['--database', 'mysql://u:hunter2@h/d'],
    /^(?!.*hunter2).*--database must be/,
  ],
  ['an invalid instant', OF_AGE, ['--at', 'noon'], /--at must be an RFC 3339 instant/],
])('rejects %s with exit code 2 and a reason', async (_title, policy, more, reason) => {
  const url = await createSampleDatabase('sqlite');
  const { exitCode, stdout, stderr } = await runCommand(
    ['audience', policyFile(policy), '--database', url, ...more],
    { cwd },
  );
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(reason);
});

// V13, V14
it('rejects a `--database` whose `sslkey` other users can read', async () => {
  writeFileSync(join(cwd, 'client.key'), 'key', { mode: 0o644 });
  const url = 'postgres://proviso@127.0.0.1:1/proviso?sslkey=client.key';
  const args = ['audience', '-q', JSON.stringify(OF_AGE), '--database', url];
  expect(await runCommand(args, { cwd })).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'proviso: --database: its `sslkey` `client.key` must be accessible to its owner only (chmod 600)\n',
  });
});

it('rejects a missing database, which it does not create, and one without the current schema, which it does not migrate', async () => {
  const runOn = (url: string) => runCommand(['audience', policyFile(OF_AGE), '--database', url], { cwd });
  expect(await runOn('sqlite:missing.sqlite')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/no store found at/),
  });
  expect(await runOn('duckdb:missing.duckdb')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/the file does not exist/),
  });
  const url = await createSampleDatabase('sqlite');
  const file = new Libsql(join(cwd, 'store.sqlite'));
  for (const [version, reason] of [
    [0, /no store found at/],
    [1, /proviso migrate/],
  ] as const) {
    file.exec(`UPDATE schema_version SET version = ${version}`);
    expect(await runOn(url)).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(reason) });
    expect(file.prepare('SELECT version FROM schema_version').get()).toMatchObject({ version });
  }
  file.close();
  expect(readdirSync(cwd).filter((name) => name.startsWith('missing'))).toEqual([]);
});
