/** Prepares benchmarks: installs the peers and bundles the code. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Installs the engines that Proviso is compared with, unless the versions of the lock file are installed. */
export function installPeerEngines(): void {
  const installed = join(FOLDER, 'node_modules/.package-lock.json');
  const locked = join(FOLDER, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(locked).mtimeMs) return;
  // Writes to standard error, like progress reports.
  execFileSync('npm', ['ci', '--prefix', FOLDER], { stdio: ['ignore', 2, 2] });
}

/**
 * Bundles a program as it would be published, since a TypeScript loader would affect the measurements.
 *
 * @param entry - Path from `bench/`.
 * @returns Path of the bundle.
 */
export async function bundle(entry: string): Promise<string> {
  const outfile = join(FOLDER, '.build', `${entry.replaceAll('/', '-').replace(/\.ts$/, '')}.mjs`);
  await build({ ...BUNDLE, entryPoints: [join(FOLDER, entry)], outfile });
  return outfile;
}

/**
 * Bundles the comparison of this checkout with another one.
 *
 * @param other - Path of the other checkout, whose packages must be installed.
 * @returns Path of the bundle.
 */
export async function bundleComparison(other: string): Promise<string> {
  const outfile = join(FOLDER, '.build', 'against.mjs');
  const contents = `import * as before from ${JSON.stringify(join(other, 'bench/contenders/proviso.ts'))};
    import { compareWith } from './figures/against.js';
    const [workload, shape, rounds, sliceMs] = process.argv.slice(2);
    await compareWith(before, workload, shape, { rounds: Number(rounds), sliceMs: Number(sliceMs) });`;
  await build({ ...BUNDLE, stdin: { contents, resolveDir: FOLDER }, outfile });
  return outfile;
}

const BUNDLE: BuildOptions = {
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  loader: { '.sql': 'text', '.css': 'text', '.svg': 'text', '.browser.js': 'text' },
  logLevel: 'warning',
};

/** Runs a bundle in a separate process. @returns Its standard output; standard error is inherited. */
export function runBundle(
  path: string,
  args: readonly string[],
  nodeFlags: readonly string[] = [],
  cwd: string = process.cwd(),
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeFlags, path, ...args], {
      cwd,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else reject(new Error(`${[basename(path), ...args].join(' ')} exited with ${code ?? signal}`));
    });
  });
}
