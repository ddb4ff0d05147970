/** Names in messages: quotes names, joins them, and suggests corrections of misspelled ones (L8). */
import { describeType } from './value-types.js';

/** Longer strings are truncated in messages, so that a small query cannot cause a large response (S153). */
const MAX_QUOTED_CODE_UNITS = 64;

/** Quotes a caller's string for a message: in backticks, truncated where it is long. */
export function quote(text: string): string {
  return text.length > MAX_QUOTED_CODE_UNITS ? `\`${text.slice(0, MAX_QUOTED_CODE_UNITS)}…\`` : `\`${text}\``;
}

/** Describes an operand for a message: strings and numbers are shown. */
export function describeOperand(value: unknown): string {
  return typeof value === 'string' ? `the string ${quote(value)}` : describeType(value);
}

/** Joins two or more names for a message: `a`, `b` or `c`. */
export function joinNames(names: readonly string[], conjunction = 'or'): string {
  const quoted = names.map((name) => `\`${name}\``);
  return `${quoted.slice(0, -1).join(', ')} ${conjunction} ${quoted.slice(-1).join()}`;
}

/** Returns the end of a message that suggests a name; empty where no candidate is close enough. */
export function suggestion(name: string, candidates: readonly string[]): string {
  const nearest = didYouMean(name, candidates, MAX_SUGGESTED_CODE_UNITS);
  return nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`;
}

/**
 * Asserts that an argument is one of a list of names.
 *
 * @throws {TypeError} For any other value, with the nearest name.
 */
export function assertName(argument: string, names: readonly string[], value: unknown): void {
  if (names.some((name) => name === value)) return;
  const required = `${argument} must be one of ${joinNames(names)}`;
  if (typeof value !== 'string') throw new TypeError(`${required} (got ${describeType(value)})`);
  throw new TypeError(`${required} (got ${quote(value)}).${suggestion(value, names)}`);
}

/** Longer names are not compared, which bounds the work: no valid name of the language is that long. */
const MAX_COMPARED_CODE_UNITS = 32;

/** The limit for claim paths, scopes, options and settings, whose names may be longer than those of the language. */
export const MAX_SUGGESTED_CODE_UNITS = 64;

/**
 * Finds the candidate that a misspelled name resembles: the one with the fewest edits, at most a third of the name's
 * length, or one for a short name. Ignores the case of ASCII letters, and spaces around the name. Of equally near
 * candidates, the first is returned (L8).
 *
 * @param candidates - Symbols among them, such as `==`, must match exactly: one edit away is another operator.
 * @returns `undefined` where no candidate is close enough. Never throws.
 */
export function didYouMean<Name extends string>(
  name: string,
  candidates: readonly Name[],
  longest = MAX_COMPARED_CODE_UNITS,
): Name | undefined {
  if (name.length > longest) return undefined;
  const folded = foldCase(name.replace(/^ +| +$/g, ''));
  let nearest: Name | undefined;
  let fewest = Math.max(1, Math.floor(folded.length / 3)) + 1;
  for (const candidate of candidates) {
    const most = /[a-z]/i.test(candidate) ? fewest - 1 : 0;
    // The difference in length is a lower bound of the distance, and cheap to compute.
    if (Math.abs(candidate.length - folded.length) > most) continue;
    const distance = editDistance(folded, foldCase(candidate));
    if (distance > most) continue;
    nearest = candidate;
    fewest = distance;
  }
  return nearest;
}

function foldCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Optimal string alignment distance: the number of insertions, deletions and substitutions of code units, and of
 * transpositions of two adjacent ones, where no code unit is edited twice.
 */
function editDistance(from: string, to: string): number {
  const width = to.length + 1;
  // One row for each prefix of `from`: the distances between it and each prefix of `to`. Names are short, so distances fit into bytes.
  const distances = new Uint8Array((from.length + 1) * width);
  for (let column = 0; column < width; column += 1) distances[column] = column;
  for (let row = 1; row <= from.length; row += 1) {
    const start = row * width;
    distances[start] = row;
    for (let column = 1; column < width; column += 1) {
      const here = start + column;
      const isKept = from.charCodeAt(row - 1) === to.charCodeAt(column - 1);
      const replaced = at(distances, here - width - 1) + (isKept ? 0 : 1);
      let least = Math.min(replaced, at(distances, here - width) + 1, at(distances, here - 1) + 1);
      // The code before the first one is NaN, which equals none.
      const isSwapped =
        from.charCodeAt(row - 1) === to.charCodeAt(column - 2) &&
        from.charCodeAt(row - 2) === to.charCodeAt(column - 1);
      if (isSwapped) least = Math.min(least, at(distances, here - 2 * width - 2) + 1);
      distances[here] = least;
    }
  }
  return at(distances, distances.length - 1);
}

function at(distances: Uint8Array, index: number): number {
  return distances[index] as number;
}
