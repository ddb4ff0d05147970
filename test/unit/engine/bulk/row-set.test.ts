/** Iteration, conversion and membership of row sets. */
import { expect, it } from 'vitest';
import { RowSet } from '../../../../src/index.js';

const set = new RowSet(70, Uint32Array.of(0x80_00_00_01, 0, 0x20));

it('a row set iterates in order, and converts to bytes', () => {
  expect([...set]).toEqual([0, 31, 69]);
  expect([...set.toBytes().entries()].filter(([, byte]) => byte === 1).map(([row]) => row)).toEqual([
    0, 31, 69,
  ]);
  expect(set.toBytes()).toHaveLength(70);
});

it('a row set contains exactly the rows of its bitmap', () => {
  expect([0, 1, 31, 32, 69].map((row) => set.has(row))).toEqual([true, false, true, false, true]);
  expect([70, 1_000, 2 ** 32, -1, -(2 ** 32)].map((row) => set.has(row))).toEqual(Array(5).fill(false));
});

it.each(['ada', '0', undefined, null, Number.NaN, 0.5, [], {}])('a row set rejects %j as a row', (row) => {
  expect(() => set.has(row as never)).toThrow(TypeError);
});
