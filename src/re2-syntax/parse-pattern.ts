/** Parses the pattern dialect, a subset of RE2's syntax, and measures patterns for the limits (L7, L18). */
import {
  type Characters,
  complement,
  foldAscii,
  LAST_ASCII,
  LAST_CODE_POINT,
  NEWLINE,
  PERL_CLASSES,
  POSIX_CLASSES,
  type Range,
  union,
} from './characters.js';
import { isUnicodeClass } from './unicode-classes.js';

/** A condition on a position between characters, which consumes none. */
export type Assertion = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'wordEdge' | 'noWordEdge';

/** A parsed pattern. Capture groups, and whether a repetition is greedy, do not change whether a pattern matches. */
export type Pattern =
  | { readonly kind: 'character'; readonly characters: Characters }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly parts: readonly Pattern[] }
  /** `most` is infinite where there is no bound. */
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly least: number; readonly most: number };

/**
 * Finds characters that depend on Unicode tables: the members of a class (`\pL`, `\p{Greek}`), or the other cases of a character.
 *
 * @param source - A pattern of one character, such as `\p{Greek}` or `(?i:\x{e9})`.
 * @returns `undefined` where there is no such class.
 */
export type UnicodeLookup = (source: string) => Characters | undefined;

interface Flags {
  readonly ignoresCase: boolean;
  readonly manyLines: boolean;
  readonly dotIsAny: boolean;
}

/** Thrown inside this file for a pattern that is not valid in the dialect. The message is the reason, without the pattern. */
class SyntaxFault extends Error {}

/**
 * Parses a pattern.
 *
 * @returns `undefined` for an invalid pattern, or where `lookup` returns `undefined`. Errors that `lookup` throws are rethrown.
 */
export function parsePattern(text: string, lookup: UnicodeLookup): Pattern | undefined {
  try {
    return new PatternParser(text, lookup).parse().pattern;
  } catch (error) {
    if (error instanceof SyntaxFault) return undefined;
    throw error;
  }
}

/** A valid pattern with its measures, or the reason why a pattern is invalid. */
export type MeasuredPattern =
  | {
      readonly accepted: true;
      /** The size of the program that matches the pattern, in instructions (L7). */
      readonly size: number;
      /** The work of compiling the pattern, in steps (L7). */
      readonly work: number;
      /** The parsed pattern; `undefined` where its meaning depends on Unicode tables. */
      readonly pattern: Pattern | undefined;
    }
  | { readonly accepted: false; readonly reason: string };

/** Steps of every pattern, in addition to those of its parts. */
const WORK_PER_PATTERN = 16;
/** Steps of a Unicode class: hundreds of ranges are sorted and merged. */
const WORK_PER_UNICODE_CLASS = 256;
/** Number of characters of a range that are case-folded in one step. */
const FOLDED_PER_STEP = 16;
/** Size of the start and of the match, which every pattern has. */
const SIZE_OF_ENDS = 2;

/** Parses and measures a pattern without Unicode tables, in time at most quadratic in its length, which `patternCodeUnits` limits. Never throws. */
export function measurePattern(text: string): MeasuredPattern {
  let isUnicode = false;
  const parser = new PatternParser(text, () => {
    isUnicode = true;
    return [];
  });
  try {
    const { pattern, size: inner } = parser.parse();
    const size = inner + SIZE_OF_ENDS;
    const classes = WORK_PER_UNICODE_CLASS * parser.unicodeClasses;
    const work =
      WORK_PER_PATTERN + text.length + size + classes + Math.ceil(parser.foldedCharacters / FOLDED_PER_STEP);
    return { accepted: true, size, work, pattern: isUnicode ? undefined : pattern };
  } catch (error) {
    if (error instanceof SyntaxFault) return { accepted: false, reason: error.message };
    throw error;
  }
}

/** Returns the consecutive parts of a pattern, with nested sequences flattened. */
export function partsOf(pattern: Pattern): readonly Pattern[] {
  if (pattern.kind !== 'sequence') return [pattern];
  return pattern.parts.some(({ kind }) => kind === 'sequence')
    ? pattern.parts.flatMap(partsOf)
    : pattern.parts;
}

/** Outside of a class, every other character is literal. */
const SPECIAL = /[\\^$.|?*+()[\]{}]/;

const FLAGS = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/;
const NAMED_GROUP = /^\(\?P?<([0-9A-Za-z_]+)>/;
const REPETITION = /^(?:([*+?])|\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\})\??/;
const MAX_COUNT = 1_000;
/** Maximum depth of nested groups, since parsing recurses for each. */
const MAX_DEPTH = 1_000;

