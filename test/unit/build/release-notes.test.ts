/** The changelog and the release notes of a release. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isLater, releaseChangelog, withAddress } from '../../../build/release-notes.js';

describe('the changelog of a release', () => {
  it('has the unreleased changes under the new version, and an empty section for the next ones', () => {
    const before =
      '# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n';
    const { changelog, notes } = releaseChangelog(before, '0.2.0', '2026-02-02');
    expect(notes).toBe('### Added\n\n- A thing.');
    expect(changelog).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-02)\n\n### Added\n\n- A thing.\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n',
    );
    expect(() => releaseChangelog(changelog, '0.3.0', '2026-03-03')).toThrow('must not be empty');
    expect(() => releaseChangelog('# Changelog\n', '0.3.0', '2026-03-03')).toThrow('## Unreleased');
  });

  it('can be created from CHANGELOG.md with a new entry, also after a release', () => {
    const current = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
    const withEntry = (text: string) => text.replace('## Unreleased\n', '$&\n- A change.\n');
    const { changelog } = releaseChangelog(withEntry(current), '99.0.0', '2026-02-02');
    expect(changelog).toContain('\n## 99.0.0 (2026-02-02)\n\n- A change.\n');
    const { notes } = releaseChangelog(withEntry(changelog), '99.1.0', '2026-03-03');
    expect(notes).toBe('- A change.');
  });
});

describe('the version of a release', () => {
  it.each([
    ['0.2.0', '0.1.0', true],
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.1.0', '0.1.0', false],
    ['0.1.9', '0.2.0', false],
  ])('%s is later than %s: %s', (version, previous, expected) => {
    expect(isLater(version, previous)).toBe(expected);
  });

  it.each(['', '1.0', 'v1.0.0', '1.0.0-beta'])('must be three numbers, not %j', (version) => {
    expect(() => isLater(version, '0.1.0')).toThrow('three numbers');
  });
});

describe('the public address', () => {
  it('is set once, and the other addresses are derived from it', () => {
    const addressed = withAddress({ name: 'proviso' }, 'https://git.example/org/proviso');
    expect(addressed).toEqual({
      name: 'proviso',
      repository: { type: 'git', url: 'git+https://git.example/org/proviso.git' },
      homepage: 'https://git.example/org/proviso#readme',
      bugs: { url: 'https://git.example/org/proviso/issues' },
    });
    expect(withAddress(addressed, addressed.repository.url)).toEqual(addressed);
  });

  it('is required by a release', () => {
    expect(() => withAddress({}, undefined)).toThrow('the public address is missing');
    expect(() => withAddress({}, 'git@git.example:org')).toThrow('must be an https URL');
  });
});
