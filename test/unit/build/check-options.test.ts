import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseRunsAndSeed } from '../../support/check-options.js';

afterEach(() => vi.restoreAllMocks());

describe('parseRunsAndSeed', () => {
  it('returns the default number of runs and an integer seed without options', () => {
    const { runs, seed } = parseRunsAndSeed({}, 100);
    expect([runs, Number.isSafeInteger(seed)]).toEqual([100, true]);
  });

  it('returns the given number of runs and the given seed', () => {
    expect(parseRunsAndSeed({ runs: '7', seed: '-3' }, 100)).toEqual({ runs: 7, seed: -3 });
  });

  it.each([{ runs: '0' }, { runs: '' }, { runs: '1.5' }, { seed: '' }, { seed: ' ' }, { seed: 'x' }])(
    'ends the process with status 2 for %j',
    (values) => {
      vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
        throw new Error('the process has ended');
      });
      expect(() => parseRunsAndSeed(values, 100)).toThrow('the process has ended');
      expect(exit).toHaveBeenCalledWith(2);
    },
  );
});
