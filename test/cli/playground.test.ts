/** The playground is served in the sandbox unless it is switched off, and in production only if it is switched on (V1, V2). */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfiguration } from '../../src/cli/configuration/read-configuration.js';
import { type ServeProcess, startServe } from '../support/run-command.js';

const SECRET = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';
const PRODUCTION = {
  PROVISO_ENVIRONMENT: 'production',
  PROVISO_ISSUER: 'https://claims.example/v2',
  PROVISO_KEY: SECRET,
  PROVISO_ADMINISTRATOR_SHA256: SECRET,
};

const COMMAND = fileURLToPath(new URL('../../dist/server/cli.js', import.meta.url));

let cwd: string;
let serving: ServeProcess | undefined;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-playground-'));
});

afterEach(async () => {
  await serving?.stop('SIGKILL');
  serving = undefined;
  rmSync(cwd, { recursive: true });
});

/** Requests the playground with a `Host` header, as a reverse proxy does. */
function statusOf(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/playground', headers: { host } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });
}

it.each([
  ['on in the sandbox', {}, 'on'],
  ['off in production', PRODUCTION, 'off'],
  ['on in production if switched on', { ...PRODUCTION, PROVISO_PLAYGROUND: 'on' }, 'on'],
])('the playground is %s', (_title, variables, expected) => {
  const { values, problems } = readConfiguration({ variables, serving: true });
  expect([values.playground, problems]).toEqual([expected, []]);
});

// V1
it('the playground is served in the sandbox with all its assets', async () => {
  serving = await startServe({ cwd });
  const { origin } = new URL(serving.url);
  const page = await (await fetch(`${origin}/playground`)).text();
  const assets = [...page.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(assets.length).toBeGreaterThanOrEqual(3);
  for (const path of assets) expect([path, (await fetch(`${origin}/${path}`)).status]).toEqual([path, 200]);
});

// V1
it('the playground is not served if switched off', async () => {
  serving = await startServe({ cwd, env: { PROVISO_PLAYGROUND: 'off' } });
  expect((await fetch(`${new URL(serving.url).origin}/playground`)).status).toBe(404);
});

// V2
it.each([
  ['not served', {}, 404],
  ['served if switched on', { PROVISO_PLAYGROUND: 'on' }, 200],
])('the playground is %s in production', async (_title, env, status) => {
  const started = await startProduction({ ...PRODUCTION, ...env });
  try {
    expect(await statusOf(started.port, 'claims.example')).toBe(status);
  } finally {
    await started.stop();
  }
});

async function startProduction(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [COMMAND, 'serve'], {
    cwd,
    env: { ...process.env, ...env, PROVISO_PORT: '0', PROVISO_DRAIN_SECONDS: '0' },
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  await expect.poll(() => output).toContain('base URL');
  // The port is in the log, which is another stream and may arrive later.
  const port = () => /"port":(\d+)\D/.exec(output)?.[1];
  await expect.poll(port).toBeDefined();
  return {
    port: Number(port()),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
