/** Encryption at rest: from the start, of an existing store, and with a new key (S196, S202). */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/cli/configuration/read-configuration.js';
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import { encryptionKey, encryptionSetting } from '../support/encryption-keys.js';
import { runCommand, runShell, startServe } from '../support/run-command.js';

const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const TOKEN = ['sandbox', 'token', '--person', 'ada', '--scope', 'identity:read'];
/** Values of the sample people. */
const VALUES = ['ada@example.org', 'grace@example.net', '"kyc.level":"enhanced"', '"d":"'];
const INGESTED = 'Marietta Quillfeather';

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-encrypt-'));
});

afterEach(() => rmSync(cwd, { recursive: true }));

const run = (keys: readonly string[], ...args: string[]) =>
  runCommand(args, {
    cwd,
    env: keys.length === 0 ? {} : { PROVISO_ENCRYPTION_KEYS: encryptionSetting(...keys) },
  });

/** Starts `serve`, stops it once it has started, and returns its standard error. */
function notesOfServe(): Promise<string> {
  const env = { ...process.env, PROVISO_PORT: '0', PROVISO_ENCRYPTION_KEYS: encryptionSetting('one') };
  const child = spawn(process.execPath, [COMMAND, 'serve'], { cwd, env });
  let notes = '';
  child.stderr.on('data', (chunk) => {
    notes += chunk;
  });
  child.stdout.on('data', (chunk) => {
    if (String(chunk).includes('Ctrl-C')) child.kill('SIGINT');
  });
  return new Promise((resolve) => child.on('close', () => resolve(notes)));
}

/** Returns the given strings that occur in plaintext in the files of the store. */
function findPlaintext(texts: readonly string[] = VALUES): readonly string[] {
  const folder = join(cwd, '.proviso');
  const contents = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
  return texts.filter((text) => contents.includes(text));
}

describe('an encrypted store', () => {
  it('contains no claim value in plaintext during and after serving, nor does its backup', async () => {
    const env = { PROVISO_ENCRYPTION_KEYS: encryptionSetting('one') };
    const serving = await startServe({ cwd, env });
    const headers = {
      Authorization: `Bearer ${SANDBOX_ADMINISTRATOR_TOKEN}`,
      'Content-Type': 'application/json',
    };
    const claims = { 'identity.legal_name': INGESTED };
    const credential = { id: 'c-1', source: 'Registry', issuedAt: '2026-01-01T00:00:00Z', claims };
    const { status } = await fetch(`${serving.url}/credentials`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ identifier: 'id|ada', credential }),
    });
    expect(status).toBe(200);
    expect(findPlaintext([...VALUES, INGESTED])).toEqual([]);
    expect((await run(['one'], 'backup', '.proviso/copy.sqlite')).exitCode).toBe(0);
    expect(await serving.stop('SIGTERM')).toBe(0);
    expect(findPlaintext([...VALUES, INGESTED])).toEqual([]);
    // Unencrypted values are found in the same way.
    expect(findPlaintext(['sandbox-public'])).toEqual(['sandbox-public']);
  });

  it('is rejected without its key or with another, with a message that names the key', async () => {
    await run(['one'], ...TOKEN);
    for (const [keys, reason] of [
      [
        [],
        "the store's values are encrypted under the key `one`, which must be among the given encryption keys",
      ],
      [
        ['two'],
        "the store's values are encrypted under the key `one`, which must be among the given encryption keys",
      ],
    ] as const) {
      for (const args of [['serve'], TOKEN, ['keys', 'rotate'], ['audit'], ['encrypt']]) {
        if (keys.length === 0 && args[0] === 'encrypt') continue;
        const { exitCode, stdout, stderr } = await run(keys, ...args);
        expect([exitCode, stdout]).toEqual([1, '']);
        expect(stderr).toBe(
          `proviso: the store ${join(cwd, '.proviso/proviso.sqlite')} cannot be opened: ${reason} (PROVISO_ENCRYPTION_KEYS)\n`,
        );
      }
    }
    const other = `one:${Buffer.from(encryptionKey('two').bytes).toString('base64')}`;
    const { exitCode, stderr } = await runCommand(TOKEN, { cwd, env: { PROVISO_ENCRYPTION_KEYS: other } });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining("is not the key that the store's values are encrypted under"),
    ]);
    expect((await run(['one'], ...TOKEN)).exitCode).toBe(0);
  });

  it('has the same audiences as a store in plaintext', async () => {
    await run(['one'], ...TOKEN);
    writeFileSync(
      join(cwd, 'policy.json'),
      '{"check":{"claim":"kyc.level","operator":"==","value":"enhanced"}}',
    );
    const encrypted = await run(['one'], 'audience', 'policy.json');
    rmSync(join(cwd, '.proviso'), { recursive: true });
    await run([], ...TOKEN);
    const clear = await run([], 'audience', 'policy.json');
    expect([encrypted.exitCode, encrypted.stdout]).toEqual([0, clear.stdout]);
    expect(Number(clear.stdout)).toBeGreaterThan(0);
  });
});

