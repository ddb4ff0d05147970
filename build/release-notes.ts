/** The changelog at a release: what was unreleased gets a version and a date, and an empty place for what comes next. */

const UNRELEASED = '## Unreleased\n';
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** A changelog with one more release, and what that release says. */
export interface ReleasedChangelog {
  readonly changelog: string;
  readonly notes: string;
}

/**
 * @param date - YYYY-MM-DD.
 * @throws {RangeError} When there is nothing unreleased, or no place for it.
 */
export function releaseChangelog(changelog: string, version: string, date: string): ReleasedChangelog {
  const start = changelog.indexOf(UNRELEASED);
  if (start === -1) throw new RangeError('CHANGELOG.md has a section `## Unreleased`');
  const from = start + UNRELEASED.length;
  const next = changelog.indexOf('\n## ', from);
  const notes = changelog.slice(from, next === -1 ? undefined : next).trim();
  if (notes === '') throw new RangeError('CHANGELOG.md has nothing unreleased');
  const rest = next === -1 ? '' : changelog.slice(next);
  const released = `${changelog.slice(0, from)}\n## ${version} (${date})\n\n${notes}\n${rest}`;
  return { changelog: released, notes };
}

/** Whether one version comes after another (Semantic Versioning §11, without pre-releases). @throws {RangeError} Where one is none. */
export function comesAfter(version: string, before: string): boolean {
  const [one, other] = [parts(version), parts(before)];
  for (let index = 0; index < one.length; index += 1) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function parts(version: string): readonly number[] {
  const found = VERSION.exec(version);
  if (found === null) throw new RangeError(`a version is three numbers such as 1.4.0: ${version}`);
  return found.slice(1).map(Number);
}
