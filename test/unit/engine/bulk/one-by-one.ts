/** Evaluates subjects one by one, for comparison with bulk evaluation. */
import { expect } from 'vitest';
import {
  type ClaimColumns,
  ClaimColumnsBuilder,
  ClaimSet,
  type CompileOptions,
  type JsonValue,
} from '../../../../src/index.js';
import { compile, evaluateMany } from '../../../support/with-re2js.js';

export type Row = Readonly<Record<string, JsonValue | undefined>>;

export const NOW = Date.UTC(2026, 5, 1);

/** The claim set of one person, attested by one credential. */
export function claimSetOf(row: Row): ClaimSet {
  const claims = Object.entries(row).filter((claim): claim is [string, JsonValue] => claim[1] !== undefined);
  return ClaimSet.at([{ id: 'c1', source: 's', issuedAt: 0, claims: Object.fromEntries(claims) }], NOW);
}

export function columnsOf(rows: Iterable<Row>): ClaimColumns {
  const builder = new ClaimColumnsBuilder({ now: NOW });
  for (const row of rows) builder.addRow(row);
  return builder.build();
}

/** Compares bulk evaluation of columns with single evaluation of the rows from which they were built. */
export function expectSame(
  query: unknown,
  rows: readonly Row[],
  columns: ClaimColumns = columnsOf(rows),
  options: CompileOptions = {},
): void {
  const compiled = compile(query, options);
  const expected = Uint8Array.from(rows, (row) => Number(compiled.test(claimSetOf(row))));
  const result = evaluateMany(query, columns, options);
  const passed = result.passed.toBytes();
  // Finds the first wrong row, since a failed comparison of many bytes is slow to print.
  const wrong = rows.findIndex((_, row) => passed[row] !== expected[row]);
  expect(wrong, `row ${wrong} of ${JSON.stringify(query)}`).toBe(-1);
  expect(passed.length).toBe(rows.length);
  expect(result.count).toBe(expected.reduce((sum, passes) => sum + passes, 0));
}
