/** What a policy requires: the items that must all hold for it to pass. */
import { GROUP } from './check-forms.js';
import { ALWAYS, type ComparisonWords } from './comparison-words.js';
import type { ItemNumber, ItemTable } from './item-table.js';
import { type Condition, isDecidedByKeys } from './necessary-conditions.js';
import { REQUIRED_WORDS } from './posting-lists.js';

/** The conjuncts of a policy, in the order in which they are decided. */
export interface Conjuncts {
  /** Comparisons that are decided where the policy is listed, except those of its necessary condition. */
  readonly required: readonly number[];
  /** What is not decided there. */
  readonly others: readonly ItemNumber[];
}

/** Divides what a policy requires. @param condition - The necessary condition under which the policy is listed. */
export function divideConjuncts(
  items: ItemTable,
  words: ComparisonWords,
  root: ItemNumber,
  condition: Condition | undefined,
): Conjuncts {
  const required: number[] = [];
  const others: ItemNumber[] = [];
  const [only, ...alternatives] = condition?.checks ?? [];
  const visit = (item: ItemNumber): void => {
    if (items.kindOf(item) === GROUP.allOf) {
      for (let index = 0; index < items.memberCount(item); index += 1) visit(items.memberOf(item, index));
      return;
    }
    if (item === only && alternatives.length === 0) {
      if (!isDecidedByKeys(items, item)) others.push(item);
      return;
    }
    const found = required.length < REQUIRED_WORDS ? words.wordOf(item) : undefined;
    if (found !== undefined) required.push(found.word);
    if (found?.isExact !== true) others.push(item);
  };
  visit(root);
  while (required.length < REQUIRED_WORDS) required.push(ALWAYS);
  return { required, others };
}
