/** The line that tells how far an audience is (V14). */
import { expect, it } from 'vitest';
import { formatProgress as describeProgress } from '../../../src/cli/output.js';

// V14
it('says how many of how many, how many were found and how fast it goes, and never more than all', () => {
  expect(describeProgress({ evaluated: 500, satisfied: 20 }, 1_000, 500)).toBe(
    `${'█'.repeat(12)}${'░'.repeat(12)} 50 % · 500 of 1,000 people · 20 found · 1,000 a second`,
  );
  expect(describeProgress({ evaluated: 12, satisfied: 0 }, 10, 0)).toContain('100 %');
  expect(describeProgress({ evaluated: 0, satisfied: 0 }, 0, 0)).toContain('100 % · 0 of 0 people');
});
