/** RE2's syntax as a tree, as far as an automaton is made of it; the rest is said to be beyond us (L18). */
import {
  ANY,
  type Characters,
  complement,
  inEitherCase,
  LAST_CODE_POINT,
  NEWLINE,
  type Range,
  union,
} from './characters.js';
import { ASSERTIONS, type Assertion, CLASSES, ESCAPED, NAMED } from './escapes.js';

/** A pattern's parts. Groups and whether a repetition is greedy make no difference to whether it matches. */
export type Pattern =
  | { readonly kind: 'character'; readonly characters: Characters }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly parts: readonly Pattern[] }
  /** `most` is infinite where there is no bound. */
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly least: number; readonly most: number };

interface Flags {
  readonly ignoresCase: boolean;
  readonly manyLines: boolean;
  readonly dotIsAny: boolean;
}

/** Thrown inside of this file where a pattern is beyond us. */
class Beyond extends Error {}

const NO_FLAGS: Flags = { ignoresCase: false, manyLines: false, dotIsAny: false };
const NEVER: Pattern = { kind: 'character', characters: [] };

/**
 * Reads a pattern that RE2 has accepted.
 *
 * @returns `undefined` where it has something that we do not read: Unicode's classes, cases beyond ASCII.
 */
export function readPattern(text: string): Pattern | undefined {
  try {
    const reader = new PatternReader(text);
    const pattern = reader.choice(NO_FLAGS);
    return reader.isAtEnd() ? pattern : undefined;
  } catch (error) {
    if (error instanceof Beyond) return undefined;
    throw error;
  }
}

/** The text itself, at the beginning. */
export function beginningPattern(text: string): Pattern {
  const characters = [...text].map((character): Pattern => single(character.codePointAt(0) as number));
  return { kind: 'sequence', parts: [{ kind: 'assertion', assertion: 'textStart' }, ...characters] };
}

const GROUP_NAME = /^\?P?<[A-Za-z0-9_]+>/;
const GROUP_FLAGS = /^\?([imsU]*)(?:-([imsU]+))?([:)])/;
const REPETITION = /^\{(\d+)(?:(,)(\d*))?\}/;
const HEX = /^x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/;
const OCTAL = /^(?:0[0-7]{0,2}|[1-7][0-7]{2})/;
const NAMED_CLASS = /^\[:(\^?)([a-z]+):\]/;

class PatternReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** Alternatives up to a closing bracket or the end. Flags set in one hold in those that follow. */
  choice(outer: Flags): Pattern {
    let flags = outer;
    const alternatives: Pattern[] = [];
    let parts: Pattern[] = [];
    while (!this.isAtEnd() && this.#peek() !== ')') {
      if (this.#take('|')) {
        alternatives.push({ kind: 'sequence', parts });
        parts = [];
        continue;
      }
      const changed = this.#flagGroup(flags);
      if (changed !== undefined) {
        flags = changed;
        continue;
      }
      const quoted = this.#quotation(flags);
      if (quoted === undefined) parts.push(this.#repeated(this.#part(flags)));
      else parts.push(...quoted.slice(0, -1), ...quoted.slice(-1).map((last) => this.#repeated(last)));
    }
    alternatives.push({ kind: 'sequence', parts });
    return alternatives.length === 1 ? (alternatives[0] as Pattern) : { kind: 'choice', parts: alternatives };
  }

  #part(flags: Flags): Pattern {
    const character = this.#next();
    switch (character) {
      case '(': {
        const group = this.#group(flags);
        if (!this.#take(')')) throw new Beyond();
        return group;
      }
      case '[':
        return { kind: 'character', characters: this.#class(flags) };
      case '.':
        return { kind: 'character', characters: flags.dotIsAny ? ANY : complement(NEWLINE) };
      case '^':
        return { kind: 'assertion', assertion: flags.manyLines ? 'lineStart' : 'textStart' };
      case '$':
        return { kind: 'assertion', assertion: flags.manyLines ? 'lineEnd' : 'textEnd' };
      case '\\':
        return this.#escape(flags);
      default:
        return literal(character.codePointAt(0) as number, flags);
    }
  }

  /** `(?i)`, which holds up to the end of the group that it stands in. */
  #flagGroup(flags: Flags): Flags | undefined {
    const found = this.#peek() === '(' ? GROUP_FLAGS.exec(this.#text.slice(this.#at + 1)) : null;
    if (found === null || found[3] !== ')') return undefined;
    this.#at += 1 + found[0].length;
    return withFlags(flags, found[1] ?? '', found[2] ?? '');
  }

  #group(flags: Flags): Pattern {
    const rest = this.#text.slice(this.#at);
    const name = GROUP_NAME.exec(rest);
    if (name !== null) {
      this.#at += name[0].length;
      return this.choice(flags);
    }
    const changes = GROUP_FLAGS.exec(rest);
    if (changes !== null) {
      this.#at += changes[0].length;
      return this.choice(withFlags(flags, changes[1] ?? '', changes[2] ?? ''));
    }
    if (rest.startsWith('?')) throw new Beyond();
    return this.choice(flags);
  }

  /** `\Q…\E`: all that stands between means itself. */
  #quotation(flags: Flags): readonly Pattern[] | undefined {
    if (!this.#text.startsWith('\\Q', this.#at)) return undefined;
    const start = this.#at + 2;
    const found = this.#text.indexOf('\\E', start);
    const end = found < 0 ? this.#text.length : found;
    this.#at = found < 0 ? end : end + 2;
    return [...this.#text.slice(start, end)].map((character) =>
      literal(character.codePointAt(0) as number, flags),
    );
  }

  #repeated(part: Pattern): Pattern {
    const bounds = this.#repetition();
    if (bounds === undefined) return part;
    // A lazy repetition takes as many texts as a greedy one.
    this.#take('?');
    const [least, most] = bounds;
    return this.#repeated({ kind: 'repeat', part, least, most });
  }

  #repetition(): readonly [least: number, most: number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    const found = this.#peek() === '{' ? REPETITION.exec(this.#text.slice(this.#at)) : null;
    if (found === null) return undefined;
    this.#at += found[0].length;
    const least = Number(found[1]);
    if (found[2] === undefined) return [least, least];
    return [least, found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3])];
  }

  #escape(flags: Flags): Pattern {
    const rest = this.#text.slice(this.#at);
    const [name = ''] = rest;
    const assertion = ASSERTIONS[name];
    if (assertion !== undefined) {
      this.#at += 1;
      return { kind: 'assertion', assertion };
    }
    const characters = CLASSES[name];
    if (characters !== undefined) {
      this.#at += 1;
      return { kind: 'character', characters: cased(characters, flags) };
    }
    return literal(this.#escapedCharacter(), flags);
  }

  #escapedCharacter(): number {
    const rest = this.#text.slice(this.#at);
    const hex = HEX.exec(rest);
    if (hex !== null) {
      this.#at += hex[0].length;
      return Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
    }
    const octal = OCTAL.exec(rest);
    if (octal !== null) {
      this.#at += octal[0].length;
      return Number.parseInt(octal[0], 8);
    }
    const character = this.#next();
    const known = ESCAPED[character];
    if (known !== undefined) return known;
    // Letters and digits that mean something else: `\p`, `\C`, and what RE2 may learn.
    if (/[A-Za-z0-9]/.test(character)) throw new Beyond();
    return character.codePointAt(0) as number;
  }

  #class(flags: Flags): Characters {
    const isNegated = this.#take('^');
    const ranges: Range[] = [];
    let isFirst = true;
    while (isFirst || this.#peek() !== ']') {
      isFirst = false;
      ranges.push(...this.#classItem());
    }
    this.#at += 1;
    const characters = cased(union(ranges), flags);
    return isNegated ? complement(characters) : characters;
  }

  #classItem(): readonly Range[] {
    const named = NAMED_CLASS.exec(this.#text.slice(this.#at));
    if (named !== null) {
      const characters = NAMED[named[2] ?? ''];
      if (characters === undefined) throw new Beyond();
      this.#at += named[0].length;
      return named[1] === '^' ? complement(characters) : characters;
    }
    if (this.#peek() === '\\') {
      const known = CLASSES[this.#text[this.#at + 1] ?? ''];
      if (known !== undefined) {
        this.#at += 2;
        return known;
      }
    }
    const first = this.#classCharacter();
    // A hyphen before the closing bracket means itself.
    if (this.#peek() !== '-' || this.#text[this.#at + 1] === ']') return [[first, first]];
    this.#at += 1;
    return [[first, this.#classCharacter()]];
  }

  #classCharacter(): number {
    const character = this.#next();
    return character === '\\' ? this.#escapedCharacter() : (character.codePointAt(0) as number);
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    const codePoint = this.#text.codePointAt(this.#at);
    if (codePoint === undefined || codePoint > LAST_CODE_POINT) throw new Beyond();
    const character = String.fromCodePoint(codePoint);
    this.#at += character.length;
    return character;
  }
}

function single(codePoint: number): Pattern {
  return { kind: 'character', characters: [[codePoint, codePoint]] };
}

function literal(codePoint: number, flags: Flags): Pattern {
  const characters = cased([[codePoint, codePoint]], flags);
  return characters.length === 0 ? NEVER : { kind: 'character', characters };
}

function cased(characters: Characters, { ignoresCase }: Flags): Characters {
  if (!ignoresCase) return characters;
  const folded = inEitherCase(characters);
  if (folded === undefined) throw new Beyond();
  return folded;
}

function withFlags(flags: Flags, on: string, off: string): Flags {
  const is = (letter: string, before: boolean) =>
    off.includes(letter) ? false : on.includes(letter) || before;
  return {
    ignoresCase: is('i', flags.ignoresCase),
    manyLines: is('m', flags.manyLines),
    dotIsAny: is('s', flags.dotIsAny),
  };
}
