/** A set of texts that is asked the same question very often: found by length and three characters, then compared (L16, L18). */

/** More texts than this in one place, and a set that knows whole texts is the better one. */
const MAX_NEIGHBOURS = 4;

/** Places for each text: most texts that are not in the set fall into an empty one. */
const PLACES_PER_TEXT = 8;

/** Immutable. Never throws. */
export class TextSet {
  readonly #texts: readonly string[];
  /** By place: the position of its first text, from 1; 0 where there is none. */
  readonly #first: Uint16Array;
  /** By position: the position of the next text in the same place; 0 where there is none. */
  readonly #next: Uint16Array;

  private constructor(texts: readonly string[], first: Uint16Array, next: Uint16Array) {
    this.#texts = texts;
    this.#first = first;
    this.#next = next;
  }

  /** `undefined` where too many of the texts look alike, or one is empty: a `Set` is right for any texts. */
  static of(texts: readonly string[]): TextSet | undefined {
    if (texts.length > MAX_TEXTS || texts.includes('')) return undefined;
    const first = new Uint16Array(2 ** Math.ceil(Math.log2(texts.length * PLACES_PER_TEXT)));
    const next = new Uint16Array(texts.length + 1);
    const neighbours = new Uint16Array(first.length);
    for (const [index, text] of texts.entries()) {
      const place = placeOf(text, first.length - 1);
      next[index + 1] = first[place] as number;
      first[place] = index + 1;
      neighbours[place] = (neighbours[place] as number) + 1;
    }
    if (neighbours.some((count) => count > MAX_NEIGHBOURS)) return undefined;
    return new TextSet(['', ...texts], first, next);
  }

  has(text: string): boolean {
    if (text.length === 0) return false;
    const first = this.#first;
    let position = first[placeOf(text, first.length - 1)] as number;
    while (position !== 0) {
      if (this.#texts[position] === text) return true;
      position = this.#next[position] as number;
    }
    return false;
  }
}

/** As many as a position can number. */
const MAX_TEXTS = 65_535;

/** Odd numbers without a common factor, so that texts which differ in one character lie apart. */
const FIRST = 0x85eb;
const MIDDLE = 0x2c1b;
const LAST = 0x3d4d;

function placeOf(text: string, mask: number): number {
  const { length } = text;
  const last = text.charCodeAt(length - 1);
  const middle = text.charCodeAt(length >> 1);
  const mixed = text.charCodeAt(0) * FIRST + middle * MIDDLE + last * LAST + length;
  return (mixed ^ (mixed >>> 10)) & mask;
}
