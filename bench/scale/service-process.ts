/** Runs a production service in a separate process, from this or another built checkout of the project. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { freePort } from '../../test/support/free-port.js';
import { DEPLOYMENT_KEY } from './population.js';
import { readCpuMs, readMemoryMiB } from './process-usage.js';

export const HOST = 'scale.example';
const ISSUER = `https://${HOST}/v2`;
export const ADMINISTRATOR = 'the-administrator-of-this-benchmark';
const KEY_ID = 'login';
const ASSERTION_SECONDS = 60;
const MS_PER_SECOND = 1_000;

const SETTINGS = {
  PROVISO_ENVIRONMENT: 'production',
  PROVISO_ISSUER: ISSUER,
  PROVISO_KEY: DEPLOYMENT_KEY,
  PROVISO_ADMINISTRATOR_SHA256: createHash('sha256').update(ADMINISTRATOR).digest('hex'),
  PROVISO_ADMINISTRATOR_APPROVAL: 'always',
  PROVISO_SIGN_IN_URL: 'https://login.example/start',
  PROVISO_LOG_LEVEL: 'error',
  PROVISO_CODE_LIFETIME_SECONDS: '600',
  PROVISO_RATE_LIMIT_PER_MINUTE: '1000000000',
  PROVISO_CLIENT_RATE_LIMIT_PER_MINUTE: '0',
  PROVISO_ADDRESS_RATE_LIMIT_PER_MINUTE: '0',
  PROVISO_AUTHORIZATION_RATE_LIMIT_PER_MINUTE: '0',
  PROVISO_MAX_CONNECTIONS_PER_ADDRESS: '0',
  PROVISO_DRAIN_SECONDS: '0',
};

export interface ServiceProcess {
  readonly port: number;
  /** Milliseconds from the start of the process until it listens. */
  readonly startMs: number;
  /** Resident memory. NaN except on Linux. */
  readonly memoryMiB: () => number;
  /** The highest resident memory so far. NaN except on Linux. */
  readonly peakMemoryMiB: () => number;
  /** CPU time so far. NaN except on Linux. */
  readonly cpuMs: () => number;
  readonly stop: () => Promise<void>;
}

/** A deployment of the service, with the keys of its login page. */
export interface Deployment {
  readonly start: () => Promise<ServiceProcess>;
  /** Runs another command of the same deployment; returns its duration in milliseconds. */
  readonly run: (args: readonly string[]) => Promise<number>;
  /** Signs the assertion with which the login page returns a person to the service. */
  readonly assertSignIn: (person: string, nonce: string) => Promise<string>;
}

/**
 * Creates a deployment.
 *
 * @param checkout - A built checkout of the project. Settings that its version does not have are left out.
 * @param folder - A folder for the files of the deployment.
 */
export async function createDeployment(
  checkout: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<Deployment> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = join(folder, 'login-keys.json');
  writeFileSync(
    keys,
    JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'ES256' }] }),
  );
  const command = join(checkout, 'dist/cli.js');
  const known = readDocumentedSettings(checkout);
  const env = {
    ...process.env,
    ...Object.fromEntries(
      Object.entries({ ...SETTINGS, PROVISO_SIGN_IN_KEYS: keys, ...settings }).filter(([name]) =>
        known.includes(name),
      ),
    ),
  };
  let assertions = 0;
  return {
    start: async () => {
      // In production, the service does not print its port.
      const port = await freePort();
      const startedAt = performance.now();
      const server = spawn(process.execPath, [command, 'serve'], {
        cwd: folder,
        env: { ...env, PROVISO_PORT: String(port) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await waitUntilListening(server);
      return {
        port,
        startMs: performance.now() - startedAt,
        memoryMiB: () => readMemoryMiB(server.pid, 'VmRSS'),
        peakMemoryMiB: () => readMemoryMiB(server.pid, 'VmHWM'),
        cpuMs: () => readCpuMs(server.pid),
        stop: async () => {
          if (server.exitCode !== null || server.signalCode !== null) return;
          const ended = new Promise((resolve) => server.once('exit', resolve));
          server.kill('SIGTERM');
          await ended;
        },
      };
    },
    run: async (args) => {
      const startedAt = performance.now();
      await promisify(execFile)(process.execPath, [command, ...args], { cwd: folder, env });
      return performance.now() - startedAt;
    },
    assertSignIn: async (person, nonce) => {
      assertions += 1;
      const seconds = Math.floor(Date.now() / MS_PER_SECOND);
      return await new SignJWT({
        jti: `assertion-${assertions}`,
        aud: ISSUER,
        iat: seconds,
        exp: seconds + ASSERTION_SECONDS,
        nonce,
        sub: person,
      })
        .setProtectedHeader({ alg: 'ES256', kid: KEY_ID, typ: 'sign-in+jwt' })
        .sign(privateKey);
    },
  };
}

/** Reads the page that names the settings of a checkout: its version rejects all others. */
function readDocumentedSettings(checkout: string): string {
  const path = ['docs/reference/configuration.md', 'docs/configuration.md']
    .map((page) => join(checkout, page))
    .find(existsSync);
  if (path === undefined) throw new Error(`${checkout} must be a checkout of the project`);
  return readFileSync(path, 'utf8');
}

/** Waits for the first output of the service, which it prints when it listens. @throws If the service exits before. */
function waitUntilListening(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('exit', (code) => reject(new Error(`the service exited with ${code}`)));
    server.stdout?.once('data', () => resolve());
  });
}
