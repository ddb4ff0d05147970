/** Sets of characters as ranges of code points. */

/** First and last code point, inclusive. */
export type Range = readonly [first: number, last: number];

/** Sorted, without overlapping or adjacent ranges. */
export type Characters = readonly Range[];

export const LAST_CODE_POINT = 0x10_ffff;
export const LAST_ASCII = 0x7f;

export const NEWLINE: Characters = [[10, 10]];
const DIGITS: Characters = [[0x30, 0x39]];
const UPPER: Range = [0x41, 0x5a];
const LOWER: Range = [0x61, 0x7a];
export const WORD: Characters = [...DIGITS, UPPER, [0x5f, 0x5f], LOWER];

/** Classes of one letter; the upper-case letter negates. `\s` lacks the vertical tab. */
export const PERL_CLASSES: ReadonlyMap<string, Characters> = new Map([
  ['d', DIGITS],
  [
    's',
    [
      [9, 10],
      [12, 13],
      [32, 32],
    ],
  ],
  ['w', WORD],
]);

/** Classes by name, as in `[[:alpha:]]`. */
export const POSIX_CLASSES: ReadonlyMap<string, Characters> = new Map<string, Characters>([
  ['alnum', [...DIGITS, UPPER, LOWER]],
  ['alpha', [UPPER, LOWER]],
  ['ascii', [[0, 0x7f]]],
  [
    'blank',
    [
      [9, 9],
      [32, 32],
    ],
  ],
  [
    'cntrl',
    [
      [0, 0x1f],
      [0x7f, 0x7f],
    ],
  ],
  ['digit', DIGITS],
  ['graph', [[0x21, 0x7e]]],
  ['lower', [LOWER]],
  ['print', [[0x20, 0x7e]]],
  [
    'punct',
    [
      [0x21, 0x2f],
      [0x3a, 0x40],
      [0x5b, 0x60],
      [0x7b, 0x7e],
    ],
  ],
  [
    'space',
    [
      [9, 13],
      [32, 32],
    ],
  ],
  ['upper', [UPPER]],
  ['word', WORD],
  ['xdigit', [...DIGITS, [0x41, 0x46], [0x61, 0x66]]],
]);

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

/** Returns ASCII characters with their other cases: U+212A (KELVIN SIGN) is a K, and U+017F (LONG S) an S. */
export function foldAscii(characters: Characters): Characters {
  const folded: Range[] = [...characters];
  for (const [first, last] of characters) {
    for (const [[from, to], distance] of [
      [UPPER, 32],
      [LOWER, -32],
    ] as const) {
      const [start, end] = [Math.max(first, from), Math.min(last, to)];
      if (start <= end) folded.push([start + distance, end + distance]);
    }
  }
  const all = union(folded);
  return union([
    ...all,
    ...(has(all, 0x4b) ? ([[0x212a, 0x212a]] as const) : []),
    ...(has(all, 0x53) ? ([[0x17f, 0x17f]] as const) : []),
  ]);
}
