/** Validation and quoting of names in statements. Claim paths cannot contain quotation marks (L9). */
import { type Fragment, verbatim } from './fragment.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/**
 * Quotes the name of a column.
 *
 * @throws {RangeError} When the name is invalid.
 */
export function quoteName(name: string): Fragment {
  return quoteSegments(name, [name]);
}

/**
 * Quotes the name of a table, with or without a schema prefix, such as `people.credential`.
 *
 * @throws {RangeError} When the name is invalid.
 */
export function quoteTable(name: string): Fragment {
  const [first = '', ...others] = name.split('.');
  return quoteSegments(name, others.length === 1 ? [first, ...others] : [name]);
}

function quoteSegments(name: string, segments: readonly string[]): Fragment {
  if (segments.every((segment) => NAME.test(segment)))
    return verbatim(segments.map((segment) => `"${segment}"`).join('.'));
  throw new RangeError(
    `a name in a layout must be 1 to 63 letters, digits or \`_\`, and must not start with a digit; a table name may have one schema prefix, \`schema.table\` (got ${JSON.stringify(name)})`,
  );
}

/** Returns a column of a table under its alias. Throws as {@link quoteName} does. */
export function columnOf(alias: string, name: string): Fragment {
  return verbatim(`${alias}.${quoteName(name).parts.join('')}`);
}

/**
 * Quotes a claim path or a segment of one as a string literal.
 *
 * @throws {RangeError} When it is neither.
 */
export function quotePath(path: string): string {
  if (!/^[A-Za-z0-9_.]+$/.test(path))
    throw new RangeError(
      `a name in a JSON path must be a claim path or a part of one (got ${JSON.stringify(path)})`,
    );
  return `'${path}'`;
}

/** Formats member names as a JSON path of SQLite, DuckDB, and PostgreSQL's `jsonpath`: each name is quoted, so that dots are part of it. */
export function jsonPath(names: readonly string[]): string {
  for (const name of names) quotePath(name);
  return `$${names.map((name) => `."${name}"`).join('')}`;
}
