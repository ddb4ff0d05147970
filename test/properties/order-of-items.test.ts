/** The order of a policy's items is for its readers. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { holdsForAll, itemsAndClaims, passes } from './law.js';

// L19
it('the order of the items of allOf and anyOf never changes whether they pass', () => {
  const shuffled = fc.tuple(itemsAndClaims(4), fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }));
  holdsForAll(shuffled, ([{ items, claims }, order]) => {
    const reordered = order.flatMap((index) => items[index] ?? []);
    expect(passes({ allOf: reordered }, claims)).toBe(passes({ allOf: items }, claims));
    expect(passes({ anyOf: reordered }, claims)).toBe(passes({ anyOf: items }, claims));
  });
});

// L19
it('one more item never lets allOf pass nor anyOf fail', () => {
  holdsForAll(itemsAndClaims(3), ({ items, claims }) => {
    const fewer = items.slice(1);
    if (passes({ allOf: items }, claims)) expect(passes({ allOf: fewer }, claims)).toBe(true);
    if (passes({ anyOf: fewer }, claims)) expect(passes({ anyOf: items }, claims)).toBe(true);
  });
});
