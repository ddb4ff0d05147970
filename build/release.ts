/**
 * Creates a release of the committed state: `npm run release -- 0.2.0 [--repository URL] [--dry-run]`.
 *
 * Writes the version to the manifest and the Helm chart, updates the changelog, commits, tags, and packs both packages. Pushes and publishes nothing:
 * CONTRIBUTING.md describes what to do next.
 *
 * `repository` in package.json is the only place with the public address; the first release sets it by the option.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Manifest } from './packages.js';
import { isLater, releaseChangelog, withAddress } from './release-notes.js';
import { writeDeployment } from './write-deployment.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false }, repository: { type: 'string' } },
});

try {
  release(positionals[0] ?? '', values.repository, values['dry-run']);
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

function release(version: string, address: string | undefined, isDryRun: boolean): void {
  const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as Manifest;
  const { version: current, repository } = manifest;
  const addressed = withAddress(manifest, address ?? repository?.url);
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
  writeFileSync(`${ROOT}package.json`, `${JSON.stringify(addressed, undefined, 2)}\n`);
  execFileSync('npm', ['version', version, '--no-git-tag-version', '--silent'], { cwd: ROOT });
  writeDeployment(version);
  writeFileSync(`${ROOT}CHANGELOG.md`, changelog);
  git('commit', '--quiet', '--all', '--message', `release: ${version}`);
  // By default, git removes lines that start with `#`, such as the headings of the notes.
  git('tag', '--annotate', '--cleanup=whitespace', `v${version}`, '--message', notes);
  process.stdout.write(
    `committed and tagged as v${version}; push the commit and the tag, run .ci/run on a checkout of the tag, and publish both tarballs with \`npm publish\` in a CI system that npm supports for provenance\n`,
  );
  execFileSync('npm', ['pack'], { cwd: ROOT, stdio: 'inherit' });
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
