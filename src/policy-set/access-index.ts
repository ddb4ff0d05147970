/**
 * Finds the policies that a person may pass. Each policy has a necessary condition that the fewest people are estimated to meet. The policy is in the
 * list of each key of this condition, such as the operand of an `==`. To match a person, only the lists are read whose keys the claims of the person
 * satisfy: few of all lists.
 */
import type { ClaimNumber, ClaimTable } from './claim-table.js';
import { isRange, type KeyKind } from './comparison.js';
import type { ComparisonWords } from './comparison-words.js';
import type { Conjuncts } from './conjuncts.js';
import type { FoundPolicies } from './found-policies.js';
import type { ItemTable } from './item-table.js';
import { type KeyedLists, RangeLists, ValueLists } from './keyed-lists.js';
import { type Condition, checkOf, keysOfItem } from './necessary-conditions.js';
import {
  EMPTY_LIST,
  entryOf,
  type MetLists,
  NO_BOUND,
  type PostingList,
  PostingLists,
} from './posting-lists.js';

/** The position of a policy in its set. */
export type Position = number;

/** The index of a policy set, which contains policies by their positions. */
export class AccessIndex {
  readonly #items: ItemTable;
  readonly #lists: PostingLists;
  /** By claim: its lists, one object for each kind of comparison. */
  readonly #comparisons: (readonly KeyedLists[] | undefined)[] = [];
  /** The policies without a necessary condition. */
  #residual: PostingList = EMPTY_LIST;

  /** @param mostRoom - The greatest number of entries in a block of a list, a power of two. */
  constructor(items: ItemTable, words: ComparisonWords, mostRoom: number) {
    this.#items = items;
    this.#lists = new PostingLists(words, mostRoom);
  }

  /** Memory of the lists, in bytes. */
  get bytes(): number {
    return this.#lists.bytes;
  }

  /**
   * Adds a policy.
   *
   * @param condition - The necessary condition under whose keys the policy is listed; if it has none, the policy is residual.
   */
  add(position: Position, condition: Condition | undefined, { required, others }: Conjuncts): void {
    const entry = entryOf(position, required, others.length === 0);
    if (condition === undefined) {
      this.#residual = this.#lists.add(this.#residual, entry);
      return;
    }
    for (const item of condition.items) {
      const claim = this.#items.claimOf(checkOf(this.#items, item));
      for (const [kind, keys] of keysOfItem(this.#items, item))
        this.#comparison(claim, kind).add(keys, entry);
    }
  }

  /** Finds the policies that the person of the match passes or may pass; some may be deleted. */
  collect(claims: ClaimTable, found: FoundPolicies): void {
    const met: MetLists = { lists: [this.#residual], bounds: [NO_BOUND] };
    for (let claim = 0; claim < this.#comparisons.length; claim += 1) {
      for (const comparison of this.#comparisons[claim] ?? []) comparison.collect(claims, met);
    }
    this.#lists.collect(met, found);
  }

  /** Removes deleted policies. */
  purge(isDeleted: (position: Position) => boolean): void {
    this.#lists.purge(isDeleted, (move) => {
      this.#residual = move(this.#residual);
      for (const [claim, comparisons] of this.#comparisons.entries())
        this.#comparisons[claim] = comparisons?.filter((comparison) => comparison.moveLists(move) > 0);
    });
  }

  #comparison(claim: ClaimNumber, kind: KeyKind): KeyedLists {
    const comparisons = this.#comparisons[claim] ?? [];
    const known = comparisons.find((each) => each.kind === kind);
    if (known !== undefined) return known;
    while (this.#comparisons.length < claim) this.#comparisons.push(undefined);
    const comparison = isRange(kind)
      ? new RangeLists(this.#lists, claim, kind)
      : new ValueLists(this.#lists, claim, kind);
    this.#comparisons[claim] = [...comparisons, comparison];
    return comparison;
  }
}
