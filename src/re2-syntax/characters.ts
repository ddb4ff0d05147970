/** Sets of characters as ranges of code points. */

/** First and last code point, inclusive. */
export type Range = readonly [first: number, last: number];

/** Sorted, without overlapping or adjacent ranges. */
export type Characters = readonly Range[];

export const LAST_CODE_POINT = 0x10_ffff;
export const LAST_ASCII = 0x7f;

const UPPER: Range = [0x41, 0x5a];
const LOWER: Range = [0x61, 0x7a];
export const NEWLINE = rangesOf('\n\n');
export const WORD = rangesOf('09AZ__az');

/** Classes that are named by one letter, as `\d`; the upper-case letter names the complement. `\s` does not contain the vertical tab. */
export const PERL_CLASSES: ReadonlyMap<string, Characters> = classes({
  d: '09',
  s: '\t\n\f\r  ',
  w: '09AZ__az',
});

/** Classes by name, as in `[[:alpha:]]`. */
export const POSIX_CLASSES: ReadonlyMap<string, Characters> = classes({
  alnum: '09AZaz',
  alpha: 'AZaz',
  ascii: '\0\x7f',
  blank: '\t\t  ',
  cntrl: '\0\x1f\x7f\x7f',
  digit: '09',
  graph: '!~',
  lower: 'az',
  print: ' ~',
  punct: '!/:@[`{~',
  space: '\t\r  ',
  upper: 'AZ',
  word: '09AZ__az',
  xdigit: '09AFaf',
});

function classes(bounds: Readonly<Record<string, string>>): ReadonlyMap<string, Characters> {
  return new Map(Object.entries(bounds).map(([name, text]) => [name, rangesOf(text)]));
}

/** Parses pairs of characters, the first and the last of each range: `09AZ` is 0 to 9 and A to Z. */
function rangesOf(bounds: string): Characters {
  return [...bounds].flatMap((first, index) =>
    index % 2 === 0 ? [[first.charCodeAt(0), bounds.charCodeAt(index + 1)] as const] : [],
  );
}

/** Returns the characters of all ranges, which may overlap and come in any order. */
export function union(ranges: readonly Range[]): Characters {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  const merged: [number, number][] = [];
  for (const [first, last] of sorted) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** Returns all other characters. */
export function complement(characters: Characters): Characters {
  const rest: Range[] = [];
  let next = 0;
  for (const [first, last] of characters) {
    if (first > next) rest.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST_CODE_POINT) rest.push([next, LAST_CODE_POINT]);
  return rest;
}

/** Returns whether a character is in a set. */
export function has(characters: Characters, codePoint: number): boolean {
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((characters[middle] as Range)[1] < codePoint) low = middle + 1;
    else high = middle;
  }
  return (characters[low]?.[0] ?? Number.POSITIVE_INFINITY) <= codePoint;
}

/** Adds the other cases of each character of a set of ASCII characters: U+212A (KELVIN SIGN) is a case of K, and U+017F (LONG S) of S. */
export function foldAscii(characters: Characters): Characters {
  const shifted = characters.flatMap((range) => [
    ...shiftedOverlap(range, UPPER, 32),
    ...shiftedOverlap(range, LOWER, -32),
  ]);
  const folded = union([...characters, ...shifted]);
  const beyond = [...(has(folded, 0x4b) ? [0x212a] : []), ...(has(folded, 0x53) ? [0x17f] : [])];
  return union([...folded, ...beyond.map((point): Range => [point, point])]);
}

/** Returns the part of a range within another, moved by a distance; empty if they do not overlap. */
function shiftedOverlap([first, last]: Range, [from, to]: Range, distance: number): readonly Range[] {
  const [start, end] = [Math.max(first, from), Math.min(last, to)];
  return start <= end ? [[start + distance, end + distance]] : [];
}
