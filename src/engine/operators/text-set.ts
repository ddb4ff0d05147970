/** A set of texts that is asked the same question very often: found by length and three characters, then compared (L16, L18). */

/** More texts than this in one place, and a set that knows whole texts is the better one. */
const MAX_NEIGHBOURS = 4;

/** Places for each text: most texts that are not in the set fall into an empty one. */
const PLACES_PER_TEXT = 8;

/** Where each text of a set lies. */
interface Places {
  /** By place: the position of its first text, from 1; 0 where there is none. */
  readonly first: Uint16Array;
  /** By position: the position of the next text in the same place; 0 where there is none. */
  readonly next: Uint16Array;
}

/** Laid out when it is first asked, since most queries are asked less than all of. Never throws. */
export class TextSet {
  readonly #texts: readonly string[];
  #places: Places | undefined;
  /** Set where too many of the texts look alike: a set that knows whole texts is right for any. */
  #whole: ReadonlySet<string> | undefined;

  /** @param texts - Not to be changed afterwards. */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  has(text: string): boolean {
    const places = this.#places;
    if (places === undefined) return this.#hasUnplaced(text);
    if (text.length === 0) return false;
    const { first, next } = places;
    let position = first[placeOf(text, first.length - 1)] as number;
    while (position !== 0) {
      if (this.#texts[position - 1] === text) return true;
      position = next[position] as number;
    }
    return false;
  }

  #hasUnplaced(text: string): boolean {
    if (this.#whole !== undefined) return this.#whole.has(text);
    this.#places = placeAll(this.#texts);
    if (this.#places === undefined) this.#whole = new Set(this.#texts);
    return this.has(text);
  }
}

/** `undefined` where too many of the texts look alike, or one is empty. */
function placeAll(texts: readonly string[]): Places | undefined {
  if (texts.length > MAX_TEXTS) return undefined;
  const first = new Uint16Array(2 ** Math.ceil(Math.log2(texts.length * PLACES_PER_TEXT)));
  const next = new Uint16Array(texts.length + 1);
  const neighbours = new Uint16Array(first.length);
  for (let index = 0; index < texts.length; index += 1) {
    const text = texts[index] as string;
    if (text === '') return undefined;
    const place = placeOf(text, first.length - 1);
    const count = (neighbours[place] as number) + 1;
    if (count > MAX_NEIGHBOURS) return undefined;
    neighbours[place] = count;
    next[index + 1] = first[place] as number;
    first[place] = index + 1;
  }
  return { first, next };
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
