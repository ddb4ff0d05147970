/** Combines a figure that several processes measured. */
import { type Spread, spreadOf } from '../timing/statistics.js';
import type { PredicateRow } from './predicates.js';

/**
 * Returns the figure in which each median and each quartile of a contender is the median of its values in the processes: V8 may optimize the
 * same code differently in each process, and a single process must not determine a ratio.
 */
export function combineProcesses<Figure extends { readonly rows: readonly PredicateRow[] }>(
  figures: readonly [Figure, ...Figure[]],
): Figure {
  const [first] = figures;
  const rows = first.rows.map((row) => {
    const measured = figures.flatMap((figure) => figure.rows.filter(({ name }) => name === row.name));
    return {
      ...row,
      ...medians('nanoseconds', measured),
      ...medians('ratio', measured),
    };
  });
  return { ...first, rows };
}

function medians(
  member: 'nanoseconds' | 'ratio',
  rows: readonly PredicateRow[],
): Partial<Pick<PredicateRow, 'nanoseconds' | 'ratio'>> {
  const spreads = rows.flatMap((row) => row[member] ?? []);
  if (spreads.length === 0) return {};
  const median = (part: keyof Spread) => spreadOf(spreads.map((spread) => spread[part])).median;
  return { [member]: { q1: median('q1'), median: median('median'), q3: median('q3') } };
}
