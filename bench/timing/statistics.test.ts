/** The quartiles of samples, and the timing loop. */
import { describe, expect, it } from 'vitest';
import { interleave } from './interleave.js';
import { predicateRunner } from './runner.js';
import { spreadOf } from './statistics.js';

describe('quartiles', () => {
  it('are samples if their positions are integers', () => {
    expect(spreadOf([5, 1, 4, 2, 3])).toEqual({ q1: 2, median: 3, q3: 4 });
  });

  it('are interpolated otherwise', () => {
    expect(spreadOf([4, 1, 3, 2])).toEqual({ q1: 1.75, median: 2.5, q3: 3.25 });
  });

  it('require at least one sample', () => {
    expect(() => spreadOf([])).toThrow(RangeError);
  });
});

describe('the timing loop', () => {
  const expected = [true, false, true];
  const settings = { rounds: 3, sliceMs: 0.05 };

  it('accepts contenders with the expected number of passing results', async () => {
    const inputs = [0, 1, 2];
    const passes = (index: number) => index !== 1;
    const correct = predicateRunner('correct', { mode: 'sync', inputs, passes }, expected);
    const awaited = predicateRunner(
      'awaited',
      { mode: 'async', inputs, passes: async (index: number) => index !== 1 },
      expected,
    );
    const [baseline, other] = await interleave([correct, awaited], settings);
    expect(baseline?.ratio).toEqual({ q1: 1, median: 1, q3: 1 });
    expect(other?.name).toBe('awaited');
  });

  it('rejects a contender with wrong results during the timing', async () => {
    const wrong = predicateRunner('wrong', { mode: 'sync', inputs: [0, 1, 2], passes: () => true }, expected);
    await expect(interleave([wrong], settings)).rejects.toThrow(/wrong: \d+ passed, not \d+/);
  });
});
