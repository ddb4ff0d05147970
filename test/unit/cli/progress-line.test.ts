/** The progress line of `proviso audience` (V14). */
import { expect, it } from 'vitest';
import { formatProgress } from '../../../src/cli/output.js';

// V14
it('the progress line shows the share, the counts and the rate, and at most 100 %', () => {
  expect(formatProgress({ evaluated: 500, satisfied: 20 }, 1_000, 500)).toBe(
    `${'█'.repeat(12)}${'░'.repeat(12)} 50 % · 500 of 1,000 people · 20 found · 1,000 a second`,
  );
  expect(formatProgress({ evaluated: 12, satisfied: 0 }, 10, 0)).toContain('100 %');
  expect(formatProgress({ evaluated: 0, satisfied: 0 }, 0, 0)).toContain('100 % · 0 of 0 people');
});
