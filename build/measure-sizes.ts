/**
 * Measures the bundle size of each entry point, and the installed package `proviso`, against budgets: `npm run check -- sizes`.
 *
 * The budget of an entry point applies to bundles minified by esbuild and compressed by gzip; the size by Brotli is shown for comparison.
 * Dependencies are included only in bundles for browsers. The package is packed and installed in a temporary folder.
 */

import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundledText } from './bundled-text.js';
import { ROOT } from './packages.js';

/** An entry point, or a part of its exports, to bundle. */
interface Import {
  readonly name: string;
  readonly statement: string;
  /** Kilobytes of 1,000 bytes. */
  readonly budget: number;
  /** Whether dependencies are excluded, since a server has them installed. */
  readonly isForServers?: true;
}

const IMPORTS: readonly Import[] = [
  {
    name: 'proviso, without patterns',
    statement: "export { compile, ClaimSet } from './src/index.js'",
    budget: 15,
  },
  {
    name: 'proviso, an engine without patterns',
    statement: "export { createEngine } from './src/index.js'",
    budget: 27,
  },
  // Includes the texts of scopes in each language.
  { name: 'proviso', statement: "export * from './src/index.js'", budget: 85 },
  { name: 'proviso/client', statement: "export * from './src/client/index.js'", budget: 13 },
  { name: 'proviso/builder', statement: "export * from './src/builder/index.js'", budget: 12 },
  { name: 'proviso/analysis', statement: "export * from './src/analysis/index.js'", budget: 90 },
  {
    name: 'proviso/codegen',
    statement: "export * from './src/codegen/index.js'",
    budget: 25,
    isForServers: true,
  },
  { name: 'proviso/convert', statement: "export * from './src/convert/index.js'", budget: 30 },
  { name: 'proviso/describe', statement: "export * from './src/describe/index.js'", budget: 40 },
  { name: 'proviso/policy-set', statement: "export * from './src/policy-set/index.js'", budget: 23 },
  { name: 'proviso/policy-tests', statement: "export * from './src/policy-tests/index.js'", budget: 94 },
  { name: 'proviso/sql', statement: "export * from './src/sql/index.js'", budget: 32, isForServers: true },
  {
    name: 'proviso/testing',
    statement: "export * from './src/testing/index.js'",
    budget: 30,
    isForServers: true,
  },
  {
    name: 'proviso-server/service',
    statement: "export * from './src/service/index.js'",
    budget: 94,
    isForServers: true,
  },
  {
    name: 'proviso-server/http',
    statement: "export * from './src/http/index.js'",
    // 17 of these kilobytes are the pages in the five languages besides English.
    budget: 113,
    isForServers: true,
  },
  {
    name: 'proviso-server/system',
    statement: "export * from './src/system/index.js'",
    budget: 11,
    isForServers: true,
  },
  {
    name: 'proviso-server/sqlite',
    statement: "export * from './src/stores/sqlite/index.js'",
    budget: 46,
    isForServers: true,
  },
  {
    name: 'proviso-server/postgres',
    statement: "export * from './src/stores/postgres/index.js'",
    budget: 44,
    isForServers: true,
  },
  {
    name: 'proviso/workers',
    statement: "export * from './src/workers/index.js'",
    budget: 34,
    isForServers: true,
  },
];

/** `npm install proviso`: the number of packages, and megabytes of 1,000,000 bytes on disk. */
const INSTALL_BUDGET = { packages: 3, megabytes: 4 };

let fits = true;
for (const { name, statement, budget, isForServers } of IMPORTS) {
  const bundle = await build({
    stdin: { contents: statement, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'node20',
    // Applications bundle with the default of esbuild; the packages for servers are installed as they are.
    charset: isForServers === true ? 'utf8' : 'ascii',
    platform: isForServers === true ? 'node' : 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    loader: { '.svg': 'text', '.browser.js': 'text' },
    plugins: [bundledText],
    logLevel: 'error',
    ...(isForServers === true ? { packages: 'external' as const } : {}),
  });
  const byEsbuild = bundle.outputFiles[0]?.text ?? '';
  const size = kilobytesOf(gzipSync(byEsbuild));
  const isWithinBudget = size <= budget;
  fits &&= isWithinBudget;
  const byBrotli = inKilobytes(kilobytesOf(brotliCompressSync(byEsbuild)));
  process.stdout.write(
    `${isWithinBudget ? 'fits' : 'TOO LARGE'}  ${name.padEnd(30)} ${inKilobytes(size).padStart(6)} KB of ${String(budget).padEnd(3)} (${byBrotli} by Brotli)\n`,
  );
}
const { packages, megabytes } = measureInstall();
const isSmall = packages <= INSTALL_BUDGET.packages && megabytes <= INSTALL_BUDGET.megabytes;
fits &&= isSmall;
process.stdout.write(
  `${isSmall ? 'fits' : 'TOO LARGE'}  ${'npm install proviso'.padEnd(30)} ${megabytes.toFixed(1).padStart(6)} MB of ${INSTALL_BUDGET.megabytes}, ${packages} packages of ${INSTALL_BUDGET.packages}\n`,
);
process.exitCode = fits ? 0 : 1;

/** Packs `proviso`, installs it in an empty folder, and measures the installation. */
function measureInstall(): { readonly packages: number; readonly megabytes: number } {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-install-'));
  const npm = (args: readonly string[], cwd: string) =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const tarball = npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], ROOT).trim();
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{}');
    npm(
      [
        'install',
        '--silent',
        '--omit=dev',
        '--no-audit',
        '--no-fund',
        '--prefer-offline',
        join(folder, tarball),
      ],
      project,
    );
    const installed = npm(['ls', '--all', '--parseable'], project).trim().split('\n').slice(1);
    return { packages: installed.length, megabytes: bytesOnDisk(join(project, 'node_modules')) / 1_000_000 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the bytes that the files of a folder occupy on disk, in whole blocks. */
function bytesOnDisk(folder: string): number {
  const BLOCK = 512;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => lstatSync(join(folder, path)).blocks * BLOCK)
    .reduce((sum, bytes) => sum + bytes, 0);
}

/** Returns a size in kilobytes of 1,000 bytes. */
function kilobytesOf({ byteLength }: Uint8Array): number {
  return byteLength / 1_000;
}

function inKilobytes(size: number): string {
  return size.toFixed(1);
}
