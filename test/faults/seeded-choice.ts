/** Reproducible choices from a seed, such as the time and kind of a fault. */
import { createHash, randomInt } from 'node:crypto';
import { parseSeed } from '../support/check-options.js';

const MAX_SEED = 2 ** 31;

export interface SeededChoice {
  /** A whole number from `minimum` up to, but not including, `end`. */
  between(minimum: number, end: number): number;
}

/** The seed from the command line, or a new one. Prints it, so that a run can be repeated. */
export function seedOf(option: string | undefined): number {
  const seed = option === undefined ? randomInt(MAX_SEED) : parseSeed(option);
  process.stdout.write(`seed ${seed}\n`);
  return seed;
}

export function createSeededChoice(seed: number, name: string): SeededChoice {
  let count = 0;
  return {
    between: (minimum, end) => {
      count += 1;
      const digest = createHash('sha256').update(`${seed}:${name}:${count}`).digest();
      return minimum + (digest.readUInt32BE() % (end - minimum));
    },
  };
}
