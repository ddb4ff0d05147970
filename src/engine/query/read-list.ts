/** Reads lists that hold one entry or more. */
import { pointerTo } from '../json-pointer.js';
import type { Member } from './members.js';
import type { Reading } from './reading.js';

/**
 * Tells the entries of a list with their places.
 *
 * @param name - The member that holds it.
 * @param entry - What an entry is, as a message calls it: `item`.
 * @returns `undefined` where it is no list or holds nothing, which is a problem.
 */
export function readList(
  { value, pointer }: Member,
  name: string,
  entry: string,
  { problems }: Reading,
): readonly Member[] | undefined {
  if (!Array.isArray(value)) {
    return problems.add('not_an_array', pointer, `\`${name}\` is an array of one or more ${entry}s.`);
  }
  if (value.length === 0) return problems.add('list_empty', pointer, `\`${name}\` has one ${entry} or more.`);
  return value.map((item, index) => ({ value: item, pointer: pointerTo(pointer, index) }));
}
