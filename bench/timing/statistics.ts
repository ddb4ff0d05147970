/** Medians and quartiles of samples. */

/** First quartile, median and third quartile. */
export interface Spread {
  readonly q1: number;
  readonly median: number;
  readonly q3: number;
}

/** The quartiles of one or more samples, linearly interpolated. */
export function spreadOf(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((a, b) => a - b);
  return { q1: quantile(sorted, 0.25), median: quantile(sorted, 0.5), q3: quantile(sorted, 0.75) };
}

function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const low = sorted[Math.floor(position)];
  const high = sorted[Math.ceil(position)];
  if (low === undefined || high === undefined) throw new RangeError('quartiles require at least one sample');
  return low + (high - low) * (position - Math.floor(position));
}
