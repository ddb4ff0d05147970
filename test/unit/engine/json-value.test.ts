/** JSON equality and canonical copies (L16, L24, S152). */
import { describe, expect, it } from 'vitest';
import { canonicalCopy, type JsonValue, jsonEquals } from '../../../src/engine/claims/json-value.js';

const EQUAL: readonly [JsonValue, JsonValue][] = [
  [0, -0],
  [1, 1.0],
  ['é', 'é'],
  [
    [1, [2]],
    [1, [2]],
  ],
  [
    { a: 1, b: [null] },
    { b: [null], a: 1 },
  ],
  [{}, {}],
];

const DIFFERENT: readonly [JsonValue, JsonValue][] = [
  [1, '1'],
  [0, false],
  [null, false],
  ['é', 'e\u0301'],
  ['a', 'A'],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 2]],
  [[], {}],
  [{}, []],
  [[], null],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1 }, { b: 1 }],
  [{ toString: 1 }, { valueOf: 1 }],
];

// L16
describe('JSON equality', () => {
  it.each(EQUAL)('%j equals %j', (left, right) => {
    expect([jsonEquals(left, right), jsonEquals(right, left)]).toEqual([true, true]);
  });

  it.each(DIFFERENT)('%j differs from %j', (left, right) => {
    expect([jsonEquals(left, right), jsonEquals(right, left)]).toEqual([false, false]);
  });

  it('does not skip holes of arrays, which are not JSON', () => {
    const holes = new Array<JsonValue>(1);
    expect([jsonEquals(holes, [1]), jsonEquals([1], holes)]).toEqual([false, false]);
  });
});

describe('canonical copies', () => {
  // L24
  it('have their members sorted at every depth', () => {
    expect(JSON.stringify(canonicalCopy({ b: [{ d: 1, c: 2 }], a: 0 }))).toBe('{"a":0,"b":[{"c":2,"d":1}]}');
  });

  // S37
  it('keep a member named __proto__', () => {
    const copy = canonicalCopy(JSON.parse('{"__proto__": {"admin": true}}'));
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true}}');
    expect((copy as { admin?: unknown }).admin).toBeUndefined();
  });

  // S152
  it('are not created beyond 16 levels, also for very deep values', () => {
    const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as JsonValue;
    expect(
      [canonicalCopy(nested(16)), canonicalCopy(nested(17)), canonicalCopy(nested(4_000))].map(
        (copy) => copy === undefined,
      ),
    ).toEqual([false, true, true]);
  });
});
