/** Random pairs of policies, with the syntax tree of each pattern. */
import fc from 'fast-check';
import type { JsonValue, PolicyItemInput } from '../../../src/index.js';
import { claimPath } from '../../../src/testing/arbitraries/query.js';
import { policyItem } from '../../../src/testing/index.js';
import { type Assertion, type PatternTree, toRe2 } from './pattern-tree.js';

/** Two policies, and the syntax trees of their patterns, by pattern. */
export interface PolicyPair {
  readonly first: PolicyItemInput;
  readonly second: PolicyItemInput;
  readonly trees: ReadonlyMap<string, PatternTree>;
}

/** Patterns of one character: letters, classes with and without Unicode tables, case folding, surrogates. */
const CHARACTERS: readonly string[] = [
  ...['a', 'b', 'A', '0', '1', '-', '@', '\\.', 'é', '\\x{301}', '😀', '\\n'],
  ...['.', '(?s:.)', '[^a]', '[a-c]', '[^a-y]', '\\d', '\\D', '\\w', '\\W', '\\s', '[[:^alpha:]]'],
  ...['\\pL', '\\PL', '\\pN', '\\p{Greek}', '\\P{Greek}', '\\p{Lu}', '\\p{^Lu}', '\\p{Cs}', '[\\p{Han}à-ü]'],
  ...[
    '(?i:a)',
    '(?i:k)',
    '(?i:é)',
    '(?i:ß)',
    '(?i:[^é])',
    '(?i:\\W)',
    '(?i:\\p{Lu})',
    '[\\x{20000}-\\x{10ffff}]',
  ],
];

const ASSERTIONS: readonly Assertion[] = [
  'textStart',
  'textEnd',
  'lineStart',
  'lineEnd',
  'wordEdge',
  'noWordEdge',
];

/** Draws patterns: short sequences and choices, repetitions, most often with an anchor. */
function patternTree(characters: readonly string[]): fc.Arbitrary<PatternTree> {
  const character = fc
    .oneof(
      { weight: 1, arbitrary: fc.constantFrom(...characters.slice(0, 3)) },
      { weight: 1, arbitrary: fc.constantFrom(...characters) },
    )
    .map((source): PatternTree => ({ kind: 'character', source }));
  const word = sequence(fc.array(character, { minLength: 1, maxLength: 2 }));
  const choice = fc
    .array(word, { minLength: 2, maxLength: 2 })
    .map((parts): PatternTree => ({ kind: 'choice', parts }));
  const repeated = fc.tuple(fc.oneof(character, choice), fc.constantFrom([0], [1], [0, 1], [2, 3])).map(
    ([part, [least = 0, most]]): PatternTree => ({
      kind: 'repeat',
      part,
      least,
      ...(most === undefined ? {} : { most }),
    }),
  );
  const assertion = fc
    .constantFrom(...ASSERTIONS)
    .map((drawn): PatternTree => ({ kind: 'assertion', assertion: drawn }));
  const item = fc.oneof(
    { weight: 4, arbitrary: character },
    { weight: 3, arbitrary: repeated },
    { weight: 1, arbitrary: choice },
    { weight: 1, arbitrary: assertion },
  );
  const items = sequence(fc.array(item, { maxLength: 2 }));
  const anchored = fc.tuple(fc.boolean(), items, fc.boolean()).map(
    ([start, inner, end]): PatternTree => ({
      kind: 'sequence',
      parts: [...(start ? [anchor('textStart')] : []), inner, ...(end ? [anchor('textEnd')] : [])],
    }),
  );
  return fc.oneof(
    { weight: 15, arbitrary: anchored },
    {
      weight: 1,
      arbitrary: fc.tuple(anchored, anchored).map((parts): PatternTree => ({ kind: 'choice', parts })),
    },
  );
}

function sequence(parts: fc.Arbitrary<readonly PatternTree[]>): fc.Arbitrary<PatternTree> {
  return parts.map((drawn): PatternTree => ({ kind: 'sequence', parts: drawn }));
}

function anchor(assertion: Assertion): PatternTree {
  return { kind: 'assertion', assertion };
}

/**
 * Draws pairs, most of them related: independent policies rarely imply each other.
 *
 * @param characters - The patterns of one character that patterns consist of.
 */
export function policyPair(characters = CHARACTERS): fc.Arbitrary<PolicyPair> {
  const item = fc
    .tuple(policyItem(), fc.array(fc.tuple(claimPath(), fc.boolean()), { maxLength: 1 }))
    .map(([drawn, patterns]) =>
      patterns.reduce<PolicyItemInput>((inner, [claim, needsAll]) => {
        const items: PolicyItemInput[] = [inner, { claim, operator: 'matchRegex', value: '' }];
        return needsAll ? { allOf: items } : { anyOf: items };
      }, drawn),
    );
  return fc
    .record({
      one: item,
      other: item,
      relation: fc.constantFrom('none', 'wider', 'narrower', 'negated twice'),
      patterns: fc.array(patternTree(characters), { minLength: 6, maxLength: 6 }),
    })
    .map(({ one, other, relation, patterns }) => {
      const texts = patterns.map(toRe2);
      let used = 0;
      const [first, second] = [one, other].map((policy) =>
        withPatterns(policy, () => texts[used++ % texts.length] as string),
      ) as [PolicyItemInput, PolicyItemInput];
      return {
        first,
        second: relatedTo(first, second, relation),
        trees: new Map(patterns.map((tree, index) => [texts[index] as string, tree])),
      };
    });
}

function relatedTo(first: PolicyItemInput, second: PolicyItemInput, relation: string): PolicyItemInput {
  switch (relation) {
    case 'wider':
      return { anyOf: [first, second] };
    case 'narrower':
      return { allOf: [first, second] };
    case 'negated twice':
      return { not: { anyOf: [{ not: first }, { allOf: [{ not: first }, second] }] } };
    default:
      return second;
  }
}

/** Replaces the pattern of every `matchRegex`. */
function withPatterns(item: PolicyItemInput, next: () => string): PolicyItemInput {
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== 'object' || value === null) return value;
    const members = value as Record<string, unknown>;
    if (members['operator'] !== undefined && typeof members['claim'] === 'string') {
      return members['operator'] === 'matchRegex' ? { ...members, value: next() } : value;
    }
    return Object.fromEntries(Object.entries(members).map(([name, inner]) => [name, replaced(inner)]));
  };
  return replaced(item as unknown as JsonValue) as PolicyItemInput;
}
