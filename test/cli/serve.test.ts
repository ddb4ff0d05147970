/** `proviso serve` and `proviso sandbox token` of the built command (V1, V12). */
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { PredicateResult } from '../../src/index.js';
import { systemClock } from '../../src/system/clock.js';
import { createDpopKey, dpopProof, type ProofOptions, requestTokens } from '../support/dpop.js';
import { freePort } from '../support/free-port.js';
import { runCommand, runShell, type ServeProcess, startServe } from '../support/run-command.js';

let cwd: string;
let serving: ServeProcess | undefined;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-cli-'));
});

afterEach(async () => {
  await serving?.stop('SIGKILL');
  serving = undefined;
  rmSync(cwd, { recursive: true });
});

function evaluate(url: string, token: string, claim: string): Promise<Response> {
  return fetch(`${url}/queries/evaluate`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: { check: { claim, operator: 'isDefined' } } }),
  });
}

describe('proviso serve', () => {
  it('prints a curl command with a valid token and a nested policy, which runs as printed', async () => {
    serving = await startServe({ cwd });
    expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2$/);
    const { stdout, exitCode } = await runShell(serving.curlLine, { cwd });
    const result = JSON.parse(stdout) as PredicateResult;
    expect(exitCode).toBe(0);
    expect(Object.keys(result)).toEqual(['type', 'passed', 'evaluatedAt', 'evidence', 'expiresAt']);
    expect([result.passed, result.evidence.checkResults.length]).toEqual([true, 3]);
    expect(stdout.split('\n').length).toBeGreaterThan(20);
  });

  it.each(['1', '2'])(
    'prints a base URL at which it can be reached if it listens on an IPv6 address, with %s processes',
    async (processes) => {
      serving = await startServe({ cwd, env: { PROVISO_HOST: '::1', PROVISO_PROCESSES: processes } });
      expect(serving.url).toMatch(/^http:\/\/\[::1\]:\d+\/v2$/);
      const { stdout, exitCode } = await runShell(serving.curlLine, { cwd });
      expect([exitCode, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ passed: true })]);
    },
  );

  // S200
  it.each(['1', '2'])(
    'answers a request that arrives as soon as its port is open, with %s processes',
    async (processes) => {
      const port = await freePort();
      const env = { PROVISO_PORT: String(port), PROVISO_PROCESSES: processes };
      let failed = false;
      const starting = startServe({ cwd, env }).catch((error: unknown) => {
        failed = true;
        throw error;
      });
      const firstResponse = async () => {
        while (!failed) {
          // Until the port is open, connections are refused.
          const response = await fetch(`http://127.0.0.1:${port}/v2/health`).catch(() => undefined);
          if (response !== undefined) return response.status;
        }
        return undefined;
      };
      const [status, started] = await Promise.all([firstResponse(), starting]);
      serving = started;
      expect(status).toBe(200);
    },
  );

  // S200
  it('exits with 1 if the port of its metrics is in use, and serves nothing', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const env = { PROVISO_PORT: '0', PROVISO_METRICS_PORT: String(port) };
    const { exitCode, stdout, stderr } = await runCommand(['serve'], { cwd, env });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`port ${port} is in use`);
  });

  // V12
  it('keeps tokens and data after SIGKILL', async () => {
    serving = await startServe({ cwd });
    const { stdout } = await runCommand(['sandbox', 'token', '--person', 'hugo', '--scope', 'kyc:read'], {
      cwd,
    });
    const token = stdout.trim();
    const before = await (await evaluate(serving.url, token, 'kyc.level')).json();
    await serving.stop('SIGKILL');
    serving = await startServe({ cwd });
    const after = await (await evaluate(serving.url, token, 'kyc.level')).json();
    const instants = { evaluatedAt: expect.any(String) };
    expect(after).toEqual({ ...(before as object), ...instants });
  });

  // S275
  it('verifies DPoP proofs, and requires a nonce if PROVISO_DPOP_NONCE is on', async () => {
    serving = await startServe({ cwd, env: { PROVISO_DPOP_NONCE: 'on' } });
    const request = {
      grant_type: 'authorization_code',
      client_id: 'sandbox-public',
      code: 'x',
      redirect_uri: 'x',
      code_verifier: 'x'.repeat(43),
    };
    const proof = dpopProof({ url: serving.url, clock: systemClock }, createDpopKey(), {
      path: '/oauth/token',
    });
    const rejected = await requestTokens(serving, request, proof);
    expect([rejected.status, rejected.body.error]).toEqual([400, 'use_dpop_nonce']);
    const nonce = rejected.headers.get('dpop-nonce');
    expect(nonce).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const errorFor = async (options: Pick<ProofOptions, 'payload'>) => {
      const repeated = dpopProof({ url: serving?.url ?? '', clock: systemClock }, createDpopKey(), {
        path: '/oauth/token',
        ...options,
      });
      const { body } = await requestTokens({ url: serving?.url ?? '' }, request, repeated);
      return body.error;
    };
    expect(await errorFor({ payload: { nonce, htm: 'GET' } })).toBe('invalid_dpop_proof');
    expect(await errorFor({ payload: { nonce } })).toBe('invalid_grant');
  });

  it('exits with 0 on SIGTERM', async () => {
    serving = await startServe({ cwd });
    expect(await serving.stop('SIGTERM')).toBe(0);
  });

  // S200
  it('reports not ready and closes connections after SIGTERM, before it stops', async () => {
    serving = await startServe({ cwd });
    const { url, stop } = serving;
    const ended = stop('SIGTERM');
    await expect
      .poll(
        async () => {
          const response = await fetch(`${url}/ready`);
          return [response.status, response.headers.get('connection'), await response.json()];
        },
        { interval: 20 },
      )
      .toMatchObject([
        503,
        'close',
        { status: 'not_ready', checks: [{ status: 'ok' }, { status: 'failed' }] },
      ]);
    expect(await ended).toBe(0);
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  it('reports in one line that its port is in use, and exits with 1', async () => {
    serving = await startServe({ cwd });
    const { port } = new URL(serving.url);
    const second = await runCommand(['serve'], { cwd, env: { PROVISO_PORT: port } });
    expect([second.exitCode, second.stdout]).toEqual([1, '']);
    expect(second.stderr).toMatch(new RegExp(`^proviso: port ${port} is in use; .*PROVISO_PORT.*\\n$`));
  });

  it('names the settings of an address that it cannot listen on', async () => {
    // RFC 5737: an address of no machine.
    const env = { PROVISO_HOST: '192.0.2.1', PROVISO_PORT: '0' };
    const { exitCode, stdout, stderr } = await runCommand(['serve'], { cwd, env });
    expect([exitCode, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(
        /^proviso: cannot listen on port 0 of 192\.0\.2\.1: .*; PROVISO_HOST and PROVISO_PORT must be .*\n$/,
      ),
    ]);
  });

  // V2, S77
  it.each([
    [{ PROVISO_PORT: 'http' }, /PROVISO_PORT must be an integer/],
    [{ PROVISO_PORT: '70000' }, /PROVISO_PORT must be an integer/],
    [{ PROVISO_DATABASE_URL: 'mysql://x' }, /PROVISO_DATABASE_URL must be `sqlite:`/],
    [
      { PROVISO_ENVIRONMENT: 'staging' },
      /PROVISO_ENVIRONMENT must be one of `sandbox`, `production` \(got `staging`\)/,
    ],
  ])('rejects %j and names the requirement', async (env, message) => {
    const { exitCode, stderr } = await runCommand(['serve'], { cwd, env });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('names the reason why a store cannot be opened', async () => {
    const { exitCode, stderr } = await runCommand(['serve'], {
      cwd,
      env: { PROVISO_DATABASE_URL: 'sqlite:.' },
    });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^proviso: the store .* cannot be opened: .*\n$/);
  });
});

describe('the store of serve', () => {
  // S96, S196
  it('is readable by its owner only, and contains no token in plaintext', async () => {
    serving = await startServe({ cwd });
    const token = /Bearer ([\w-]+)/.exec(serving.curlLine)?.[1] ?? '';
    const folder = join(cwd, '.proviso');
    const files = readdirSync(folder);
    expect(files).toContain('proviso.sqlite');
    for (const file of files) {
      expect(statSync(join(folder, file)).mode & 0o077, file).toBe(0);
      expect(readFileSync(join(folder, file)).includes(token), file).toBe(false);
    }
  });
});

/** A device of Linux: each write fails, as on a full disk. */
const FULL = '/dev/full';

describe.skipIf(!existsSync(FULL))('a log on a full disk', () => {
  // S198
  it.each(['1', '2'])(
    'proviso serve answers requests and stops on SIGINT while its log cannot be written, with %s processes',
    async (processes) => {
      const errorFile = openSync(FULL, 'w');
      onTestFinished(() => closeSync(errorFile));
      const env = { PROVISO_LOG_LEVEL: 'info', PROVISO_PROCESSES: processes };
      serving = await startServe({ cwd, env, errorFile });
      const statuses: number[] = [];
      for (let count = 0; count < 5; count += 1)
        statuses.push((await fetch(`${serving.url}/presets`)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200]);
      expect(await serving.stop('SIGINT')).toBe(0);
    },
  );
});

describe('proviso keys rotate', () => {
  // V10, S179
  it('publishes new keys in addition to the old ones, also in a running service', async () => {
    serving = await startServe({ cwd });
    const keysOf = async () =>
      (
        (await (await fetch(`${serving?.url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }
      ).keys.map(({ kid }) => kid);
    const before = await keysOf();
    const { exitCode, stdout } = await runCommand(['keys', 'rotate'], { cwd });
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/^ES256 [\w-]+ is published now and signs from .*Z\nRS256 .*\n$/),
    ]);
    const after = await keysOf();
    expect([before.length, after.length, before.every((kid) => after.includes(kid))]).toEqual([2, 4, true]);
  });

  it('requires an existing store, and creates none if the URL names no store', async () => {
    const env = { PROVISO_DATABASE_URL: 'sqlite:absent.sqlite' };
    const { exitCode, stdout, stderr } = await runCommand(['keys', 'rotate'], { cwd, env });
    expect([exitCode, stdout, stderr]).toEqual([
      1,
      '',
      `proviso: no store found at ${join(cwd, 'absent.sqlite')}\n`,
    ]);
    expect(existsSync(join(cwd, 'absent.sqlite'))).toBe(false);
  });
});

describe('proviso sandbox token', () => {
  it('prints only a token', async () => {
    const { exitCode, stdout, stderr } = await runCommand(
      ['sandbox', 'token', '--person', 'ada', '--scope', 'openid'],
      { cwd },
    );
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
  });

  it('is rejected in production, and creates no store', async () => {
    const env = { PROVISO_ENVIRONMENT: 'production', PROVISO_ISSUER: 'https://proviso.example/v2' };
    const { exitCode, stdout, stderr } = await runCommand(
      ['sandbox', 'token', '--person', 'ada', '--scope', 'openid'],
      {
        cwd,
        env: { ...env, PROVISO_DATABASE_URL: 'sqlite:new.sqlite', PROVISO_KEY: '0123456789abcdef'.repeat(4) },
      },
    );
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('proviso sandbox token requires PROVISO_ENVIRONMENT to be sandbox');
    expect(existsSync(join(cwd, 'new.sqlite'))).toBe(false);
  });

  it.each([
    [['--person', 'zoe', '--scope', 'openid'], /unknown person zoe; the sandbox has ada, bruno, /],
    [['--person', 'ada', '--scope', 'openid kyc:all'], /unknown scope kyc:all; the catalogue has openid, /],
    [['--person', 'ada', '--scope', ''], /a scope is required; the catalogue has openid, /],
    [['--person', 'ada'], /required option '--scope <scopes>'/],
  ])('rejects %j with a message that names what is required', async (args, message) => {
    const { exitCode, stdout, stderr } = await runCommand(['sandbox', 'token', ...args], { cwd });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});
