/** Tests the literals that every match of a pattern contains. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requiredLiteral } from '../../../src/policy-set/required-literal.js';

/** Parts of patterns, and strings that each matches. */
const PARTS: readonly (readonly [pattern: string, ...matches: string[]])[] = [
  ['abc', 'abc'],
  ['x', 'x'],
  ['', ''],
  ['\\.', '.'],
  ['(abc)?', '', 'abc'],
  ['(?:hello)*', '', 'hello', 'hellohello'],
  ['(?:hello)+', 'hello', 'hellohello'],
  ['(?:world){2}', 'worldworld'],
  ['(?:world){0,2}', '', 'world'],
  ['[ab]', 'a', 'b'],
  ['(?:left|right)', 'left', 'right'],
  ['(?i:case)', 'case', 'CASE', 'cAsE'],
  ['.', 'z', '\u00e9'],
  ['\\d', '7'],
  ['\u00e9', '\u00e9'],
  ['[]x]', ']', 'x'],
  ['[^]x]', 'y'],
  ['[[:alpha:]]', 'a'],
  ['[\\]x]', ']', 'x'],
  ['(?P<name>deep(er)?)', 'deep', 'deeper'],
  ['ab+?', 'ab', 'abbb'],
  ['\\bword\\b', 'word'],
  ['\\pL', 'q'],
  ['\\x41', 'A'],
  ['a{2}', 'aa'],
  ['(a|(b|c)d)e', 'ae', 'bde'],
];

const parts = fc.array(
  fc
    .tuple(fc.constantFrom(...PARTS), fc.nat())
    .map(([[pattern, ...matches], index]) => [pattern, matches[index % matches.length] as string] as const),
  { maxLength: 6 },
);

describe('the required literal', () => {
  it.each([
    ['abc', 'abc'],
    ['^abc$', 'abc'],
    ['ab.cde', 'cde'],
    ['ab(cd)ef', 'abcdef'],
    ['(?:abc)?de', 'de'],
    ['(?:abcd){2}e', 'abcd'],
    ['abc|abd', ''],
    ['(?i)abc', ''],
    ['\u00e9t\u00e9', 't'],
    ['(a[])b|]cd)xyz', 'xyz'],
    ['@host7\\.example$', '@host7.example'],
    ['(?P<host>abc)d', 'abcd'],
    ['(ab|cd)efg(h|i)', 'efg'],
    ['abc\\pL', 'abc'],
    ['(?s)abc.', 'abc'],
    ['(?m:ab)cd', 'abcd'],
    ['abc\\x41', ''],
    ['', ''],
  ])('of %s is "%s"', (pattern, literal) => {
    expect(requiredLiteral(pattern)).toBe(literal);
  });

  it('is in every string that the pattern matches', () => {
    fc.assert(
      fc.property(parts, (drawn) => {
        const literal = requiredLiteral(drawn.map(([pattern]) => pattern).join(''));
        const match = drawn.map(([, matched]) => matched).join('');
        expect(match).toContain(literal);
      }),
      { numRuns: 2_000, seed: 20_261_123 },
    );
  });
});
