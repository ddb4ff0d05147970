/**
 * Creates a release of the committed state: `npm run release -- 0.2.0 [--dry-run]`.
 *
 * Writes the version and the changelog, commits and tags. The workflow of the tag runs the checks, and then `npm publish` with
 * provenance (see package.json).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isLater, releaseChangelog } from './release-notes.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
});

try {
  release(positionals[0] ?? '', values['dry-run']);
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

function release(version: string, isDryRun: boolean): void {
  const { version: current } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string };
  if (!isLater(version, current))
    throw new RangeError(`the version must be later than ${current} (got ${version})`);
  if (git('status', '--porcelain') !== '')
    throw new Error('the working tree must have no uncommitted changes');
  const date = git('log', '-1', '--format=%cs');
  const { changelog, notes } = releaseChangelog(readFileSync(`${ROOT}CHANGELOG.md`, 'utf8'), version, date);
  process.stdout.write(`${version} (${date})\n\n${notes}\n\n`);
  if (isDryRun) {
    process.stdout.write('nothing was written\n');
    return;
  }
  execFileSync('npm', ['version', version, '--no-git-tag-version', '--silent'], { cwd: ROOT });
  writeFileSync(`${ROOT}CHANGELOG.md`, changelog);
  git('commit', '--quiet', '--all', '--message', `release: ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', notes);
  process.stdout.write(
    `committed and tagged as v${version}; push both; the workflow of the tag runs the checks and \`npm publish\`\n`,
  );
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
