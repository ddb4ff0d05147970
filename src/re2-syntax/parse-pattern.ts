/** Parses RE2's syntax: accepts exactly the patterns that the engine accepts (L18). */
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

/** A position between characters. */
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

/** Thrown inside this file for a pattern that RE2 rejects. */
class SyntaxFault extends Error {}

/**
 * Parses a pattern.
 *
 * @returns `undefined` for a pattern that RE2 rejects. Errors of `lookup` are rethrown.
 */
export function parsePattern(text: string, lookup: UnicodeLookup): Pattern | undefined {
  try {
    return new PatternParser(text, lookup).parse();
  } catch (error) {
    if (error instanceof SyntaxFault) return undefined;
    throw error;
  }
}

/** Returns the parts of a pattern that follow each other, without the groups around them. */
export function partsOf(pattern: Pattern): readonly Pattern[] {
  if (pattern.kind !== 'sequence') return [pattern];
  return pattern.parts.some(({ kind }) => kind === 'sequence')
    ? pattern.parts.flatMap(partsOf)
    : pattern.parts;
}

/** Every other character is literal, in a class and outside of it. */
const SPECIAL = /[\\^$.|?*+()[\]{}]/;

const FLAGS = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/;
const NAMED_GROUP = /^\(\?P?<([0-9A-Za-z_]+)>/;
const REPETITION = /^(?:([*+?])|\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\})\??/;
const MAX_COUNT = 1_000;

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

class PatternParser {
  readonly #text: string;
  readonly #lookup: UnicodeLookup;
  readonly #names = new Set<string>();
  #at = 0;

  constructor(text: string, lookup: UnicodeLookup) {
    this.#text = text;
    this.#lookup = lookup;
  }

