/** Sets of texts: they hold what they were given, and nothing that looks like it (L16, L18). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextSet } from '../../../src/engine/operators/text-set.js';

describe('a set of texts', () => {
  it('has the texts that it was given, and no others (L18)', () => {
    const text = fc.oneof(fc.string({ minLength: 1, maxLength: 4 }), fc.constantFrom('PT', 'TP', 'PTT', 'P'));
    fc.assert(
      fc.property(fc.uniqueArray(text, { minLength: 1, maxLength: 60 }), text, (texts, other) => {
        const set = TextSet.of(texts);
        if (set === undefined) return;
        for (const one of texts) expect(set.has(one)).toBe(true);
        expect(set.has(other)).toBe(texts.includes(other));
      }),
    );
  });

  it('tells texts apart that are alike in length, first, middle and last character (L16)', () => {
    const alike = ['a-b-c', 'a_b_c', 'a.b.c', 'a b c'];
    const set = TextSet.of(alike);
    expect(alike.map((text) => set?.has(text))).toEqual([true, true, true, true]);
    expect(set?.has('a/b/c')).toBe(false);
  });

  it('has no empty text, and is none where the list holds one (L18)', () => {
    expect(TextSet.of(['a'])?.has('')).toBe(false);
    expect(TextSet.of(['a', ''])).toBeUndefined();
  });

  it('is none where many texts look alike: whole texts have to be told apart then (S156)', () => {
    expect(TextSet.of(['a1mz', 'a2mz', 'a3mz', 'a4mz', 'a5mz'])).toBeUndefined();
  });
});
