/** The warning about unsupported or vulnerable releases of Node (D22, S204). */
import { describe, expect, it } from 'vitest';
import { unsupportedNote } from '../../../src/cli/runtime-support.js';

describe('the Node release', () => {
  // D22, S204
  it.each(['18.20.8', '20.20.2', '25.9.0'])('%s is reported as unsupported', (version) => {
    expect(unsupportedNote(version)).toMatch(new RegExp(`${version} no longer gets security releases`));
  });

  // S204
  it.each([
    ['20.20.1', '20.20.2'],
    ['20.19.0', '20.20.2'],
    ['22.22.1', '22.22.2'],
    ['24.13.9', '24.14.1'],
  ])('%s is reported as vulnerable, with the fix in %s', (version, fixed) => {
    expect(unsupportedNote(version)).toContain(`${version} has vulnerabilities that ${fixed} fixes`);
  });

  // D22, S204
  it.each(['22.22.2', '22.23.3', '24.14.1', '24.21.0', '26.0.0', '100.0.0'])(
    '%s is not reported',
    (version) => {
      expect(unsupportedNote(version)).toBeUndefined();
    },
  );
});
