/** An item as a closure that stops as soon as it knows, and allocates nothing: the `test` path (L19, L21). */
import { type Continuation, join, type Predicate } from '../operators/operator.js';
import { END, type PlannedItem } from './plan.js';

/**
 * Compiles an item to its short-circuiting closure, from its end to its beginning: each check calls the next where it has to.
 *
 * @param then - What comes after the item.
 */
export function toPredicate(item: PlannedItem, then: Continuation = END): Predicate {
  switch (item.kind) {
    case 'check':
      return item.before(then);
    case 'not': {
      const inner = toPredicate(item.item);
      return join((claims) => !inner(claims), then);
    }
    case 'allOf':
      return chain(item.items, 'and', then);
    case 'anyOf':
      return chain(item.items, 'or', then);
  }
}

/** What goes on as its own items do is one chain with them; anything else waits for the outcome. */
function chain(items: readonly PlannedItem[], joint: 'and' | 'or', then: Continuation): Predicate {
  if (then.joint !== 'end' && then.joint !== joint) return join(chain(items, joint, END), then);
  // Which of several items is asked first makes no difference to the outcome: no check throws, and none has an effect. What every person
  // costs does differ: a pattern need not be matched where a number decides.
  const cheapestFirst = [...items].sort((one, other) => one.cost - other.cost);
  const [last, ...others] = cheapestFirst.reverse() as [PlannedItem, ...PlannedItem[]];
  return others.reduce<Predicate>(
    (next, item) => toPredicate(item, { joint, next }),
    toPredicate(last, then),
  );
}
