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
  let [nearest, fewest]: [Name | undefined, number] = [undefined, allowed + 1];
  for (const candidate of candidates) {
    const most = /[a-z]/i.test(candidate) ? Math.min(allowed, fewest - 1) : 0;
    // A difference in length is a distance as well, and a cheap one.
    if (Math.abs(candidate.length - folded.length) > most) continue;
    const distance = editDistance(folded, candidate.toLowerCase());
    if (distance <= most) [nearest, fewest] = [candidate, distance];
  }
  return nearest;
}

/** Insertions, deletions and substitutions that turn one text into the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  // The distances of what was read of `from` to each beginning of `to`.
  const distances = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const letter of from) {
    let replaced = distances[0] as number;
    distances[0] = replaced + 1;
    for (const [index, other] of [...to].entries()) {
      const kept = replaced + (letter === other ? 0 : 1);
      replaced = distances[index + 1] as number;
      distances[index + 1] = Math.min(kept, replaced + 1, (distances[index] as number) + 1);
    }
  }
  return distances[to.length] as number;
}
