/** Contract of the regular-expression port, for both engines (L18). */
import * as fc from 'fast-check';
import { RE2JS } from 're2js';
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
  ['[\\x{d800}-\\x{dbff}]', '😀', false],
  ['[\\x{d800}-\\x{dbff}]', 'a\ud83d', true],
];

const REJECTED = [
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
  '\\p{Emoji}',
  '\\p{C}',
  '\\p{Kawi}',
  '(?P<n>a)(?<n>b)',
  'a(?i)*',
  'a\\Q\\E+',
  '\ud83d',
];

/** Pieces of random patterns: literals, metacharacters and escapes, and strings that resemble them. */
const PIECES = [
  ...[
    'a',
    'b',
    'é',
    '😀',
    '.',
    '^',
    '$',
    '|',
    '(',
    '(?:',
    '(?i:',
    '(?P<n>',
    '(?<m>',
    ')',
    '(?i)',
    '(?s-i)',
    '(?)',
  ],
  ...[
    '*',
    '+',
    '?',
    '*?',
    '{2}',
    '{3,}',
    '{0,4}',
    '{9,1}',
    '{40}',
    '(){30}',
    '(|){30}',
    '{007}',
    '{',
    '{x',
    '-',
    ']',
    '\\',
    '\\\\',
  ],
  ...[
    '[ab]',
    '[^a-z]',
    '[]a]',
    '[^]',
    '[[:alpha:]]',
    '[[:a',
    '[',
    '[a\\]b]',
    '\\d',
    '\\pL',
    '\\P{Greek}',
    '\\b',
  ],
  ...[
    '\\Qa(b',
    '\\Q\\E',
    '\\Q',
    '\\E',
    '\\e',
    '\\x{2019}',
    '\\x41',
    '\\101',
    '\\.',
    '\\(',
    '-\\x{10001}',
    'A-\\x{10001}',
    '--é',
  ],
];

/** Patterns whose repetitions apply to more than the preceding character. */
const TRICKY = [
  '(?:a{9}\\Q\\e(a\\E){20}',
  '(?:ab|cd|ef|gh){100}',
  '((((a?){5}){5}){5}){5}',
  '(){300}',
  '(?:|||a*){90}',
  '(?:[[:alpha:]]{20}[]a]{10}){10}',
];

/** Character classes of one instruction that take long to compile. */
const COSTLY_CLASSES = [
  '(?i)[B-\u{10001}]',
  '(?i)[^--\u{10001}]',
  '(?i)[\\\\x{FFFF}-\u{10001}]',
  '(?i)[\\x{42}-\\x{10001}]',
  '(?s)(?mi:[!-\\x{10001}])',
];

describe.each(Object.entries(ENGINES))('%s', (_name, engine) => {
  // L18
  it.each(MATCHES)('%j on %j gives %j', (pattern, input, matches) => {
    const outcome = engine.compile(pattern);
    expect(outcome.accepted ? outcome.pattern.test(input) : outcome.reason).toBe(matches);
  });

  // L18, S159
  it.each(REJECTED)('%j is rejected with a reason that does not repeat it', (pattern) => {
    const outcome = engine.compile(pattern);
    expect(outcome).toMatchObject({ accepted: false, reason: expect.stringMatching(/^[a-z]/) });
    expect(outcome.accepted ? '' : outcome.reason).not.toContain(pattern);
  });

  // S155
  it('reports the size of a program, which bounds its cost', () => {
    const outcome = engine.compile('(?:(?:(?:a{0,100}){0,10}){0,1})');
    expect(outcome.accepted && outcome.pattern.programSize).toBeGreaterThan(1_000);
  });

  // S176
  it.each(TRICKY)('measures %j as no smaller than the program that it compiles to', (pattern) => {
    const measure = engine.measure?.(pattern);
    expect(measure?.accepted && measure.size).toBeGreaterThanOrEqual(RE2JS.compile(pattern).programSize());
    expect(measure?.accepted && measure.work).toBeGreaterThan(measure?.accepted ? measure.size : Number.NaN);
  });

  // S176
  it.each(COSTLY_CLASSES)('counts the case-folded characters of %j', (pattern) => {
    const measure = engine.measure?.(pattern);
    expect(measure?.accepted && measure.work).toBeGreaterThan(3_900);
  });

  it.each([
    ['^[A-Z]{2}\\d{6}[A-Z]?$', 100],
    ['(?i)^[a-z0-9._%+-]+@[a-z0-9.-]+\\.[a-z]{2,}$', 200],
    ["^[\\p{L}\\p{M}' -]+$", 600],
    ['(?i)^(rua|avenida|praça) [a-zà-ÿ ]+ \\d{1,4}$', 120],
  ])('measures little work for the realistic pattern %j', (pattern, most) => {
    const measure = engine.measure?.(pattern);
    expect(measure?.accepted && measure.work).toBeLessThan(most);
  });

  // L7
  it.each([
    ['', 3],
    ['a', 3],
    ['abc', 5],
    ['a|bc|', 8],
    ['(?:ab)', 4],
    ['(ab)', 6],
    ['a*', 5],
    ['a+', 5],
    ['a?', 4],
    ['a{3}', 5],
    ['a{0}', 3],
    ['a{2,}', 6],
    ['a{2,5}', 10],
    ['(?:a{0,50}){0,20}', 2_022],
    ['\\Qab\\E', 4],
    ['(?i)\\pL[a-z]^$', 6],
  ])('measures the size of %j as %d', (pattern, size) => {
    expect(engine.measure?.(pattern)).toMatchObject({ accepted: true, size });
    expect(engine.compile(pattern)).toMatchObject({ accepted: true, pattern: { programSize: size } });
  });

  it('keeps no state between two matches', () => {
    const outcome = engine.compile('a');
    if (!outcome.accepted) throw new Error('a pattern of one letter must be accepted');
    expect([outcome.pattern.test('ba'), outcome.pattern.test('ba'), outcome.pattern.test('b')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

it('a pattern whose groups nest too deeply is rejected without an exception', () => {
  const nested = (depth: number, open: string) => `${open.repeat(depth)}a${')'.repeat(depth)}`;
  const rejection = { accepted: false, reason: 'expression nests too deeply' };
  for (const open of ['(', '(?:', '(?i:', '(a|b'])
    for (const depth of [1_001, 5_000]) {
      expect(re2js.measure?.(nested(depth, open)), `${open} × ${depth}`).toEqual(rejection);
      expect(re2js.compile(nested(depth, open)), `${open} × ${depth}`).toEqual(rejection);
    }
  expect(re2js.compile(nested(1_000, '(')).accepted).toBe(true);
  // The groups are not nested.
  expect(re2js.compile('(a)'.repeat(1_001)).accepted).toBe(true);
});

// Only re2js: both engines share the measure, and re2-wasm never frees a pattern's memory.
// S176
it('the size of any pattern is at least the number of instructions of its program', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }), (pieces) => {
      const pattern = pieces.join('');
      const measure = re2js.measure?.(pattern);
      // Costly patterns are not compiled, which is the purpose of the measure.
      if (!measure?.accepted || measure.work > 20_000) return;
      expect(measure.size, pattern).toBeGreaterThanOrEqual(RE2JS.compile(pattern).programSize());
    }),
    { seed: 20_261_126, numRuns: 2_000 },
  );
});
