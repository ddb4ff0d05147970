/** Bounds what a query's patterns may cost on each subject, before any is matched (S156). */
import type { JsonValue } from '../claims/json-value.js';
import { tooCostly } from '../compile/match-cost.js';
import type { PlannedCheck } from '../compile/plan.js';
import type { ClaimColumns } from './claim-columns.js';
import { type Column, toValueReader } from './column.js';

/** A check that matches a pattern, and the column that it reads. */
interface Match {
  readonly column: Column;
  /** What each code unit of a string costs. */
  readonly programSize: number;
  readonly pointer: string;
}

/**
 * Checks the cost of the patterns on each subject. Costs nothing for a subject where the longest strings of the columns together stay within
 * the limit.
 *
 * @throws {QueryError} `query_too_large` (`limit_match_cost`) for the first subject on whom they would cost more than the limit.
 */
export function assertMatchCosts(
  checks: readonly PlannedCheck[],
  columns: ClaimColumns,
  limit: number,
): void {
  const matches = checks.flatMap(({ claim, pattern, pointer }): Match[] => {
    const column = pattern && columns.find(claim);
    return column === undefined ? [] : [{ column, programSize: pattern?.programSize as number, pointer }];
  });
  const most = matches.reduce((sum, { column, programSize }) => sum + programSize * longest(column), 0);
  if (most <= limit) return;
  const readers = matches.map(({ column, ...match }) => ({ ...match, read: toValueReader(column) }));
  for (let row = 0; row < columns.size; row += 1) {
    let cost = 0;
    for (const { read, programSize, pointer } of readers) {
      cost += programSize * lengthOf(read(row));
      if (cost > limit) throw tooCostly(pointer, limit);
    }
  }
}

function longest(column: Column): number {
  switch (column.layout) {
    case 'coded':
      return longestOf(column.entries);
    case 'numbers':
      return 0;
    case 'plain':
      return longestOf(column.values);
  }
}

function longestOf(values: readonly (JsonValue | undefined)[]): number {
  return values.reduce<number>((longest, value) => Math.max(longest, lengthOf(value)), 0);
}

function lengthOf(value: JsonValue | undefined): number {
  return typeof value === 'string' ? value.length : 0;
}
