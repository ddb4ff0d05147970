/** The order in which `test` evaluates the items of a policy: cheapest first (L21). */
import { expect, it } from 'vitest';
import { ClaimSet, compile, type RegexEngine } from '../../../src/index.js';

/** Creates an engine that records the patterns that it matches. The number in a pattern is its program size; the cost of its check is 10 more. */
function createRecordingEngine(): { readonly regex: RegexEngine; readonly tested: string[] } {
  const tested: string[] = [];
  const regex: RegexEngine = {
    compile: (pattern) => ({
      accepted: true,
      pattern: {
        programSize: Number(/\d+/.exec(pattern)?.[0] ?? 1),
        test: () => {
          tested.push(pattern);
          return false;
        },
      },
    }),
  };
  return { regex, tested };
}

const CLAIMS = ClaimSet.of({
  'order.text': 'x',
  'order.list': ['a'],
  'order.map.text': 'x',
  'order.on': '2026-01-01',
});

const pattern = (size: number) => ({ claim: 'order.text', operator: 'matchRegex', value: `size ${size}` });

/** Returns whether an item is evaluated before a check with a pattern of a size. The item passes, so a pattern after it is not matched. */
function runsBefore(size: number, item: object): boolean {
  const { regex, tested } = createRecordingEngine();
  const query = compile({ policy: { anyOf: [pattern(size), item] } }, { regex });
  tested.length = 0;
  expect(query.test(CLAIMS)).toBe(true);
  return tested.length === 0;
}

const check = (operator: string, value: unknown, claim = 'order.text') => ({ claim, operator, value });
const group = (count: number, item: object) => ({ allOf: Array.from({ length: count }, () => item) });

it.each([
  // The cost of a group is the sum of its items' costs; a pattern of size 5 costs 15.
  ['twelve comparisons with a string', group(12, check('==', 'x')), 5],
  ['six lists of three', group(6, check('in', ['x', 'y', 'z'])), 5],
  ['twelve comparisons of numbers', group(12, { not: check('>', 1) }), 5],
  ['twelve checks for presence', group(12, { claim: 'order.text', operator: 'isDefined' }), 5],
  ['three prefixes', group(3, check('startsWith', 'x')), 5],
  ['two searches in lists', group(2, check('contains', 'a', 'order.list')), 11],
  ['a comparison with a list', check('==', ['a'], 'order.list'), 11],
  ['a comparison of dates', check('>=', '2026-01-01', 'order.on'), 11],
  ['a comparison with a member of another claim', check('==', 'x', 'order.map.text'), 1],
])('%s runs before a pattern that is more expensive', (_items, item, size) => {
  expect(runsBefore(size, item)).toBe(true);
});

it.each([
  ['sixteen comparisons with a string', group(16, check('==', 'x')), 5],
  ['four lists of four', group(4, check('in', ['w', 'x', 'y', 'z'])), 5],
  ['sixteen comparisons of numbers', group(16, { not: check('>', 1) }), 5],
  ['four prefixes', group(4, check('startsWith', 'x')), 5],
  ['two searches in lists', group(2, check('contains', 'a', 'order.list')), 9],
  ['a comparison with a list', check('==', ['a'], 'order.list'), 9],
  ['a comparison of dates', check('>=', '2026-01-01', 'order.on'), 9],
  ['two comparisons with a member of another claim', group(2, check('==', 'x', 'order.map.text')), 1],
])('%s, more expensive than a pattern, runs after it', (_items, item, size) => {
  expect(runsBefore(size, item)).toBe(false);
});

it('of two patterns, the smaller one runs first, wherever it is in the query', () => {
  const { regex, tested } = createRecordingEngine();
  for (const sizes of [
    [7, 30],
    [30, 7],
  ]) {
    const query = compile({ policy: { anyOf: sizes.map(pattern) } }, { regex });
    tested.length = 0;
    expect(query.test(CLAIMS)).toBe(false);
    expect(tested).toEqual(['size 7', 'size 30']);
  }
});
