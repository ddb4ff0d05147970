/** The verdicts on a block of subjects, one bit each: what the loops over the block read and write (V14). */

/** Subjects are taken this many at a time, so that a policy's parts find what they read in the processor's cache. */
export const BLOCK_ROWS = 8_192;

/** One bit a subject: 1 where everything so far holds, 0 where something does not, and past the last subject. */
export class Verdicts {
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
  copy(others: Verdicts): void {
    this.words.set(others.words);
  }

  /** Leaves what holds here and not there. */
  except(others: Verdicts): void {
    for (let word = 0; word < this.words.length; word += 1) {
      this.words[word] = (this.words[word] as number) & ~(others.words[word] as number);
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

  /** Writes the first `count` verdicts, one byte each, from `start` on; returns how many of them hold. */
  writeTo(passed: Uint8Array, start: number, count: number): number {
    const whole = count >>> 5;
    let holding = 0;
    for (let index = 0, row = start; index < whole; index += 1) {
      const word = this.words[index] as number;
      for (let bit = 0; bit < 32; bit += 8, row += 8) {
        const eight = word >>> bit;
        passed[row] = eight & 1;
        passed[row + 1] = (eight >>> 1) & 1;
        passed[row + 2] = (eight >>> 2) & 1;
        passed[row + 3] = (eight >>> 3) & 1;
        passed[row + 4] = (eight >>> 4) & 1;
        passed[row + 5] = (eight >>> 5) & 1;
        passed[row + 6] = (eight >>> 6) & 1;
        passed[row + 7] = (eight >>> 7) & 1;
      }
      holding += bitsOf(word);
    }
    for (let index = whole << 5; index < count; index += 1) {
      const verdict = ((this.words[whole] as number) >>> (index & 31)) & 1;
      passed[start + index] = verdict;
      holding += verdict;
    }
    return holding;
  }
}

/** How many bits of a word are 1: added up in pairs, then in fours, then in bytes, which multiplying adds up. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55);
  const fours = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33);
  return Math.imul((fours + (fours >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
}
