/** Loops over a block of subjects: each clears the verdicts of those on whom its check does not hold (V14, L14–L18). */
import type { JsonValue } from '../claims/json-value.js';
import type { ValueReader } from './column.js';

/** Subjects are taken this many at a time, so that their verdicts stay in the processor's nearest cache. */
export const BLOCK_ROWS = 2_048;

/**
 * Ands what a check says of the subjects `start` to `start + count` into `verdicts`, 1 or 0 each, of which there are
 * {@link BLOCK_ROWS}.
 */
export type Kernel = (verdicts: Uint8Array, start: number, count: number) => void;

/** For each code of a column, 1 where the check holds. */
export interface Lookup {
  readonly codes: Uint16Array;
  readonly holds: Uint8Array;
}

/** The numbers from `low` to `high`, both included, or all others; none where `low` is above `high`. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
  readonly outside: boolean;
}

/** Several lookups in one loop: what they say is joined in a register, without a branch. */
export function lookupKernel(lookups: readonly Lookup[]): Kernel {
  const [first, second, third, fourth] = lookups as readonly [Lookup, ...Lookup[]];
  if (second === undefined) return lookup1(first);
  if (third === undefined) return lookup2(first, second);
  return fourth === undefined ? lookup3(first, second, third) : lookup4(first, second, third, fourth);
}

/** As many lookups as {@link lookupKernel} joins at most. */
export const MAX_JOINED_LOOKUPS = 4;

// Each loop is spelled out: a shared one would see arrays of several kinds, and be compiled to slower code for each.

function lookup1({ codes, holds }: Lookup): Kernel {
  return (verdicts, start, count) => {
    for (let index = 0; index < count; index += 1) {
      verdicts[index] = (verdicts[index] as number) & (holds[codes[start + index] as number] as number);
    }
  };
}

function lookup2(a: Lookup, b: Lookup): Kernel {
  const { codes: codesA, holds: holdsA } = a;
  const { codes: codesB, holds: holdsB } = b;
  return (verdicts, start, count) => {
    for (let index = 0; index < count; index += 1) {
      verdicts[index] =
        (verdicts[index] as number) &
        (holdsA[codesA[start + index] as number] as number) &
        (holdsB[codesB[start + index] as number] as number);
    }
  };
}

function lookup3(a: Lookup, b: Lookup, c: Lookup): Kernel {
  const { codes: codesA, holds: holdsA } = a;
  const { codes: codesB, holds: holdsB } = b;
  const { codes: codesC, holds: holdsC } = c;
  return (verdicts, start, count) => {
    for (let index = 0; index < count; index += 1) {
      verdicts[index] =
        (verdicts[index] as number) &
        (holdsA[codesA[start + index] as number] as number) &
        (holdsB[codesB[start + index] as number] as number) &
        (holdsC[codesC[start + index] as number] as number);
    }
  };
}

function lookup4(a: Lookup, b: Lookup, c: Lookup, d: Lookup): Kernel {
  const { codes: codesA, holds: holdsA } = a;
  const { codes: codesB, holds: holdsB } = b;
  const { codes: codesC, holds: holdsC } = c;
  const { codes: codesD, holds: holdsD } = d;
  return (verdicts, start, count) => {
    for (let index = 0; index < count; index += 1) {
      verdicts[index] =
        (verdicts[index] as number) &
        (holdsA[codesA[start + index] as number] as number) &
        (holdsB[codesB[start + index] as number] as number) &
        (holdsC[codesC[start + index] as number] as number) &
        (holdsD[codesD[start + index] as number] as number);
    }
  };
}

/** A range of numbers, or what it does not say. NaN is in no range and outside of none. */
export function rangeKernel(values: Float64Array, range: NumberRange, negated: boolean): Kernel {
  const { low, high } = range;
  const flip = negated ? 1 : 0;
  if (range.outside) {
    return (verdicts, start, count) => {
      for (let index = 0; index < count; index += 1) {
        const value = values[start + index] as number;
        const holds = Number(value < low) | Number(value > high);
        verdicts[index] = (verdicts[index] as number) & (holds ^ flip);
      }
    };
  }
  return (verdicts, start, count) => {
    for (let index = 0; index < count; index += 1) {
      const value = values[start + index] as number;
      const holds = Number(value >= low) & Number(value <= high);
      verdicts[index] = (verdicts[index] as number) & (holds ^ flip);
    }
  };
}

/** A check on a claim that nobody has, which fails (L14), or what it does not say. */
export function undefinedKernel(negated: boolean): Kernel {
  return (verdicts) => {
    if (!negated) verdicts.fill(0);
  };
}

/** Asks about one value after the other, and only for subjects on whom everything before it holds. */
export function valueKernel(read: ValueReader, holds: (value: JsonValue | undefined) => boolean): Kernel {
  return (verdicts, start, count) => {
    if (!anyHolds(verdicts)) return;
    for (let index = 0; index < count; index += 1) {
      if (verdicts[index] === 1 && !holds(read(start + index))) verdicts[index] = 0;
    }
  };
}

/** Everything in a group, or what the group does not say; skipped where no subject of the block is left. */
export function groupKernel(kernels: readonly Kernel[], negated: boolean): Kernel {
  const inner = new Uint8Array(BLOCK_ROWS);
  const flip = negated ? 1 : 0;
  return (verdicts, start, count) => {
    if (!anyHolds(verdicts)) return;
    inner.fill(1);
    for (const kernel of kernels) kernel(inner, start, count);
    for (let index = 0; index < count; index += 1) {
      verdicts[index] = (verdicts[index] as number) & ((inner[index] as number) ^ flip);
    }
  };
}

/** The host searches bytes many at a time. */
function anyHolds(verdicts: Uint8Array): boolean {
  return verdicts.includes(1);
}
