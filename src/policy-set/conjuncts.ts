/** What a policy requires: the items that must all hold for it to pass. */
import { FORM, GROUP } from './check-forms.js';
import { type Comparison, codeOf, maskOf, NEGATED } from './comparing.js';
import type { ItemNumber, ItemTable } from './item-table.js';
import type { Condition } from './necessary-conditions.js';
import { REQUIRED_COMPARISONS } from './posting-lists.js';

/** The conjuncts of a policy, in the order in which they are decided. */
export interface Conjuncts {
  /** Comparisons that are decided where the policy is listed, except those of its necessary condition. */
  readonly required: readonly Comparison[];
  readonly others: readonly ItemNumber[];
}

/** Divides what a policy requires. @param condition - The necessary condition under which the policy is listed. */
export function divideConjuncts(
  items: ItemTable,
  root: ItemNumber,
  condition: Condition | undefined,
): Conjuncts {
  const required: Comparison[] = [];
  const others: ItemNumber[] = [];
  const visit = (item: ItemNumber): void => {
    if (items.kindOf(item) === GROUP.allOf) {
      for (let index = 0; index < items.memberCount(item); index += 1) visit(items.memberOf(item, index));
      return;
    }
    const isListed = required.length === REQUIRED_COMPARISONS || condition?.checks.includes(item) === true;
    const comparison = isListed ? undefined : comparisonOf(items, item, 0);
    if (comparison !== undefined) required.push(comparison);
    // What is required of a list is weaker than the list.
    if (comparison === undefined || items.kindOf(item) === FORM.in) others.push(item);
  };
  visit(root);
  return { required, others };
}

/** Returns what an item requires as a comparison; `undefined` where it cannot be expressed. @param negation - 0, or {@link NEGATED}. */
function comparisonOf(items: ItemTable, item: ItemNumber, negation: number): Comparison | undefined {
  const kind = items.kindOf(item);
  if (kind === GROUP.not) return comparisonOf(items, items.memberOf(item, 0), negation ^ NEGATED);
  if (kind < FORM.defined && (kind !== FORM.in || negation !== 0)) return undefined;
  return {
    code: negation | codeOf(kind, items.slotOf(item)),
    operand: kind === FORM.in ? maskOf(items.membersOf(item)) : items.operandOf(item),
  };
}