describe('proviso encrypt', () => {
  it('encrypts all plaintext values, leaves none in the file, and can be run again', async () => {
    await run([], ...TOKEN);
    expect(findPlaintext()).toEqual(VALUES);
    const first = await run(['one'], 'encrypt');
    expect([first.exitCode, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(
      /^\d{2,} values were encrypted; all values are now encrypted with the key one\n$/,
    );
    expect(findPlaintext()).toEqual([]);
    const second = await run(['one'], 'encrypt');
    expect([second.exitCode, second.stdout]).toEqual([
      0,
      '0 values were encrypted; all values are now encrypted with the key one\n',
    ]);
    expect((await run(['one'], ...TOKEN)).exitCode).toBe(0);
  });

  it('encrypts the store of a running service', async () => {
    await run([], ...TOKEN);
    const serving = await startServe({ cwd, env: { PROVISO_ENCRYPTION_KEYS: encryptionSetting('one') } });
    const { exitCode, stderr } = await run(['one'], 'encrypt');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(findPlaintext()).toEqual([]);
    const { stdout } = await runShell(serving.curlLine, { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ passed: true });
    expect(await serving.stop('SIGTERM')).toBe(0);
    expect(findPlaintext()).toEqual([]);
  });

  it('is recommended by serve only as long as plaintext values may remain', async () => {
    await run([], ...TOKEN);
    expect(await notesOfServe()).toContain(
      'plaintext values from before encryption was enabled: run proviso encrypt',
    );
    await run(['one'], 'encrypt');
    expect(await notesOfServe()).not.toContain('run proviso encrypt');
  });

  it('re-encrypts all values with a new key, after which the old one is not needed', async () => {
    await run(['one'], ...TOKEN);
    expect((await run(['two'], 'encrypt')).exitCode).toBe(1);
    expect((await run(['two', 'one'], ...TOKEN)).exitCode).toBe(0);
    const { exitCode, stdout } = await run(['two', 'one'], 'encrypt');
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/all values are now encrypted with the key two\n$/),
    ]);
    expect(findPlaintext(['enc:1:one:'])).toEqual([]);
    expect((await run(['two'], ...TOKEN)).exitCode).toBe(0);
    expect((await run(['one'], ...TOKEN)).exitCode).toBe(1);
  });

  it('requires a key and an existing store', async () => {
    expect(await run([], 'encrypt')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'proviso: PROVISO_ENCRYPTION_KEYS is missing: it must list the keys, the one to encrypt with first\n',
    });
    const { exitCode, stderr } = await run(['one'], 'encrypt');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('no store found at')]);
  });
});

describe('a store that was tampered with', () => {
  it('is not served with forged plaintext claims after its keys and secrets are deleted', async () => {
    await run(['one'], ...TOKEN);
    const file = new Libsql(join(cwd, '.proviso/proviso.sqlite'));
    file.exec(`
      DELETE FROM encryption_key;
      DELETE FROM kept_secret;
      DELETE FROM signing_key;
      INSERT INTO credential (id, person_id, source, issued_at, claims, updated_at)
        SELECT 'forged-1', id, 'Registry', 1, '{"identity.nationality":"XX"}', 1 FROM person WHERE name = 'ada';
      UPDATE credential SET rowid = -5 WHERE id = 'forged-1';`);
    file.close();
    for (const keys of [['one'], []]) {
      const { exitCode, stdout, stderr } = await run(keys, 'serve');
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /the store contains encrypted values, but its table of encryption keys is empty/,
      );
    }
  });
});

it.each([
  [['person', 'list']],
  [['person', 'show', 'ada']],
  [['grants', 'revoke', '--person', 'ada', '--yes']],
])(
  '`proviso %j` names the column of a value that cannot be decrypted, without a stack trace',
  async (args) => {
    await run(['one'], ...TOKEN);
    const file = new Libsql(join(cwd, '.proviso/proviso.sqlite'));
    file.exec("UPDATE person SET about = replace(about, 'enc:1:one:', 'enc:1:removed:') WHERE name = 'ada'");
    file.close();
    expect(await run(['one'], ...args)).toMatchObject({
      exitCode: 1,
      stderr:
        'proviso: a value of the table person, column about, cannot be read: its encryption key must be among the given keys\n',
    });
  },
);

// S330
it('`proviso person erase` erases a person whose row cannot be decrypted by their id', async () => {
  await run(['one'], ...TOKEN);
  const file = new Libsql(join(cwd, '.proviso/proviso.sqlite'));
  file.exec("UPDATE person SET about = 'enc:1:one:damaged' WHERE name = 'ada'");
  const [id] = file.prepare("SELECT id FROM person WHERE name = 'ada'").pluck().all([]) as [string];
  file.close();
  expect(await run(['one'], 'person', 'erase', 'ada', '--yes')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('column about, cannot be read'),
  });
  expect(await run(['one'], 'person', 'erase', id, '--yes')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`erased ${id} with `),
  });
  expect(await run(['one'], 'person', 'show', id)).toMatchObject({
    exitCode: 1,
    stderr: 'proviso: no person has this id, name or address\n',
  });
});

