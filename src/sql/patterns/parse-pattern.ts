/** Reads the part of RE2's syntax that other engines surely hold with the same meaning; the rest is refused (L18). */
import { Untranslatable } from '../refusal.js';

/** Characters, as code points from one to another. */
export interface CharacterRange {
  readonly from: number;
  readonly to: number;
}

/** A pattern in parts. Which of several matches is found does not matter, only whether there is one. */
export type PatternNode =
  | { readonly kind: 'character'; readonly ranges: readonly CharacterRange[]; readonly negated: boolean }
  | { readonly kind: 'start' | 'end' | 'boundary' | 'no_boundary' }
  | { readonly kind: 'sequence' | 'choice'; readonly items: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly item: PatternNode;
      readonly min: number;
      /** Absent where there is no end to it. */
      readonly max?: number;
    };

const DIGIT = [range('0', '9')];
const WORD = [range('0', '9'), range('A', 'Z'), range('_', '_'), range('a', 'z')];
const SPACE = [range('\t', '\n'), range('\f', '\r'), range(' ', ' ')];
const NEWLINE = [range('\n', '\n')];

const CLASSES: ReadonlyMap<string, PatternNode> = new Map([
  ['d', character(DIGIT, false)],
  ['D', character(DIGIT, true)],
  ['w', character(WORD, false)],
  ['W', character(WORD, true)],
  ['s', character(SPACE, false)],
  ['S', character(SPACE, true)],
]);

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\u0007'],
]);

