/** The verdicts on a block of subjects, one bit each: what the loops over the block read and write (V14). */
import { bitCount } from './row-set.js';

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
