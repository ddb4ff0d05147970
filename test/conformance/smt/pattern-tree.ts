/**
 * Patterns as trees, written both in RE2's syntax and as regular expressions of SMT-LIB. Both come from the tree, so that no parser of
 * patterns takes part in the comparison.
 */
import { type Alphabet, type CharacterSet, charactersOf } from './character-sets.js';

export type Assertion = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'wordEdge' | 'noWordEdge';

export type PatternTree =
  /** A pattern of one character. */
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternTree[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternTree[] }
  /** `part` has no assertions; `most` is absent where there is no bound. */
  | { readonly kind: 'repeat'; readonly part: PatternTree; readonly least: number; readonly most?: number };

const ASSERTIONS: Readonly<Record<Assertion, string>> = {
  textStart: '^',
  textEnd: '$',
  lineStart: '(?m:^)',
  lineEnd: '(?m:$)',
  wordEdge: '\\b',
  noWordEdge: '\\B',
};

/** Writes a pattern in RE2's syntax. */
export function toRe2(tree: PatternTree): string {
  switch (tree.kind) {
    case 'character':
      return tree.source;
    case 'assertion':
      return ASSERTIONS[tree.assertion];
    case 'sequence':
      return tree.parts.map((part) => (part.kind === 'choice' ? `(?:${toRe2(part)})` : toRe2(part))).join('');
    case 'choice':
      return tree.parts.map(toRe2).join('|');
    case 'repeat':
      return `(?:${toRe2(tree.part)})${countOf(tree.least, tree.most)}`;
  }
}

function countOf(least: number, most: number | undefined): string {
  if (most === undefined) return least === 0 ? '*' : least === 1 ? '+' : `{${least},}`;
  return least === 0 && most === 1 ? '?' : `{${least},${most}}`;
}

/** Returns the sets of characters of a pattern. */
export function characterSetsOf(tree: PatternTree): readonly CharacterSet[] {
  const sets = sourcesOf(tree).map(charactersOf);
  return needsOf([tree]).size === 0 ? sets : [...sets, WORD, NEWLINE];
}

function sourcesOf(tree: PatternTree): readonly string[] {
  if (tree.kind === 'character') return [tree.source];
  if (tree.kind === 'assertion') return [];
  return tree.kind === 'repeat' ? sourcesOf(tree.part) : tree.parts.flatMap(sourcesOf);
}

const WORD: CharacterSet = [0x30, 0x3a, 0x41, 0x5b, 0x5f, 0x60, 0x61, 0x7b];
const NEWLINE: CharacterSet = [0x0a, 0x0b];

/** What is on one side of a position. `edge` is the start or the end of the string. */
type Neighbor = 'edge' | 'newline' | 'word' | 'other';
const NEIGHBORS: readonly Neighbor[] = ['newline', 'word', 'other'];

/** Neighbors that are equivalent for the assertions of the parts that follow. */
type Group = readonly [Neighbor, ...Neighbor[]];

/**
 * Divides the characters that may precede the given parts into groups within which the assertions of the parts do not distinguish characters. Empty if the
 * preceding character does not matter.
 */
function groupsFor(parts: readonly PatternTree[]): readonly Group[] {
  const needs = needsOf(parts);
  const [word, line] = [needs.has('wordEdge') || needs.has('noWordEdge'), needs.has('lineStart')];
  if (word && line) return [['newline'], ['word'], ['other']];
  if (word) return [['word'], ['other', 'newline']];
  if (line) return [['newline'], ['other', 'word']];
  return needs.has('textStart') ? [['other', 'newline', 'word']] : [];
}

function holds(assertion: Assertion, before: Neighbor, after: Neighbor): boolean {
  switch (assertion) {
    case 'textStart':
      return before === 'edge';
    case 'textEnd':
      return after === 'edge';
    case 'lineStart':
      return before === 'edge' || before === 'newline';
    case 'lineEnd':
      return after === 'edge' || after === 'newline';
    case 'wordEdge':
      return (before === 'word') !== (after === 'word');
    case 'noWordEdge':
      return (before === 'word') === (after === 'word');
  }
}

/** Writes the language of all strings in which a search finds the pattern. */
export function toSearch(tree: PatternTree, alphabet: Alphabet): string {
  return new SearchWriter(alphabet).search(tree);
}

/** Writes one string literal of SMT-LIB. */
export function literalOf(symbols: readonly number[]): string {
  const text = symbols.map((symbol) =>
    symbol >= 0x20 && symbol < 0x7f && symbol !== 0x22 && symbol !== 0x5c
      ? String.fromCharCode(symbol)
      : `\\u{${symbol.toString(16)}}`,
  );
  return `"${text.join('')}"`;
}

/** Writes the language of one character out of several. */
export function oneOf(symbols: readonly number[]): string {
  return unionOf(symbols.map((symbol) => `(str.to_re ${literalOf([symbol])})`));
}

export function sequenceOf(parts: readonly string[]): string {
  const left = parts.filter((part) => part !== EMPTY);
  if (left.includes(NONE)) return NONE;
  return left.length > 1 ? `(re.++ ${left.join(' ')})` : (left[0] ?? EMPTY);
}

