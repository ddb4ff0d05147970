/** Subsets in order of size, so that the first that will do is a smallest. */

/** All subsets of a size, in the order of their members. */
export function* subsetsOf<Member>(members: readonly Member[], size: number): Iterable<readonly Member[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let index = 0; index <= members.length - size; index += 1) {
    const first = members[index] as Member;
    for (const rest of subsetsOf(members.slice(index + 1), size - 1)) yield [first, ...rest];
  }
}