const PERL_CLASS = /^\\([dswDSW])/;
const UNICODE_CLASS = /^\\[pP](?:\{[^}]*\}|[^{])/u;
const POSIX_CLASS = /^\[:(\^?)([a-z]+):\]$/;
const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['\\A', 'textStart'],
  ['\\z', 'textEnd'],
  ['\\b', 'wordEdge'],
  ['\\B', 'noWordEdge'],
]);
const HEXADECIMAL = /^\\x(?:\{([\dA-Fa-f]+)\}|([\dA-Fa-f]{2}))/;
const OCTAL = /^\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/;
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
]);
const LAST_CODE_UNIT = 0xffff;
const PUNCTUATION = /^[^0-9A-Za-z\x80-\u{10ffff}]$/u;

/** The first and the last character that has another case. */
const [FIRST_FOLDED, LAST_FOLDED] = [0x41, 0x1_e943];

/** A part of a pattern and its size (L7). */
interface Term {
  readonly pattern: Pattern;
  readonly size: number;
}

/** Size of an unbounded repetition in addition to what it repeats. */
const SIZE_OF_REPETITION = 2;
/** Size of a capture group in addition to what it contains. */
const SIZE_OF_CAPTURE = 2;

class PatternParser {
  /** Number of Unicode classes so far. */
  unicodeClasses = 0;
  /** Number of characters so far in the ranges that are case-folded. */
  foldedCharacters = 0;
  readonly #text: string;
  readonly #lookup: UnicodeLookup;
  readonly #names = new Set<string>();
  #at = 0;
  /** Number of open groups. */
  #depth = 0;

  constructor(text: string, lookup: UnicodeLookup) {
    this.#text = text;
    this.#lookup = lookup;
  }

