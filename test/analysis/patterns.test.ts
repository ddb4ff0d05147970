/** Checks that the pattern parser accepts the same patterns as the engine, and that automata find the same matches (L18). */
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, it } from 'vitest';
import type { SearchAutomaton } from '../../src/analysis/patterns/automaton.js';
import { re2js } from '../../src/index.js';
import { measurePattern, parsePattern } from '../../src/re2-syntax/parse-pattern.js';
import { automatonOf, finds, lookup, text } from '../support/pattern-automata.js';

const PATTERNS = [
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
  '\\12',
  '[[:^alpha:]]',
  '[[:a]',
  '(?i)\\W',
  '(?i)[[:^word:]]',
  '\\pL',
  '^\\PN+$',
  '\\p{Greek}',
  '\\p{^Greek}',
  '\\P{^Lu}',
  '[\\pN_]',
  '[^\\p{Latin}\\d]',
  '\\p{Any}',
  '\\p{Cs}',
  '(?i)é',
  '(?i)[à-ü]',
  '(?i)ß',
  '(?i)σ',
  '(?i)\\p{Lu}',
  '(?i)[^\\p{Lu}]',
  '(?i)\\P{Lu}',
  '^[\\x{d800}-\\x{dbff}]',
  '[^\\x{dc00}]',
];

const REJECTED = [
  'a(?i)*',
  'a*(?i)*',
  'a\\Q\\E+',
  '\ud83d',
  '\\p{Emoji}',
  '\\pC',
  '(',
  ')',
  '*',
  'a**',
  'a|*',
  '(?i)*',
  '(*)',
  'a{2}{3}',
  'a{1001}',
  'a{2,1}',
  '(a{100}){11}',
  '[',
  '[]',
  '[b-a]',
  '[a-\\d]',
  '[[:foo:]]',
  '[[:a]:]',
  '\\',
  '\\1',
  '\\8',
  '\\x4',
  '\\x{}',
  '\\x{110000}',
  '\\C',
  '\\E',
  '\\é',
  '\\p',
  '\\p{Foo}',
  '\\p{',
  '\\pé',
  '(?',
  '(?-)',
  '(?i-)',
  '(?=a)',
  '(?<=a)',
  '(?P<>a)',
  '(?P<é>a)',
  '(?P<n>a)(?P<n>b)',
];

it.each(PATTERNS)('the automaton of %j finds the same matches as the engine', (drawn) => {
  const automaton = automatonOf(drawn) as SearchAutomaton;
  const compiled = RE2JS.compile(drawn);
  fc.assert(
    fc.property(text, (input) => {
      expect(finds(automaton, input), JSON.stringify(input)).toBe(compiled.test(input));
    }),
    { numRuns: 150, seed: 11_212_026 },
  );
});

it.each(REJECTED)('the parser rejects %j, as the engine does', (drawn) => {
  expect([re2js.compile(drawn).accepted, parsePattern(drawn, lookup)]).toEqual([false, undefined]);
});

it('the parser rejects a repetition of at most a number with more digits than any double', () => {
  expect(measurePattern(`a{0,${'9'.repeat(309)}}`)).toEqual({
    accepted: false,
    reason: 'invalid repeat count',
  });
});

it('the parser measures a quotation that is longer than the stack', () => {
  expect(measurePattern(`\\Q${'a'.repeat(200_000)}`)).toMatchObject({ accepted: true, size: 200_002 });
});
