/** Iteration, conversion and membership of row sets. */
import { expect, it } from 'vitest';
import { BLOCK_ROWS, SelectionBitmap } from '../../../../src/engine/bulk/row-set.js';
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

it('the error for a row that is no whole number names the argument, the requirement and the type of the value', () => {
  expect(() => set.has('ada' as never)).toThrow(new TypeError('`row` must be a whole number (got a string)'));
});

it('bits beyond the last row do not count as rows', () => {
  expect(new RowSet(1, Uint32Array.of(0b11)).has(1)).toBe(false);
});

it('the selection of a block has one bit per row', () => {
  expect(new SelectionBitmap().words).toHaveLength(BLOCK_ROWS / 32);
});
