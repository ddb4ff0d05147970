/** `proviso doctor` on both stores: planted faults, and the findings about them (S393–S396). */
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { encryptionSetting } from '../support/encryption-keys.js';
import { runStatement } from '../support/postgres-cluster.js';
import { createDatabase } from '../support/postgres-for-tests.js';
import { runCommand, startServe } from '../support/run-command.js';

interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly subject: string;
  readonly found: string;
  readonly remedy?: string;
}

let cwd: string;
let path: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-doctor-'));
  path = join(cwd, '.proviso/proviso.sqlite');
});

afterEach(() => rmSync(cwd, { recursive: true }));

type Environment = Readonly<Record<string, string>>;

async function doctor(env: Environment = {}, ...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await runCommand(['doctor', '--json', ...args], { cwd, env });
  expect(stderr).toBe('');
  return { exitCode, findings: (JSON.parse(stdout) as { findings: readonly Finding[] }).findings };
}

/** Returns the findings about a subject as lines, and the exit code. */
async function findingsAbout(subject: string, env: Environment = {}, ...args: readonly string[]) {
  const { exitCode, findings } = await doctor(env, ...args);
  const lines = findings
    .filter((one) => one.subject === subject)
    .map(({ level, found, remedy }) => `${level}: ${found}${remedy === undefined ? '' : `; ${remedy}`}`);
  return { exitCode, lines };
}

async function createStore(env: Environment = {}): Promise<void> {
  const args = ['sandbox', 'token', '--person', 'ada', '--scope', 'openid'];
  expect((await runCommand(args, { cwd, env })).exitCode).toBe(0);
}

function change(statement: string): void {
  const file = new Libsql(path);
  file.exec(statement);
  file.close();
}

/** Writes a file with a secret. */
function writeSecret(name: string, text: string, mode = 0o600): string {
  writeFileSync(join(cwd, name), text, { mode });
  chmodSync(join(cwd, name), mode);
  return join(cwd, name);
}

const PAGE_BYTES = 4_096;
const SECRET = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';
const PRODUCTION = {
  PROVISO_ENVIRONMENT: 'production',
  PROVISO_ISSUER: 'https://claims.example/v2',
  PROVISO_KEY: SECRET,
  PROVISO_ADMINISTRATOR_SHA256: SECRET,
  PROVISO_TRUSTED_PROXIES: '127.0.0.1',
};

