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
export function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55);
  const fours = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33);
  return Math.imul((fours + (fours >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
}
