/** `proviso audit head` and `proviso audit verify` on both stores: they detect tampering (S449). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encryptionSetting } from '../support/encryption-keys.js';
import { runStatement } from '../support/postgres-cluster.js';
import { createDatabase, type EmptyDatabase } from '../support/postgres-for-tests.js';
import { runCommand, startServe } from '../support/run-command.js';

const TOKEN = ['sandbox', 'token', '--person', 'ada', '--scope', 'kyc:read'];
const QUERY = { check: { claim: 'kyc.level', operator: '==', value: 'enhanced' } };
const PRODUCTION_KEY = '0123456789abcdef'.repeat(4);

let cwd: string;
let database: EmptyDatabase;

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-audit-chain-'));
  database = await createDatabase();
});

afterEach(async () => {
  await database.remove();
  rmSync(cwd, { recursive: true });
});

describe.each(['sqlite', 'postgres'])('the audit log on %s', (engine) => {
  const variables = () => ({
    PROVISO_DATABASE_URL: engine === 'sqlite' ? `sqlite:${join(cwd, 'store.sqlite')}` : database.url,
    PROVISO_AUDIT: 'all',
  });
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCommand(args, { cwd, env: { ...variables(), ...env } });
  const verify = async (...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await run(['audit', 'verify', '--json', ...args]);
    return { exitCode, stderr, found: JSON.parse(stdout) as Readonly<Record<string, unknown>> };
  };
  const withFile = <Result>(use: (file: Libsql.Database) => Result): Result => {
    const file = new Libsql(join(cwd, 'store.sqlite'));
    try {
      return use(file);
    } finally {
      file.close();
    }
  };
  const runSql = async (text: string) =>
    engine === 'postgres' ? await runStatement(database.url, text) : withFile((file) => file.exec(text));
  /** Changes entries as the owner of the tables can, after removing the triggers that protect them. */
  const tamper = async (...statements: readonly string[]) => {
    for (const table of ['audit_entry', 'audit_seal']) {
      if (engine === 'postgres') await runSql(`alter table ${table} disable trigger user`);
      else
        for (const rule of ['must_not_change', 'must_be_kept']) await runSql(`drop trigger ${table}_${rule}`);
    }
    for (const statement of statements) await runSql(statement);
  };

  it('is sealed by a running service, and can be verified meanwhile', async () => {
    const serving = await startServe({ cwd, env: variables() });
    const token = (await run(TOKEN)).stdout.trim();
    for (let count = 0; count < 5; count += 1) {
      const { status } = await fetch(`${serving.url}/queries/evaluate`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: QUERY }),
      });
      expect(status).toBe(200);
    }
    await expect.poll(async () => (await verify()).found).toMatchObject({ intact: true, unsealed: 0 });
    const { found } = await verify();
    expect(found['entries']).toBeGreaterThanOrEqual(9);
    expect(await serving.stop('SIGTERM')).toBe(0);
    expect((await verify()).found).toEqual(found);
  });

  it('has no unsealed entry after an orderly stop', async () => {
    const serving = await startServe({ cwd, env: variables() });
    await run(TOKEN);
    expect(await serving.stop('SIGTERM')).toBe(0);
    expect((await verify()).found).toMatchObject({ intact: true, unsealed: 0 });
  });

  it('is verified against a head that was printed earlier; verification names the first entry that was changed or removed after it was sealed', async () => {
    await run(TOKEN);
    const head = await run(['audit', 'head']);
    expect([head.exitCode, head.stderr]).toEqual([0, '']);
    writeFileSync(join(cwd, 'head.json'), head.stdout);
    expect(JSON.parse(head.stdout)).toEqual({
      format: 'proviso-audit-head-1',
      number: 1,
      position: 4,
      entries: 4,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      hash: expect.stringMatching(/^[\w-]{43}$/),
      mac: expect.stringMatching(/^[\w-]{43}$/),
    });
    await run(TOKEN);
    expect(await run(['audit', 'verify', '--head', 'head.json'])).toEqual({
      exitCode: 0,
      stdout: '4 sealed entries are intact\n2 entries are not sealed yet\nthe log continues the given head\n',
      stderr: '',
    });
    await run(['audit', 'head']);
    await tamper(`update audit_entry set person_id = 'somebody-else' where position = 3`);
    expect(await verify('--head', 'head.json')).toEqual({
      exitCode: 1,
      stderr:
        'proviso: the audit log was tampered with: entry 3: the entry was changed after it was sealed\n',
      found: {
        intact: false,
        seals: 0,
        entries: 2,
        unsealed: 0,
        head: 'included',
        problem: { kind: 'entry_changed', position: 3 },
      },
    });
    await runSql('delete from audit_entry where position = 2');
    expect((await verify()).found['problem']).toEqual({ kind: 'entry_removed', position: 2 });
  });

  it('is reported as truncated if entries that its head covers are missing, and as replaced once new entries were added', async () => {
    await run(TOKEN);
    await run(['audit', 'head']);
    await run(TOKEN);
    writeFileSync(join(cwd, 'head.json'), (await run(['audit', 'head'])).stdout);
    await tamper('delete from audit_seal where number = 2', 'delete from audit_entry where position > 4');
    expect((await verify()).exitCode).toBe(0);
    expect(await verify('--head', 'head.json')).toMatchObject({
      exitCode: 1,
      found: { problem: { kind: 'log_truncated', position: 5 } },
    });
    await run(TOKEN);
    await run(['audit', 'head']);
    expect(await verify('--head', 'head.json')).toMatchObject({
      exitCode: 1,
      found: { problem: { kind: 'log_replaced', position: 5 } },
    });
  });

  it('is sealed with a key that an encrypted store holds encrypted', async () => {
    const env = { PROVISO_ENCRYPTION_KEYS: encryptionSetting('one'), PROVISO_ENCRYPTION: 'required' };
    await run(TOKEN, env);
    expect((await run(['audit', 'head'], env)).exitCode).toBe(0);
    expect((await run(['audit', 'verify'], env)).exitCode).toBe(0);
    const select = `select secret from kept_secret where name = 'audit-key'`;
    const rows =
      engine === 'postgres'
        ? await runStatement(database.url, select)
        : withFile((file) => file.prepare(select).all([]));
    expect(rows).toMatchObject([{ secret: expect.stringMatching(/^enc:1:one:/) }]);
  });
});

