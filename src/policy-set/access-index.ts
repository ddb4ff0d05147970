/**
 * Finds the policies that a person may pass. A policy is listed under the keys of the necessary condition that the fewest people are
 * estimated to meet. A person's keys lead to few lists, however many there are.
 */
import type { JsonPrimitive } from '../engine/claims/json-value.js';
import type { ClaimNumber, ClaimTable } from './claim-table.js';
import { isRange, type KeyKind, keysOfPerson } from './comparison.js';
import type { ComparisonWords } from './comparison-words.js';
import type { Conjuncts } from './conjuncts.js';
import type { ItemTable } from './item-table.js';
import { type Condition, keysOfCheck } from './necessary-conditions.js';
import { EMPTY_LIST, type Found, type PostingList, PostingLists } from './posting-lists.js';
import { countUpTo } from './share-estimates.js';

/** The position of a policy in its set. */
export type Position = number;

/** The index of a policy set, by position. */
export class AccessIndex {
  readonly #items: ItemTable;
  readonly #lists: PostingLists;
  /** By claim: the keys by kind of comparison. */
  readonly #comparisons: (readonly KeyComparison[] | undefined)[] = [];
  /** The policies without a necessary condition. */
  #residual: PostingList = EMPTY_LIST;

  constructor(items: ItemTable, words: ComparisonWords) {
    this.#items = items;
    this.#lists = new PostingLists(words);
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
    const isDecided = others.length === 0;
    if (condition === undefined) {
      this.#residual = this.#lists.add(this.#residual, position, required, isDecided);
      return;
    }
    for (const check of condition.checks) {
      const claim = this.#items.claimOf(check);
      const [kind, keys] = keysOfCheck(this.#items, check, (trigram) =>
        this.#lists.count(this.#comparison(claim, 'trigram').list(trigram)),
      );
      const comparison = this.#comparison(claim, kind);
      for (const key of keys) {
        const list = comparison.list(key);
        const added = this.#lists.add(list, position, required, isDecided);
        if (added !== list) comparison.setList(key, added);
      }
    }
  }

  /**
   * Returns the policies that the person of the match passes or may pass; some may be deleted.
   *
   * @param size - Number of positions.
   */
  collect(claims: ClaimTable, size: number): Found {
    const words = Math.ceil(size / 32);
    const found = { passing: new Uint32Array(words), candidates: new Uint32Array(words) };
    this.#lists.collect(this.#residual, found);
    for (let claim = 0; claim < this.#comparisons.length; claim += 1) {
      const comparisons = this.#comparisons[claim];
      if (comparisons === undefined || claims.value(claim) === undefined) continue;
      for (const comparison of comparisons) comparison.collect(claims, this.#lists, found);
    }
    return found;
  }

  /** Removes deleted policies. */
  purge(isDeleted: (position: Position) => boolean): void {
    this.#lists.purge(isDeleted, (move) => {
      this.#residual = move(this.#residual);
      for (const [claim, comparisons] of this.#comparisons.entries()) {
        const left = comparisons?.filter((comparison) => comparison.moveLists(move) > 0) ?? [];
        this.#comparisons[claim] = left.length === 0 ? undefined : left;
      }
    });
  }

  #comparison(claim: ClaimNumber, kind: KeyKind): KeyComparison {
    const comparisons = this.#comparisons[claim] ?? [];
    const known = comparisons.find((each) => each.kind === kind);
    if (known !== undefined) return known;
    while (this.#comparisons.length < claim) this.#comparisons.push(undefined);
    const comparison = new KeyComparison(claim, kind);
    this.#comparisons[claim] = [...comparisons, comparison];
    return comparison;
  }
}

/** The lists of the policies that compare a claim in one way, by key. */
class KeyComparison {
  readonly kind: KeyKind;
  readonly #claim: ClaimNumber;
  readonly #isRange: boolean;
  readonly #lists = new Map<JsonPrimitive, PostingList>();
  /** For ranges, in place of the map: the keys in ascending order, and the list of each. */
  readonly #bounds: number[] = [];
  readonly #listsOfBounds: PostingList[] = [];

  constructor(claim: ClaimNumber, kind: KeyKind) {
    this.#claim = claim;
    this.kind = kind;
    this.#isRange = isRange(kind);
  }

  /** Returns the list of a key. */
  list(key: JsonPrimitive): PostingList {
    if (!this.#isRange) return this.#lists.get(key) ?? EMPTY_LIST;
    // The keys of a range are numbers.
    const end = countUpTo(this.#bounds, key as number);
    return this.#bounds[end - 1] === key ? (this.#listsOfBounds[end - 1] as PostingList) : EMPTY_LIST;
  }

  setList(key: JsonPrimitive, list: PostingList): void {
    if (!this.#isRange) {
      this.#lists.set(key, list);
      return;
    }
    const bound = key as number;
    const end = countUpTo(this.#bounds, bound);
    if (this.#bounds[end - 1] === bound) this.#listsOfBounds[end - 1] = list;
    else {
      this.#bounds.splice(end, 0, bound);
      this.#listsOfBounds.splice(end, 0, list);
    }
  }

  /** Sets the bits of policies of the keys that the person meets. */
  collect(claims: ClaimTable, lists: PostingLists, found: Found): void {
    const keys = keysOfPerson(this.kind, this.#claim, claims);
    if (!this.#isRange) for (const key of keys) lists.collect(this.list(key), found);
    else if (keys.length > 0) {
      const end = countUpTo(this.#bounds, keys[0] as number);
      for (let index = 0; index < end; index += 1)
        lists.collect(this.#listsOfBounds[index] as PostingList, found);
    }
  }

  /** Replaces each list, and removes the keys of empty ones. @returns The number of keys that are left. */
  moveLists(move: (list: PostingList) => PostingList): number {
    for (const [key, list] of this.#lists) {
      const moved = move(list);
      if (moved === EMPTY_LIST) this.#lists.delete(key);
      else this.#lists.set(key, moved);
    }
    const [bounds, lists] = [this.#bounds.splice(0), this.#listsOfBounds.splice(0)];
    for (const [index, bound] of bounds.entries()) {
      const moved = move(lists[index] as PostingList);
      if (moved === EMPTY_LIST) continue;
      this.#bounds.push(bound);
      this.#listsOfBounds.push(moved);
    }
    return this.#lists.size + this.#bounds.length;
  }
}
