/** A bit-sliced index of a column with few distinct values, which evaluates a check for 32 subjects at a time (V14). */
import type { JsonValue } from '../claims/json-value.js';
import type { Kernel } from './kernels.js';
import { BLOCK_ROWS } from './row-set.js';

/**
 * The values of a column as ranks, stored as one slice per bit of the rank, lowest bit first. Similar values have
 * adjacent ranks, so that most checks pass on a few ranges of ranks.
 */
export interface BitSlicedIndex {
  /** Ranks by code. */
  readonly ranks: Uint16Array;
  /** 32 subjects per word, the first in its lowest bit. */
  readonly slices: readonly Uint32Array[];
}

/** A node of the decision diagram ({@link decide}): selects `low` where a bit of the rank is 0, and `high` where it is 1. */
interface Step {
  readonly slice: number;
  /** Indexes into the list of results: the two constants, then the results of the steps. */
  readonly low: number;
  readonly high: number;
}

/** Indexes of the constant results, which are first in the list. */
const ALL_FAIL = 0;
const ALL_HOLD = 1;

/** The maximum number of steps. With more, table lookups are faster: twelve steps take about as long per block as its lookups. */
const MAX_STEPS = 12;

const BLOCK_WORDS = BLOCK_ROWS / 32;

const WORDS_PER_ITERATION = 4;

/** Creates the index of a column. */
export function createBitSlicedIndex(
  codes: Uint16Array,
  entries: readonly (JsonValue | undefined)[],
): BitSlicedIndex {
  const ranks = toRanks(entries);
  // Padded to whole iterations; the bits beyond the last subject are never read.
  const words = Math.ceil(codes.length / 32 / WORDS_PER_ITERATION) * WORDS_PER_ITERATION;
  // One for each bit of the greatest rank.
  const slices = Array.from({ length: 32 - Math.clz32(entries.length - 1) }, () => new Uint32Array(words));
  const ranked = new Uint16Array(words * 32);
  ranked.set(codes.map((code) => ranks[code] as number));
  slices.forEach((slice, bit) => {
    for (let word = 0, row = 0; word < words; word += 1) {
      let bits = 0;
      for (const end = row + 32; row < end; row += 1) {
        bits |= (((ranked[row] as number) >>> bit) & 1) << (row & 31);
      }
      slice[word] = bits;
    }
  });
  return { ranks, slices };
}

/**
 * Creates the kernel of one or more checks on a column.
 *
 * @param holds - By code, 1 where the checks hold.
 * @returns `undefined` where the matching values are so scattered that table lookups are faster.
 */
export function bitSlicedKernel({ ranks, slices }: BitSlicedIndex, holds: Uint8Array): Kernel | undefined {
  const byRank = new Uint8Array(ranks.length);
  ranks.forEach((rank, code) => {
    // Columns that share codes may have different entries; a code without an entry occurs in no row.
    byRank[rank] = holds[code] ?? 0;
  });
  const steps: Step[] = [];
  const last = decide(byRank, 0, slices.length, steps, new Map());
  if (steps.length > MAX_STEPS) return undefined;
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
 * Selects by the bits of a slice: `high` where the bit is 1, `low` where it is 0. Unrolled to four words per
 * iteration, which saves a third of the time.
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
 * Builds the steps for the 2^`bits` ranks that start at `from`: a binary decision diagram with shared nodes.
 *
 * @returns The index of the result, which has no meaning where there are too many steps.
 */
function decide(
  holds: Uint8Array,
  from: number,
  bits: number,
  steps: Step[],
  known: Map<string, number>,
): number {
  if (bits === 0 || steps.length > MAX_STEPS) return holds[from] === 1 ? ALL_HOLD : ALL_FAIL;
  const slice = bits - 1;
  const middle = from + 2 ** slice;
  const low = decide(holds, from, slice, steps, known);
  // Ranks beyond the last one do not occur, so any result is valid for them.
  if (middle >= holds.length) return low;
  const high = decide(holds, middle, slice, steps, known);
  if (low === high) return high;
  const step = `${slice} ${low} ${high}`;
  const place = known.get(step) ?? steps.push({ slice, low, high }) + 1;
  known.set(step, place);
  return place;
}

/** Returns the rank of each entry by code: numbers in numeric order, then all other values by their JSON. */
function toRanks(entries: readonly (JsonValue | undefined)[]): Uint16Array {
  const keyed = entries.map((entry, code) => ({
    code,
    number: typeof entry === 'number' ? entry : Number.POSITIVE_INFINITY,
    text: JSON.stringify(entry) ?? '',
  }));
  // The difference of two infinities is NaN, which is falsy, so that their JSON decides.
  keyed.sort(
    (one, other) => one.number - other.number || (one.text < other.text ? -1 : Number(one.text > other.text)),
  );
  const ranks = new Uint16Array(entries.length);
  keyed.forEach(({ code }, rank) => {
    ranks[code] = rank;
  });
  return ranks;
}
