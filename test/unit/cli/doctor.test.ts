/** How `proviso doctor` judges clocks and disks. */
import { describe, expect, it } from 'vitest';
import { judgeClock } from '../../../src/cli/doctor/clock.js';
import { checkModes, judgeDisk } from '../../../src/cli/doctor/sqlite-files.js';

const MIB = 1_048_576;

describe('the free space of a disk', () => {
  // S393
  it.each([
    ['ok', 2_000, 100],
    ['warn', 1_000, 100],
    ['warn', 3_000, 2_000],
    ['fail', 63, 1],
    ['fail', 0, 0],
  ])('is %s with %d MiB free and a store of %d MiB', (level, free, size) => {
    expect(judgeDisk(free * MIB, size * MIB).level).toBe(level);
  });
});

describe('a clock', () => {
  const judge = (other: number, from = 0, to = 0, resolutionMs = 0) =>
    judgeClock({ name: 'x', other, from, to, resolutionMs }).level;

  // S396
  it.each([
    ['ok', 2_000],
    ['warn', 2_001],
    ['warn', 5_000],
    ['fail', 5_001],
    ['ok', -2_000],
    ['warn', -5_000],
    ['fail', -5_001],
  ])('is %s if the other one differs by %d ms', (level, other) => {
    expect(judge(other)).toBe(level);
  });

  // S396
  it('does not count the time of reading the other clock, or its resolution, as a difference', () => {
    expect(judge(10_000, 0, 10_000)).toBe('ok');
    expect(judge(0, 3_000, 3_000, 1_000)).toBe('ok');
    expect(judge(0, 3_001, 3_001, 1_000)).toBe('warn');
  });
});

// S395
it('modes of files are not checked on Windows', () => {
  expect(checkModes('absent', 'win32')).toMatchObject([
    { level: 'ok', found: expect.stringContaining('not checked') },
  ]);
});
