/** Sets of characters as ranges of code points. */

/** First and last code point, inclusive. */
export type Range = readonly [first: number, last: number];

/** Sorted, without overlaps. */
export type Characters = readonly Range[];

export const LAST_CODE_POINT = 0x10_ffff;

export const ANY: Characters = [[0, LAST_CODE_POINT]];
export const NEWLINE: Characters = [[10, 10]];
export const DIGITS: Characters = [[0x30, 0x39]];
export const WORD: Characters = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** RE2's `\s`: tab, newline, form feed, carriage return, space. */
export const SPACE: Characters = [
  [9, 10],
  [12, 13],
  [32, 32],
];

/** The halves of pairs, which stand alone in no well-formed text. */
export const SURROGATES: Range = [0xd800, 0xdfff];

/** The characters of all ranges, which may overlap and stand in any order. */
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

/** All other characters. */
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

/** Whether a character is one of them. */
export function has(characters: Characters, codePoint: number): boolean {
  return characters.some(([first, last]) => codePoint >= first && codePoint <= last);
}

const LETTERS = 26;

/**
 * The characters in either case.
 *
 * @returns `undefined` where a character beyond ASCII has a case: Unicode's tables are not ours to repeat.
 */
export function inEitherCase(characters: Characters): Characters | undefined {
  const folded: Range[] = [...characters];
  for (let letter = 0; letter < LETTERS; letter += 1) {
    const [upper, lower] = [0x41 + letter, 0x61 + letter];
    if (!has(characters, upper) && !has(characters, lower)) continue;
    folded.push([upper, upper], [lower, lower]);
    // The Kelvin sign is a K, and the long s an S.
    if (upper === 0x4b) folded.push([0x212a, 0x212a]);
    if (upper === 0x53) folded.push([0x17f, 0x17f]);
  }
  const beyond = characters.some(([, last]) => last > 0x7f);
  return beyond && !isAllBeyondAscii(characters) ? undefined : union(folded);
}

/** Whether a set has all characters beyond ASCII or none: then their cases make no difference. */
function isAllBeyondAscii(characters: Characters): boolean {
  return characters.some(([first, last]) => first <= 0x80 && last === LAST_CODE_POINT);
}
