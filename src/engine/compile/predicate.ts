/** An item as a closure that stops as soon as it knows, and allocates nothing: the `test` path (L19, L21). */
import type { ClaimSet } from '../claims/claim-set.js';
import type { PlannedItem } from './plan.js';

/** Whether the item passes on a subject's claims. */
export type Predicate = (claims: ClaimSet) => boolean;

/** Compiles an item to its short-circuiting closure. */
export function toPredicate(item: PlannedItem): Predicate {
  switch (item.kind) {
    case 'check': {
      const { claim, test } = item;
      return (claims) => {
        const defined = claims.find(claim);
        return defined !== undefined && test(defined.value);
      };
    }
    case 'not': {
      const inner = toPredicate(item.item);
      return (claims) => !inner(claims);
    }
    case 'allOf': {
      const items = item.items.map(toPredicate);
      return (claims) => items.every((passes) => passes(claims));
    }
    case 'anyOf': {
      const items = item.items.map(toPredicate);
      return (claims) => items.some((passes) => passes(claims));
    }
  }
}
