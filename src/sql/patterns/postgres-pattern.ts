/** Patterns as PostgreSQL's own regular expressions, written so that no locale and no setting has a say. */
import { Untranslatable } from '../refusal.js';
import { type CharacterRange, type PatternNode, parsePattern } from './parse-pattern.js';

/** PostgreSQL repeats 255 times at most. */
const MAX_REPETITIONS = 255;
const WORD = '[0-9A-Za-z_]';

/**
 * A pattern of RE2 as an advanced regular expression that matches the same texts.
 *
 * @throws {Untranslatable} `pattern`, where that is not sure.
 */
export function toPostgresPattern(pattern: string): string {
  // In brackets, so that it begins neither with a director nor with options.
  return `(?:${write(parsePattern(pattern))})`;
}

function write(node: PatternNode): string {
  switch (node.kind) {
    case 'character':
      return writeCharacter(node.ranges, node.negated);
    case 'start':
      return '^';
    case 'end':
      return '$';
    case 'boundary':
      return `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`;
    case 'no_boundary':
      return `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`;
    case 'sequence':
      return node.items.map(writeInSequence).join('');
    case 'choice':
      return `(?:${node.items.map(write).join('|')})`;
    case 'repeat':
      return `(?:${write(node.item)})${counts(node)}`;
  }
}

function writeInSequence(node: PatternNode): string {
  return node.kind === 'sequence' ? `(?:${write(node)})` : write(node);
}

function counts({ min, max }: { readonly min: number; readonly max?: number }): string {
  if (min > MAX_REPETITIONS || (max ?? 0) > MAX_REPETITIONS) {
    throw new Untranslatable('pattern', `PostgreSQL repeats ${MAX_REPETITIONS} times at most.`);
  }
  if (max === undefined) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  return `{${min},${max}}`;
}

function writeCharacter(ranges: readonly CharacterRange[], negated: boolean): string {
  // Without any range it is every character, newlines included.
  if (ranges.length === 0) return '.';
  const [first] = ranges;
  if (!negated && ranges.length === 1 && first?.from === first?.to) return writePoint(first?.from ?? 0);
  const inside = ranges.map(({ from, to }) =>
    from === to ? writePoint(from) : `${writePoint(from)}-${writePoint(to)}`,
  );
  return `[${negated ? '^' : ''}${inside.join('')}]`;
}

/** Letters and digits as they are, everything else by its number. */
function writePoint(point: number): string {
  const text = String.fromCodePoint(point);
  if (/^[0-9A-Za-z]$/.test(text)) return text;
  return point > 0xffff
    ? `\\U${point.toString(16).padStart(8, '0')}`
    : `\\u${point.toString(16).padStart(4, '0')}`;
}
