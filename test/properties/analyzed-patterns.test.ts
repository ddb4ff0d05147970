/** Checks, for random patterns and all classes, that the pattern parser and its automata agree with the engine (L18). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { re2js } from '../../src/index.js';
import { parsePattern } from '../../src/re2-syntax/parse-pattern.js';
import { automatonOf, finds, lookup, text } from '../support/pattern-automata.js';

const unicodeClass = fc.constantFrom(
  'L',
  'N',
  'Lu',
  'Mn',
  'Cs',
  'Greek',
  '^Greek',
  'Latin',
  'Any',
  'Foo',
  '',
);
const atom = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'k',
    'S',
    '0',
    'é',
    'ß',
    'ς',
    '😀',
    '\ud83d',
    '.',
    '^',
    '$',
    ']',
    '}',
    '{',
    '-',
    '\n',
    'Q',
  ),
  fc.constantFrom(
    '\\d',
    '\\W',
    '\\s',
    '\\b',
    '\\B',
    '\\A',
    '\\z',
    '\\.',
    '\\-',
    '\\n',
    '\\x41',
    '\\x{3c3}',
    '\\12',
    '\\0',
    '\\C',
    '\\E',
  ),
  fc.tuple(fc.constantFrom('p', 'P'), unicodeClass).map(([sign, name]) => `\\${sign}{${name}}`),
  fc.constantFrom(
    '\\pL',
    '\\PN',
    '\\Qa.b\\E',
    '\\Q\\E',
    '()',
    '[^\\n]',
    '(?i)',
    '(?s-m)',
    '(?m)',
    '(?U)',
    '(?)',
  ),
);
const classItem = fc.constantFrom(
  ...['a', 'k-s', 'é', 'à-ü', 'Σ', '-', '^', ']', '[', '\\d', '\\W', '\\pN', '\\p{Greek}', '\\P{Lu}', '\\]'],
  ...['[:alpha:]', '[:^word:]', '[:foo:]', '[:', ':]', '\\x{1f600}-\\x{1f64f}', '\\x{d800}', 'z-a', '\\b'],
);
const bracket = fc
  .tuple(fc.constantFrom('[', '[^'), fc.array(classItem, { maxLength: 4 }))
  .map(([open, items]) => `${open}${items.join('')}]`);
const counts = fc.constantFrom(
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '{2}',
  '{0,2}',
  '{1,}?',
  '{,2}',
  '{01}',
  '{3,2}',
  '{600}',
  '**',
);
const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 3 },
    { weight: 5, arbitrary: atom },
    { weight: 3, arbitrary: bracket },
    fc.tuple(fc.oneof(atom, bracket, tie('piece')), counts).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?i:', '(?-i:', '(?P<n>', '(?<m>', '(?='), tie('pattern'))
      .map(([open, inside]) => `${open}${inside})`),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('|')),
  ),
  pattern: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
}));
const mutated = fc
  .tuple(
    pattern,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', '(', ')', '[', ']', '\\', '*', '{', '|', '?', '-', ':', 'p', '^'),
  )
  .map(([drawn, at, removed, inserted]) => {
    const start = drawn.length === 0 ? 0 : at % drawn.length;
    return drawn.slice(0, start) + inserted + drawn.slice(start + removed);
  });

it('the parser accepts the same random patterns as the engine, and their automata find the same matches', {
  timeout: 120_000,
}, () => {
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.oneof(pattern, mutated),
      fc.array(text, { minLength: 4, maxLength: 4 }),
      (drawn, inputs) => {
        const outcome = re2js.compile(drawn);
        // Skips patterns that exceed a limit of the engine but have valid syntax.
        fc.pre(outcome.accepted || outcome.reason !== 'expression too large');
        expect([drawn, parsePattern(drawn, lookup) !== undefined]).toEqual([drawn, outcome.accepted]);
        if (!outcome.accepted) return;
        const automaton = automatonOf(drawn);
        if (automaton === undefined) return;
        accepted += 1;
        for (const input of inputs) {
          expect([drawn, input, finds(automaton, input)]).toEqual([
            drawn,
            input,
            outcome.pattern.test(input),
          ]);
        }
      },
    ),
    { numRuns: 6_000, seed: 23_112_026 },
  );
  expect(accepted).toBeGreaterThan(2_000);
});

describe('the ranges of Unicode classes', () => {
  const source = readFileSync(createRequire(import.meta.url).resolve('re2js'), 'utf8');
  const names = [...source.matchAll(/^\t\t(\w+): \(\) => new UnicodeRangeTable/gm)].map(
    ([, name = '']) => name,
  );
  const isAccepted = (name: string) => re2js.compile(`\\p{${name}}`).accepted;
  // The engine declares a second table under the same name for case folding.
  const namesWithFolding = names.filter((name, index) => names.indexOf(name) < index);
  const sources = [
    ...[...new Set(names)].filter(isAccepted).map((name) => `\\p{${name}}`),
    ...namesWithFolding.filter(isAccepted).map((name) => `(?i:\\p{${name}})`),
    ...Array.from({ length: 60 }, (_, index) => `(?i:[0\\x{${(0xb5 + 37 * index).toString(16)}}])`),
    ...Array.from({ length: 40 }, (_, index) => `(?i:[0\\x{${(0x10a0 + 797 * index).toString(16)}}])`),
  ];

  it('are those of the engine in every class', { timeout: 300_000 }, () => {
    expect(names.length).toBeGreaterThan(200);
    const wrong = sources.filter((one) => JSON.stringify(lookup(one)) !== JSON.stringify(rangesOf(one)));
    expect(wrong).toEqual([]);
  });
});

/** The ranges of a one-character pattern, from the engine's compiled program. */
function rangesOf(source: string): readonly (readonly number[])[] {
  const { prog } = RE2JS.compile(source).re2Input;
  const instructions: readonly { readonly runes: Iterable<number> | null; readonly arg: number }[] =
    prog.inst;
  const runes = instructions.flatMap((instruction) => [...(instruction.runes ?? [])]);
  return runes.flatMap((first, index) => (index % 2 === 0 ? [[first, runes[index + 1] ?? first]] : []));
}
