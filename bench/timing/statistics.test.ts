/** The statistics of every figure, and the timing loop. */
import { describe, expect, it } from 'vitest';
import { interleave } from './interleave.js';
import { predicateRunner } from './runner.js';
import { spreadOf } from './statistics.js';

describe('quartiles', () => {
  it('are samples where they fall on one', () => {
    expect(spreadOf([5, 1, 4, 2, 3])).toEqual({ q1: 2, median: 3, q3: 4 });
  });

  it('lie between neighbours where they do not', () => {
    expect(spreadOf([4, 1, 3, 2])).toEqual({ q1: 1.75, median: 2.5, q3: 3.25 });
  });

  it('need a sample', () => {
    expect(() => spreadOf([])).toThrow(RangeError);
  });
});

describe('the timing loop', () => {
  const expected = [true, false, true];
  const settings = { rounds: 3, sliceMs: 0.05 };

  it('counts every answer, round and round, and finds those that are right in number', async () => {
    const inputs = [0, 1, 2];
    const passes = (index: number) => index !== 1;
    const right = predicateRunner('right', { mode: 'sync', inputs, passes }, expected);
    const awaited = predicateRunner(
      'awaited',
      { mode: 'async', inputs, passes: async (index: number) => index !== 1 },
      expected,
    );
    const [baseline, other] = await interleave([right, awaited], settings);
    expect(baseline?.ratio).toEqual({ q1: 1, median: 1, q3: 1 });
    expect(other?.name).toBe('awaited');
  });

  it('refuses the times of a contender that changed its answers while it was timed', async () => {
    const wrong = predicateRunner('wrong', { mode: 'sync', inputs: [0, 1, 2], passes: () => true }, expected);
    await expect(interleave([wrong], settings)).rejects.toThrow(/wrong: \d+ passed, not \d+/);
  });
});
