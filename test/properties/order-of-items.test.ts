/** Checks that the order of a policy's items does not affect its outcome. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { holdsForAll, itemsAndClaims, passes } from './law.js';

// L19
it('the outcome of allOf and anyOf does not depend on the order of items', () => {
  const shuffled = fc.tuple(itemsAndClaims(4), fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }));
  holdsForAll(shuffled, ([{ items, claims }, order]) => {
    const reordered = order.flatMap((index) => items[index] ?? []);
    expect(passes({ allOf: reordered }, claims)).toBe(passes({ allOf: items }, claims));
    expect(passes({ anyOf: reordered }, claims)).toBe(passes({ anyOf: items }, claims));
  });
});

// L19
it('an additional item never makes allOf pass or anyOf fail', () => {
  holdsForAll(itemsAndClaims(3), ({ items, claims }) => {
    const fewer = items.slice(1);
    if (passes({ allOf: items }, claims)) expect(passes({ allOf: fewer }, claims)).toBe(true);
    if (passes({ anyOf: fewer }, claims)) expect(passes({ anyOf: items }, claims)).toBe(true);
  });
});
