/** Asserts the options of exported functions: a misspelled option would otherwise have no effect. */

import { isPlainObject } from '../util/is-plain-object.js';
import { joinNames, quote, suggestion } from './names.js';
import { wrongType } from './value-types.js';

/**
 * Asserts that options have known names only.
 *
 * @param known - The names of the options of the function; any name where absent, which saves time where a function is
 *   called for every person.
 * @throws {TypeError} When options are given that are not a plain object; for an option with another name, also where it
 *   is `undefined`, with the nearest name.
 */
export function assertOptions(options: unknown, known?: readonly string[]): void {
  if (options === undefined) return;
  if (!isPlainObject(options)) throw wrongType('`options`', 'an object', options);
  if (known === undefined) return;
  for (const name of Object.keys(options)) if (!known.includes(name)) rejectOption(name, known);
}

function rejectOption(name: string, known: readonly string[]): never {
  const all =
    known.length === 1 ? `Its only option is \`${known[0]}\`` : `Its options are ${joinNames(known, 'and')}`;
  const hint = suggestion(name, known) || ` ${all}.`;
  throw new TypeError(`${quote(name)} is not an option of this function.${hint}`);
}
