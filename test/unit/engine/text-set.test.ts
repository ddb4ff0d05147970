/** Sets of texts: they hold what they were given, and nothing that looks like it (L16, L18). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextSet } from '../../../src/engine/operators/text-set.js';

describe('a set of texts', () => {
  it('has the texts that it was given, and no others (L18)', () => {
    const text = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('', 'PT', 'TP', 'PTT', 'P'));
    fc.assert(
      fc.property(fc.uniqueArray(text, { minLength: 1, maxLength: 60 }), text, (texts, other) => {
        const set = new TextSet(texts);
        for (const one of texts) expect(set.has(one)).toBe(true);
        expect(set.has(other)).toBe(texts.includes(other));
      }),
    );
  });

  it('tells texts apart that are alike in length, first, middle and last character (L16)', () => {
    const alike = ['a-b-c', 'a_b_c', 'a.b.c', 'a b c'];
    const set = new TextSet(alike);
    expect(alike.map((text) => set.has(text))).toEqual([true, true, true, true]);
    expect(set.has('a/b/c')).toBe(false);
  });

  it('holds any texts: many that look alike, the empty one, and more than it could number (L18, S156)', () => {
    const alike = new TextSet(['a1mz', 'a2mz', 'a3mz', 'a4mz', 'a5mz']);
    expect(['a5mz', 'a6mz', ''].map((text) => alike.has(text))).toEqual([true, false, false]);
    const empty = new TextSet(['a', '', 'b', 'c']);
    expect(['', 'a', 'd'].map((text) => empty.has(text))).toEqual([true, true, false]);
    const many = new TextSet(Array.from({ length: 70_000 }, (_, index) => `text ${index}`));
    expect([many.has('text 69999'), many.has('text 70000'), new TextSet(['a']).has('')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
