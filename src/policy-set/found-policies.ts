/** The policies that a match finds, as bitmaps by position, and the order in which the programs of the undecided ones are read. */
import { lowestBit } from '../engine/bulk/row-set.js';
import type { Position } from './access-index.js';
import { grow } from './growing.js';
import type { Programs } from './programs.js';

/** Maximum number of policies that are decided together; more than the bits of a word. */
const BATCH = 256;
const WORD_SIZE = 32;

/** Bitmaps that each match uses again: to create them takes as long as to fill them. */
export class FoundPolicies {
  /** Policies that pass. */
  #passing = new Uint32Array(4);
  /** Policies whose program must be read. */
  #candidates = new Uint32Array(4);
  /** The words of these bitmaps that are not 0, as a bitmap: most are 0. */
  #filled = new Uint32Array(1);
  readonly #batch = new Int32Array(BATCH);
  #size = 0;

  /** Memory of the bitmaps, in bytes. */
  get bytes(): number {
    return this.#passing.byteLength + this.#candidates.byteLength + this.#filled.byteLength;
  }

  /** Starts a match; no policy has been found yet, since `end` clears the bitmaps. @param positions - Number of positions. */
  begin(positions: number): void {
    this.#size = Math.ceil(positions / WORD_SIZE);
    if (this.#size <= this.#passing.length) return;
    this.#filled = grow(this.#filled, Math.ceil(this.#size / WORD_SIZE));
    this.#candidates = grow(this.#candidates, this.#size);
    // Last, so that a failed growth is repeated.
    this.#passing = grow(this.#passing, this.#size);
  }

  /** Ends the match, so that nothing about the person is retained. */
  end(): void {
    this.#passing.fill(0);
    this.#candidates.fill(0);
    this.#filled.fill(0);
    this.#batch.fill(0);
  }

  /** Adds a policy. @param isDecided - Whether it passes; otherwise its program must be read. */
  add(position: Position, isDecided: boolean): void {
    const found = isDecided ? this.#passing : this.#candidates;
    const word = position >>> 5;
    found[word] = (found[word] as number) | (1 << (position & 31));
    this.#filled[word >>> 5] = (this.#filled[word >>> 5] as number) | (1 << (word & 31));
  }

  /**
   * Decides the candidates, and excludes deleted policies. Reads programs in the order of positions, in which most of them are stored.
   *
   * @param live - The positions of policies that were not deleted, as a bitmap.
   */
  decide(programs: Programs, live: Uint32Array): void {
    let count = 0;
    for (let group = 0; group < this.#filled.length; group += 1)
      for (let filled = this.#filled[group] as number; filled !== 0; filled &= filled - 1) {
        const word = group * WORD_SIZE + lowestBit(filled);
        const passed = (this.#passing[word] as number) & (live[word] as number);
        this.#passing[word] = passed;
        const candidates = (this.#candidates[word] as number) & (live[word] as number) & ~passed;
        for (let left = candidates; left !== 0; left &= left - 1) {
          this.#batch[count] = word * WORD_SIZE + lowestBit(left);
          count += 1;
        }
        if (count > BATCH - WORD_SIZE) {
          this.#decideBatch(programs, count);
          count = 0;
        }
      }
    this.#decideBatch(programs, count);
  }

  /** Returns the bitmap of the policies that pass. */
  passing(): Uint32Array<ArrayBuffer> {
    return this.#passing.slice(0, this.#size);
  }

  /** Returns the bitmap of the policies that the index found: those that pass and all candidates, whether they pass or not, deleted policies included. */
  all(): Uint32Array<ArrayBuffer> {
    return this.passing().map((word, index) => word | (this.#candidates[index] as number));
  }

  /** Returns the ids of the policies that pass, in the order of their positions. */
  idsOfPassing(ids: readonly (string | undefined)[]): string[] {
    const passing: string[] = [];
    for (let group = 0; group < this.#filled.length; group += 1)
      for (let filled = this.#filled[group] as number; filled !== 0; filled &= filled - 1) {
        const word = group * WORD_SIZE + lowestBit(filled);
        for (let left = this.#passing[word] as number; left !== 0; left &= left - 1)
          // Deleted policies, which have no id, do not pass.
          passing.push(ids[word * WORD_SIZE + lowestBit(left)] as string);
      }
    return passing;
  }

  #decideBatch(programs: Programs, count: number): void {
    const holding = programs.keepPassing(this.#batch, count);
    for (let index = 0; index < holding; index += 1) this.add(this.#batch[index] as Position, true);
  }
}
