/** Translation of patterns to `GLOB` for SQLite, which has no regular expressions: supports patterns with few alternatives. */
import { type Characters, complement, has } from '../../re2-syntax/characters.js';
import type { Assertion, Pattern } from '../../re2-syntax/parse-pattern.js';
import { UnsupportedConstruct } from '../errors.js';
import { parseTranslatable, writableRanges } from './re2-pattern.js';

/** One alternative of a pattern. Its steps are characters, classes and `*` in the syntax of `GLOB`. */
interface GlobSequence {
  readonly fromStart: boolean;
  readonly steps: readonly string[];
  readonly toEnd: boolean;
}

const MAX_SEQUENCES = 64;
const MAX_STEPS = 1_000;
/** Maximum length of a `GLOB` pattern in SQLite's default build (`SQLITE_MAX_LIKE_PATTERN_LENGTH`). */
const MAX_GLOB_BYTES = 50_000;
/** Noncharacters that `GLOB` reads as U+FFFD. */
const READ_AS_U_FFFD = [0xfffe, 0xffff];
const utf8 = new TextEncoder();
const EMPTY: GlobSequence = { fromStart: false, steps: [], toEnd: false };

/**
 * Returns `GLOB` patterns such that a text matches the pattern if and only if it matches at least one of them.
 *
 * @throws {UnsupportedConstruct} Code `pattern`, if `GLOB` cannot express the pattern, or the translation exceeds a limit.
 */
export function toGlobs(pattern: string): readonly string[] {
  return write(parseTranslatable(pattern)).map(({ fromStart, steps, toEnd }) => {
    const glob = [fromStart ? '' : '*', ...steps, toEnd ? '' : '*'].join('');
    if (utf8.encode(glob).byteLength > MAX_GLOB_BYTES) throw tooLong(`${MAX_GLOB_BYTES} bytes`);
    return glob;
  });
}

function write(pattern: Pattern): readonly GlobSequence[] {
  switch (pattern.kind) {
    case 'character':
      return [{ ...EMPTY, steps: [writeClass(pattern.characters)] }];
    case 'assertion':
      return [writeAssertion(pattern.assertion)];
    case 'sequence':
      return pattern.parts.map(write).reduce(product, [EMPTY]);
    case 'choice':
      return bounded(pattern.parts.flatMap(write));
    case 'repeat':
      return writeRepeat(pattern);
  }
}

function writeAssertion(assertion: Assertion): GlobSequence {
  switch (assertion) {
    case 'textStart':
      return { ...EMPTY, fromStart: true };
    case 'textEnd':
      return { ...EMPTY, toEnd: true };
    case 'lineStart':
    case 'lineEnd':
    case 'wordEdge':
    case 'noWordEdge':
      throw unsupported('a word boundary, or the start or the end of a line');
  }
}

function writeRepeat({ part, least, most }: Extract<Pattern, { kind: 'repeat' }>): readonly GlobSequence[] {
  const once = write(part);
  const atLeast = Array.from({ length: least }, () => once).reduce(product, [EMPTY]);
  if (most !== Number.POSITIVE_INFINITY) {
    const optional = bounded([EMPTY, ...once]);
    const more = Array.from({ length: most - least }, () => optional);
    return more.reduce(product, atLeast);
  }
  // `*` matches characters of every kind, in every number.
  const isAny = part.kind === 'character' && complement(part.characters).length === 0;
  if (!isAny) throw unsupported('an unbounded repetition');
  return product(atLeast, [{ ...EMPTY, steps: ['*'] }]);
}

function product(befores: readonly GlobSequence[], afters: readonly GlobSequence[]): readonly GlobSequence[] {
  const products = befores.flatMap((before) => afters.map((after) => concatenate(before, after)));
  // If one side has a single sequence, there are as many products as sequences on the other side, whose number is already limited.
  return befores.length === 1 || afters.length === 1 ? products : bounded(products);
}

/** Concatenates two sequences. An assertion inside the result is not supported. */
function concatenate(before: GlobSequence, after: GlobSequence): GlobSequence {
  const misplaced =
    (after.fromStart && (before.steps.length > 0 || before.toEnd)) ||
    (before.toEnd && (after.steps.length > 0 || after.fromStart));
  if (misplaced) throw unsupported('`^` or `$` inside a pattern');
  const steps = [...before.steps, ...after.steps];
  if (steps.length > MAX_STEPS) throw tooLong(`${MAX_STEPS} characters`);
  return { fromStart: before.fromStart || after.fromStart, steps, toEnd: before.toEnd || after.toEnd };
}

/** Returns the sequences without duplicates, and throws if there are too many. */
function bounded(sequences: readonly GlobSequence[]): readonly GlobSequence[] {
  const distinct = new Map(sequences.map((sequence) => [JSON.stringify(sequence), sequence]));
  if (distinct.size > MAX_SEQUENCES) throw tooLong(`${MAX_SEQUENCES} patterns`);
  return [...distinct.values()];
}

/** In a class of GLOB, `]` is literal only as the first character, `^` only after the first, and `-` only as the first or the last. */
function writeClass(characters: Characters): string {
  if (READ_AS_U_FFFD.some((point) => has(characters, point) !== has(characters, 0xfffd)))
    throw unsupported('a distinction between U+FFFD, U+FFFE and U+FFFF');
  const { ranges, isNegated } = writableRanges(characters);
  const [only = [0, 0]] = ranges;
  if (ranges.length === 0) return '?';
  if (ranges.length === 1 && only[0] === only[1] && !isNegated) {
    const text = String.fromCodePoint(only[0]);
    return '*?['.includes(text) ? `[${text}]` : text;
  }
  const singles = new Set<string>();
  const rest: string[] = [];
  for (let [first, last] of ranges) {
    while (first <= last && isSpecial(first)) singles.add(String.fromCodePoint(first++));
    while (last >= first && isSpecial(last)) singles.add(String.fromCodePoint(last--));
    if (first > last) continue;
    const [start, end] = [String.fromCodePoint(first), String.fromCodePoint(last)];
    rest.push(first === last ? start : `${start}-${end}`);
  }
  const closing = singles.has(']') ? ']' : '';
  const [caret, dash] = [singles.has('^') ? '^' : '', singles.has('-') ? '-' : ''];
  if (closing === '' && rest.length === 0 && caret !== '' && !isNegated) {
    // `[^` would negate the class; a dash at its beginning is literal.
    return dash === '' ? '^' : '[-^]';
  }
  return `[${isNegated ? '^' : ''}${closing}${rest.join('')}${caret}${dash}]`;
}

function isSpecial(point: number): boolean {
  return point === 0x5d || point === 0x5e || point === 0x2d;
}

function unsupported(what: string): UnsupportedConstruct {
  return notTranslated(`GLOB cannot express ${what}`);
}

function tooLong(limit: string): UnsupportedConstruct {
  return notTranslated(`the translation to GLOB would have more than ${limit}`);
}

function notTranslated(reason: string): UnsupportedConstruct {
  return new UnsupportedConstruct('pattern', `SQLite has no regular expressions, and ${reason}.`);
}
