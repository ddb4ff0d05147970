/** Updates the changelog and the manifest for a release. */

const UNRELEASED = '## Unreleased\n';
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** The updated changelog, and the notes of the release. */
export interface ReleasedChangelog {
  readonly changelog: string;
  readonly notes: string;
}

/**
 * Moves the unreleased section to a new version.
 *
 * @param date - YYYY-MM-DD.
 * @throws {RangeError} If the unreleased section is missing or empty.
 */
export function releaseChangelog(changelog: string, version: string, date: string): ReleasedChangelog {
  const start = changelog.indexOf(UNRELEASED);
  if (start === -1) throw new RangeError('CHANGELOG.md must have a section `## Unreleased`');
  const from = start + UNRELEASED.length;
  const next = changelog.indexOf('\n## ', from);
  const notes = changelog.slice(from, next === -1 ? undefined : next).trim();
  if (notes === '') throw new RangeError('the section `## Unreleased` of CHANGELOG.md must not be empty');
  const rest = next === -1 ? '' : changelog.slice(next);
  const released = `${changelog.slice(0, from)}\n## ${version} (${date})\n\n${notes}\n${rest}`;
  return { changelog: released, notes };
}

/**
 * Returns whether a version is later than another (Semantic Versioning §11, without pre-releases).
 *
 * @throws {RangeError} If one of them is malformed.
 */
export function isLater(version: string, other: string): boolean {
  const [left, right] = [parts(version), parts(other)];
  for (let index = 0; index < left.length; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/**
 * Returns a manifest with the public address of the repository, and of the pages that are derived from it.
 *
 * @param repository - An https URL, or the form that npm writes: `git+https://….git`.
 * @throws {RangeError} If the address is missing, or is not an https URL.
 */
export function withAddress<Manifest extends object>(
  manifest: Manifest,
  repository: string | undefined,
): Manifest & {
  readonly repository: { readonly type: 'git'; readonly url: string };
  readonly homepage: string;
  readonly bugs: object;
} {
  if (repository === undefined)
    throw new RangeError('the public address is missing: pass `--repository https://…` at the first release');
  const address = repository.replace(/^git\+/, '').replace(/(?:\.git)?\/?$/, '');
  if (!/^https:\/\/[\w.-]+\/\S+$/.test(address))
    throw new RangeError(`\`--repository\` must be an https URL (got ${repository})`);
  return {
    ...manifest,
    repository: { type: 'git', url: `git+${address}.git` },
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
  };
}

function parts(version: string): readonly number[] {
  const found = VERSION.exec(version);
  if (found === null) throw new RangeError(`a version must be three numbers such as 1.4.0 (got ${version})`);
  return found.slice(1).map(Number);
}
