/** The nearest right spelling for a misspelt name, for error messages (L8). */

/** Longer names are not compared: nobody misspells one of ours that long, and the work stays bounded. */
const MAX_COMPARED_CODE_UNITS = 32;

/**
 * The candidate that a misspelt name most likely stands for: the same letters in another case, or the one with the
 * fewest edits, at most a third of the name's length.
 *
 * @param candidates - A symbol among them, such as `==`, is all content: one edit away is another operator.
 * @returns `undefined` where none is near. Never throws.
 */
export function nearestSpelling<Name extends string>(
  name: string,
  candidates: readonly Name[],
): Name | undefined {
  if (name.length > MAX_COMPARED_CODE_UNITS) return undefined;
  const folded = name.trim().toLowerCase();
  const allowed = Math.max(1, Math.floor(folded.length / 3));
  const near = candidates
    .map((candidate) => ({ candidate, distance: editDistance(folded, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= (/[a-z]/i.test(candidate) ? allowed : 0));
  near.sort((left, right) => left.distance - right.distance);
  return near[0]?.candidate;
}

/** Insertions, deletions and substitutions that turn one text into the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (last[column] as number) + (letter === other ? 0 : 1);
      const changed = Math.min(last[column + 1] as number, current[column] as number) + 1;
      current.push(Math.min(replaced, changed));
    }
    last = current;
  }
  return last[to.length] as number;
}
