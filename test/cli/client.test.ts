/** `proviso client`, built, beside a service that runs: registered, listed, given up (V2, V7, V11). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, type Serving, startServe } from '../support/run-command.js';

interface Shown {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly status: string;
  readonly authentication: string;
}

const BANK = ['--name', 'Corner Bank', '--redirect-uri', 'https://bank.example/back', '--scope', 'kyc:read'];

let cwd: string;
let serving: Serving;

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

async function add(...args: readonly string[]): Promise<Shown> {
  const { exitCode, stdout, stderr } = await run('add', ...BANK, ...args, '--json');
  expect([exitCode, stderr.includes('not right')]).toEqual([0, false]);
  return JSON.parse(stdout) as Shown;
}

/** How the service takes a client: asked about a token that is nobody's. */
async function introspect({ client_id, client_secret }: Shown): Promise<number> {
  const response = await fetch(`${serving.url}/oauth/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, token: 'x', ...(client_secret && { client_secret }) }),
  });
  return response.status;
}

describe('an application', () => {
  it('is known to a running service once it is added, by a secret that the store does not hold (V7)', async () => {
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

  it('is over for a running service once it is revoked, for good (V11)', async () => {
    const added = await add('--id', 'over-soon');
    const first = await run('revoke', 'over-soon');
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout).toMatch(/^over-soon is revoked since \d{4}-.*Z\n$/);
    expect(await introspect(added)).toBe(401);
    expect((await run('revoke', 'over-soon')).stdout).toBe(first.stdout);
    expect((await run('list')).stdout).toMatch(/^over-soon +revoked +client_secret +Corner Bank$/m);
    const again = await run('add', ...BANK, '--id', 'over-soon');
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain('`over-soon` is registered already');
  });

  it('that keeps no secret is public, or signs', async () => {
    expect(await add('--public')).toMatchObject({ authentication: 'none' });
    const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
    writeFileSync(join(cwd, 'keys.json'), JSON.stringify({ keys: [key] }));
    expect(await add('--jwks', 'keys.json')).toMatchObject({ authentication: 'private_key_jwt' });
    const both = await run('add', ...BANK, '--jwks', 'keys.json', '--public');
    expect([both.exitCode, both.stdout]).toEqual([2, '']);
  });

  it('that is not right is refused with everything that is wrong, and none is recorded (S49)', async () => {
    const before = (await run('list')).stdout;
    const { exitCode, stdout, stderr } = await run(
      'add',
      ...['--name', '', '--redirect-uri', 'http://bank.example/back', '--scope', 'kyc:read nope'],
    );
    expect([exitCode, stdout]).toEqual([2, '']);
    for (const place of ['/name:', '/redirect_uris/0:', '/scopes/1:']) expect(stderr).toContain(place);
    expect((await run('list')).stdout).toBe(before);
  });

  it('that nobody knows cannot be revoked', async () => {
    const { exitCode, stdout, stderr } = await run('revoke', 'nobody');
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('there is no application `nobody`');
  });
});
