/**
 * Runs each implementation in this folder through `proviso conformance`: all vectors and 100,000 random scenarios.
 *
 *   npm run check -- implementations [--runs 100000] [--seed N]
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { IMPLEMENTATIONS, sourcesOf, whyAbsent } from './implementations.js';

const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const DEFAULT_OPTIONS = ['--runs', '100000'];

let status = 0;
for (const implementation of IMPLEMENTATIONS) {
  const reason = whyAbsent(implementation);
  if (reason !== undefined) {
    process.stdout.write(`${reason}\n`);
    continue;
  }
  const { build, command } = implementation;
  const cwd = sourcesOf(implementation);
  const built = build === undefined ? 0 : spawnSync('sh', ['-c', build], { cwd, stdio: 'inherit' }).status;
  const args = ['conformance', '--command', command, ...DEFAULT_OPTIONS, ...process.argv.slice(2)];
  const run =
    built === 0 ? spawnSync(process.execPath, [COMMAND, ...args], { cwd, stdio: 'inherit' }) : undefined;
  if (run?.status !== 0) status = 1;
}
process.exitCode = status;