  parse(): Pattern {
    const pattern = this.#choice({ ignoresCase: false, manyLines: false, dotIsAny: false });
    if (this.#at < this.#text.length) throw new SyntaxFault();
    return pattern;
  }

  /** Parses alternatives up to a closing bracket or the end. Flags hold from where they are set, in later alternatives too. */
  #choice(outer: Flags): Pattern {
    let flags = outer;
    let parts: Pattern[] = [];
    const alternatives = [parts];
    let afterRepetition = false;
    while (this.#at < this.#text.length && !this.#text.startsWith(')', this.#at)) {
      if (!SPECIAL.test(this.#text.charAt(this.#at))) {
        parts.push(this.#single(flags));
        afterRepetition = false;
        continue;
      }
      const counts = this.#counts();
      if (counts !== undefined) {
        const part = parts.pop();
        if (afterRepetition || part === undefined) throw new SyntaxFault();
        parts.push(repeat(part, counts));
        afterRepetition = true;
        continue;
      }
      afterRepetition = false;
      if (this.#take('|')) {
        parts = [];
        alternatives.push(parts);
        continue;
      }
      const changes = this.#match(FLAGS);
      if (changes !== undefined && changes[3] === ')') flags = withFlags(flags, changes);
      else if (changes !== undefined) parts.push(this.#closed(withFlags(flags, changes)));
      else if (this.#take('\\Q')) parts.push(...this.#quotation(flags));
      else parts.push(this.#part(flags));
    }
    const sequences = alternatives.map(inSequence);
    return sequences.length === 1 ? (sequences[0] as Pattern) : { kind: 'choice', parts: sequences };
  }

  #counts(): readonly [least: number, most: number] | undefined {
    const found = this.#match(REPETITION);
    if (found === undefined) return undefined;
    const [, sign, count = '', comma, bound] = found;
    const least = sign === undefined ? Number(count) : Number(sign === '+');
    const most =
      sign === '?' ? 1 : sign === undefined && comma === undefined ? least : Number(bound ?? 'Infinity');
    if (least > Math.min(most, MAX_COUNT)) throw new SyntaxFault();
    return [least, most];
  }

  #part(flags: Flags): Pattern {
    const name = this.#match(NAMED_GROUP)?.[1];
    if (name !== undefined) {
      if (this.#names.has(name)) throw new SyntaxFault();
      this.#names.add(name);
      return this.#closed(flags);
    }
    if (this.#text.startsWith('(?', this.#at)) throw new SyntaxFault();
    if (this.#take('(')) return this.#closed(flags);
    if (this.#take('.')) return character(complement(flags.dotIsAny ? [] : NEWLINE));
    if (this.#take('^')) return { kind: 'assertion', assertion: flags.manyLines ? 'lineStart' : 'textStart' };
    if (this.#take('$')) return { kind: 'assertion', assertion: flags.manyLines ? 'lineEnd' : 'textEnd' };
    const assertion = ASSERTIONS.get(this.#text.slice(this.#at, this.#at + 2));
    if (assertion !== undefined) {
      this.#at += 2;
      return { kind: 'assertion', assertion };
    }
    if (this.#take('[')) return character(this.#class(flags));
    const known = this.#escapedClass(flags);
    if (known !== undefined) return character(known);
    return this.#single(flags);
  }

  #single(flags: Flags): Pattern {
    const codePoint = this.#character();
    return character(this.#folded([codePoint, codePoint], flags));
  }

  /** Parses the inside of a group and its closing bracket. */
  #closed(flags: Flags): Pattern {
    const pattern = this.#choice(flags);
    if (!this.#take(')')) throw new SyntaxFault();
    return pattern;
  }

  /** Parses what follows `\Q`: up to `\E` or the end, all characters are literal. */
  #quotation(flags: Flags): readonly Pattern[] {
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
    if (characters === undefined) throw new SyntaxFault();
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
    const characters = this.#lookup(ignoresCase ? `(?i:${source})` : source);
    if (characters === undefined) throw new SyntaxFault();
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
    if (last < first) throw new SyntaxFault();
    return this.#folded([first, last], flags);
  }

  /** Parses a literal or escaped character. */
  #character(): number {
    return this.#text.startsWith('\\', this.#at) ? this.#escapedCharacter() : this.#nextCodePoint();
  }

  #escapedCharacter(): number {
    const digits = this.#match(HEXADECIMAL);
    if (digits !== undefined) {
      const codePoint = Number.parseInt(digits[1] ?? digits[2] ?? '', 16);
      if (codePoint > LAST_CODE_POINT) throw new SyntaxFault();
      return codePoint;
    }
    const octal = this.#match(OCTAL)?.[1];
    if (octal !== undefined) return Number.parseInt(octal, 8);
    this.#at += 1;
    const codePoint = this.#nextCodePoint();
    const literal = String.fromCodePoint(codePoint);
    const control = CONTROLS.get(literal);
    if (control === undefined && !PUNCTUATION.test(literal)) throw new SyntaxFault();
    return control ?? codePoint;
  }

  #nextCodePoint(): number {
    const codePoint = this.#text.codePointAt(this.#at);
    if (codePoint === undefined) throw new SyntaxFault();
    this.#at += codePoint > LAST_CODE_UNIT ? 2 : 1;
    return codePoint;
  }

  #folded([first, last]: Range, { ignoresCase }: Flags): Characters {
    if (!ignoresCase) return [[first, last]];
    if (last <= LAST_ASCII) return foldAscii([[first, last]]);
    const folded = this.#lookup(`(?i:[\\x{${first.toString(16)}}-\\x{${last.toString(16)}}])`);
    if (folded === undefined) throw new SyntaxFault();
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

function character(characters: Characters): Pattern {
  return { kind: 'character', characters };
}

function inSequence(parts: readonly Pattern[]): Pattern {
  return parts.length === 1 ? (parts[0] as Pattern) : { kind: 'sequence', parts };
}

function negatedIf(characters: Characters, isNegated: boolean): Characters {
  return isNegated ? complement(characters) : characters;
}

function repeat(part: Pattern, [least, most]: readonly [least: number, most: number]): Pattern {
  const repeated: Pattern = { kind: 'repeat', part, least, most };
  if (!fitsCount(repeated, MAX_COUNT)) throw new SyntaxFault();
  return repeated;
}

/** Returns whether nested repetitions amount to at most `count` copies. */
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
