/** The verdicts on a block of subjects, four to a word: what the loops over the block read and write (V14). */

/** Subjects are taken this many at a time, so that their verdicts stay in the processor's nearest cache. */
export const BLOCK_ROWS = 2_048;

/** A word on whose four subjects everything holds. */
export const ALL_FOUR = 0x01_01_01_01;

/**
 * One byte a subject: 1 where everything so far holds, 0 where something does not, and past the last subject.
 *
 * The first subject of a word is its lowest byte, however the machine orders bytes.
 */
export class Verdicts {
  readonly words = new Uint32Array(BLOCK_ROWS / 4);
  readonly #bytes = new Uint8Array(this.words.buffer);

  /** Lets everything hold on the first `count` subjects, and nothing past them. */
  reset(count: number): void {
    const whole = count >>> 2;
    this.words.fill(ALL_FOUR, 0, whole);
    this.words.fill(0, whole);
    for (let index = whole << 2; index < count; index += 1) {
      this.words[whole] = (this.words[whole] as number) | (1 << shiftOf(index));
    }
  }

  /** Takes over what other verdicts say. */
  copy(others: Verdicts): void {
    this.words.set(others.words);
  }

  /** Whether a subject is left on whom everything so far holds. The host searches bytes many at a time. */
  some(): boolean {
    return this.#bytes.includes(1);
  }

  /** Writes the first `count` verdicts, one byte each, from `start` on; returns how many of them hold. */
  writeTo(passed: Uint8Array, start: number, count: number): number {
    const { words } = this;
    const whole = count >>> 2;
    let holding = 0;
    for (let index = 0, row = start; index < whole; index += 1, row += 4) {
      const word = words[index] as number;
      passed[row] = word & 1;
      passed[row + 1] = (word >>> 8) & 1;
      passed[row + 2] = (word >>> 16) & 1;
      passed[row + 3] = word >>> 24;
      // Multiplying adds the four bytes up in the highest.
      holding += Math.imul(word, 0x01_01_01_01) >>> 24;
    }
    for (let index = whole << 2; index < count; index += 1) {
      const verdict = ((words[whole] as number) >>> shiftOf(index)) & 1;
      passed[start + index] = verdict;
      holding += verdict;
    }
    return holding;
  }
}

/** How far left in its word a subject's verdict is. */
export function shiftOf(index: number): number {
  return (index & 3) << 3;
}
