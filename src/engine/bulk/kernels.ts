/** Kernels: loops over a block of subjects that deselect those who fail a check (V14, L14–L18). */
import type { DictionaryColumn } from './column.js';
import { lowestBit, SelectionBitmap } from './row-set.js';

/** Intersects the selection with the subjects that pass, from row `start` to before `start + count`. */
export type Kernel = (selection: SelectionBitmap, start: number, count: number) => void;

/** A dictionary column, and the outcome of a check for each of its codes. */
export interface Lookup extends Pick<DictionaryColumn, 'codes' | 'entries'> {
  /** By code, 1 where the check holds. */
  readonly holds: Uint8Array;
}

/** The numbers from `low` to `high`, inclusive, or all others; empty where `low` is above `high`. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
  readonly outside: boolean;
}

// The inner loop over the 32 subjects of a word is unrolled to eight per iteration, which saves more than half of the time. Each loop reads
// one class of array only: V8 compiles a loop that reads several classes to slower code for all of them.

/** Creates a kernel of table lookups by code, without branches except for the last subjects, which do not fill a word. */
export function lookupKernel({ codes, holds: table }: Pick<Lookup, 'codes' | 'holds'>): Kernel {
  return (selection, start, count) => {
    const { words } = selection;
    const whole = count >>> 5;
    for (let word = 0, row = start; word < whole; word += 1) {
      let holds = 0;
      for (let bit = 0; bit < 32; bit += 8, row += 8) {
        holds |=
          ((table[codes[row] as number] as number) |
            ((table[codes[row + 1] as number] as number) << 1) |
            ((table[codes[row + 2] as number] as number) << 2) |
            ((table[codes[row + 3] as number] as number) << 3) |
            ((table[codes[row + 4] as number] as number) << 4) |
            ((table[codes[row + 5] as number] as number) << 5) |
            ((table[codes[row + 6] as number] as number) << 6) |
            ((table[codes[row + 7] as number] as number) << 7)) <<
          bit;
      }
      words[word] = (words[word] as number) & holds;
    }
    for (let index = whole << 5; index < count; index += 1) {
      if (table[codes[start + index] as number] === 0) selection.clear(index);
    }
  };
}

/**
 * Creates a kernel of a range of numbers, or of its negation, without branches except for the last subjects, which do not fill a word.
 * NaN is neither inside nor outside of a range.
 */
export function rangeKernel(values: Float64Array, range: NumberRange, negated: boolean): Kernel {
  const { low, high } = range;
  const flip = negated ? -1 : 0;
  return range.outside ? outsideKernel(values, low, high, flip) : withinKernel(values, low, high, flip);
}

function withinKernel(values: Float64Array, low: number, high: number, flip: number): Kernel {
  return (selection, start, count) => {
    const { words } = selection;
    const whole = count >>> 5;
    for (let word = 0, row = start; word < whole; word += 1) {
      let holds = 0;
      for (let bit = 0; bit < 32; bit += 8, row += 8) {
        holds |=
          (within(values[row] as number, low, high) |
            (within(values[row + 1] as number, low, high) << 1) |
            (within(values[row + 2] as number, low, high) << 2) |
            (within(values[row + 3] as number, low, high) << 3) |
            (within(values[row + 4] as number, low, high) << 4) |
            (within(values[row + 5] as number, low, high) << 5) |
            (within(values[row + 6] as number, low, high) << 6) |
            (within(values[row + 7] as number, low, high) << 7)) <<
          bit;
      }
      words[word] = (words[word] as number) & (holds ^ flip);
    }
    for (let index = whole << 5; index < count; index += 1) {
      if (within(values[start + index] as number, low, high) === (flip & 1)) selection.clear(index);
    }
  };
}

function outsideKernel(values: Float64Array, low: number, high: number, flip: number): Kernel {
  return (selection, start, count) => {
    const { words } = selection;
    const whole = count >>> 5;
    for (let word = 0, row = start; word < whole; word += 1) {
      let holds = 0;
      for (let bit = 0; bit < 32; bit += 8, row += 8) {
        holds |=
          (outside(values[row] as number, low, high) |
            (outside(values[row + 1] as number, low, high) << 1) |
            (outside(values[row + 2] as number, low, high) << 2) |
            (outside(values[row + 3] as number, low, high) << 3) |
            (outside(values[row + 4] as number, low, high) << 4) |
            (outside(values[row + 5] as number, low, high) << 5) |
            (outside(values[row + 6] as number, low, high) << 6) |
            (outside(values[row + 7] as number, low, high) << 7)) <<
          bit;
      }
      words[word] = (words[word] as number) & (holds ^ flip);
    }
    for (let index = whole << 5; index < count; index += 1) {
      if (outside(values[start + index] as number, low, high) === (flip & 1)) selection.clear(index);
    }
  };
}

/** Creates the kernel of a check, or of its negation, on a claim that no subject has: the check fails for all (L14). */
export function undefinedKernel(negated: boolean): Kernel {
  return ({ words }) => {
    if (!negated) words.fill(0);
  };
}

/** Creates a kernel that tests subjects one by one, and only those still selected. */
export function valueKernel(holds: (row: number) => boolean): Kernel {
  return (selection, start) => {
    const { words } = selection;
    for (let word = 0; word < words.length; word += 1) {
      for (let left = words[word] as number; left !== 0; left &= left - 1) {
        const index = (word << 5) + lowestBit(left);
        if (!holds(start + index)) selection.clear(index);
      }
    }
  };
}

/** Runs kernels in sequence. */
export function sequenceKernel(kernels: readonly Kernel[]): Kernel {
  return (selection, start, count) => {
    for (const kernel of kernels) kernel(selection, start, count);
  };
}

/** Negates a kernel. The kernel does not run where no subject of the block is selected. */
export function negatedKernel(kernel: Kernel): Kernel {
  const inner = new SelectionBitmap();
  return (selection, start, count) => {
    if (!selection.some()) return;
    // Subjects that an earlier kernel deselected are not tested again.
    inner.copy(selection);
    kernel(inner, start, count);
    selection.except(inner);
  };
}

function within(value: number, low: number, high: number): number {
  return Number(value >= low) & Number(value <= high);
}

function outside(value: number, low: number, high: number): number {
  return Number(value < low) | Number(value > high);
}
