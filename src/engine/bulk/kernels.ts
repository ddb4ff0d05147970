/** Loops over a block of subjects: each clears the verdicts of those on whom its check does not hold (V14, L14–L18). */
import type { JsonValue } from '../claims/json-value.js';
import type { ValueReader } from './column.js';
import { ALL_FOUR, shiftOf, Verdicts } from './verdicts.js';

/** Ands what a check says of the subjects from `start` to before `start + count` into their verdicts. */
export type Kernel = (verdicts: Verdicts, start: number, count: number) => void;

/** For each code of a column, 1 where the check holds. */
export interface Lookup {
  readonly codes: Uint16Array;
  readonly holds: Uint8Array;
}

/** The numbers from `low` to `high`, both included, or all others; no number where `low` is above `high`. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
  readonly outside: boolean;
}

// The loops write four verdicts at once, which takes half of their time away. Each reads arrays of one kind only: one that
// met several would be compiled to slower code for all of them.

/** Looks each subject's code up, without a branch. */
export function lookupKernel({ codes, holds }: Lookup): Kernel {
  return ({ words }, start, count) => {
    const whole = count >>> 2;
    for (let index = 0, row = start; index < whole; index += 1, row += 4) {
      words[index] =
        (words[index] as number) &
        ((holds[codes[row] as number] as number) |
          ((holds[codes[row + 1] as number] as number) << 8) |
          ((holds[codes[row + 2] as number] as number) << 16) |
          ((holds[codes[row + 3] as number] as number) << 24));
    }
    for (let index = whole << 2; index < count; index += 1) {
      if (holds[codes[start + index] as number] === 0) clear(words, index);
    }
  };
}

/** A range of numbers, or what it does not say, without a branch. NaN is in no range and outside of none. */
export function rangeKernel(values: Float64Array, range: NumberRange, negated: boolean): Kernel {
  const { low, high } = range;
  const flip = negated ? ALL_FOUR : 0;
  return range.outside ? outsideKernel(values, low, high, flip) : withinKernel(values, low, high, flip);
}

function withinKernel(values: Float64Array, low: number, high: number, flip: number): Kernel {
  return ({ words }, start, count) => {
    const whole = count >>> 2;
    for (let index = 0, row = start; index < whole; index += 1, row += 4) {
      const holds =
        within(values[row] as number, low, high) |
        (within(values[row + 1] as number, low, high) << 8) |
        (within(values[row + 2] as number, low, high) << 16) |
        (within(values[row + 3] as number, low, high) << 24);
      words[index] = (words[index] as number) & (holds ^ flip);
    }
    for (let index = whole << 2; index < count; index += 1) {
      if (within(values[start + index] as number, low, high) === (flip & 1)) clear(words, index);
    }
  };
}

function outsideKernel(values: Float64Array, low: number, high: number, flip: number): Kernel {
  return ({ words }, start, count) => {
    const whole = count >>> 2;
    for (let index = 0, row = start; index < whole; index += 1, row += 4) {
      const holds =
        outside(values[row] as number, low, high) |
        (outside(values[row + 1] as number, low, high) << 8) |
        (outside(values[row + 2] as number, low, high) << 16) |
        (outside(values[row + 3] as number, low, high) << 24);
      words[index] = (words[index] as number) & (holds ^ flip);
    }
    for (let index = whole << 2; index < count; index += 1) {
      if (outside(values[start + index] as number, low, high) === (flip & 1)) clear(words, index);
    }
  };
}

/** A check on a claim that nobody has, which fails (L14), or what it does not say. */
export function undefinedKernel(negated: boolean): Kernel {
  return ({ words }) => {
    if (!negated) words.fill(0);
  };
}

/** Asks about one value after the other, and only for subjects on whom everything before it holds. */
export function valueKernel(read: ValueReader, holds: (value: JsonValue | undefined) => boolean): Kernel {
  return ({ words }, start) => {
    for (let index = 0; index < words.length; index += 1) {
      let left = words[index] as number;
      while (left !== 0) {
        const lowest = 31 - Math.clz32(left & -left);
        left &= left - 1;
        if (!holds(read(start + (index << 2) + (lowest >>> 3)))) clear(words, (index << 2) + (lowest >>> 3));
      }
    }
  };
}

/** One kernel after the other. */
export function sequenceKernel(kernels: readonly Kernel[]): Kernel {
  return (verdicts, start, count) => {
    for (const kernel of kernels) kernel(verdicts, start, count);
  };
}

/** What a kernel does not say; skipped where no subject of the block is left. */
export function negatedKernel(kernel: Kernel): Kernel {
  const inner = new Verdicts();
  return (verdicts, start, count) => {
    if (!verdicts.some()) return;
    // Those on whom something before it does not hold are decided: the kernel is not to ask for them.
    inner.copy(verdicts);
    kernel(inner, start, count);
    const { words } = verdicts;
    for (let word = 0; word < words.length; word += 1) {
      words[word] = (words[word] as number) & ~(inner.words[word] as number);
    }
  };
}

function clear(words: Uint32Array, index: number): void {
  words[index >>> 2] = (words[index >>> 2] as number) & ~(1 << shiftOf(index));
}

function within(value: number, low: number, high: number): number {
  return Number(value >= low) & Number(value <= high);
}

function outside(value: number, low: number, high: number): number {
  return Number(value < low) | Number(value > high);
}
