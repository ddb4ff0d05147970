/** Translation of patterns to PostgreSQL's regular expressions, independent of locale and settings. */
import type { Characters } from '../../re2-syntax/characters.js';
import type { Assertion, Pattern } from '../../re2-syntax/parse-pattern.js';
import { UnsupportedConstruct } from '../errors.js';
import { parseTranslatable, writableRanges } from './re2-pattern.js';

/** PostgreSQL's maximum repetition count. */
const MAX_REPETITIONS = 255;
const WORD = '[0-9A-Za-z_]';

const ASSERTIONS: Readonly<Record<Assertion, string>> = {
  textStart: '^',
  textEnd: '$',
  lineStart: '(?<![^\\u000a])',
  lineEnd: '(?![^\\u000a])',
  wordEdge: `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
  noWordEdge: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
};

/**
 * Translates a pattern of RE2 into an advanced regular expression that matches the same strings.
 *
 * @throws {UnsupportedConstruct} `pattern`, where the pattern cannot be translated.
 */
export function toPostgresPattern(pattern: string): string {
  // In a group, so that it cannot begin with a director or with options.
  return `(?:${write(parseTranslatable(pattern))})`;
}

function write(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'character':
      return writeCharacters(pattern.characters);
    case 'assertion':
      return ASSERTIONS[pattern.assertion];
    case 'sequence':
      return pattern.parts
        .map((part) => (part.kind === 'sequence' ? `(?:${write(part)})` : write(part)))
        .join('');
    case 'choice':
      return `(?:${pattern.parts.map(write).join('|')})`;
    case 'repeat':
      return writeRepeat(pattern);
  }
}

function writeRepeat({ part, least, most }: Extract<Pattern, { kind: 'repeat' }>): string {
  // Repeating an assertion has no effect, and one that may occur zero times always matches.
  if (part.kind === 'assertion') return least === 0 ? '' : write(part);
  const isUnbounded = most === Number.POSITIVE_INFINITY;
  if (Math.max(least, isUnbounded ? 0 : most) > MAX_REPETITIONS) {
    throw new UnsupportedConstruct(
      'pattern',
      `A repetition count must be at most ${MAX_REPETITIONS} in PostgreSQL.`,
    );
  }
  const unbounded = least === 0 ? '*' : least === 1 ? '+' : `{${least},}`;
  return `(?:${write(part)})${isUnbounded ? unbounded : `{${least},${most}}`}`;
}

function writeCharacters(characters: Characters): string {
  const { ranges, isNegated } = writableRanges(characters);
  // A negated empty class (others are rejected by `writableRanges`): all characters, including newlines.
  if (ranges.length === 0) return '.';
  const inside = ranges.map(([first, last]) =>
    first === last ? writePoint(first) : `${writePoint(first)}-${writePoint(last)}`,
  );
  const isSingle = ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1];
  return isSingle && !isNegated ? inside.join('') : `[${isNegated ? '^' : ''}${inside.join('')}]`;
}

/** Writes ASCII letters and digits as they are, and every other character by its code point. */
function writePoint(point: number): string {
  const text = String.fromCodePoint(point);
  if (/^[0-9A-Za-z]$/.test(text)) return text;
  return point > 0xffff
    ? `\\U${point.toString(16).padStart(8, '0')}`
    : `\\u${point.toString(16).padStart(4, '0')}`;
}