describe('proviso audit verify', () => {
  it.each([
    ['{}', /head\.json must be a head that proviso audit head printed/],
    ['[1]', /must be a head/],
    ['"head"', /must be a head/],
    ['no JSON', /is not valid JSON/],
    [
      '{"format":"proviso-audit-head-1","number":1,"position":1,"entries":1,"at":"x","hash":"","mac":""}',
      /must be a head/,
    ],
  ])('rejects %s as a head', async (text, expected) => {
    writeFileSync(join(cwd, 'head.json'), text);
    const { exitCode, stdout, stderr } = await runCommand(['audit', 'verify', '--head', 'head.json'], {
      cwd,
    });
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringMatching(expected)]);
  });

  it('rejects a head that was changed', async () => {
    await runCommand(TOKEN, { cwd, env: { PROVISO_AUDIT: 'all' } });
    const { stdout } = await runCommand(['audit', 'head'], { cwd });
    writeFileSync(join(cwd, 'head.json'), stdout.replace('"entries":4', '"entries":3'));
    const { exitCode, stderr } = await runCommand(['audit', 'verify', '--head', 'head.json'], { cwd });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/the head was changed, or made with another key/),
    ]);
  });

  it('rejects `--since`, an option of proviso audit', async () => {
    const { exitCode, stderr } = await runCommand(['audit', 'verify', '--since', '1d'], { cwd });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/unknown option '--since'/)]);
  });

  it('requires the key of the service in production, and rejects any other', async () => {
    const env = { PROVISO_ENVIRONMENT: 'production' };
    for (const command of ['head', 'verify']) {
      const { exitCode, stderr } = await runCommand(['audit', command], { cwd, env });
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringMatching(/PROVISO_KEY is missing: it must be the key of the service/),
      ]);
    }
    const audited = { ...env, PROVISO_AUDIT: 'all', PROVISO_KEY: PRODUCTION_KEY };
    await runCommand(['migrate'], { cwd, env: audited });
    await runCommand(['keys', 'rotate'], { cwd, env: audited });
    expect((await runCommand(['audit', 'head'], { cwd, env: audited })).exitCode).toBe(0);
    expect((await runCommand(['audit', 'verify'], { cwd, env: audited })).exitCode).toBe(0);
    const other = { ...audited, PROVISO_KEY: PRODUCTION_KEY.replace('01', '10') };
    const { exitCode, stderr } = await runCommand(['audit', 'verify'], { cwd, env: other });
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/made with another key/)]);
    const file = new Libsql(join(cwd, '.proviso/proviso.sqlite'), { readonly: true });
    expect(file.prepare(`select name from kept_secret where name = 'audit-key'`).all([])).toEqual([]);
    file.close();
  });

  it('rejects a store of the other environment', async () => {
    await runCommand(TOKEN, { cwd });
    const env = { PROVISO_ENVIRONMENT: 'production', PROVISO_KEY: PRODUCTION_KEY };
    const { exitCode, stderr } = await runCommand(['audit', 'verify'], { cwd, env });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/this store belongs to the sandbox/)]);
  });

  it('reports that an empty log has no head', async () => {
    await runCommand(['migrate'], { cwd });
    const { exitCode, stdout, stderr } = await runCommand(['audit', 'head'], { cwd });
    expect([exitCode, stdout, stderr]).toEqual([1, '', 'proviso: the audit log has no entries\n']);
  });
});
