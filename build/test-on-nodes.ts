/**
 * Runs the test suite on each supported version of Node: `npm run check -- nodes [22 24]`.
 *
 * Installs the versions from the registry (package `node`) into a temporary folder. Tests start the command, which `npm run check`
 * has built before, with the Node version that they run on.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installNode, SUPPORTED_NODES } from './install-node.js';

const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];

const [requested, vitestArguments] = splitArguments(process.argv.slice(2));
const versions = requested.length === 0 ? SUPPORTED_NODES : requested;
const malformed = versions.filter((version) => !/^\d+(\.\d+){0,2}$/.test(version));
if (malformed.length > 0) {
  process.stderr.write(`a version of Node must be a number such as 22: ${malformed.join(', ')}\n`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'proviso-nodes-'));
const failed: string[] = [];
try {
  for (const version of versions) {
    const bin = installNode(version, folder);
    const { stdout } = spawnSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' });
    process.stdout.write(`\n== Node ${stdout.trim()}\n`);
    const path = `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
    const { status } = spawnSync(join(bin, 'node'), [...VITEST, ...vitestArguments], {
      stdio: 'inherit',
      env: { ...process.env, PATH: path },
    });
    process.stdout.write(`== Node ${stdout.trim()}: ${status === 0 ? 'passes' : 'FAILS'}\n`);
    if (status !== 0) failed.push(version);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(
  failed.length === 0 ? `passes on Node ${versions.join(', ')}\n` : `FAILS on Node ${failed.join(', ')}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Splits the arguments: leading versions, then the arguments of vitest. */
function splitArguments(all: readonly string[]): readonly [readonly string[], readonly string[]] {
  const rest = all.findIndex((argument) => !/^\d/.test(argument));
  return rest === -1 ? [all, []] : [all.slice(0, rest), all.slice(rest)];
}
