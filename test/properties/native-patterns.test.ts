/** Checks that JavaScript's engine is used only for patterns that it matches as RE2 does (L18, S157). */
import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { parsePattern } from '../../src/re2-syntax/parse-pattern.js';
import { toNativePattern as toNative } from '../../src/regex/native-pattern.js';

/** Parses a pattern that does not depend on Unicode tables, and translates it. */
function toNativePattern(text: string): RegExp | undefined {
  const parsed = parsePattern(text, () => undefined);
  return parsed && toNative(parsed);
}

const character = fc.constantFrom(
  'a',
  'b',
  'Z',
  '0',
  '9',
  '-',
  '@',
  '_',
  ' ',
  '\\.',
  '\\+',
  '\\$',
  '\\\\',
  '\\[',
);
const range = fc.constantFrom('[a-c]', '[A-Z]', '[0-9]', '[ab0]', '[a-cX0-3]');
const atom = fc
  .tuple(fc.oneof(character, range), fc.option(fc.constantFrom('{0}', '{1}', '{2}', '{3}'), { nil: '' }))
  .map((parts) => parts.join(''));
/** Alternatives, none of which begins with another. */
const choice = fc
  .array(
    fc.array(character, { minLength: 1, maxLength: 3 }).map((one) => one.join('')),
    { minLength: 1, maxLength: 3 },
  )
  .map((alternatives) =>
    [...new Set(alternatives)].filter(
      (one) => !alternatives.some((each) => each !== one && one.startsWith(each)),
    ),
  )
  .map((alternatives) => `(${alternatives.join('|')})`);
const pattern = fc
  .tuple(
    fc.constantFrom('', '^'),
    fc.array(atom, { maxLength: 4 }),
    fc.option(choice, { nil: '' }),
    fc.array(atom, { maxLength: 3 }),
    fc.constantFrom('', '$'),
  )
  .map(([start, before, group, after, end]) => [start, ...before, group, ...after, end].join(''));
/** Patterns in other notations that are translated as well. */
const rewritten = fc.constantFrom(
  '\\d',
  '\\w{3}',
  '[\\d]',
  '(?i)a',
  '\\x41',
  'a|b',
  '((a))',
  '()',
  'a{01}',
  '-{00}$',
);
const input = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'c',
      'Z',
      'X',
      '0',
      '9',
      '-',
      '@',
      '_',
      ' ',
      '.',
      '+',
      '$',
      '\\',
      '[',
      '{',
      '1',
      '}',
      '\n',
      'é',
      '😀',
      '\ud800',
    ),
    {
      maxLength: 8,
    },
  )
  .map((units) => units.join(''));

it('a native pattern matches as RE2 does', () => {
  fc.assert(
    fc.property(
      fc.oneof({ weight: 20, arbitrary: pattern }, rewritten),
      fc.array(input, { minLength: 1, maxLength: 8 }),
      (text, inputs) => {
        const native = toNativePattern(text);
        expect(native, text).toBeDefined();
        const re2 = RE2JS.compile(text);
        for (const one of inputs)
          expect(native?.test(one), `${text} on ${JSON.stringify(one)}`).toBe(re2.test(one));
      },
    ),
    { seed: 20_261_121, numRuns: 5_000 },
  );
});

describe('JavaScript’s engine', () => {
  it.each(['^(foo|bar)baz$', '(fo|fa)o', '^(PT|PTX)$', 'x(a|ab)', '(a|a)$'])('is used for %s', (text) => {
    expect(toNativePattern(text)).toBeDefined();
  });

  // S156, S157
  it.each([
    '(a+)+$',
    '(a|a)*$',
    '(.*a){20}',
    '(a|b){20}',
    '(a|ab)(c|bcd)',
    'a*',
    'a+b',
    'a?',
    'a{2,}',
    'a{1,3}',
    '.',
    '\\bfoo',
    '[^a]',
    'é',
    '\\pL',
    '^*',
    '(?i)k',
    '^a|b$',
    '(?m)^a',
    'a^b',
    '[^\\x00-\\x{10ffff}]',
    '(|a)',
    '([ab]|c)',
    // What follows the choice would be tried again for each alternative that matches.
    '(a|a)b',
    '(?:a|b|a)a{125}b',
    '(aa|a)b',
    '^(ab|b|abc)[0-9]$',
    '(\\x61|a)b',
  ])('is not used for %s', (text) => {
    expect(toNativePattern(text)).toBeUndefined();
  });
});
