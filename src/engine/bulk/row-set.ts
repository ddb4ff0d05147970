/** A set of rows as a bitmap: the result of a bulk evaluation (V14). */
import { wrongType } from '../value-types.js';

/** A set of rows, iterable in ascending order. A million rows take 125 kB. */
export class RowSet {
  /** Number of rows, whether in the set or not. */
  readonly size: number;
  /** 32 rows per word, the first in its lowest bit; bits beyond the last row are 0. Must not be modified. */
  readonly words: Uint32Array;

  /** @param words - The bitmap of `size` rows. */
  constructor(size: number, words: Uint32Array) {
    this.size = size;
    this.words = words;
  }

  /**
   * Returns whether a row is in the set; `false` for rows that do not exist.
   *
   * @throws {TypeError} If `row` is not a whole number; for example, a person's id.
   */
  has(row: number): boolean {
    if (!Number.isInteger(row)) throw wrongType('`row`', 'a whole number', row);
    return row >= 0 && row < this.size && (((this.words[row >>> 5] as number) >>> (row & 31)) & 1) === 1;
  }

  /** Iterates over the rows in the set, in ascending order. */
  *[Symbol.iterator](): Generator<number, void> {
    for (let word = 0; word < this.words.length; word += 1) {
      for (let left = this.words[word] as number; left !== 0; left &= left - 1)
        yield (word << 5) + lowestBit(left);
    }
  }

  /** Returns one byte per row: 1 for rows in the set, 0 for others. */
  toBytes(): Uint8Array {
    const bytes = new Uint8Array(this.size);
    for (const row of this) bytes[row] = 1;
    return bytes;
  }
}

/** Returns the index of the lowest 1 bit of a word. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** Returns the number of 1 bits of a word, summed in pairs, fours and bytes. */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55);
  const fours = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33);
  return Math.imul((fours + (fours >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
}

/** Subjects per block. Few enough that the values of a column and the selections of a block stay in the processor's cache. */
export const BLOCK_ROWS = 8_192;

/** The selection of a block: one bit per subject, 1 if it is still selected, 0 otherwise and beyond the last subject. */
export class SelectionBitmap {
  /** The first subject of a word is its lowest bit. */
  readonly words = new Uint32Array(BLOCK_ROWS / 32);

  /** Selects the first `count` subjects, and no others. */
  reset(count: number): void {
    const whole = count >>> 5;
    this.words.fill(0xff_ff_ff_ff, 0, whole);
    this.words.fill(0, whole);
    if (whole << 5 < count) this.words[whole] = ~(-1 << (count & 31));
  }

  /** Replaces the selection with another one. */
  copy(other: SelectionBitmap): void {
    this.words.set(other.words);
  }

  /** Deselects the subjects of another selection. */
  except(other: SelectionBitmap): void {
    for (let word = 0; word < this.words.length; word += 1) {
      this.words[word] = (this.words[word] as number) & ~(other.words[word] as number);
    }
  }

  /** Returns whether any subject is selected. */
  some(): boolean {
    return this.words.some((word) => word !== 0);
  }

  /** Deselects a subject. */
  clear(index: number): void {
    this.words[index >>> 5] = (this.words[index >>> 5] as number) & ~(1 << (index & 31));
  }

  /** Copies the selection of `count` subjects to the bitmap of all subjects, from row `start`, a multiple of 32. Returns the number of selected subjects. */
  writeTo(bitmap: Uint32Array, start: number, count: number): number {
    const first = start >>> 5;
    const used = (count + 31) >>> 5;
    let selected = 0;
    for (let index = 0; index < used; index += 1) {
      const word = this.words[index] as number;
      bitmap[first + index] = word;
      selected += bitCount(word);
    }
    return selected;
  }
}
