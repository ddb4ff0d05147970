/** Patterns for DuckDB, whose regular expressions are RE2; parsing and character ranges for the other dialects (L18). */
import { type Characters, complement, has, LAST_CODE_POINT } from '../../re2-syntax/characters.js';
import { type Assertion, type Pattern, parsePattern } from '../../re2-syntax/parse-pattern.js';
import { UnsupportedConstruct } from '../errors.js';

/**
 * Returns the pattern in a group: DuckDB's optimizer rewrites patterns of characters and anchors to `LIKE`, and
 * misreads `$a` as `^a`.
 *
 * @throws {UnsupportedConstruct} Code `pattern`, if the result depends on the version of Unicode, or DuckDB's version of RE2 rejects the syntax or
 *   matches other strings.
 */
export function toRe2Pattern(pattern: string): string {
  const parsed = parseTranslatable(pattern);
  // Every match that is not empty begins and ends between characters. A pattern that matches an empty string without `\B` matches everything.
  if (canBeEmpty(parsed, ['noWordEdge']) && !canBeEmpty(parsed, []))
    throw new UnsupportedConstruct(
      'pattern',
      'DuckDB finds `\\B` inside of characters beyond ASCII, so a pattern that matches an empty string there, as `\\B` and `a*\\B` do, is not supported.',
    );
  // A quotation may end with the pattern.
  const isQuoting = pattern.replaceAll(QUOTATION_OR_ESCAPE, '').includes('\\Q');
  const closed = isQuoting ? `${pattern}\\E` : pattern;
  // Each quotation and escape is replaced by one character first, so that an escaped `]` does not end a class, and a `]` after an escape at its start does.
  if (closed.replaceAll(QUOTATION_OR_ESCAPE, '_').replaceAll(CHARACTER_CLASS, '').includes('(?<'))
    throw new UnsupportedConstruct(
      'pattern',
      'DuckDB does not support named groups of the form `(?<name>…)`. Write `(?P<name>…)` or `(…)`.',
    );
  return `(${closed})`;
}

/** Returns whether a pattern can match an empty string at a position where these assertions hold, and no others. */
function canBeEmpty(pattern: Pattern, held: readonly Assertion[]): boolean {
  switch (pattern.kind) {
    case 'character':
      return false;
    case 'assertion':
      return held.includes(pattern.assertion);
    case 'sequence':
      return pattern.parts.every((part) => canBeEmpty(part, held));
    case 'choice':
      return pattern.parts.some((part) => canBeEmpty(part, held));
    case 'repeat':
      return pattern.least === 0 || canBeEmpty(pattern.part, held);
  }
}

const QUOTATION_OR_ESCAPE = /\\Q.*?\\E|\\[^Q]/gs;
/** Requires a pattern without escapes. A `]` directly after `[` or `[^` is literal, and a class may contain classes such as `[:alpha:]`. */
const CHARACTER_CLASS = /\[\^?\]?(?:\[:\^?\w+:\]|[^\]])*\]/g;

/**
 * Parses a pattern of RE2.
 *
 * @throws {UnsupportedConstruct} Code `pattern`, if the pattern is invalid, or its meaning depends on the version of Unicode.
 */
export function parseTranslatable(pattern: string): Pattern {
  // The lookup finds no Unicode class, so parsing fails for a pattern that needs one.
  const parsed = parsePattern(pattern, () => undefined);
  if (parsed !== undefined) return parsed;
  throw new UnsupportedConstruct(
    'pattern',
    'The pattern is invalid, or depends on Unicode tables, of which the database may have another version.',
  );
}

/**
 * Returns the ranges to write between the brackets of a class; those of the complement (`[^…]`) if the class contains the last code point, so that no range
 * ends there.
 *
 * @throws {UnsupportedConstruct} Code `pattern`, if a range begins or ends with a character that databases cannot store, or the class is empty.
 */
export function writableRanges(characters: Characters): {
  readonly ranges: Characters;
  readonly isNegated: boolean;
} {
  const isNegated = has(characters, LAST_CODE_POINT);
  const ranges = isNegated ? complement(characters) : characters;
  const isStorable = (point: number) => point > 0 && !(point >= 0xd800 && point <= 0xdfff);
  if (
    !ranges.every(([first, last]) => isStorable(first) && isStorable(last)) ||
    (!isNegated && ranges.length === 0)
  ) {
    throw new UnsupportedConstruct(
      'pattern',
      'The pattern has an empty class, or distinguishes U+0000 or surrogates, which stores reject.',
    );
  }
  return { ranges, isNegated };
}
