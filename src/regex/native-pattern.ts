/** Patterns that JavaScript's engine matches as RE2 does and in bounded time: at most one choice, and only fixed repetitions (L18). */
import { type Characters, LAST_ASCII } from '../re2-syntax/characters.js';
import { type Pattern, partsOf } from '../re2-syntax/parse-pattern.js';

/**
 * Translates a pattern for JavaScript's own engine, which is many times faster.
 *
 * A match tries each alternative once at each position of the input, in as many steps as the alternative has characters. It tries the parts
 * after the choice again for each alternative that matches. So at most one alternative may match at a position, unless nothing or only `$`
 * follows the choice. Then the size of the pattern is an upper bound of the steps per position.
 *
 * @returns `undefined` where a match could take long, or the pattern distinguishes characters beyond ASCII: for ASCII, code units and code
 * points are the same.
 */
export function toNativePattern(parsed: Pattern): RegExp | undefined {
  const parts = partsOf(parsed);
  if (parts.filter(({ kind }) => kind === 'choice').length > 1) return undefined;
  const written = parts.map((part, index) => writePart(part, index === 0, parts[index + 1]));
  return written.includes(undefined) ? undefined : new RegExp(written.join(''));
}

function writePart(part: Pattern, isFirst: boolean, next: Pattern | undefined): string | undefined {
  switch (part.kind) {
    case 'character':
      return writeCharacters(part.characters);
    case 'assertion':
      if (isFirst && part.assertion === 'textStart') return '^';
      return next === undefined && part.assertion === 'textEnd' ? '$' : undefined;
    case 'repeat': {
      const { part: repeated, least, most } = part;
      const atom = repeated.kind === 'character' ? writeCharacters(repeated.characters) : undefined;
      return atom === undefined || least !== most ? undefined : `${atom}{${least}}`;
    }
    case 'choice': {
      // Sorted, an alternative directly precedes those that begin with it.
      const alternatives = part.parts.map(writeLiteral).sort();
      const areDistinct = !alternatives.some((each = '', at) => alternatives[at + 1]?.startsWith(each));
      // The only assertion after a choice is `$`.
      const mayFollow = areDistinct || next === undefined || next.kind === 'assertion';
      return alternatives.includes(undefined) || !mayFollow ? undefined : `(?:${alternatives.join('|')})`;
    }
    case 'sequence':
      return undefined;
  }
}

/** Writes an alternative, which must be a sequence of single characters. */
function writeLiteral(pattern: Pattern): string | undefined {
  const written = partsOf(pattern).map((part) =>
    part.kind === 'character' && isSingle(part.characters) ? writeCharacters(part.characters) : undefined,
  );
  return written.length === 0 || written.includes(undefined) ? undefined : written.join('');
}

function writeCharacters(characters: Characters): string | undefined {
  const [first, last] = [characters[0]?.[0], characters.at(-1)?.[1]];
  if (first === undefined || last === undefined || last > LAST_ASCII) return undefined;
  if (isSingle(characters)) return writePoint(first);
  return `[${characters.map(([from, to]) => `${writePoint(from)}-${writePoint(to)}`).join('')}]`;
}

function isSingle(characters: Characters): boolean {
  return characters.length === 1 && characters[0]?.[0] === characters[0]?.[1];
}

function writePoint(point: number): string {
  return `\\x${point.toString(16).padStart(2, '0')}`;
}
