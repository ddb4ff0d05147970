/** Evaluates subjects one by one, for comparison with bulk evaluation. */
import { expect } from 'vitest';
import {
  type ClaimColumns,
  ClaimColumnsBuilder,
  ClaimSet,
  type CompileOptions,
  compile,
  evaluateMany,
  type JsonValue,
} from '../../../../src/index.js';

export type Row = Readonly<Record<string, JsonValue | undefined>>;

export const NOW = Date.UTC(2026, 5, 1);

/** One person's claims, as from a credential. */
export function claimSetOf(row: Row): ClaimSet {
  const claims = Object.entries(row).filter((claim): claim is [string, JsonValue] => claim[1] !== undefined);
  return ClaimSet.at([{ id: 'c1', source: 's', issuedAt: 0, claims: Object.fromEntries(claims) }], NOW);
}

export function columnsOf(rows: Iterable<Row>): ClaimColumns {
  const builder = new ClaimColumnsBuilder({ now: NOW });
  for (const row of rows) builder.addRow(row);
  return builder.build();
}

/** Compares columns with the rows from which they were built. */
export function expectSame(
  query: unknown,
  rows: readonly Row[],
  columns: ClaimColumns = columnsOf(rows),
  options: CompileOptions = {},
): void {
  const compiled = compile(query, options);
  const expected = Uint8Array.from(rows, (row) => Number(compiled.test(claimSetOf(row))));
  const answer = evaluateMany(query, columns, options);
  const passed = answer.passed.toBytes();
  // Comparing the numbers first says which, where comparing many bytes is slow to say anything.
  const wrong = rows.findIndex((_, row) => passed[row] !== expected[row]);
  expect(wrong, `row ${wrong} of ${JSON.stringify(query)}`).toBe(-1);
  expect(passed.length).toBe(rows.length);
  expect(answer.count).toBe(expected.reduce((sum, verdict) => sum + verdict, 0));
}
