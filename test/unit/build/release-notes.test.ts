/** What a release makes of the changelog. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isLater, releaseChangelog } from '../../../build/release-notes.js';

describe('the changelog of a release', () => {
  it('has what was unreleased under its version, and a place for what comes next', () => {
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

  it('is made of the one that is there', () => {
    const ours = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
    expect(releaseChangelog(ours, '99.0.0', '2026-02-02').changelog).toContain('\n## 99.0.0 (2026-02-02)\n');
  });

  it.each([
    ['0.2.0', '0.1.0', true],
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.1.0', '0.1.0', false],
    ['0.1.9', '0.2.0', false],
  ])('%s comes after %s: %s', (version, before, expected) => {
    expect(isLater(version, before)).toBe(expected);
  });

  it.each(['', '1.0', 'v1.0.0', '1.0.0-beta'])('%j is no version', (version) => {
    expect(() => isLater(version, '0.1.0')).toThrow('three numbers');
  });
});
