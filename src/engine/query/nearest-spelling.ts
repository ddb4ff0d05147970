/** The nearest right spelling for a misspelt name, for error messages (L8). */

/** Longer names are not compared: nobody misspells one of ours that long, and the work stays bounded. */
const MAX_COMPARED_CODE_UNITS = 32;

/**
 * The candidate that a misspelt name most likely stands for: the same letters in another case, or the one with the
 * fewest edits, at most a third of the name's length.
 *
 * @returns `undefined` where none is near. Never throws.
 */
export function nearestSpelling<Name extends string>(
  name: string,
  candidates: readonly Name[],
): Name | undefined {
  if (name.length > MAX_COMPARED_CODE_UNITS) return undefined;
  const folded = name.trim().toLowerCase();
  let best: Name | undefined;
  let bestDistance = Math.max(1, Math.floor(folded.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(folded, candidate.toLowerCase());
    // A symbol such as `==` is all content: one edit away is another operator.
    const near = /[a-z]/i.test(candidate) ? distance < bestDistance : distance === 0;
    if (near) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let distance = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        distance = Math.min(distance, (beforeLast[column - 2] as number) + 1);
      }
      current.push(distance);
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] as number;
}
