/** Checks De Morgan's laws on policies. */
import { expect, it } from 'vitest';
import { holdsForAll, itemsAndClaims, passes } from './law.js';

// L19
it('`not` of `allOf` equals `anyOf` of `not`, and `not` of `anyOf` equals `allOf` of `not`', () => {
  holdsForAll(itemsAndClaims(3), ({ items, claims }) => {
    const negated = items.map((item) => ({ not: item }));
    expect(passes({ not: { allOf: items } }, claims)).toBe(passes({ anyOf: negated }, claims));
    expect(passes({ not: { anyOf: items } }, claims)).toBe(passes({ allOf: negated }, claims));
  });
});
