/** Seeded pseudo-random numbers, so that every run measures the same people and queries. */

/** A source of pseudo-random numbers; not for secrets. */
export interface SeededNumbers {
  /** An integer from 0 up to, but not including, `end`. */
  below(end: number): number;
  /** One of the choices. */
  pick<Choice>(choices: readonly Choice[]): Choice;
  /** `count` of the choices, each at most once, in random order. */
  sample<Choice>(choices: readonly Choice[], count: number): Choice[];
}

/** Creates a generator of numbers from 0 up to, but not including, 1 (mulberry32). */
export function createSeededDraw(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Creates a source from a seed. */
export function createSeededNumbers(seed: number): SeededNumbers {
  const next = createSeededDraw(seed);
  const below = (end: number): number => Math.floor(next() * end);
  const sample = <Choice>(choices: readonly Choice[], count: number): Choice[] => {
    const remaining = [...choices];
    return Array.from({ length: Math.min(count, remaining.length) }, () => {
      const [choice] = remaining.splice(below(remaining.length), 1);
      return choice as Choice;
    });
  };
  return { below, pick: (choices) => choices[below(choices.length)] as (typeof choices)[number], sample };
}
