/** How long a piece of work takes: in batches, so that reading the clock does not count, with the spread between them. */

/** Nanoseconds for one run of the work. */
export interface Speed {
  readonly median: number;
  /** A quarter of the batches were faster than this, and a quarter slower than the next. */
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
  readonly runs: number;
}

export interface SpeedOptions {
  /** For how long; at least five batches are run all the same. */
  readonly milliseconds: number;
  /** Milliseconds that only go forward. */
  readonly stopwatch: () => number;
}

const MIN_BATCHES = 5;
const BATCH_MS = 4;
const NANOSECONDS = 1_000_000;

/**
 * Measures.
 *
 * @param work - Is given the number of the run, from 0 on. What it returns is kept from being optimised away.
 */
export function measureSpeed(
  work: (run: number) => unknown,
  { milliseconds, stopwatch }: SpeedOptions,
): Speed {
  let runs = 0;
  let kept: unknown;
  const batch = (size: number): number => {
    const begun = stopwatch();
    for (let index = 0; index < size; index += 1) {
      kept = work(runs);
      runs += 1;
    }
    return stopwatch() - begun;
  };
  // The first runs are slow, and tell how large a batch has to be.
  let size = 1;
  while (batch(size) < BATCH_MS) size *= 2;
  const begun = stopwatch();
  const samples: number[] = [];
  while (samples.length < MIN_BATCHES || stopwatch() - begun < milliseconds) {
    samples.push((batch(size) * NANOSECONDS) / size);
  }
  if (kept === work) throw new TypeError('the work returns itself');
  const sorted = samples.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), lowerQuartile: at(0.25), upperQuartile: at(0.75), runs };
}
