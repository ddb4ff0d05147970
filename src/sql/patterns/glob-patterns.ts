/** Patterns as `GLOB` for SQLite, which has no regular expressions: what is one of few sequences of characters. */
import { Untranslatable } from '../refusal.js';
import { type CharacterRange, type PatternNode, parsePattern } from './parse-pattern.js';

/** A pattern written out: characters one after the other, gaps of any length among them. */
interface Course {
  readonly fromStart: boolean;
  readonly steps: readonly string[];
  readonly toEnd: boolean;
}

const MAX_COURSES = 64;
const MAX_STEPS = 1_000;
const EMPTY: Course = { fromStart: false, steps: [], toEnd: false };

/**
 * Patterns of `GLOB` of which one matches exactly where the pattern does.
 *
 * @throws {Untranslatable} `pattern`, where there are no such, or too many.
 */
export function toGlobs(pattern: string): readonly string[] {
  return write(parsePattern(pattern)).map(({ fromStart, steps, toEnd }) =>
    [fromStart ? '' : '*', ...steps, toEnd ? '' : '*'].join(''),
  );
}

function write(node: PatternNode): readonly Course[] {
  switch (node.kind) {
    case 'character':
      return [{ ...EMPTY, steps: [writeCharacter(node.ranges, node.negated)] }];
    case 'start':
      return [{ ...EMPTY, fromStart: true }];
    case 'end':
      return [{ ...EMPTY, toEnd: true }];
    case 'boundary':
    case 'no_boundary':
      throw unwritable('a word boundary');
    case 'sequence':
      return node.items.map(write).reduce(product, [EMPTY]);
    case 'choice':
      return bounded(node.items.flatMap(write));
    case 'repeat':
      return writeRepeat(node);
  }
}

function writeRepeat({ item, min, max }: Extract<PatternNode, { kind: 'repeat' }>): readonly Course[] {
  const once = write(item);
  const least = Array.from({ length: bound(min) }, () => once).reduce(product, [EMPTY]);
  if (max !== undefined) {
    const more = Array.from({ length: bound(max) - min }, () => bounded([EMPTY, ...once]));
    return more.reduce(product, least);
  }
  // A gap holds any characters at all.
  const isAny = item.kind === 'character' && item.negated && item.ranges.length === 0;
  if (!isAny) throw unwritable('a repetition without an end');
  return product(least, [{ ...EMPTY, steps: ['*'] }]);
}

function bound(times: number): number {
  if (times > MAX_STEPS) throw unwritable('too many repetitions');
  return times;
}

function product(befores: readonly Course[], afters: readonly Course[]): readonly Course[] {
  return bounded(befores.flatMap((before) => afters.map((after) => join(before, after))));
}

/** One course after the other. A start after something, or something after an end, is left to who can tell what it means. */
function join(before: Course, after: Course): Course {
  const misplaced =
    (after.fromStart && (before.steps.length > 0 || before.toEnd)) ||
    (before.toEnd && (after.steps.length > 0 || after.fromStart));
  if (misplaced) throw unwritable('a start or an end in its midst');
  const steps = [...before.steps, ...after.steps];
  if (steps.length > MAX_STEPS) throw unwritable('too many characters');
  return { fromStart: before.fromStart || after.fromStart, steps, toEnd: before.toEnd || after.toEnd };
}

function bounded(courses: readonly Course[]): readonly Course[] {
  if (courses.length > MAX_COURSES) throw unwritable('too many alternatives');
  return courses;
}

function writeCharacter(ranges: readonly CharacterRange[], negated: boolean): string {
  if (ranges.length === 0) return '?';
  const [first] = ranges;
  if (!negated && ranges.length === 1 && first !== undefined && first.from === first.to) {
    const text = String.fromCodePoint(first.from);
    return '*?['.includes(text) ? `[${text}]` : text;
  }
  return writeClass(ranges, negated);
}

/** In a class of GLOB's, `]` stands for itself at the beginning only, `^` anywhere else, and `-` at the end. */
function writeClass(ranges: readonly CharacterRange[], negated: boolean): string {
  const singles = new Set<string>();
  const rest: string[] = [];
  for (const { from, to } of ranges) {
    let [first, last] = [from, to];
    while (first <= last && isSpecial(first)) singles.add(String.fromCodePoint(first++));
    while (last >= first && isSpecial(last)) singles.add(String.fromCodePoint(last--));
    if (first > last) continue;
    const [start, end] = [String.fromCodePoint(first), String.fromCodePoint(last)];
    rest.push(first === last ? start : `${start}-${end}`);
  }
  const closing = singles.has(']') ? ']' : '';
  const [caret, dash] = [singles.has('^') ? '^' : '', singles.has('-') ? '-' : ''];
  if (closing === '' && rest.length === 0 && caret !== '' && !negated) {
    // `[^` would negate, and a dash between the two would be no range.
    return dash === '' ? '^' : '[-^]';
  }
  return `[${negated ? '^' : ''}${closing}${rest.join('')}${caret}${dash}]`;
}

function isSpecial(point: number): boolean {
  return point === 0x5d || point === 0x5e || point === 0x2d;
}

function unwritable(what: string): Untranslatable {
  return new Untranslatable(
    'pattern',
    `SQLite has no regular expressions, and no GLOB says the same: the pattern holds ${what}.`,
  );
}
