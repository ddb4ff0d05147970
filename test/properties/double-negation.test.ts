/** Checks that a double negation has no effect. */
import { expect, it } from 'vitest';
import { holdsForAll, itemsAndClaims, passes } from './law.js';

// L19
it('a double negation passes exactly when its item passes, also on undefined claims', () => {
  holdsForAll(itemsAndClaims(1), ({ items: [item], claims }) => {
    if (item === undefined) return;
    expect(passes({ not: { not: item } }, claims)).toBe(passes(item, claims));
    expect(passes({ not: item }, claims)).toBe(!passes(item, claims));
  });
});
