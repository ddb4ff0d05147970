/** Names in a statement: checked, then quoted. Claim paths have a grammar of their own, which holds no quote (L9). */
import { type Fragment, verbatim } from './fragment.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/**
 * A table's or a column's name, quoted; a table may stand in a schema: `people.credential`.
 *
 * @throws {RangeError} When it is no such name.
 */
export function quoteName(name: string): Fragment {
  const segments = name.split('.');
  if (segments.length <= 2 && segments.every((segment) => NAME.test(segment))) {
    return verbatim(segments.map((segment) => `"${segment}"`).join('.'));
  }
  throw new RangeError(
    `a name in a layout is letters, digits and \`_\`, 63 at most, and may follow a schema's: ${JSON.stringify(name)}`,
  );
}

/** A column of a table that stands under an alias. Throws as {@link quoteName} does. */
export function columnOf(alias: string, name: string): Fragment {
  return verbatim(`${alias}.${quoteName(name).parts.join('')}`);
}

/** A claim path, or a member that one names, as a text of the statement: it was parsed, so that it holds no quote. */
export function quotePath(path: string): string {
  if (!/^[A-Za-z0-9_.]+$/.test(path))
    throw new RangeError(`no part of a claim path: ${JSON.stringify(path)}`);
  return `'${path}'`;
}

/** The same as a path of JSON, as SQLite and DuckDB write them: each name in quotes, a dot being a part of it. */
export function jsonPath(names: readonly string[]): string {
  for (const name of names) quotePath(name);
  return `$${names.map((name) => `."${name}"`).join('')}`;
}
