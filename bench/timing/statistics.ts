/** Medians and how far the middle half of the samples spreads around them. */

/** First quartile, median and third quartile. */
export interface Spread {
  readonly q1: number;
  readonly median: number;
  readonly q3: number;
}

/** The quartiles of one sample or more, between neighbours where they fall between two. */
export function spreadOf(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((a, b) => a - b);
  return { q1: quantile(sorted, 0.25), median: quantile(sorted, 0.5), q3: quantile(sorted, 0.75) };
}

function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const low = sorted[Math.floor(position)];
  const high = sorted[Math.ceil(position)];
  if (low === undefined || high === undefined) throw new RangeError('quartiles need one sample or more');
  return low + (high - low) * (position - Math.floor(position));
}
