/** What is said of the Node that runs us (D22). */
import { describe, expect, it } from 'vitest';
import { unsupportedNote } from '../../../src/cli/runtime-support.js';

describe('a line of Node', () => {
  it.each(['18.20.8', '20.20.2'])('%s without support is named (D22)', (version) => {
    expect(unsupportedNote(version)).toContain(version);
  });

  it.each(['22.23.3', '24.21.0', '26.0.0', '100.0.0'])('%s with support is passed over (D22)', (version) => {
    expect(unsupportedNote(version)).toBeUndefined();
  });
});