function unionOf(parts: readonly string[]): string {
  const left = [...new Set(parts)].filter((part) => part !== NONE);
  return left.length > 1 ? `(re.union ${left.join(' ')})` : (left[0] ?? NONE);
}

const EMPTY = '(str.to_re "")';
const NONE = 're.none';

class SearchWriter {
  readonly #alphabet: Alphabet;
  readonly #anything: string;

  constructor(alphabet: Alphabet) {
    this.#alphabet = alphabet;
    this.#anything = `(re.* ${oneOf(alphabet.all)})`;
  }

  search(tree: PatternTree): string {
    const parts = partsOf(tree);
    const groups = groupsFor(parts);
    if (groups.length === 0) return sequenceOf([this.#anything, this.#from(parts, 'other')]);
    const later = groups.map((group) =>
      sequenceOf([this.#anything, this.#oneOf(group), this.#from(parts, group[0])]),
    );
    return unionOf([this.#from(parts, 'edge'), ...later]);
  }

  /** Writes the language of all suffixes of a string that start with the parts and follow a neighbor. */
  #from(parts: readonly PatternTree[], before: Neighbor): string {
    const [part, ...rest] = parts;
    if (part === undefined) return this.#anything;
    if (part.kind === 'assertion') return this.#asserted(part.assertion, rest, before);
    if (part.kind === 'choice' && !isPlain(part)) {
      return unionOf(part.parts.map((alternative) => this.#from([...partsOf(alternative), ...rest], before)));
    }
    const language = this.#plain(part);
    const groups = groupsFor(rest);
    if (groups.length === 0) return sequenceOf([language, this.#from(rest, before)]);
    const after = groups.map((group) => {
      const ending = intersection(language, sequenceOf([this.#anything, this.#oneOf(group)]));
      return sequenceOf([ending, this.#from(rest, group[0])]);
    });
    return unionOf([...after, ...(matchesEmpty(part) ? [this.#from(rest, before)] : [])]);
  }

  #asserted(assertion: Assertion, rest: readonly PatternTree[], before: Neighbor): string {
    const following = this.#from(rest, before);
    const all = (['edge', ...NEIGHBORS] as const).filter((after) => holds(assertion, before, after));
    if (all.length === 0) return NONE;
    if (all.length === NEIGHBORS.length + 1) return following;
    const starts = all.map((after) =>
      after === 'edge' ? EMPTY : sequenceOf([this.#characters(after), this.#anything]),
    );
    return intersection(following, unionOf(starts));
  }

  /** Writes the language of a part without assertions. */
  #plain(tree: PatternTree): string {
    switch (tree.kind) {
      case 'character':
        return oneOf(this.#alphabet.symbolsOf(charactersOf(tree.source)));
      case 'assertion':
        throw new TypeError('a repetition contains an assertion');
      case 'sequence':
        return sequenceOf(tree.parts.map((part) => this.#plain(part)));
      case 'choice':
        return unionOf(tree.parts.map((part) => this.#plain(part)));
      case 'repeat': {
        const part = this.#plain(tree.part);
        const { least, most } = tree;
        const required = Array.from({ length: least }, () => part);
        if (most === undefined) return sequenceOf([...required, `(re.* ${part})`]);
        const optional = Array.from({ length: most - least }, () => `(re.opt ${part})`);
        return sequenceOf([...required, ...optional]);
      }
    }
  }

  #oneOf(group: Group): string {
    return unionOf(group.map((neighbor) => this.#characters(neighbor)));
  }

  #characters(neighbor: Neighbor): string {
    const [word, newline] = [this.#alphabet.symbolsOf(WORD), this.#alphabet.symbolsOf(NEWLINE)];
    if (neighbor === 'word') return oneOf(word);
    if (neighbor === 'newline') return oneOf(newline);
    return oneOf(this.#alphabet.all.filter((symbol) => !word.includes(symbol) && !newline.includes(symbol)));
  }
}

function intersection(one: string, other: string): string {
  return one === NONE || other === NONE ? NONE : `(re.inter ${one} ${other})`;
}

function partsOf(tree: PatternTree): readonly PatternTree[] {
  return tree.kind === 'sequence' ? tree.parts.flatMap(partsOf) : [tree];
}

function isPlain(tree: PatternTree): boolean {
  return needsOf([tree]).size === 0;
}

/** Returns the assertions of some parts. */
function needsOf(parts: readonly PatternTree[]): ReadonlySet<Assertion> {
  return new Set(
    parts.flatMap((part): readonly Assertion[] => {
      if (part.kind === 'assertion') return [part.assertion];
      if (part.kind === 'character' || part.kind === 'repeat') return [];
      return [...needsOf(part.parts)];
    }),
  );
}

function matchesEmpty(tree: PatternTree): boolean {
  switch (tree.kind) {
    case 'character':
      return false;
    case 'assertion':
      return true;
    case 'sequence':
      return tree.parts.every(matchesEmpty);
    case 'choice':
      return tree.parts.some(matchesEmpty);
    case 'repeat':
      return tree.least === 0 || matchesEmpty(tree.part);
  }
}