describe('proviso doctor', () => {
  // S393
  it('prints one line per finding, and exits with 0 on a store without faults', async () => {
    await createStore();
    const { exitCode, stdout, stderr } = await runCommand(['doctor'], { cwd });
    expect([exitCode, stderr]).toEqual([0, '']);
    const lines = stdout.trim().split('\n');
    for (const line of lines) expect(line).toMatch(/^ok {4}[a-z]/);
    const subjects = lines.map((line) => line.slice(6, 24).trim());
    expect([...new Set(subjects)]).toEqual([
      'configuration',
      'issuer',
      'audit log',
      'file permissions',
      'disk',
      'schema',
      'clock',
      'integrity',
      'signing keys',
      'encryption',
      'expired rows',
    ]);
  });

  // S393
  it('reports a store that does not exist, and the free space for it, and creates nothing', async () => {
    const { exitCode, lines } = await findingsAbout('schema');
    expect([exitCode, lines]).toEqual([0, [expect.stringMatching(/^warn: the store does not exist yet; /)]]);
    const disk = await findingsAbout('disk');
    expect(disk.lines).toEqual([expect.stringMatching(/^\w+: [\d,]+ MiB free, the store has 0 MiB/)]);
    expect(existsSync(join(cwd, '.proviso'))).toBe(false);
  });

  // S393
  it('fails on a database of another program, instead of reporting that the store does not exist', async () => {
    const file = new Libsql(join(cwd, 'notes.sqlite'));
    file.exec('CREATE TABLE note (text TEXT)');
    file.close();
    expect(await findingsAbout('schema', { PROVISO_DATABASE_URL: 'sqlite:notes.sqlite' })).toEqual({
      exitCode: 1,
      lines: [expect.stringMatching(/^fail: .* it is a database of another program$/)],
    });
  });

  // S393
  it('lists the URL of the database as a secret only if it contains one', async () => {
    const listed = async (url: string) =>
      (await findingsAbout('configuration', { PROVISO_DATABASE_URL: url })).lines;
    expect(await listed('sqlite:other.sqlite')).toEqual(['ok: valid for sandbox, 1 setting given']);
    expect(await listed('postgres://proviso:secret@127.0.0.1:1/proviso')).toEqual([
      'ok: valid for sandbox, 1 setting given; secrets: PROVISO_DATABASE_URL; files of secrets are private',
    ]);
  });

  // S393
  it('fails on a store that cannot be looked up, instead of reporting that it does not exist', async () => {
    // A link to itself and not a folder without access, since the tests may run as root, who can read every folder.
    symlinkSync('loop.sqlite', join(cwd, 'loop.sqlite'));
    const env = { PROVISO_DATABASE_URL: `sqlite:${join(cwd, 'loop.sqlite')}` };
    const { exitCode, lines } = await findingsAbout('schema', env);
    expect([exitCode, lines]).toEqual([
      1,
      [expect.stringMatching(/^fail: the store .* cannot be opened: ELOOP/)],
    ]);
    const commands = [
      ['migrate', '--status'],
      ['client', 'list'],
    ];
    for (const command of commands) {
      const { exitCode: code, stderr } = await runCommand(command, { cwd, env });
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^proviso: .*: ELOOP: .*\n$/)]);
    }
  });

  // S394
  it('changes nothing while the service runs', async () => {
    const serving = await startServe({ cwd });
    const files = () =>
      readdirSync(join(cwd, '.proviso')).map((name) => {
        const file = join(cwd, '.proviso', name);
        // Readers note in the index of the log how far they have read.
        const content = name.endsWith('-shm') ? '' : readFileSync(file, 'base64');
        return [name, statSync(file).mode, content];
      });
    const before = files();
    expect((await doctor()).exitCode).toBe(0);
    expect(files()).toEqual(before);
    expect(await serving.stop('SIGTERM')).toBe(0);
    const stopped = files();
    expect((await doctor()).exitCode).toBe(0);
    expect(files()).toEqual(stopped);
  });

  // S393, S202
  it('reports everything that is missing in production at once', async () => {
    const { exitCode, lines } = await findingsAbout('configuration', { PROVISO_ENVIRONMENT: 'production' });
    expect(exitCode).toBe(1);
    const names = lines.map((line) => /^fail: (\w+) is missing/.exec(line)?.[1]);
    expect(names).toEqual(['PROVISO_ADMINISTRATOR_SHA256', 'PROVISO_ISSUER', 'PROVISO_KEY']);
  });

  // S395, S196
  it('reports a secret that others can read, and prints no secret', async () => {
    const env = { ...PRODUCTION, PROVISO_ENCRYPTION_KEYS: encryptionSetting('one') };
    const { PROVISO_KEY: _, ...withoutKey } = env;
    const exposed = writeSecret('key', SECRET, 0o644);
    const { exitCode, lines } = await findingsAbout('configuration', {
      ...withoutKey,
      PROVISO_KEY_FILE: exposed,
    });
    expect([exitCode, lines[0]]).toEqual([
      1,
      expect.stringContaining('must be accessible to its owner only (chmod 600)'),
    ]);
    const sound = { ...withoutKey, PROVISO_KEY_FILE: writeSecret('private-key', SECRET) };
    const { stdout, stderr } = await runCommand(['doctor'], { cwd, env: sound });
    expect(stdout).toMatch(/^ok {4}configuration +valid for production, .*PROVISO_KEY/);
    const secrets = [SECRET, ...encryptionSetting('one').split(':').slice(1)];
    for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
  });

  // S395
  it('reports files of the deployment that are invalid', async () => {
    const env = {
      ...PRODUCTION,
      PROVISO_ISSUERS: writeSecret('issuers.json', '{"issuers": 1}'),
      PROVISO_APPLICATIONS: writeSecret('applications.json', '[]'),
      PROVISO_CATALOGUE: join(cwd, 'absent.json'),
    };
    const { exitCode, lines } = await findingsAbout('files', env);
    expect([exitCode, lines.length]).toEqual([1, 3]);
    for (const line of lines) expect(line).toMatch(/^fail: .*(?:cannot be read|is invalid)/);
  });

  // S393
  it('reports a loopback issuer, and that no trusted proxies are set', async () => {
    const { PROVISO_TRUSTED_PROXIES: _, ...env } = PRODUCTION;
    expect(await findingsAbout('issuer', { ...env, PROVISO_ISSUER: 'https://localhost:8443/v2' })).toEqual({
      exitCode: 0,
      lines: [
        expect.stringMatching(/^warn: https:\/\/localhost:8443\/v2 has a loopback host/),
        expect.stringMatching(/^warn: PROVISO_TRUSTED_PROXIES is not set/),
      ],
    });
    expect((await findingsAbout('issuer', PRODUCTION)).lines).toEqual([
      'ok: https://claims.example/v2 uses https',
    ]);
  });

  // S393
  it.each([
    ['127.0.0.1', /^ok: the sandbox is reachable on this machine only$/],
    ['0.0.0.0', /^warn: the sandbox listens on 0\.0\.0\.0, so other machines may reach it/],
  ])('reports a sandbox that listens on %s', async (host, expected) => {
    const { lines } = await findingsAbout('issuer', { PROVISO_HOST: host });
    expect(lines).toEqual([expect.stringMatching(expected)]);
  });

  // S393
  it.each([
    ['off', /^warn: `off` in production/],
    ['changes', /^warn: `changes`, .* are not recorded/],
    ['all', /^ok: all, kept for 365 days$/],
  ])('reports the audit log in production: %s', async (audit, expected) => {
    const { lines } = await findingsAbout('audit log', { ...PRODUCTION, PROVISO_AUDIT: audit });
    expect(lines).toEqual([expect.stringMatching(expected)]);
  });

  // S396
  it.each([
    ['agrees', 0, /^ok: agrees with http/],
    ['is an hour behind', 3_600_000, /^fail: this machine is 3[56]\d\d s behind http/],
    ['is an hour ahead', -3_600_000, /^fail: this machine is 3[56]\d\d s ahead of http/],
    ['cannot be compared', undefined, /^fail: http.* sends no `Date`/],
  ])('compares the clock with a URL: it %s', async (_title, difference, expected) => {
    const server = createServer((_request, response) => {
      response.sendDate = false;
      if (difference !== undefined)
        response.setHeader('Date', new Date(Date.now() + difference).toUTCString());
      response.end();
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/health`;
    const { exitCode, lines } = await findingsAbout('clock', {}, '--time-url', url);
    expect(lines).toEqual([expect.stringMatching(expected)]);
    expect(exitCode).toBe(difference === 0 ? 0 : 1);
  });

  // S396
  it('reports a URL that does not respond, and rejects a value that is not a URL or has credentials', async () => {
    const { exitCode, lines } = await findingsAbout('clock', {}, '--time-url', 'http://127.0.0.1:1/');
    expect([exitCode, lines]).toEqual([
      1,
      [expect.stringMatching(/^fail: http:\/\/127\.0\.0\.1:1 does not respond/)],
    ]);
    for (const url of ['now', 'http://name:secret@127.0.0.1:1/']) {
      const rejected = await runCommand(['doctor', '--time-url', url], { cwd });
      expect([rejected.exitCode, rejected.stderr]).toEqual([
        2,
        'proviso: --time-url must be an http or https URL without credentials\n',
      ]);
    }
  });
});

describe('proviso doctor on a SQLite store', () => {
  beforeEach(() => createStore());

  // S393, S390
  it('reports a schema that is older, newer and compatible, or newer and not compatible', async () => {
    change('UPDATE schema_version SET version = 7');
    expect(await findingsAbout('schema')).toEqual({
      exitCode: 0,
      lines: [expect.stringMatching(/^warn: version 7 is older than .*; `proviso migrate` /)],
    });
    change('UPDATE schema_version SET version = 99');
    expect(await findingsAbout('schema')).toEqual({
      exitCode: 0,
      lines: [
        expect.stringMatching(
          /^warn: version 99 of a newer program, with which this one \(\d+\) is compatible/,
        ),
      ],
    });
    change('UPDATE schema_version SET compatible_from = 99');
    expect(await findingsAbout('schema')).toEqual({
      exitCode: 1,
      lines: [expect.stringMatching(/^fail: .* requires a program of schema version 99 or later/)],
    });
  });

  // S393
  it('reports a damaged file without a stack trace', async () => {
    const file = new Libsql(path);
    file.pragma('wal_checkpoint(TRUNCATE)');
    const { page } = file
      .prepare("SELECT rootpage AS page FROM sqlite_master WHERE name = 'credential'")
      .get([]) as { page: number };
    file.close();
    const descriptor = openSync(path, 'r+');
    writeSync(descriptor, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
    closeSync(descriptor);
    const { exitCode, findings } = await doctor();
    expect(exitCode).toBe(1);
    expect(findings).toContainEqual(
      expect.objectContaining({
        level: 'fail',
        subject: 'integrity',
        remedy: expect.stringContaining('backup'),
      }),
    );
    writeFileSync(path, 'no database at all'.repeat(1_000));
    expect((await findingsAbout('schema')).lines).toEqual([
      expect.stringMatching(/^fail: the store .*opened/),
    ]);
  });

  // S395
  it('reports files and a folder that others can access', async () => {
    chmodSync(path, 0o644);
    chmodSync(join(cwd, '.proviso'), 0o777);
    const { exitCode, lines } = await findingsAbout('file permissions');
    expect([exitCode, lines]).toEqual([
      1,
      [
        `fail: ${path} has mode 644; it must be accessible to its owner only: chmod 600 ${path}`,
        expect.stringMatching(
          /^warn: .*\.proviso has mode 777, so that other users may create or replace files of the store/,
        ),
      ],
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });

  // S393
  it('reports a disk on which a copy of the store has no room', async () => {
    // Sparse: takes no space. Far larger than the disk of any machine that runs tests.
    truncateSync(path, 2 ** 42);
    const { lines } = await findingsAbout('disk');
    expect(lines).toEqual([expect.stringMatching(/^warn: .* 2 times the size of the store must be free/)]);
  });

  // S393
  it('reports signing keys that are old, that do not sign yet, or that are missing', async () => {
    const day = 86_400_000;
    change(`UPDATE signing_key SET published_at = published_at - ${200 * day} WHERE algorithm = 'ES256'`);
    change(`UPDATE signing_key SET signs_from = signs_from + ${day} WHERE algorithm = 'RS256'`);
    expect(await findingsAbout('signing keys')).toEqual({
      exitCode: 0,
      lines: [
        'warn: the ES256 key is 200 days old; it should be replaced after 180 days: proviso keys rotate',
        expect.stringMatching(
          /^warn: by the clock of this machine, each RS256 key starts to sign in the future/,
        ),
      ],
    });
    change(`UPDATE signing_key SET published_at = published_at + ${199 * day} WHERE algorithm = 'ES256'`);
    expect((await findingsAbout('signing keys')).lines).toContain('ok: the ES256 key is 1 day old');
    change('DELETE FROM signing_key');
    expect((await findingsAbout('signing keys')).lines).toEqual([
      expect.stringMatching(/^warn: there is no ES256 key/),
      expect.stringMatching(/^warn: there is no RS256 key/),
    ]);
  });

  // S395
  it('reports plaintext values, and values under older, missing and wrong keys', async () => {
    const keys = (...names: readonly string[]) => ({ PROVISO_ENCRYPTION_KEYS: encryptionSetting(...names) });
    const about = async (env: Environment) => await findingsAbout('encryption', env);
    expect((await about(PRODUCTION)).lines).toEqual([
      expect.stringMatching(/^warn: \d+ values in plaintext, no/),
    ]);
    expect(await about(keys('one'))).toEqual({
      exitCode: 0,
      lines: [expect.stringMatching(/^warn: \d+ values in plaintext; run `proviso encrypt`/)],
    });
    expect(await about({ ...keys('one'), PROVISO_ENCRYPTION: 'required' })).toMatchObject({
      exitCode: 1,
      lines: [expect.stringMatching(/^fail: \d+ values in plaintext/)],
    });
    expect((await runCommand(['encrypt'], { cwd, env: keys('one') })).exitCode).toBe(0);
    expect(await about({ ...keys('one'), PROVISO_ENCRYPTION: 'required' })).toEqual({
      exitCode: 0,
      lines: [expect.stringMatching(/^ok: \d+ values under the key `one`, none in plaintext$/)],
    });
    expect(await about({})).toEqual({
      exitCode: 1,
      lines: [
        expect.stringMatching(/^fail: the store uses the key `one` \(\d+ values\), which is not given/),
      ],
    });
    expect((await about(keys('two', 'one'))).lines).toEqual([
      expect.stringMatching(/^warn: \d+ values under the older key `one`/),
    ]);
    expect((await about(keys('one', 'two'))).lines).toEqual([
      expect.stringMatching(/^warn: no value is encrypted with `two`; .*except during a key rotation$/),
    ]);
    const [, other = ''] = encryptionSetting('two').split(':');
    expect(await about({ PROVISO_ENCRYPTION_KEYS: `one:${other}` })).toMatchObject({
      exitCode: 1,
      lines: [expect.stringMatching(/^fail: the given key `one` is not the one/)],
    });
  });

  it('reports values under a key that is neither given nor recorded, and a store whose records of keys are missing', async () => {
    const keys = (name: string) => ({ PROVISO_ENCRYPTION_KEYS: encryptionSetting(name) });
    expect((await runCommand(['encrypt'], { cwd, env: keys('one') })).exitCode).toBe(0);
    // As written by an instance that still encrypts with a key that was removed.
    change("UPDATE person SET about = replace(about, 'enc:1:one:', 'enc:1:removed:') WHERE name = 'ada'");
    expect(await findingsAbout('encryption', keys('one'))).toEqual({
      exitCode: 1,
      lines: [expect.stringMatching(/^fail: 1 value under a key that is neither given nor recorded/)],
    });
    change('DELETE FROM encryption_key');
    for (const env of [{}, keys('one')])
      expect(await findingsAbout('encryption', env)).toEqual({
        exitCode: 1,
        lines: [
          expect.stringMatching(/^fail: \d+ values encrypted, but the store records no encryption key/),
        ],
      });
  });

  it('does not take a `state` that begins like an encrypted value for one', async () => {
    change("UPDATE authorization_record SET state = 'enc:1:one:x'");
    expect(await findingsAbout('encryption')).toMatchObject({
      lines: [expect.stringMatching(/^ok: \d+ values in plaintext/)],
    });
  });

  // S393, S194
  it('reports expired rows that the sweeper should have removed', async () => {
    const hour = 3_600_000;
    for (const [id, ago] of [
      ['overdue', 2 * hour],
      ['recent', hour / 2],
    ] as const)
      change(`INSERT INTO rate_limit (id, empty_at) VALUES ('${id}', ${Date.now() - ago})`);
    expect(await findingsAbout('expired rows')).toEqual({
      exitCode: 0,
      lines: [expect.stringMatching(/^warn: 1 row should have been removed/)],
    });
  });
});

describe('proviso doctor on a PostgreSQL store', () => {
  // S393, S396
  it('reports a clock that differs from that of the database, and missing indexes', async () => {
    const { url, remove } = await createDatabase();
    onTestFinished(remove);
    const env = { PROVISO_DATABASE_URL: url };
    await createStore(env);
    const sound = await doctor(env);
    expect([sound.exitCode, sound.findings.filter(({ level }) => level !== 'ok')]).toEqual([0, []]);
    expect(sound.findings).toContainEqual(
      expect.objectContaining({
        subject: 'clock',
        found: expect.stringContaining('agrees with the database'),
      }),
    );
    await runStatement(url, 'drop index subject_of_person');
    await runStatement(
      url,
      `create schema skewed;
       create function skewed.clock_timestamp() returns timestamptz language sql as
         $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$;
       do $$ begin execute format('alter database %I set search_path = skewed, public, pg_catalog', current_database()); end $$`,
    );
    expect(await findingsAbout('clock', env)).toEqual({
      exitCode: 1,
      lines: [expect.stringMatching(/^fail: this machine is 3[56]\d\d s behind the database; synchronize/)],
    });
    expect((await findingsAbout('integrity', env)).lines).toEqual([
      expect.stringMatching(/^warn: indexes are missing or invalid: subject_of_person/),
    ]);
  });

  // S393, S196
  it('reports a database that cannot be reached, without its password', async () => {
    const env = { PROVISO_DATABASE_URL: 'postgres://proviso:correct-horse@127.0.0.1:1/proviso' };
    const { exitCode, lines } = await findingsAbout('schema', env);
    expect([exitCode, lines.length]).toEqual([1, 1]);
    expect(lines[0]).toMatch(
      /^fail: the store postgres:\/\/proviso@127\.0\.0\.1:1\/proviso cannot be opened/,
    );
    expect(lines[0]).not.toContain('correct-horse');
  });
});
