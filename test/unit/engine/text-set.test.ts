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

  it('tells texts apart by their code units, and by nothing else (L16)', () => {
    const set = new TextSet(['PT', 'é', '', 'a b']);
    expect(['PT', 'pt', 'PT ', 'é', 'e\u0301', '', 'a b', 'a  b'].map((text) => set.has(text))).toEqual([
      ...[true, false, false],
      ...[true, false],
      true,
      ...[true, false],
    ]);
  });
});