describe('PROVISO_ENCRYPTION=required', () => {
  const required = (keys: readonly string[], ...args: string[]) =>
    runCommand(args, {
      cwd,
      env: {
        PROVISO_ENCRYPTION: 'required',
        ...(keys.length === 0 ? {} : { PROVISO_ENCRYPTION_KEYS: encryptionSetting(...keys) }),
      },
    });

  it('without keys, rejects `serve` and a command that opens the store', async () => {
    const served = await required([], 'serve');
    expect([served.exitCode, served.stderr]).toEqual([
      2,
      'proviso: the configuration is invalid:\n  PROVISO_ENCRYPTION_KEYS must have a key where PROVISO_ENCRYPTION is `required`\n',
    ]);
    await run([], ...TOKEN);
    const { exitCode, stderr } = await required([], ...TOKEN);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/encryption is required, but no encryption key was given/),
    ]);
  });

  it('rejects a store in plaintext until it is encrypted completely, and accepts a new key then', async () => {
    await run([], ...TOKEN);
    for (const args of [TOKEN, ['serve'], ['encrypt']]) {
      const { exitCode, stderr } = await required(['one'], ...args);
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringMatching(/has no record that it was encrypted completely/),
      ]);
    }
    expect((await run(['one'], 'encrypt')).exitCode).toBe(0);
    expect((await required(['one'], ...TOKEN)).exitCode).toBe(0);
    expect((await required(['two', 'one'], 'encrypt')).exitCode).toBe(0);
    expect((await required(['two'], ...TOKEN)).exitCode).toBe(0);
  });

  it('rejects a store whose values were all replaced by plaintext', async () => {
    expect((await required(['one'], ...TOKEN)).exitCode).toBe(0);
    const file = new Libsql(join(cwd, '.proviso/proviso.sqlite'));
    file.exec(`
      DELETE FROM encryption_key;
      DELETE FROM kept_secret;
      DELETE FROM signing_key;
      UPDATE person SET about = '', email = NULL, email_sealed = NULL, evm_address = NULL, evm_address_sealed = NULL;
      UPDATE credential SET claims = '{"identity.nationality":"XX"}';`);
    file.close();
    const { exitCode, stderr } = await required(['one'], 'serve');
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/has no record that it was encrypted completely/),
    ]);
  });
});

describe('PROVISO_ENCRYPTION_KEYS', () => {
  const hex = Buffer.from(encryptionKey('one').bytes).toString('hex');
  const base64 = Buffer.from(encryptionKey('two').bytes).toString('base64');
  const parsed = (text: string) => {
    const { values, problems } = readConfiguration({ variables: { PROVISO_ENCRYPTION_KEYS: text } });
    return { problems, keys: values.encryptionKeys?.map(({ id, bytes }) => [id, bytes.length]) };
  };

  it('accepts hexadecimal or base64 keys, with or without padding, separated by commas or lines', () => {
    const { problems, keys } = parsed(
      `2026-11:${hex}, b_64:${base64}\nurl:${Buffer.from(encryptionKey('three').bytes).toString('base64url')}`,
    );
    expect([problems, keys]).toEqual([
      [],
      [
        ['2026-11', 32],
        ['b_64', 32],
        ['url', 32],
      ],
    ]);
  });

  // S202
  it.each([
    `one:${hex.slice(2)}`,
    hex,
    `one:${hex},one:${base64}`,
    `a b:${hex}`,
    `${'x'.repeat(33)}:${hex}`,
    `one:${'0'.repeat(64)}`,
    ',',
  ])('rejects an invalid list of keys without repeating it: %s', (text) => {
    const { problems } = parsed(text);
    expect(problems).toEqual([
      expect.stringMatching(
        /^PROVISO_ENCRYPTION_KEYS must be one or more keys as `id:key`.*the value is not shown: it is a secret\)$/,
      ),
    ]);
    const keys = text.split(/[:,]/).filter((part) => part.length > 40);
    for (const key of keys) expect(problems.join('')).not.toContain(key.slice(0, 10));
  });

  // S196
  it('reads keys only from a file that no other user can read', async () => {
    const file = join(cwd, 'keys');
    writeFileSync(file, `one:${hex}\ntwo:${base64}\n`);
    const variables = { PROVISO_ENCRYPTION_KEYS_FILE: file };
    chmodSync(file, 0o644);
    expect(readConfiguration({ variables }).problems).toHaveLength(1);
    chmodSync(file, 0o600);
    const { values, problems } = readConfiguration({ variables });
    expect([problems, values.encryptionKeys?.map(({ id }) => id)]).toEqual([[], ['one', 'two']]);
    const shown = await runCommand(['config'], { cwd, env: variables });
    expect(shown.exitCode).toBe(0);
    expect(shown.stdout).not.toContain(hex.slice(0, 10));
  });
});
