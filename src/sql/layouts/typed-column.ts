/** Finds the column whose type determines which values a claim may have. */
import { type ParseOptions, toClaimReference } from '../../engine/index.js';
import { assertFitsColumn, type ColumnValues, RANGES, type TypedColumn } from '../column-values.js';
import type { Dialect } from '../dialects/dialect.js';
import type { CheckAssertion } from '../policies.js';
import type { ColumnType, SqlLayout } from './layout.js';

const VALUES: Readonly<Record<Exclude<ColumnType, 'json'>, ColumnValues>> = {
  integer: 'integer',
  number: 'number',
  text: 'string',
  boolean: 'boolean',
  date: 'date',
  timestamptz: 'datetime',
};

/** Creates an assertion that the checks of a query fit the types of the columns. */
export function createColumnAssertion(
  { layout, claims }: ParseOptions & { readonly layout: SqlLayout },
  dialect: Dialect,
): CheckAssertion {
  return (check) => {
    const column = typedColumnOf(check.claim, layout, dialect);
    if (column !== undefined) assertFitsColumn(check, column, claims);
  };
}

/**
 * Returns the column of a claim; `undefined` where the claim may have any value: in JSON, in a column or as a member of
 * a parent claim.
 */
function typedColumnOf(path: string, layout: SqlLayout, dialect: Dialect): TypedColumn | undefined {
  if (layout.kind !== 'columns') return undefined;
  const columnAt = (one: string) => (Object.hasOwn(layout.columns, one) ? layout.columns[one] : undefined);
  const found = columnAt(path);
  if (found === undefined || found.type === 'json') return undefined;
  if (toClaimReference(path).parents.some((parent) => columnAt(parent.path)?.type === 'json'))
    return undefined;
  const { column, type } = found;
  // In SQLite, a date column is text, and may contain any text.
  const values = type === 'date' && dialect.dates === undefined ? 'string' : VALUES[type];
  return { label: `The column \`${column}\``, type, values, range: RANGES[values] };
}
