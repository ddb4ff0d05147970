/** Runs the runbooks of lost and leaked secrets, each against a service that has the symptom (S402, S403). */
import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { isInstalled } from '../support/installed-programs.js';
import { CONFIDENTIAL, isTokenValid, logIn, PUBLIC, refresh } from '../support/oauth-client.js';
import { type RunbookService, startRunbookService } from '../support/runbook.js';

const hasSqlite = isInstalled('sqlite3', 'sqlite3', ['--version']);
const KEYS_FILE = 'secrets/encryption-keys';
const OWNER_ONLY = 0o600;

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** Starts a service with secrets in files, by name. */
async function start(
  secrets: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunbookService> {
  const service = await startRunbookService({ settings, started: false });
  cleanups.push(service.remove);
  mkdirSync(join(service.cwd, 'secrets'));
  for (const [name, text] of Object.entries(secrets))
    writeFileSync(join(service.cwd, 'secrets', name), text, { mode: OWNER_ONLY });
  await service.start();
  return service;
}

function randomKey(): string {
  return randomBytes(32).toString('hex');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Authenticates the confidential application. @returns The status of the response. */
async function introspect({ url }: RunbookService, secret: string): Promise<number> {
  const body = new URLSearchParams({ client_id: CONFIDENTIAL.clientId, client_secret: secret, token: 'x' });
  return (await fetch(`${url}/oauth/introspect`, { method: 'POST', body })).status;
}

// S402
it('the runbook of a lost encryption key names the missing key, and the service works again once its copy is restored', async () => {
  const service = await start(
    { 'encryption-keys': `2026-11:${randomKey()}\n` },
    { PROVISO_ENCRYPTION_KEYS_FILE: KEYS_FILE },
  );
  const { access_token } = await logIn(service);
  await service.stop();
  const [file, copy] = [join(service.cwd, KEYS_FILE), join(service.cwd, 'copy-of-keys')];
  copyFileSync(file, copy);
  writeFileSync(file, `2026-12:${randomKey()}\n`);
  await expect(service.start()).rejects.toThrow('serve ended with 1');
  await service.runSection('Lost encryption key', { KEY_COPY: copy });
  expect(await isTokenValid(service, access_token)).toBe(true);
});

// S402
it.skipIf(!hasSqlite)(
  'the runbook of a lost key of the deployment archives the audit log, and starts a new one',
  async () => {
    const service = await start(
      { key: randomKey(), 'administrator-sha256': sha256('administrator') },
      {
        PROVISO_ENVIRONMENT: 'production',
        PROVISO_ISSUER: 'https://claims.example/v2',
        PROVISO_KEY_FILE: 'secrets/key',
        PROVISO_ADMINISTRATOR_SHA256_FILE: 'secrets/administrator-sha256',
        PROVISO_DATABASE_URL: 'sqlite:proviso.sqlite',
      },
    );
    await service.run('npx proviso client add --name A --redirect-uri https://a.example/callback');
    await service.run('npx proviso audit head');
    await service.stop();
    rmSync(join(service.cwd, 'secrets/key'));
    await expect(service.start()).rejects.toThrow('serve ended with 2');
    await service.runSection('Lost `PROVISO_KEY`');
    const archive = readFileSync(join(service.cwd, 'audit-before.ndjson'), 'utf8');
    expect(archive).toContain('"kind":"application_registered"');
    await service.stop();
    expect(service.log().split('"event":"started"').at(-1)).not.toContain('AUDIT_CHAIN');
    const verified = await service.run('npx proviso audit verify');
    expect([verified.exitCode, verified.stderr]).toEqual([0, '']);
  },
);

// S403
it('the runbook of a leaked client secret replaces it, and ends every token of the application', async () => {
  const service = await start({});
  const own = { client_id: CONFIDENTIAL.clientId, redirect_uri: CONFIDENTIAL.redirectUri };
  const tokens = await logIn(service, own);
  const other = await logIn(service);
  expect(await introspect(service, CONFIDENTIAL.secret)).toBe(200);
  const printed = await service.runSection('Leaked client secret', {
    CLIENT: CONFIDENTIAL.clientId,
    LEAKED: CONFIDENTIAL.secret,
  });
  const secret = /^client_secret {2}(\S+)$/m.exec(printed.join('\n'))?.[1] ?? '';
  expect(printed.join('\n')).toContain(`secret_sha256  ${sha256(secret)}\n`);
  expect(await introspect(service, secret)).toBe(200);
  expect(
    await Promise.all([tokens, other].map(({ access_token }) => isTokenValid(service, access_token))),
  ).toEqual([false, true]);
  const proof = { client_id: CONFIDENTIAL.clientId, client_secret: secret };
  expect((await refresh(service, tokens.refresh_token, proof)).status).toBe(400);
});

// S403
it('the runbook of a leaked access token ends it, and the grant of its person', async () => {
  const service = await start({});
  const tokens = await logIn(service);
  await service.runSection('Leaked access token', {
    LEAKED: tokens.access_token,
    CLIENT: PUBLIC.clientId,
    PERSON: 'ada',
  });
  expect((await refresh(service, tokens.refresh_token)).status).toBe(400);
});

// S403
it('the runbook of a leaked encryption key re-encrypts the store, which then does not need the leaked key', async () => {
  const leaked = `2026-11:${randomKey()}`;
  const service = await start(
    { 'encryption-keys': `${leaked}\n` },
    { PROVISO_ENCRYPTION_KEYS_FILE: KEYS_FILE, PROVISO_ENCRYPTION: 'required' },
  );
  const { access_token } = await logIn(service);
  await service.runSection('Leaked encryption key', { NEW_ID: '2027-05' });
  expect(readFileSync(join(service.cwd, KEYS_FILE), 'utf8')).toMatch(/^2027-05:[0-9a-f]{64}\n$/);
  expect(await isTokenValid(service, access_token)).toBe(true);
  for (const name of ['proviso.sqlite', 'proviso.sqlite-wal'])
    expect(readFileSync(join(service.cwd, '.proviso', name), 'latin1')).not.toContain('enc:1:2026-11:');
});

// S403
it("the runbook of a leaked administrator's token replaces it", async () => {
  const service = await start(
    { 'administrator-sha256': sha256('leaked-token') },
    { PROVISO_ADMINISTRATOR_SHA256_FILE: 'secrets/administrator-sha256' },
  );
  const statusOf = async (path: string) =>
    (await fetch(`${service.url}${path}`, { headers: { Authorization: 'Bearer leaked-token' } })).status;
  expect(await statusOf('/people/ada')).toBe(200);
  const printed = await service.runSection("Leaked administrator's token", { LEAKED: 'leaked-token' });
  expect(printed.at(-1)).toContain('person_exported');
  expect(await statusOf('/people')).toBe(401);
});
