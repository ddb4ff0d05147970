/** Reads lists that hold one entry or more. */
import { pointerTo } from '../problems.js';
import type { Member } from './members.js';
import type { Reading } from './reading.js';

/**
 * Reads the entries of a list, one after the other: the problems of the first ones may end the reading.
 *
 * @param name - The member that holds it.
 * @param entry - What an entry is, as a message calls it: `item`.
 * @param read - Reads an entry; `undefined` where it is wrong, which is a problem.
 * @returns `undefined` where it is no list or holds nothing, which is a problem.
 */
export function readList<Read extends object>(
  { value, pointer }: Member,
  name: string,
  entry: string,
  { problems }: Reading,
  read: (entry: Member) => Read | undefined,
): readonly Read[] | undefined {
  if (!Array.isArray(value)) {
    return problems.add('not_an_array', pointer, `\`${name}\` is an array of one or more ${entry}s.`);
  }
  if (value.length === 0) return problems.add('list_empty', pointer, `\`${name}\` has one ${entry} or more.`);
  return Object.freeze(
    value.flatMap((item, index) => read({ value: item, pointer: pointerTo(pointer, index) }) ?? []),
  );
}
