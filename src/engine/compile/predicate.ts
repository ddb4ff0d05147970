/** Compiles the predicates of `test`, which stop as soon as the outcome is known (L19, L21). */
import { assertClaimSet, findValue } from '../claims/claim-set.js';
import { fuseCheck } from './fused-checks.js';
import {
  FAIL,
  isDirect,
  PASS,
  type PlannedCheck,
  type PlannedItem,
  type Predicate,
  toValueTest,
} from './plan.js';

/**
 * Compiles an item to a graph of checks, in which each check calls the next one.
 *
 * @param pass - Continuation when the item passes.
 * @param fail - Continuation when the item fails.
 */
export function toPredicate(item: PlannedItem, pass: Predicate = PASS, fail: Predicate = FAIL): Predicate {
  switch (item.kind) {
    case 'check':
      return fuseCheck(item, pass, fail) ?? checkClaim(item, pass, fail);
    case 'not':
      return toPredicate(item.item, fail, pass);
    case 'allOf':
      return costliestFirst(item.items).reduce((next, each) => toPredicate(each, next, fail), pass);
    case 'anyOf':
      return costliestFirst(item.items).reduce((next, each) => toPredicate(each, pass, next), fail);
  }
}

function checkClaim(check: PlannedCheck, pass: Predicate, fail: Predicate): Predicate {
  const { claim } = check;
  const test = toValueTest(check);
  if (!isDirect(claim)) {
    return (claims) => {
      assertClaimSet(claims);
      const value = findValue(claims, claim);
      return value !== undefined && test(value) ? pass(claims) : fail(claims);
    };
  }
  const { slot } = claim;
  // The form without continuations, which evidence uses, saves a call.
  if (pass === PASS && fail === FAIL) {
    return (claims) => {
      assertClaimSet(claims);
      const value = claims[slot];
      return value !== undefined && test(value);
    };
  }
  return (claims) => {
    const value = claims[slot];
    return value !== undefined && test(value) ? pass(claims) : fail(claims);
  };
}

/**
 * Sorts items by descending cost: the graph is built from its end, so that the cheapest item runs first. The order
 * does not change the outcome, since checks neither throw nor have effects.
 */
function costliestFirst(items: readonly PlannedItem[]): readonly PlannedItem[] {
  return [...items].sort((one, other) => one.cost - other.cost).reverse();
}
