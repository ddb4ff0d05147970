/** A column of few values as planes of bits: a check is asked of 32 subjects at a time instead of one (V14). */
import type { JsonValue } from '../claims/json-value.js';
import type { Kernel } from './kernels.js';
import { BLOCK_ROWS } from './row-set.js';

/**
 * The values of a column by their ranks, one plane a bit of the rank: the first holds everybody's lowest bit. Like values have ranks side
 * by side, so that most checks pass on a few ranges of them.
 */
export interface BitSlicedIndex {
  /** By code. */
  readonly ranks: Uint16Array;
  /** 32 subjects a word, the first in its lowest bit. */
  readonly slices: readonly Uint32Array[];
}

/** A question about one bit of the rank: what holds where it is 0, and where it is 1. */
interface Step {
  readonly slice: number;
  /** Places in the list of what holds so far. */
  readonly low: number;
  readonly high: number;
}

/** What always fails, and what always holds, in the list of what holds. */
const ALL_FAIL = 0;
const ALL_HOLD = 1;

/** A step takes a block about as long as a code takes to be looked up for one of 32 subjects: with more of them, looking up is faster. */
const MAX_STEPS = 12;

const BLOCK_WORDS = BLOCK_ROWS / 32;

const WORDS_PER_ITERATION = 4;

/** Lays a column out. */
export function createBitSlicedIndex(
  codes: Uint16Array,
  entries: readonly (JsonValue | undefined)[],
): BitSlicedIndex {
  const ranks = toRanks(entries);
  // Whole turns: nobody's bits stand past the last subject.
  const words = Math.ceil(codes.length / 32 / WORDS_PER_ITERATION) * WORDS_PER_ITERATION;
  const slices = Array.from({ length: bitsFor(entries.length) }, () => new Uint32Array(words));
  const ranked = new Uint16Array(words * 32);
  for (let row = 0; row < codes.length; row += 1) ranked[row] = ranks[codes[row] as number] as number;
  slices.forEach((slice, bit) => {
    for (let word = 0, row = 0; word < words; word += 1) {
      let bits = 0;
      for (const end = row + 32; row < end; row += 1) {
        bits |= (((ranked[row] as number) >>> bit) & 1) << (row & 31);
      }
      slice[word] = bits;
    }
  });
  return { ranks, slices: slices };
}

/**
 * The kernel of a check, or of several of one column.
 *
 * @param holds - For each code, 1 where the check holds.
 * @returns `undefined` where the values on which it holds lie so scattered that looking each code up is faster.
 */
export function bitSlicedKernel({ ranks, slices }: BitSlicedIndex, holds: Uint8Array): Kernel | undefined {
  const byRank = new Uint8Array(ranks.length);
  ranks.forEach((rank, code) => {
    // Columns that share their codes may differ in entries: a code that one of them does not have, nobody has.
    byRank[rank] = holds[code] ?? 0;
  });
  const steps: Step[] = [];
  const last = decide(byRank, 0, slices.length, steps, new Map());
  if (last === undefined) return undefined;
  const found = [new Uint32Array(BLOCK_WORDS), new Uint32Array(BLOCK_WORDS).fill(0xff_ff_ff_ff)];
  for (const _step of steps) found.push(new Uint32Array(BLOCK_WORDS));
  const outcome = found[last] as Uint32Array;
  return ({ words }, start, count) => {
    const first = start >>> 5;
    const used = (count + 31) >>> 5;
    for (let index = 0; index < steps.length; index += 1) {
      const { slice, low, high } = steps[index] as Step;
      selectBlock(
        found[index + 2] as Uint32Array,
        slices[slice] as Uint32Array,
        first,
        used,
        found[low] as Uint32Array,
        found[high] as Uint32Array,
      );
    }
    for (let word = 0; word < used; word += 1) {
      words[word] = (words[word] as number) & (outcome[word] as number);
    }
  };
}

/**
 * For each bit of a plane what stands in `high` where it is 1, and in `low` where it is 0: four words to a turn, which takes a third of the
 * time away.
 */
function selectBlock(
  into: Uint32Array,
  slice: Uint32Array,
  first: number,
  used: number,
  low: Uint32Array,
  high: Uint32Array,
): void {
  for (let word = 0; word < used; word += WORDS_PER_ITERATION) {
    const at = first + word;
    into[word] = selectWord(slice[at] as number, low[word] as number, high[word] as number);
    into[word + 1] = selectWord(slice[at + 1] as number, low[word + 1] as number, high[word + 1] as number);
    into[word + 2] = selectWord(slice[at + 2] as number, low[word + 2] as number, high[word + 2] as number);
    into[word + 3] = selectWord(slice[at + 3] as number, low[word + 3] as number, high[word + 3] as number);
  }
}

function selectWord(slice: number, low: number, high: number): number {
  return low ^ (slice & (low ^ high));
}

/**
 * The steps that decide about the ranks from `from` on, as many as `bits` bits tell apart: a decision diagram, in which what is the same
 * is asked once.
 *
 * @returns The place of the outcome; `undefined` where there are too many steps.
 */
function decide(
  holds: Uint8Array,
  from: number,
  bits: number,
  steps: Step[],
  known: Map<string, number>,
): number | undefined {
  // Nobody has a rank past the last: whatever is nearest to hand holds there.
  if (from >= holds.length) return ALL_FAIL;
  if (bits === 0) return holds[from] === 1 ? ALL_HOLD : ALL_FAIL;
  const slice = bits - 1;
  const middle = from + 2 ** slice;
  const low = decide(holds, from, slice, steps, known);
  if (low === undefined || middle >= holds.length) return low;
  const high = decide(holds, middle, slice, steps, known);
  if (high === undefined || low === high) return high;
  const step = `${slice} ${low} ${high}`;
  const place = known.get(step) ?? steps.push({ slice: slice, low, high }) + 1;
  known.set(step, place);
  return steps.length > MAX_STEPS ? undefined : place;
}

/** By code: the place of its entry among all, numbers in their order and anything else by its text. */
function toRanks(entries: readonly (JsonValue | undefined)[]): Uint16Array {
  const keyed = entries.map((entry, code) => ({
    code,
    number: typeof entry === 'number' ? entry : Number.POSITIVE_INFINITY,
    text: JSON.stringify(entry) ?? '',
  }));
  keyed.sort((one, other) => {
    if (one.number !== other.number) return one.number < other.number ? -1 : 1;
    return one.text < other.text ? -1 : Number(one.text > other.text);
  });
  const ranks = new Uint16Array(entries.length);
  keyed.forEach(({ code }, rank) => {
    ranks[code] = rank;
  });
  return ranks;
}

function bitsFor(count: number): number {
  return count <= 1 ? 0 : 32 - Math.clz32(count - 1);
}
