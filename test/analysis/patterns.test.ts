/** The automata that stand for patterns find what the engine's patterns find (L18). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Neighbour, neighbourOf, SearchAutomaton } from '../../src/analysis/patterns/automaton.js';
import { readPattern } from '../../src/analysis/patterns/pattern.js';
import { claimSetOf } from '../../src/engine/claims/claim-set.js';
import { compile } from '../../src/index.js';

const READ = [
  '',
  'a',
  '^a',
  'a$',
  '^a$',
  '^$',
  'ab|c',
  '^(ab|c)$',
  '(?:a|b)*c',
  'a+',
  '^a+$',
  'a?b',
  'a*?b',
  'a{2}',
  '^a{2,3}$',
  '^a{2,}$',
  'a{,2}',
  '.',
  '^.$',
  '(?s)^.$',
  '^..$',
  '[abc]',
  '[^abc]',
  '[a-c0-1]',
  '[]a]',
  '[^]a]',
  '[a-]',
  '[\\d-]',
  '\\d',
  '\\D',
  '\\w+',
  '\\W',
  '\\s',
  '\\S',
  '\\bab\\b',
  '\\Bb',
  '^\\b',
  '\\b$',
  '(?m)^b$',
  '(?m)a$',
  '\\Aa\\z',
  '(?i)ab',
  '(?i)^K$',
  '(?i)[a-c]',
  '(?i)[^k]',
  '(?i:a)b',
  'a(?i)b|c',
  '(?-i)a',
  '\\x61',
  '\\x{1F600}',
  '\\141',
  '\\Qa.b\\E',
  '\\Qab\\E+',
  '\\.',
  '\\n',
  '[[:alpha:]]',
  '[[:^digit:]a]',
  '[[:word:]-]',
  '(?P<name>a)b',
  '(?<name>a)',
  '()',
  '(|a)b',
  'é',
  '^[é-ü]+$',
  '😀',
  '[😀-😎]',
  '(?U)a+',
  'x*',
  '(a+)+$',
  '(?i)s',
  '(a|b|)',
  '^^a',
  'a$$',
  '(?:^a|b$)',
];

const BEYOND = ['\\pL', '\\p{Greek}', '[\\pN]', '(?i)é', '(?i)[à-ü]'];

describe('a pattern that the analysis reads', () => {
  const text = fc.string({
    unit: fc.constantFrom(
      'a',
      'b',
      'c',
      'A',
      'K',
      'k',
      '\u212a',
      '\u017f',
      '0',
      ' ',
      '.',
      '-',
      ']',
      '\n',
      'é',
      '😀',
      '\udc00',
    ),
    maxLength: 6,
  });

  it.each(READ)('finds what the engine finds: %j', (pattern) => {
    const automaton = SearchAutomaton.of(readPattern(pattern) as never) as SearchAutomaton;
    const asked = compile({ check: { claim: 'a.b', operator: 'matchRegex', value: pattern } });
    fc.assert(
      fc.property(text, (drawn) => {
        const claims = claimSetOf({ 'a.b': drawn });
        expect(finds(automaton, drawn), JSON.stringify(drawn)).toBe(asked.test(claims));
      }),
      { numRuns: 150, seed: 11_212_026 },
    );
  });

  it.each(BEYOND)('says so where it does not: %j', (pattern) => {
    expect(readPattern(pattern)).toBeUndefined();
  });
});

function finds(automaton: SearchAutomaton, text: string): boolean {
  let state = automaton.start;
  let before: Neighbour = 'end';
  for (const character of text) {
    const codePoint = character.codePointAt(0) as number;
    state = automaton.step(state, before, codePoint);
    before = neighbourOf(codePoint);
  }
  return automaton.isFoundAtEnd(state, before);
}
