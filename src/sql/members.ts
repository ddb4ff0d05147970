/** Rejects unknown members of the objects that describe a database. Without this check, a misspelled member would have no effect. */
import { joinNames, quote, suggestion } from '../engine/names.js';
import { assertObject } from '../engine/value-types.js';

/**
 * Asserts that an argument is an object with known members only.
 *
 * @throws {TypeError} When the value is not an object, or has an unknown member. The message suggests a similar known member that the value does not have,
 *   or lists all known members.
 */
export function assertMembers(
  argument: string,
  value: unknown,
  known: readonly string[],
): asserts value is Readonly<Record<string, unknown>> {
  assertObject(argument, value);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const absent = known.filter((name) => !Object.hasOwn(value, name));
  const hint = suggestion(unknown, absent) || ` Its members are ${joinNames(known, 'and')}.`;
  throw new TypeError(`${argument} has no member ${quote(unknown)}.${hint}`);
}
