/** The lists of the policies that compare a claim in one way, by key. */
import type { JsonPrimitive } from '../engine/claims/json-value.js';
import type { ClaimNumber, ClaimTable } from './claim-table.js';
import { type KeyKind, keysOfPerson } from './comparison.js';
import {
  EMPTY_LIST,
  type Entry,
  type MetLists,
  NO_BOUND,
  type PostingList,
  type PostingLists,
} from './posting-lists.js';
import { countUpTo } from './share-estimates.js';

/** Lists of one kind of comparison. */
export interface KeyedLists {
  readonly kind: KeyKind;

  /** Adds a policy under the keys of an item of its condition. */
  add(keys: readonly JsonPrimitive[], entry: Entry): void;

  /** Adds the lists of the keys that the person of the match meets. */
  collect(claims: ClaimTable, met: MetLists): void;

  /** Replaces each list, and removes empty ones. @returns The number of lists that are left. */
  moveLists(move: (list: PostingList) => PostingList): number;
}

/** Lists whose keys have no order: a value meets each key independently of the others. */
export class ValueLists implements KeyedLists {
  readonly kind: KeyKind;
  readonly #lists: PostingLists;
  readonly #claim: ClaimNumber;
  readonly #listsOfKeys = new Map<JsonPrimitive, PostingList>();

  constructor(lists: PostingLists, claim: ClaimNumber, kind: KeyKind) {
    this.#lists = lists;
    this.#claim = claim;
    this.kind = kind;
  }

  add(keys: readonly JsonPrimitive[], entry: Entry): void {
    // Everyone who passes the check has all trigrams: the one with the fewest policies is enough.
    for (const key of this.kind === 'trigram' ? [this.#rarest(keys)] : keys) {
      const list = this.#list(key);
      const added = this.#lists.add(list, entry);
      if (added !== list) this.#listsOfKeys.set(key, added);
    }
  }

  collect(claims: ClaimTable, met: MetLists): void {
    for (const key of keysOfPerson(this.kind, this.#claim, claims)) {
      const list = this.#list(key);
      if (list === EMPTY_LIST) continue;
      met.lists.push(list);
      met.bounds.push(NO_BOUND);
    }
  }

  moveLists(move: (list: PostingList) => PostingList): number {
    for (const [key, list] of this.#listsOfKeys) {
      const moved = move(list);
      if (moved === EMPTY_LIST) this.#listsOfKeys.delete(key);
      else this.#listsOfKeys.set(key, moved);
    }
    return this.#listsOfKeys.size;
  }

  /** Returns the key with the fewest policies. @param keys - At least one. */
  #rarest(keys: readonly JsonPrimitive[]): JsonPrimitive {
    const counts = keys.map((key) => this.#lists.count(this.#list(key)));
    return keys[counts.indexOf(Math.min(...counts))] as JsonPrimitive;
  }

  #list(key: JsonPrimitive): PostingList {
    return this.#listsOfKeys.get(key) ?? EMPTY_LIST;
  }
}

/**
 * Lists whose keys are bounds: a value meets all bounds up to a greatest one. A few long lists are read faster than one for each bound: a list
 * has the policies from its bound to just below the bound of the next list, and is divided when it fills a block. A list with one bound
 * that fills a block is limited to this bound, since dividing a long list for each other bound would take too long.
 */
export class RangeLists implements KeyedLists {
  readonly kind: KeyKind;
  readonly #lists: PostingLists;
  readonly #claim: ClaimNumber;
  /** The least key of each list, in ascending order. {@link #listsOfBounds} has the list at the same index. */
  readonly #bounds: number[] = [];
  readonly #listsOfBounds: PostingList[] = [];

  constructor(lists: PostingLists, claim: ClaimNumber, kind: KeyKind) {
    this.#lists = lists;
    this.#claim = claim;
    this.kind = kind;
  }

  /** @param keys - One integer. */
  add([key]: readonly JsonPrimitive[], entry: Entry): void {
    const bound = key as number;
    let index = countUpTo(this.#bounds, bound) - 1;
    if (index < 0) {
      index = 0;
      this.#bounds[0] = bound;
      this.#listsOfBounds[0] ??= EMPTY_LIST;
    }
    const list = this.#lists.add(this.#listsOfBounds[index] as PostingList, entry, bound);
    this.#listsOfBounds[index] = list;
    if (this.#lists.isFull(list)) this.#divide(index);
  }

  collect(claims: ClaimTable, met: MetLists): void {
    const [bound] = keysOfPerson(this.kind, this.#claim, claims);
    if (bound === undefined) return;
    const end = countUpTo(this.#bounds, bound as number);
    for (let index = 0; index < end; index += 1) {
      met.lists.push(this.#listsOfBounds[index] as PostingList);
      // The keys of all but the last list are less than the bound of the next one.
      met.bounds.push(index < end - 1 ? NO_BOUND : (bound as number));
    }
  }

  moveLists(move: (list: PostingList) => PostingList): number {
    const lists = this.#listsOfBounds.splice(0);
    for (const [index, bound] of this.#bounds.splice(0).entries()) {
      const moved = move(lists[index] as PostingList);
      // An empty list stays if it limits the list before it to one bound.
      if (moved === EMPTY_LIST && this.#bounds.at(-1) !== bound - 1) continue;
      this.#bounds.push(bound);
      this.#listsOfBounds.push(moved);
    }
    return this.#bounds.length;
  }

  /** Divides a list at the middle of its block, or above its least bound if most are equal to it. */
  #divide(index: number): void {
    const list = this.#listsOfBounds[index] as PostingList;
    const least = this.#bounds[index] as number;
    if (this.#bounds[index + 1] === least + 1) return;
    const keys = this.#lists.keysOfBlock(list).sort();
    const bound = Math.max(least + 1, keys[keys.length >>> 1] as number);
    const [less, others] = this.#lists.split(list, bound);
    this.#listsOfBounds.splice(index, 1, less, others);
    this.#bounds.splice(index + 1, 0, bound);
  }
}
