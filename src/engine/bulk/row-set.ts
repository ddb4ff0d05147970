/** A set of rows, one bit each: who of many passes (V14). */

/** Some of the rows of columns; iterating gives them in ascending order. A million rows take 125 kB. */
export class RowSet {
  /** How many rows there are, in the set or not. */
  readonly size: number;
  /** 32 rows a word, the first in its lowest bit; no bit past the last row is set. Not to be changed. */
  readonly words: Uint32Array;

  /** @param words - As many as `size` rows take. */
  constructor(size: number, words: Uint32Array) {
    this.size = size;
    this.words = words;
  }

  /** Whether a row is in the set; rows that there are not, are not. */
  has(row: number): boolean {
    return (((this.words[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1;
  }

  /** The rows in the set, in ascending order. */
  *[Symbol.iterator](): Generator<number, void> {
    for (let word = 0; word < this.words.length; word += 1) {
      for (let left = this.words[word] as number; left !== 0; left &= left - 1)
        yield (word << 5) + lowestBit(left);
    }
  }

  /** One byte a row: 1 where it is in the set, 0 where not. */
  toBytes(): Uint8Array {
    const bytes = new Uint8Array(this.size);
    for (const row of this) bytes[row] = 1;
    return bytes;
  }
}

/** The place of the lowest bit of a word that is 1, counted from its low end. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** How many bits of a word are 1: added up in pairs, then in fours, then in bytes, which multiplying adds up. */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55);
  const fours = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33);
  return Math.imul((fours + (fours >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
}

/** Subjects are taken this many at a time, so that a policy's parts find what they read in the processor's cache. */
export const BLOCK_ROWS = 8_192;

/** One bit a subject: 1 where everything so far holds, 0 where something does not, and past the last subject. */
export class SelectionBitmap {
  /** The first subject of a word is its lowest bit. */
  readonly words = new Uint32Array(BLOCK_ROWS / 32);

  /** Lets everything hold on the first `count` subjects, and nothing past them. */
  reset(count: number): void {
    const whole = count >>> 5;
    this.words.fill(0xff_ff_ff_ff, 0, whole);
    this.words.fill(0, whole);
    if (whole << 5 < count) this.words[whole] = ~(-1 << (count & 31));
  }

  /** Takes over what other verdicts say. */
  copy(other: SelectionBitmap): void {
    this.words.set(other.words);
  }

  /** Leaves what holds here and not there. */
  except(other: SelectionBitmap): void {
    for (let word = 0; word < this.words.length; word += 1) {
      this.words[word] = (this.words[word] as number) & ~(other.words[word] as number);
    }
  }

  /** Whether a subject is left on whom everything so far holds. */
  some(): boolean {
    return this.words.some((word) => word !== 0);
  }

  /** Lets something not hold on a subject. */
  clear(index: number): void {
    this.words[index >>> 5] = (this.words[index >>> 5] as number) & ~(1 << (index & 31));
  }

  /** Writes the verdicts on the block from the row `start` on; returns how many of them hold. */
  writeTo(passed: Uint32Array, start: number, count: number): number {
    const first = start >>> 5;
    const used = (count + 31) >>> 5;
    let holding = 0;
    for (let index = 0; index < used; index += 1) {
      const word = this.words[index] as number;
      passed[first + index] = word;
      holding += bitCount(word);
    }
    return holding;
  }
}