const PUNCTUATION = /^[!-/:-@[-`{-~]$/;
const DEEPEST = 32;

/**
 * Reads a pattern that RE2 accepts.
 *
 * @throws {Untranslatable} `pattern`, where it holds what is not surely the same elsewhere.
 */
export function parsePattern(pattern: string): PatternNode {
  return new PatternReader(pattern).readAll();
}

/** @param negated - Whether it stands for all other characters. */
function character(ranges: readonly CharacterRange[], negated: boolean): PatternNode {
  return { kind: 'character', ranges, negated };
}

function range(from: string, to: string): CharacterRange {
  return { from: from.codePointAt(0) ?? 0, to: to.codePointAt(0) ?? 0 };
}

class PatternReader {
  readonly #characters: readonly string[];
  #place = 0;
  #dotAll = false;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  readAll(): PatternNode {
    if (this.#takes('(?s)')) this.#dotAll = true;
    const node = this.#readChoice(0);
    if (this.#place < this.#characters.length) throw unsure('a bracket that closes nothing');
    return node;
  }

  #readChoice(depth: number): PatternNode {
    if (depth > DEEPEST) throw unsure('groups in groups, more than 32 deep');
    const items = [this.#readSequence(depth)];
    while (this.#takes('|')) items.push(this.#readSequence(depth));
    return items.length === 1 ? (items[0] as PatternNode) : { kind: 'choice', items };
  }

  #readSequence(depth: number): PatternNode {
    const items: PatternNode[] = [];
    for (let next = this.#next(); next !== undefined && next !== '|' && next !== ')'; next = this.#next()) {
      items.push(this.#readRepeated(depth));
    }
    return { kind: 'sequence', items };
  }

  #readRepeated(depth: number): PatternNode {
    const item = this.#readAtom(depth);
    const counts = this.#readCounts();
    if (counts === undefined) return item;
    if (item.kind !== 'character' && item.kind !== 'sequence' && item.kind !== 'choice') {
      throw unsure('a repeated position');
    }
    // Lazy or not, there is a match or there is none.
    this.#takes('?');
    if (this.#readCounts() !== undefined) throw unsure('a repetition of a repetition');
    return { kind: 'repeat', item, ...counts };
  }

  #readCounts(): { readonly min: number; readonly max?: number } | undefined {
    if (this.#takes('*')) return { min: 0 };
    if (this.#takes('+')) return { min: 1 };
    if (this.#takes('?')) return { min: 0, max: 1 };
    if (this.#next() !== '{') return undefined;
    const counts = /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(this.#characters.slice(this.#place).join(''));
    if (counts === null) throw unsure('a `{` that begins no repetition');
    const [text, min = '0', comma, max] = counts;
    this.#place += text.length;
    const most = comma === undefined ? min : max;
    return { min: Number(min), ...(most === undefined ? {} : { max: Number(most) }) };
  }

  #readAtom(depth: number): PatternNode {
    const next = this.#take();
    switch (next) {
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '.':
        return this.#dotAll ? character([], true) : character(NEWLINE, true);
      case '(':
        return this.#readGroup(depth);
      case '[':
        return this.#readClass();
      case '\\':
        return this.#readEscape();
      case '*':
      case '+':
      case '?':
      case '{':
      case '}':
      case ']':
        throw unsure(`a \`${next}\` that stands for itself`);
      default:
        return character([range(next, next)], false);
    }
  }

  #readGroup(depth: number): PatternNode {
    if (this.#next() === '?' && !this.#takes('?:')) throw unsure('flags, or a group with a name');
    const node = this.#readChoice(depth + 1);
    if (!this.#takes(')')) throw unsure('a group without an end');
    // A group is one thing to what repeats it, even where it holds one position.
    return { kind: 'sequence', items: [node] };
  }

  #readEscape(): PatternNode {
    const next = this.#take();
    const known = CLASSES.get(next);
    if (known !== undefined) return known;
    switch (next) {
      case 'A':
        return { kind: 'start' };
      case 'z':
        return { kind: 'end' };
      case 'b':
        return { kind: 'boundary' };
      case 'B':
        return { kind: 'no_boundary' };
      default:
        return character([this.#escaped(next)], false);
    }
  }

  #escaped(next: string): CharacterRange {
    const meant = PUNCTUATION.test(next) ? next : CONTROLS.get(next);
    if (meant === undefined) throw unsure(`\`\\${next}\``);
    return range(meant, meant);
  }

  #readClass(): PatternNode {
    const negated = this.#takes('^');
    const ranges: CharacterRange[] = [];
    if (this.#next() === ']') throw unsure('a class that begins with `]`');
    while (!this.#takes(']')) ranges.push(...this.#readClassItem());
    return character(ranges, negated);
  }

  #readClassItem(): readonly CharacterRange[] {
    if (this.#next() === '[') throw unsure('a `[` in a class');
    const first = this.#readClassCharacter();
    if (this.#next() !== '-') return first;
    this.#take();
    // At the end of a class it stands for itself.
    if (this.#next() === ']') return [...first, range('-', '-')];
    const last = this.#readClassCharacter();
    const [from, to] = [first[0], last[0]];
    const single =
      [...first, ...last].every((one) => one.from === one.to) && first.length + last.length === 2;
    if (from === undefined || to === undefined || !single || from.to > to.from) {
      throw unsure('a range of classes');
    }
    return [{ from: from.from, to: to.to }];
  }

  #readClassCharacter(): readonly CharacterRange[] {
    const next = this.#take();
    if (next !== '\\') return [range(next, next)];
    const letter = this.#take();
    const known = CLASSES.get(letter);
    if (known === undefined) return [this.#escaped(letter)];
    if (known.kind !== 'character' || known.negated) throw unsure('a negated class inside of a class');
    return known.ranges;
  }

  #next(): string | undefined {
    return this.#characters[this.#place];
  }

  #take(): string {
    const next = this.#characters[this.#place];
    if (next === undefined) throw unsure('an end where something is missing');
    this.#place += 1;
    return next;
  }

  #takes(text: string): boolean {
    const wanted = [...text];
    if (!wanted.every((one, index) => this.#characters[this.#place + index] === one)) return false;
    this.#place += wanted.length;
    return true;
  }
}

function unsure(what: string): Untranslatable {
  return new Untranslatable(
    'pattern',
    `This dialect has no pattern that surely means the same: it holds ${what}.`,
  );
}
