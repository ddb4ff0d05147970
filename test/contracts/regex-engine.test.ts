/** What the regular-expression port promises, held by both engines (L18). */
import { describe, expect, it } from 'vitest';
import { re2wasm } from '../../src/regex/re2-wasm.js';
import { re2js } from '../../src/regex/re2js.js';

const ENGINES = { re2js, 're2-wasm': re2wasm };

const MATCHES: readonly [pattern: string, input: string, matches: boolean][] = [
  ['b', 'abc', true],
  ['^b', 'abc', false],
  ['B', 'abc', false],
  ['(?i)B', 'abc', true],
  ['^a.c$', 'abc', true],
  ['^a.c$', 'a\nc', false],
  ['(?s)^a.c$', 'a\nc', true],
  ['^.$', '😀', true],
  ['^..$', '😀', false],
  ['^.$', '\ud800', true],
  ['\\pL+', 'Ωmega', true],
  ['^\\p{Greek}$', 'Ω', true],
  ['^$', '', true],
  ['$', 'a\n', true],
  ['a$', 'a\n', false],
  ['\\bfoo\\b', 'a foo b', true],
  ['^\\d{3}-\\d{4}$', '555-0199', true],
  ['^\\s$', '\u00a0', false],
  ['[[:alpha:]]', '1a', true],
  ['(a|ab)(c|bcd)(d*)$', 'abcd', true],
  ['', 'anything', true],
  ['na', 'banana', true],
  ['nA', 'banana', false],
  ['😀', 'a😀b', true],
  ['\ud83d', '😀', false],
  ['\ud83d', 'a\ud83d', true],
];

const REFUSED = [
  '(?=a)',
  '(?!a)',
  '(?<=a)',
  '(?<!a)',
  '(a)\\1',
  '\\C',
  '(a',
  'a)',
  '[a',
  'a{1001}',
  '*',
  '\\p{Nope}',
  '[z-a]',
  'x\\',
];

describe.each(Object.entries(ENGINES))('%s', (_name, engine) => {
  it.each(MATCHES)('%j on %j gives %j (L18)', (pattern, input, matches) => {
    const outcome = engine.compile(pattern);
    expect(outcome.accepted && outcome.pattern.test(input)).toBe(matches);
  });

  it.each(REFUSED)('%j is refused with a reason that does not repeat it (L18, S159)', (pattern) => {
    const outcome = engine.compile(pattern);
    expect(outcome).toMatchObject({ accepted: false, reason: expect.stringMatching(/^[a-z]/) });
  });

  it('tells the size of a program, so that its cost can be bounded (S155)', () => {
    const outcome = engine.compile('(?:(?:(?:a{0,100}){0,10}){0,1})');
    expect(outcome.accepted && outcome.pattern.programSize).toBeGreaterThan(1_000);
  });

  it('holds nothing between two matches', () => {
    const outcome = engine.compile('a');
    if (!outcome.accepted) throw new Error('a pattern of one letter is accepted');
    expect([outcome.pattern.test('ba'), outcome.pattern.test('ba'), outcome.pattern.test('b')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
