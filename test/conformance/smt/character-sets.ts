/** Sets of code points, and the alphabet of one question: one character for each class that the question distinguishes. */
import { re2js } from '../../../src/index.js';

/** The code points at which membership changes, ascending: the first one is the first member. */
export type CharacterSet = readonly number[];

const CODE_POINTS = 0x11_0000;
/** The code points of SMT-LIB strings end here. */
const SMT_CODE_POINTS = 0x3_0000;
/** Unassigned code points: stand-ins for classes of characters beyond those of SMT-LIB. */
const FIRST_STAND_IN = 0x2_ff00;

const HIGH_SURROGATES: CharacterSet = [0xd800, 0xdc00];
const LOW_SURROGATES: CharacterSet = [0xdc00, 0xe000];
const SURROGATES: CharacterSet = [0xd800, 0xe000];
const PAIRS_PER_HIGH_SURROGATE = 0x400;
const FIRST_PAIR = 0x1_0000;

function contains(set: CharacterSet, codePoint: number): boolean {
  let [low, high] = [0, set.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((set[middle] as number) <= codePoint) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

const setsBySource = new Map<string, CharacterSet>();

/**
 * Returns the characters that a pattern of one character matches. The pattern engine is asked about every code point, so that the result
 * depends on no parser of patterns.
 */
export function charactersOf(source: string): CharacterSet {
  const known = setsBySource.get(source);
  if (known !== undefined) return known;
  const compiled = re2js.compile(source);
  if (!compiled.accepted) throw new TypeError(`the pattern engine rejects ${source}`);
  const toggles: number[] = [];
  let isMember = false;
  for (let codePoint = 0; codePoint < CODE_POINTS; codePoint += 1) {
    if (compiled.pattern.test(String.fromCodePoint(codePoint)) === isMember) continue;
    isMember = !isMember;
    toggles.push(codePoint);
  }
  setsBySource.set(source, toggles);
  return toggles;
}

/** Returns the characters whose surrogate pairs start with a high surrogate. A prefix that ends with that surrogate matches all of them. */
export function pairsOf(highSurrogate: number): CharacterSet {
  const first = FIRST_PAIR + (highSurrogate - 0xd800) * PAIRS_PER_HIGH_SURROGATE;
  return [first, first + PAIRS_PER_HIGH_SURROGATE];
}

export function isHighSurrogate(codePoint: number): boolean {
  return contains(HIGH_SURROGATES, codePoint);
}

/** A class of characters: the character in formulas, and the one in claims. */
interface CharacterClass {
  readonly symbol: number;
  readonly codePoint: number;
}

/**
 * The characters of one question. SMT-LIB strings have code points below 0x30000 and no surrogate pairs, so the question is asked about
 * one character of each class that no pattern and no literal string distinguishes.
 */
export class Alphabet {
  /** Whether a high surrogate before a low one must be ruled out: the two would be one character. */
  readonly distinguishesSurrogates: boolean;
  readonly #classes: readonly CharacterClass[];
  readonly #sets: readonly CharacterSet[];
  readonly #named: ReadonlySet<number>;
  readonly #symbols: ReadonlyMap<string, number>;

  /**
   * @param sets - All sets of characters in the patterns of a question.
   * @param literals - All strings that it names.
   */
  constructor(sets: readonly CharacterSet[], literals: readonly string[]) {
    const named = new Set(literals.flatMap((text) => [...text].map((one) => one.codePointAt(0) as number)));
    const bounds = [...sets.flat(), ...[...named].flatMap((codePoint) => [codePoint, codePoint + 1])];
    this.distinguishesSurrogates = bounds.some((bound) => bound >= 0xd800 && bound <= 0xe000);
    const all = this.distinguishesSurrogates ? [...sets, HIGH_SURROGATES, LOW_SURROGATES] : sets;
    const starts = [
      ...new Set([0, ...bounds, ...(this.distinguishesSurrogates ? [0xd800, 0xdc00, 0xe000] : [])]),
    ]
      .filter((start) => start < CODE_POINTS)
      .sort((a, b) => rank(a) - rank(b));
    this.#sets = all;
    this.#named = named;
    const byKey = new Map<string, number>();
    for (const start of starts) {
      const key = this.#keyOf(start);
      if (!byKey.has(key)) byKey.set(key, start);
    }
    this.#classes = [...byKey.values()].map((codePoint, index) => ({
      codePoint,
      symbol: codePoint < SMT_CODE_POINTS ? codePoint : FIRST_STAND_IN + index,
    }));
    this.#symbols = new Map(this.#classes.map(({ symbol, codePoint }) => [this.#keyOf(codePoint), symbol]));
  }

  /** Returns the symbols of a set's classes. */
  symbolsOf(set: CharacterSet): readonly number[] {
    return this.#classes.filter(({ codePoint }) => contains(set, codePoint)).map(({ symbol }) => symbol);
  }

  get all(): readonly number[] {
    return this.#classes.map(({ symbol }) => symbol);
  }

  get highSurrogates(): readonly number[] {
    return this.symbolsOf(HIGH_SURROGATES);
  }

  get lowSurrogates(): readonly number[] {
    return this.symbolsOf(LOW_SURROGATES);
  }

  /** Writes a string with the symbols of its characters' classes. */
  encode(text: string): readonly number[] {
    return [...text].map((one) => this.#symbols.get(this.#keyOf(one.codePointAt(0) as number)) as number);
  }

  /** Returns a key that identifies the class of a character. */
  #keyOf(codePoint: number): string {
    const signature = this.#sets.map((set) => Number(contains(set, codePoint))).join('');
    return this.#named.has(codePoint) ? `${signature} ${codePoint}` : signature;
  }
}

/** Returns a sort key: printable ASCII characters first, and surrogates last. */
function rank(codePoint: number): number {
  if (codePoint >= 0x20 && codePoint < 0x7f) return codePoint - CODE_POINTS;
  return contains(SURROGATES, codePoint) ? codePoint + CODE_POINTS : codePoint;
}
