/** `proviso client` of the built command, while a service runs: add, list, revoke (V2, V7, V11). */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/index.js';
import { runCommand, type ServeProcess, startServe } from '../support/run-command.js';

interface PrintedClient {
  readonly scopes: readonly string[];
  readonly client_id: string;
  readonly client_secret?: string;
  readonly status: string;
  readonly authentication: string;
  readonly created_by_user_id?: string;
}

const BANK = ['--name', 'Corner Bank', '--redirect-uri', 'https://bank.example/back', '--scope', 'kyc:read'];

let cwd: string;
let serving: ServeProcess;

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-client-'));
  serving = await startServe({ cwd });
});

afterAll(async () => {
  await serving.stop('SIGTERM');
  rmSync(cwd, { recursive: true });
});

async function run(...args: readonly string[]) {
  return await runCommand(['client', ...args], { cwd });
}

async function add(...args: readonly string[]): Promise<PrintedClient> {
  const { exitCode, stdout, stderr } = await run('add', ...BANK, ...args, '--json');
  expect([exitCode, /invalid|must|cannot/.test(stderr)]).toEqual([0, false]);
  return JSON.parse(stdout) as PrintedClient;
}

/** Authenticates a client with an introspection of an unknown token. @returns The status of the response. */
async function introspect({ client_id, client_secret }: PrintedClient): Promise<number> {
  const response = await fetch(`${serving.url}/oauth/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, token: 'x', ...(client_secret && { client_secret }) }),
  });
  return response.status;
}

describe('proviso client', () => {
  // V7
  it('adds an application to a running service, with a secret that the store does not contain', async () => {
    const added = await add();
    expect(added).toMatchObject({ name: 'Corner Bank', status: 'active', authentication: 'client_secret' });
    expect(added.client_secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await introspect(added)).toBe(200);
    expect(await introspect({ ...added, client_secret: 'a'.repeat(43) })).toBe(401);
    const { stdout } = await run('list', '--json');
    expect(stdout).not.toContain(added.client_secret);
    for (const file of ['proviso.sqlite', 'proviso.sqlite-wal']) {
      expect(readFileSync(join(cwd, '.proviso', file)).includes(added.client_secret ?? '')).toBe(false);
    }
  });

  // V11
  it('revokes an application for good, also for a running service', async () => {
    const added = await add('--id', 'over-soon');
    const first = await run('revoke', 'over-soon');
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout).toMatch(/^over-soon was revoked at \d{4}-.*Z\n$/);
    expect(await introspect(added)).toBe(401);
    expect((await run('revoke', 'over-soon')).stdout).toBe(first.stdout);
    expect((await run('list')).stdout).toMatch(/^over-soon +revoked +client_secret +Corner Bank$/m);
    const readded = await run('add', ...BANK, '--id', 'over-soon');
    expect(readded.exitCode).toBe(2);
    expect(readded.stderr).toContain('`over-soon` is already registered');
  });

  it('adds an application without a secret: a public one, or one that authenticates with keys', async () => {
    expect(await add('--public')).toMatchObject({ authentication: 'none' });
    const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
    writeFileSync(join(cwd, 'keys.json'), JSON.stringify({ keys: [key] }));
    expect(await add('--jwks', 'keys.json')).toMatchObject({ authentication: 'private_key_jwt' });
    const both = await run('add', ...BANK, '--jwks', 'keys.json', '--public');
    expect([both.exitCode, both.stdout]).toEqual([2, '']);
  });

  it('adds an application that must use the chosen authentication method', async () => {
    const chosen = await add('--auth-method', 'client_secret_basic', '--created-by', 'operator-7');
    expect(chosen).toMatchObject({
      authentication: 'client_secret_basic',
      created_by_user_id: 'operator-7',
    });
    // The secret is correct, but sent in the body.
    expect(await introspect(chosen)).toBe(401);
    expect(await introspect(await add('--auth-method', 'client_secret_post'))).toBe(200);
    // The secret is for `client/user-token` only.
    const withoutSecret = await add('--auth-method', 'none');
    expect([withoutSecret.authentication, withoutSecret.client_secret?.length]).toEqual(['none', 43]);
    const rejected = [
      await run('add', ...BANK, '--auth-method', 'private_key_jwt'),
      await run('add', ...BANK, '--auth-method', 'client_secret_basic', '--public'),
      await run('add', ...BANK, '--auth-method', 'tls_client_auth'),
    ];
    expect(rejected.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual(Array(3).fill([2, '']));
    expect(rejected[0]?.stderr).toContain('/token_endpoint_auth_method:');
  });

  it('adds an application with the scopes of every --scope, each once', async () => {
    const { scopes } = await add('--scope', 'openid', '--scope', 'kyc:read identity:read');
    expect(scopes).toEqual(['kyc:read', 'openid', 'identity:read']);
  });

  // S384
  it('adds an application with the name of its organization, a logo and links, and rejects other images and addresses', async () => {
    const logo = join(cwd, 'logo.svg');
    writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const shown = await run(
      ...['add', ...BANK, '--json', '--organization-name', 'Bank & Söhne', '--logo', logo],
      ...['--policy-uri', 'https://bank.example/privacy', '--tos-uri', 'https://bank.example/terms'],
    );
    expect(JSON.parse(shown.stdout)).toMatchObject({
      organization_name: 'Bank & Söhne',
      logo_uri: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
      policy_uri: 'https://bank.example/privacy',
      tos_uri: 'https://bank.example/terms',
    });
    for (const [options, reason] of [
      [['--logo', join(cwd, 'none.png')], '--logo cannot be read'],
      [['--logo', 'logo.gif'], '.png, .jpg'],
      [['--policy-uri', 'javascript:alert(1)'], '/policy_uri: '],
      [['--tos-uri', 'http://bank.example/'], '/tos_uri: '],
    ] as const) {
      const rejected = await run('add', ...BANK, ...options);
      expect([rejected.exitCode, rejected.stderr]).toEqual([2, expect.stringContaining(reason)]);
    }
  });

  // S343
  it('adds an application with limited evidence', async () => {
    const { stdout } = await run('add', ...BANK, '--json', '--max-evidence', 'checks');
    expect(JSON.parse(stdout)).toMatchObject({ max_evidence: 'checks' });
    const rejected = await run('add', ...BANK, '--max-evidence', 'some');
    expect([rejected.exitCode, rejected.stderr]).toEqual([2, expect.stringContaining('full, checks, none')]);
  });

  // S268
  it('adds an application that must push its authorization requests', async () => {
    const addWith = async (...options: string[]) =>
      JSON.parse((await run('add', ...BANK, '--json', ...options)).stdout) as Record<string, unknown>;
    const required = await addWith('--require-pushed-authorization-requests');
    expect(required['require_pushed_authorization_requests']).toBe(true);
    expect(await addWith()).not.toHaveProperty('require_pushed_authorization_requests');
    const query = new URLSearchParams({
      client_id: String(required['client_id']),
      redirect_uri: 'https://bank.example/back',
    });
    const rejected = await fetch(`${serving.url}/oauth/authorize?${query}`, { redirect: 'manual' });
    expect(rejected.headers.get('location')).toContain('must%20push%20its%20authorization%20requests');
  });

  // S281
  it('adds an application whose tokens must be bound to a key', async () => {
    expect(await add('--dpop-bound-access-tokens')).toMatchObject({ dpop_bound_access_tokens: true });
    expect(await add()).not.toHaveProperty('dpop_bound_access_tokens');
  });

  it('adds an application with ID tokens signed with RS256, or with ES256 if chosen', async () => {
    const algorithmOf = async (...options: string[]) =>
      (JSON.parse((await run('add', ...BANK, '--json', ...options)).stdout) as Record<string, unknown>)[
        'id_token_signed_response_alg'
      ];
    expect(await algorithmOf()).toBe('RS256');
    expect(await algorithmOf('--id-token-signed-response-alg', 'ES256')).toBe('ES256');
    const rejected = await run('add', ...BANK, '--id-token-signed-response-alg', 'none');
    expect([rejected.exitCode, rejected.stdout]).toEqual([2, '']);
  });

  // S49
  it('adds post-logout redirect URIs, and validates them as redirect URIs', async () => {
    const option = '--post-logout-redirect-uri';
    const added = await run(
      ...['add', ...BANK, '--json', option, 'https://bank.example/bye', 'http://127.0.0.1:8000/'],
    );
    const expected = { post_logout_redirect_uris: ['https://bank.example/bye', 'http://127.0.0.1:8000/'] };
    const shown = JSON.parse(added.stdout) as { readonly client_id: string };
    expect(shown).toMatchObject(expected);
    const listed = JSON.parse((await run('list', '--json')).stdout) as { readonly client_id: string }[];
    expect(listed.find(({ client_id }) => client_id === shown.client_id)).toMatchObject(expected);
    const rejected = await run(
      'add',
      ...BANK,
      option,
      'http://bank.example/bye',
      'https://bank.example/#bye',
    );
    expect([rejected.exitCode, rejected.stdout]).toEqual([2, '']);
    for (const pointer of ['/post_logout_redirect_uris/0:', '/post_logout_redirect_uris/1:'])
      expect(rejected.stderr).toContain(pointer);
  });

  // S49
  it('rejects an invalid application with every problem, and records nothing', async () => {
    const before = (await run('list')).stdout;
    const { exitCode, stdout, stderr } = await run(
      'add',
      ...['--name', '', '--redirect-uri', 'http://bank.example/back', '--scope', 'kyc:read nope'],
    );
    expect([exitCode, stdout]).toEqual([2, '']);
    for (const pointer of ['/name:', '/redirect_uris/0:', '/scopes/1:']) expect(stderr).toContain(pointer);
    expect((await run('list')).stdout).toBe(before);
  });

  // S49
  it('leaves a new store open for both environments if the application is invalid', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proviso-client-'));
    try {
      const args = ['client', 'add', '--name', 'Corner Bank', '--scope', 'kyc:read', '--redirect-uri'];
      const failed = await runCommand([...args, 'nonsense'], { cwd: folder });
      expect(failed.exitCode).toBe(2);
      const env = { PROVISO_ENVIRONMENT: 'production', PROVISO_KEY: '0123456789abcdef'.repeat(4) };
      const added = await runCommand([...args, 'https://bank.example/back'], { cwd: folder, env });
      expect([added.exitCode, added.stderr]).toEqual([0, expect.not.stringContaining('belongs to')]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('rejects control characters in the name, organization or purpose', async () => {
    const before = (await run('list')).stdout;
    const clearScreen = '\u001b[2J';
    const { exitCode, stdout, stderr } = await run(
      ...[
        'add',
        ...BANK,
        '--name',
        `Bank${clearScreen}`,
        '--organization',
        `o${clearScreen}`,
        '--purpose',
        `p\u009b2J`,
      ],
    );
    expect([exitCode, stdout]).toEqual([2, '']);
    for (const pointer of ['/name:', '/organization_id:', '/purpose:']) expect(stderr).toContain(pointer);
    expect(stderr).not.toMatch(/[^\P{Cc}\n]/u);
    expect((await run('list')).stdout).toBe(before);
  });

  it('replaces control characters, including those of text direction, in the names of listed applications', async () => {
    const store = await openSqliteStore(join(cwd, '.proviso', 'proviso.sqlite'));
    await store.upsertApplication({
      ...{ clientId: 'embedded', name: 'Em\u001b[2Jbedded \u202Eknab', organizationId: 'o', createdAt: 0 },
      ...{ redirectUris: [], scopes: [], idTokenAlgorithm: 'ES256' },
    });
    await store.close();
    expect((await run('list')).stdout).toMatch(/^embedded +active +none +Em\?\[2Jbedded \?knab$/m);
  });

  // V2
  it('registers an id once if it is requested several times concurrently', async () => {
    const attempts = await Promise.all([1, 2, 3].map(() => run('add', ...BANK, '--id', 'at-once', '--json')));
    expect(attempts.map(({ exitCode }) => exitCode).sort()).toEqual([0, 2, 2]);
    const added = attempts.find(({ exitCode }) => exitCode === 0)?.stdout ?? '';
    expect(await introspect(JSON.parse(added) as PrintedClient)).toBe(200);
  });

  it('reports that an unknown application cannot be revoked', async () => {
    const { exitCode, stdout, stderr } = await run('revoke', 'nobody');
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('application `nobody` not found');
  });
});

describe('proviso client stale-grants', () => {
  /** Opens the store of the running service, to change it as an applications file does at a start. */
  async function withStore<Result>(
    work: (store: Awaited<ReturnType<typeof openSqliteStore>>) => Promise<Result>,
  ) {
    const store = await openSqliteStore(join(cwd, '.proviso', 'proviso.sqlite'));
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  const isActive = async ({ client_id, client_secret }: PrintedClient, token: string) => {
    const body = new URLSearchParams({ client_id, token, ...(client_secret && { client_secret }) });
    const response = await fetch(`${serving.url}/oauth/introspect`, { method: 'POST', body });
    return ((await response.json()) as { readonly active: boolean }).active;
  };

  it('lists grants with scopes that their application no longer has, and revokes them with --revoke', async () => {
    const added = await add('--id', 'narrowed', '--scope', 'openid kyc:read');
    const tokens = new Map([
      ['both', ['openid', 'kyc:read']],
      ['one', ['openid']],
    ]);
    await withStore(async (store) => {
      const [person] = await store.listPeople(1);
      const userId = person?.id ?? '';
      const issuedAt = Date.now();
      for (const [name, scopes] of tokens) {
        const tokenHash = createHash('sha256').update(name.padEnd(43, '_')).digest('base64url');
        const token = { tokenHash, scopes, issuedAt, expiresAt: issuedAt + 3_600_000 };
        const grant = { authorizationId: name, clientId: 'narrowed', userId, scopes, token };
        await store.recordDirectGrant({ ...grant, subject: { sector: 's', hash: name } });
      }
    });
    expect(await run('stale-grants', 'narrowed')).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: '0 grants with scopes or conditions that `narrowed` may no longer request\n',
    });
    await withStore(async (store) => {
      const application = await store.findApplication('narrowed');
      if (application !== undefined) await store.upsertApplication({ ...application, scopes: ['openid'] });
    });
    const listed = await run('stale-grants', 'narrowed');
    expect([listed.exitCode, listed.stdout]).toEqual([0, 'both  person-ada  kyc:read\n']);
    expect(await isActive(added, 'both'.padEnd(43, '_'))).toBe(true);
    const revoked = await run('stale-grants', 'narrowed', '--revoke', '--json');
    expect(JSON.parse(revoked.stdout)).toEqual({
      authorization_id: 'both',
      person_id: 'person-ada',
      withdrawn_scopes: ['kyc:read'],
    });
    expect([revoked.exitCode, revoked.stderr]).toEqual([0, '1 grant revoked\n']);
    expect(await isActive(added, 'both'.padEnd(43, '_'))).toBe(false);
    expect(await isActive(added, 'one'.padEnd(43, '_'))).toBe(true);
    expect((await run('stale-grants', 'narrowed')).stdout).toBe('');
  });

  it('reports an unknown application', async () => {
    const { exitCode, stdout, stderr } = await run('stale-grants', 'nobody');
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('application `nobody` not found');
  });
});

describe('listing and revoking applications', () => {
  it.each([[['list']], [['revoke', 'nobody']], [['stale-grants', 'nobody']]])(
    'do not create a missing store: %j',
    async (args) => {
      const path = join(cwd, 'nothing.sqlite');
      const env = { PROVISO_DATABASE_URL: `sqlite:${path}` };
      const { exitCode, stdout, stderr } = await runCommand(['client', ...args], { cwd, env });
      expect([exitCode, stdout, stderr]).toEqual([1, '', `proviso: no store found at ${path}\n`]);
      expect(existsSync(path)).toBe(false);
    },
  );

  it.each([[['list']], [['revoke', 'nobody']]])(
    'do not migrate a store whose tables are missing: %j',
    async (args) => {
      const path = join(cwd, `without-tables-${args[0]}.sqlite`);
      const file = new Libsql(path);
      file.exec(
        'CREATE TABLE schema_version (version BIGINT NOT NULL); INSERT INTO schema_version VALUES (0)',
      );
      file.close();
      const before = readFileSync(path);
      const env = { PROVISO_DATABASE_URL: `sqlite:${path}` };
      const { exitCode, stderr } = await runCommand(['client', ...args], { cwd, env });
      expect([exitCode, stderr]).toEqual([1, `proviso: no store found at ${path}\n`]);
      expect(readFileSync(path)).toEqual(before);
    },
  );
});
