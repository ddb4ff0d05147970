/** Two negations are none. */
import { expect, it } from 'vitest';
import { holdsForAll, itemsAndClaims, passes } from './law.js';

// L19
it('not not p passes where p does, on undefined claims too', () => {
  holdsForAll(itemsAndClaims(1), ({ items: [item], claims }) => {
    if (item === undefined) return;
    expect(passes({ not: { not: item } }, claims)).toBe(passes(item, claims));
    expect(passes({ not: item }, claims)).toBe(!passes(item, claims));
  });
});
