/** Literals that every match of a pattern contains. */
import { type Pattern, partsOf } from '../re2-syntax/parse-pattern.js';

const FIRST_PRINTABLE = 0x20;
const LAST_PRINTABLE = 0x7e;

/** Returns the longest printable ASCII string that every match contains; empty if none is known. */
export function requiredLiteral(pattern: Pattern): string {
  let longest = '';
  let run = '';
  for (const part of partsOf(pattern)) {
    const character = literalCharacter(part);
    run = character === undefined ? '' : run + character;
    // A repetition that occurs at least once contains what its part requires.
    const candidate = part.kind === 'repeat' && part.least > 0 ? requiredLiteral(part.part) : run;
    if (candidate.length > longest.length) longest = candidate;
  }
  return longest;
}

function literalCharacter(pattern: Pattern): string | undefined {
  if (pattern.kind !== 'character') return undefined;
  const [range, ...others] = pattern.characters;
  if (range === undefined || others.length > 0 || range[0] !== range[1]) return undefined;
  const [codePoint] = range;
  return codePoint < FIRST_PRINTABLE || codePoint > LAST_PRINTABLE
    ? undefined
    : String.fromCharCode(codePoint);
}
