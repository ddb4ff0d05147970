/**
 * Measures the bundle size of each entry point against its budget: `npm run check -- sizes`.
 *
 * The budget applies to bundles minified by esbuild and compressed by gzip; Brotli, and gzip after terser, are shown
 * for comparison. Dependencies are included only in bundles for browsers.
 */

import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';
import { sqlText } from './sql-text.js';

/** An import statement to bundle. */
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
    name: 'the engine, without patterns',
    statement: "export { compile, ClaimSet } from './src/engine/index.js'",
    budget: 12,
  },
  { name: 'proviso', statement: "export * from './src/index.js'", budget: 75 },
  { name: 'proviso/client', statement: "export * from './src/client/index.js'", budget: 13 },
  { name: 'proviso/builder', statement: "export * from './src/builder/index.js'", budget: 12 },
  { name: 'proviso/analysis', statement: "export * from './src/analysis/index.js'", budget: 80 },
  { name: 'proviso/policy-tests', statement: "export * from './src/policy-tests/index.js'", budget: 90 },
  { name: 'proviso/sql', statement: "export * from './src/sql/index.js'", budget: 32, isForServers: true },
  {
    name: 'proviso/testing',
    statement: "export * from './src/testing/index.js'",
    budget: 30,
    isForServers: true,
  },
  {
    name: 'proviso/service',
    statement: "export * from './src/service/index.js'",
    budget: 60,
    isForServers: true,
  },
  { name: 'proviso/http', statement: "export * from './src/http/index.js'", budget: 90, isForServers: true },
  {
    name: 'proviso/system',
    statement: "export * from './src/system/index.js'",
    budget: 8,
    isForServers: true,
  },
  {
    name: 'proviso/sqlite',
    statement: "export * from './src/stores/sqlite/index.js'",
    budget: 38,
    isForServers: true,
  },
  {
    name: 'proviso/postgres',
    statement: "export * from './src/stores/postgres/index.js'",
    budget: 38,
    isForServers: true,
  },
  {
    name: 'proviso/workers',
    statement: "export * from './src/workers/index.js'",
    budget: 12,
    isForServers: true,
  },
];

let fits = true;
for (const { name, statement, budget, isForServers } of IMPORTS) {
  const bundle = await build({
    stdin: { contents: statement, resolveDir: fileURLToPath(new URL('..', import.meta.url)), loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'node20',
    platform: isForServers === true ? 'node' : 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    loader: { '.css': 'text', '.svg': 'text', '.browser.js': 'text' },
    plugins: [sqlText],
    logLevel: 'error',
    ...(isForServers === true ? { packages: 'external' as const } : {}),
  });
  const byEsbuild = bundle.outputFiles[0]?.text ?? '';
  const { code = '' } = await minify(byEsbuild, { module: true, ecma: 2020, compress: { passes: 3 } });
  const size = kilobytesOf(gzipSync(byEsbuild));
  const isWithinBudget = size <= budget;
  fits &&= isWithinBudget;
  const otherSizes = `${inKilobytes(kilobytesOf(brotliCompressSync(byEsbuild)))} by Brotli; ${inKilobytes(kilobytesOf(gzipSync(code)))} by terser and gzip`;
  process.stdout.write(
    `${isWithinBudget ? 'fits' : 'TOO LARGE'}  ${name.padEnd(30)} ${inKilobytes(size).padStart(6)} KB of ${String(budget).padEnd(3)} (${otherSizes})\n`,
  );
}
process.exitCode = fits ? 0 : 1;

/** Kilobytes of 1,000 bytes. */
function kilobytesOf({ byteLength }: Uint8Array): number {
  return byteLength / 1_000;
}

function inKilobytes(size: number): string {
  return size.toFixed(1);
}
