/** Choices that come again from a seed: what a fault test does at which moment, as far as it is ours to say. */
import { createHash, randomInt } from 'node:crypto';

const MAX_SEED = 2 ** 31;

export interface SeededChoice {
  /** A whole number from `least` up to, but not including, `end`. */
  between(least: number, end: number): number;
}

/** The seed that a command was given, else a new one; printed, so that a run can be repeated. */
export function seedOf(given: string | undefined): number {
  const seed = given === undefined ? randomInt(MAX_SEED) : Number(given);
  process.stdout.write(`seed ${seed}\n`);
  return seed;
}

export function createSeededChoice(seed: number, name: string): SeededChoice {
  let count = 0;
  return {
    between: (least, end) => {
      count += 1;
      const digest = createHash('sha256').update(`${seed}:${name}:${count}`).digest();
      return least + (digest.readUInt32BE() % (end - least));
    },
  };
}
