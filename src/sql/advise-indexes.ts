/** Which indexes help a query: statements for who owns the tables to run, or not. */
import type { DialectName } from './dialects/dialect.js';
import type { SqlLayout } from './layouts/layout.js';

/** An index, and what it is good for. */
export interface IndexAdvice {
  readonly statement: string;
  readonly reason: string;
}

/** Placeholder. */
export function adviseIndexes(
  _query: unknown,
  _layout: SqlLayout,
  _dialect: DialectName,
): readonly IndexAdvice[] {
  return [];
}
