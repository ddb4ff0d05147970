/** Bounds what a query's patterns may cost on each subject, before any is matched (S156). */
import { toClaimReference } from '../claims/claim-path.js';
import { ClaimSet } from '../claims/claim-set.js';
import type { JsonValue } from '../claims/json-value.js';
import type { PlannedCheck } from '../compile/plan.js';
import type { ClaimColumns } from './claim-columns.js';
import { type Column, toValueReader } from './column.js';

/** The column that a pattern is matched on, and what each code unit of its strings costs. */
interface Matched {
  readonly column: Column;
  readonly programSize: number;
}

/**
 * The subjects on whom the patterns would cost more than the limit, in the order of their rows.
 *
 * Costs nothing for a subject where the longest strings of the columns together stay within the limit.
 */
export function* costlyRows(
  checks: readonly PlannedCheck[],
  columns: ClaimColumns,
  limit: number,
): Generator<number> {
  const matched = checks.flatMap(({ claim, pattern }): Matched[] => {
    const column = pattern && columns.find(claim);
    return column === undefined ? [] : [{ column, programSize: pattern?.programSize as number }];
  });
  const atMost = matched.map(({ column, programSize }) => programSize * longest(column));
  if (atMost.reduce(add, 0) <= limit) return;
  const readers = matched.map(({ column, programSize }) => ({ read: toValueReader(column), programSize }));
  for (let row = 0; row < columns.size; row += 1) {
    let cost = 0;
    for (const { read, programSize } of readers) cost += programSize * lengthOf(read(row));
    if (cost > limit) yield row;
  }
}

/** One subject's claims, for the evaluation of one to speak about. */
export function claimSetOf(columns: ClaimColumns, row: number): ClaimSet {
  const claims = columns.paths.map((path): [string, JsonValue | undefined] => {
    const column = columns.find({ ...toClaimReference(path), carriers: [] }) as Column;
    return [path, toValueReader(column)(row)];
  });
  const defined = claims.filter((claim): claim is [string, JsonValue] => claim[1] !== undefined);
  return ClaimSet.at([{ id: '', source: '', issuedAt: 0, claims: Object.fromEntries(defined) }], 0);
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

function add(sum: number, term: number): number {
  return sum + term;
}