  parse(): Term {
    if (!this.#text.isWellFormed()) throw new SyntaxFault('lone surrogate');
    const term = this.#choice({ ignoresCase: false, manyLines: false, dotIsAny: false });
    if (this.#at < this.#text.length) throw new SyntaxFault('unexpected )');
    return term;
  }

  /** Parses alternatives up to a closing bracket or the end. Flags hold from where they are set, in later alternatives too. */
  #choice(outer: Flags): Term {
    let flags = outer;
    let parts: Term[] = [];
    const alternatives = [parts];
    // A repetition must directly follow what it repeats.
    let isRepeatable = false;
    while (this.#at < this.#text.length && !this.#text.startsWith(')', this.#at)) {
      if (!SPECIAL.test(this.#text.charAt(this.#at))) {
        parts.push(this.#single(flags));
        isRepeatable = true;
        continue;
      }
      const counts = this.#counts();
      if (counts !== undefined) {
        const part = isRepeatable ? parts.pop() : undefined;
        if (part === undefined) throw new SyntaxFault('missing argument to repetition operator');
        parts.push(repeat(part, counts));
        isRepeatable = false;
        continue;
      }
      isRepeatable = false;
      if (this.#take('|')) {
        parts = [];
        alternatives.push(parts);
        continue;
      }
      const changes = this.#match(FLAGS);
      if (changes !== undefined && changes[3] === ')') {
        flags = withFlags(flags, changes);
        continue;
      }
      if (changes !== undefined) parts.push(this.#closed(withFlags(flags, changes)));
      else if (this.#take('\\Q')) {
        const quoted = this.#quotation(flags);
        // Not spread: a quotation may be longer than the stack.
        for (const term of quoted) parts.push(term);
        isRepeatable = quoted.length > 0;
        continue;
      } else parts.push(this.#part(flags));
      isRepeatable = true;
    }
    return asChoice(alternatives.map(inSequence));
  }

  #counts(): Counts | undefined {
    const found = this.#match(REPETITION);
    if (found === undefined) return undefined;
    const [, sign, count = '', comma, bound] = found;
    const least = sign === undefined ? Number(count) : Number(sign === '+');
    const most =
      sign === '?' ? 1 : sign === undefined && comma === undefined ? least : Number(bound ?? 'Infinity');
    // A bound of more than 308 digits is infinite as well.
    if (least > Math.min(most, MAX_COUNT) || Number(bound) > MAX_COUNT)
      throw new SyntaxFault('invalid repeat count');
    return [least, most];
  }

  #part(flags: Flags): Term {
    const name = this.#match(NAMED_GROUP)?.[1];
    if (name !== undefined) {
      if (this.#names.has(name)) throw new SyntaxFault('duplicate capture group name');
      this.#names.add(name);
      return captured(this.#closed(flags));
    }
    if (this.#text.startsWith('(?', this.#at)) throw new SyntaxFault('invalid or unsupported group');
    if (this.#take('(')) return captured(this.#closed(flags));
    if (this.#take('.')) return character(complement(flags.dotIsAny ? [] : NEWLINE));
    if (this.#take('^')) return asAssertion(flags.manyLines ? 'lineStart' : 'textStart');
    if (this.#take('$')) return asAssertion(flags.manyLines ? 'lineEnd' : 'textEnd');
    const assertion = ASSERTIONS.get(this.#text.slice(this.#at, this.#at + 2));
    if (assertion !== undefined) {
      this.#at += 2;
      return asAssertion(assertion);
    }
    if (this.#take('[')) return character(this.#class(flags));
    const known = this.#escapedClass(flags);
    if (known !== undefined) return character(known);
    return this.#single(flags);
  }

  #single(flags: Flags): Term {
    const codePoint = this.#character();
    return character(this.#folded([codePoint, codePoint], flags));
  }

  /** Parses the inside of a group and its closing bracket. */
  #closed(flags: Flags): Term {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new SyntaxFault('expression nests too deeply');
    const term = this.#choice(flags);
    if (!this.#take(')')) throw new SyntaxFault('missing closing )');
    this.#depth -= 1;
    return term;
  }

  /** Parses what follows `\Q`: up to `\E` or the end, all characters are literal. */
  #quotation(flags: Flags): readonly Term[] {
    const found = this.#text.indexOf('\\E', this.#at);
    const end = found < 0 ? this.#text.length : found;
    const quoted = this.#text.slice(this.#at, end);
    this.#at = found < 0 ? end : end + 2;
    return [...quoted].map((one) => {
      const codePoint = one.codePointAt(0) as number;
      return character(this.#folded([codePoint, codePoint], flags));
    });
  }

  /** Parses what follows the opening bracket of a class. */
  #class(flags: Flags): Characters {
    const isNegated = this.#take('^');
    const ranges: Range[] = [];
    do ranges.push(...(this.#posixClass(flags) ?? this.#escapedClass(flags) ?? this.#range(flags)));
    while (!this.#take(']'));
    return isNegated ? complement(union(ranges)) : union(ranges);
  }

  #posixClass(flags: Flags): Characters | undefined {
    if (!this.#text.startsWith('[:', this.#at)) return undefined;
    const end = this.#text.indexOf(':]', this.#at);
    if (end < 0) return undefined;
    const found = POSIX_CLASS.exec(this.#text.slice(this.#at, end + 2));
    const characters = POSIX_CLASSES.get(found?.[2] ?? '');
    if (characters === undefined) throw new SyntaxFault('unknown character class');
    this.#at = end + 2;
    return negatedIf(flags.ignoresCase ? foldAscii(characters) : characters, found?.[1] === '^');
  }

  /** Parses a class escape such as `\d` or `\pL`. */
  #escapedClass({ ignoresCase }: Flags): Characters | undefined {
    if (!this.#text.startsWith('\\', this.#at)) return undefined;
    const letter = this.#match(PERL_CLASS)?.[1];
    if (letter !== undefined) {
      const name = letter.toLowerCase();
      const characters = PERL_CLASSES.get(name) as Characters;
      return negatedIf(ignoresCase ? foldAscii(characters) : characters, letter !== name);
    }
    const source = this.#match(UNICODE_CLASS)?.[0];
    if (source === undefined) return undefined;
    if (!isUnicodeClass(source)) throw new SyntaxFault('unknown character class');
    this.unicodeClasses += 1;
    const characters = this.#lookup(ignoresCase ? `(?i:${source})` : source);
    if (characters === undefined) throw new SyntaxFault('unknown character class');
    return characters;
  }

  /** Parses one character of a class, or a range. A hyphen before the closing bracket is literal. */
  #range(flags: Flags): Characters {
    const first = this.#character();
    if (!this.#text.startsWith('-', this.#at) || this.#text.startsWith('-]', this.#at)) {
      return this.#folded([first, first], flags);
    }
    this.#at += 1;
    const last = this.#character();
    if (last < first) throw new SyntaxFault('invalid character class range');
    if (flags.ignoresCase) {
      const folded = Math.min(last, LAST_FOLDED) - Math.max(first, FIRST_FOLDED) + 1;
      this.foldedCharacters += Math.max(0, folded);
    }
    return this.#folded([first, last], flags);
  }

  /** Parses a literal or escaped character. */
  #character(): number {
    if (this.#at === this.#text.length) throw new SyntaxFault('missing closing ]');
    return this.#text.startsWith('\\', this.#at) ? this.#escapedCharacter() : this.#nextCodePoint();
  }

  #escapedCharacter(): number {
    const digits = this.#match(HEXADECIMAL);
    if (digits !== undefined) {
      const codePoint = Number.parseInt(digits[1] ?? digits[2] ?? '', 16);
      if (codePoint > LAST_CODE_POINT) throw new SyntaxFault('invalid escape sequence');
      return codePoint;
    }
    const octal = this.#match(OCTAL)?.[1];
    if (octal !== undefined) return Number.parseInt(octal, 8);
    this.#at += 1;
    const codePoint = this.#nextCodePoint();
    const literal = String.fromCodePoint(codePoint);
    const control = CONTROLS.get(literal);
    if (control === undefined && !PUNCTUATION.test(literal)) throw new SyntaxFault('invalid escape sequence');
    return control ?? codePoint;
  }

  #nextCodePoint(): number {
    const codePoint = this.#text.codePointAt(this.#at);
    if (codePoint === undefined) throw new SyntaxFault('trailing backslash');
    this.#at += codePoint > LAST_CODE_UNIT ? 2 : 1;
    return codePoint;
  }

  #folded([first, last]: Range, { ignoresCase }: Flags): Characters {
    if (!ignoresCase) return [[first, last]];
    if (last <= LAST_ASCII) return foldAscii([[first, last]]);
    const folded = this.#lookup(`(?i:[\\x{${first.toString(16)}}-\\x{${last.toString(16)}}])`);
    if (folded === undefined) throw new SyntaxFault('unknown character class');
    return folded;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.#text.slice(this.#at));
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}

function character(characters: Characters): Term {
  return { pattern: { kind: 'character', characters }, size: 1 };
}

function asAssertion(assertion: Assertion): Term {
  return { pattern: { kind: 'assertion', assertion }, size: 1 };
}

function captured({ pattern, size }: Term): Term {
  return { pattern, size: size + SIZE_OF_CAPTURE };
}

function inSequence(terms: readonly Term[]): Term {
  const [first, second] = terms;
  if (first !== undefined && second === undefined) return first;
  const parts = terms.map(({ pattern }) => pattern);
  return { pattern: { kind: 'sequence', parts }, size: Math.max(1, totalSize(terms)) };
}

function asChoice(terms: readonly Term[]): Term {
  const [first, second] = terms;
  if (first !== undefined && second === undefined) return first;
  const parts = terms.map(({ pattern }) => pattern);
  return { pattern: { kind: 'choice', parts }, size: totalSize(terms) + terms.length - 1 };
}

function totalSize(terms: readonly Term[]): number {
  return terms.reduce((sum, { size }) => sum + size, 0);
}

function negatedIf(characters: Characters, isNegated: boolean): Characters {
  return isNegated ? complement(characters) : characters;
}

/** How often a part is repeated; `most` is infinite where there is no bound. */
type Counts = readonly [least: number, most: number];

function repeat({ pattern: part, size }: Term, counts: Counts): Term {
  const [least, most] = counts;
  const pattern: Pattern = { kind: 'repeat', part, least, most };
  if (!fitsCount(pattern, MAX_COUNT)) throw new SyntaxFault('invalid repeat count');
  return { pattern, size: repeatedSize(size, counts) };
}

function repeatedSize(size: number, [least, most]: Counts): number {
  if (most === Number.POSITIVE_INFINITY) return Math.max(least, 1) * size + SIZE_OF_REPETITION;
  return Math.max(most, 1) * size + most - least;
}

/** Returns whether the product of nested repetition counts is at most `count`. */
function fitsCount(pattern: Pattern, count: number): boolean {
  if (pattern.kind === 'sequence' || pattern.kind === 'choice') {
    return pattern.parts.every((part) => fitsCount(part, count));
  }
  if (pattern.kind !== 'repeat' || pattern.most === 0) return true;
  const times = pattern.most === Number.POSITIVE_INFINITY ? pattern.least : pattern.most;
  return times <= count && fitsCount(pattern.part, times === 0 ? count : Math.trunc(count / times));
}

function withFlags(flags: Flags, [, on = '', off = '']: RegExpExecArray): Flags {
  const isOn = (letter: string, before: boolean) => !off.includes(letter) && (on.includes(letter) || before);
  return {
    ignoresCase: isOn('i', flags.ignoresCase),
    manyLines: isOn('m', flags.manyLines),
    dotIsAny: isOn('s', flags.dotIsAny),
  };
}
