/** Runs the commands of the page on deployment, and starts the service (V2, S202). */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { sendRaw } from '../support/raw-request.js';
import { runCommand, runShell } from '../support/run-command.js';

const [PAGE = ''] = readFileSync(new URL('../../docs/guides/deployment.md', import.meta.url), 'utf8').split(
  /(?=^## SQLite)/m,
);
const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** Replaces the installed command, which the page assumes, by that of the checkout. */
const AS_INSTALLED = `set -eu\nnpx() { shift; node "${COMMAND}" "$@"; }`;

// V2, S202
it('the commands of the page on deployment start a production service, which rejects foreign hosts; its store is rejected by the sandbox command', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-production-'));
  let killService = async () => {};
  try {
    const lines = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text).join('\n');
    const { exitCode, stdout, stderr } = await runShell(`${AS_INSTALLED}\n${lines}`, { cwd });
    expect([exitCode, stdout, stderr]).toEqual([0, 'the configuration is valid\n', '']);
    const env = {
      PROVISO_CONFIG: 'settings.json',
      PROVISO_KEY_FILE: 'secrets/key',
      PROVISO_ADMINISTRATOR_SHA256_FILE: 'secrets/administrator-sha256',
      PROVISO_PORT: '0',
      PROVISO_METRICS_PORT: '0',
      PROVISO_DRAIN_SECONDS: '0',
    };
    const serving = spawn(process.execPath, [COMMAND, 'serve'], { cwd, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [serving.stdout, serving.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const ended = new Promise((resolve) => serving.on('close', resolve));
    killService = async () => {
      serving.kill('SIGKILL');
      await ended;
    };
    await expect
      .poll(() => output)
      .toMatch(
        /base URL {2}https:\/\/claims\.example\/v2[\s\S]*"event":"started"|"event":"started"[\s\S]*base URL/,
      );
    const port = /"port":(\d+)/.exec(output)?.[1];
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    expect((await get('/readyz')).status).toBe(200);
    expect((await get('/v2/presets')).status).toBe(403);
    const metrics = /metrics: (\S+)/.exec(output)?.[1] ?? '';
    expect(await (await fetch(metrics)).text()).toContain('proviso_http_request_seconds_count');
    const foreign = 'GET /metrics HTTP/1.1\r\nHost: attacker.example\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(Number(new URL(metrics).port), foreign)).toMatch(/^HTTP\/1\.1 403 /);
    serving.kill('SIGTERM');
    expect(await ended).toBe(0);
    const sandbox = await runCommand(['sandbox', 'token', '--person', 'ada', '--scope', 'openid'], { cwd });
    expect([sandbox.exitCode, sandbox.stderr]).toEqual([2, expect.stringContaining('belongs to production')]);
  } finally {
    await killService();
    rmSync(cwd, { recursive: true });
  }
});

// S202
it('a production service does not start on a store of the sandbox', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-production-'));
  try {
    await runCommand(['sandbox', 'token', '--person', 'ada', '--scope', 'openid'], { cwd });
    const key = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';
    const { exitCode, stderr } = await runCommand(['serve'], {
      cwd,
      env: {
        PROVISO_ENVIRONMENT: 'production',
        PROVISO_ISSUER: 'https://claims.example/v2',
        PROVISO_KEY: key,
        PROVISO_ADMINISTRATOR_SHA256: key,
      },
    });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('belongs to the sandbox')]);
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
