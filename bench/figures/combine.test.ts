/** Figures of several processes. */
import { expect, it } from 'vitest';
import { combineProcesses } from './combine.js';

const row = (name: string, median: number) => ({
  name,
  version: '1',
  kind: 'peer' as const,
  ratio: { q1: median - 1, median, q3: median + 1 },
});

it('a combined figure has the median of the processes, and rows that were not timed', () => {
  const notTimed = { name: 'other', version: '1', kind: 'peer' as const, notTimed: 'it has no patterns' };
  const figures = [2, 9, 3].map((ratio) => ({ workload: 'one', rows: [row('peer', ratio), notTimed] }));
  const [first, ...others] = figures;
  if (first === undefined) throw new Error('there must be a figure');
  expect(combineProcesses([first, ...others])).toEqual({ workload: 'one', rows: [row('peer', 3), notTimed] });
});
