/** What a policy requires: the items that must all hold for it to pass. */
import { GROUP } from './check-forms.js';
import { ALWAYS, type ComparisonWords } from './comparison-words.js';
import type { ItemNumber } from './item-records.js';
import type { ItemTable } from './item-table.js';
import { type Condition, isDecidedByKeys } from './necessary-conditions.js';
import { REQUIRED_WORDS } from './posting-lists.js';

const NO_ITEM = -1;

/** The conjuncts of a policy, in the order in which they are decided. */
export interface Conjuncts {
  /** Words of comparisons that the policy's entries in posting lists contain; {@link ALWAYS} where there are fewer than an entry has. */
  readonly required: readonly number[];
  /** Items that neither these words nor the keys of the necessary condition decide. */
  readonly others: readonly ItemNumber[];
}

/**
 * Divides the conjuncts of a policy into words for its entries and other items.
 *
 * @param condition - The necessary condition under which the policy is listed.
 */
export function divideConjuncts(
  items: ItemTable,
  words: ComparisonWords,
  root: ItemNumber,
  condition: Condition | undefined,
): Conjuncts {
  const required: number[] = [];
  const others: ItemNumber[] = [];
  const conjuncts = { required, others };
  // The keys of a condition with one item decide that item, or exclude most people who fail it.
  const met = condition?.items.length === 1 ? (condition.items[0] as ItemNumber) : NO_ITEM;
  addConjuncts(conjuncts, items, words, root, met);
  while (required.length < REQUIRED_WORDS) required.push(ALWAYS);
  return conjuncts;
}

/** @param met - The only item of the necessary condition, whose keys take the place of a word; otherwise {@link NO_ITEM}. */
function addConjuncts(
  conjuncts: { readonly required: number[]; readonly others: ItemNumber[] },
  items: ItemTable,
  words: ComparisonWords,
  item: ItemNumber,
  met: ItemNumber,
): void {
  if (items.kindOf(item) === GROUP.allOf) {
    for (let index = 0; index < items.memberCount(item); index += 1)
      addConjuncts(conjuncts, items, words, items.memberOf(item, index), met);
    return;
  }
  const { required, others } = conjuncts;
  if (item === met) {
    if (!isDecidedByKeys(items, item)) others.push(item);
    return;
  }
  const found = required.length < REQUIRED_WORDS ? words.wordOf(item) : undefined;
  if (found !== undefined) required.push(found.word);
  if (found?.isExact !== true) others.push(item);
}
