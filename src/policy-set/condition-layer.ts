/** The policies of a set by the keys of one necessary condition each. */
import type { JsonPrimitive } from '../engine/claims/json-value.js';
import type { Position } from './access-index.js';
import type { ClaimNumber, ClaimTable } from './claim-table.js';
import { isRange, type KeyKind, keysOfPerson } from './comparison.js';
import { grow } from './growing.js';
import type { ItemTable } from './item-table.js';
import { type Condition, keysOfCheck } from './necessary-conditions.js';
import { countUpTo } from './share-estimates.js';

/** The policies of a key: a single one without a list, since many keys have only one. */
type PolicyList = Position | Position[];

/** Lists each policy under the keys of one condition, so that a person's keys lead to the policies whose condition is met. */
export class ConditionLayer {
  readonly #items: ItemTable;
  /** By claim: the keys by kind of comparison. */
  readonly #comparisons: (readonly Comparison[] | undefined)[] = [];
  /** A bitmap of the policies without a condition. */
  #unconditional = new Int32Array(4);

  constructor(items: ItemTable) {
    this.#items = items;
  }

  add(position: Position, { checks }: Condition): void {
    for (const check of checks) {
      const claim = this.#items.claimOf(check);
      const [kind, keys] = keysOfCheck(this.#items.check(check), (trigram) =>
        this.#comparison(claim, 'trigram').countPolicies(trigram),
      );
      const comparison = this.#comparison(claim, kind);
      for (const key of keys) comparison.add(key, position);
    }
  }

  addUnconditional(position: Position): void {
    const word = position >>> 5;
    if (word >= this.#unconditional.length) this.#unconditional = grow(this.#unconditional, word + 1);
    setBit(this.#unconditional, position);
  }

  /** Writes the bitmap of the policies whose condition the person of the match meets, and of those without a condition. */
  collect(claims: ClaimTable, found: Uint32Array): void {
    found.fill(0);
    found.set(this.#unconditional.subarray(0, found.length));
    for (let claim = 0; claim < this.#comparisons.length; claim += 1) {
      const comparisons = this.#comparisons[claim];
      if (comparisons === undefined || claims.value(claim) === undefined) continue;
      for (const comparison of comparisons) comparison.collect(claims, found);
    }
  }

  /** Removes deleted policies. */
  purge(isDeleted: (position: Position) => boolean): void {
    for (const [word, bits] of this.#unconditional.entries()) {
      for (let bit = 0; bit < 32; bit += 1)
        if (((bits >>> bit) & 1) === 1 && isDeleted((word << 5) + bit))
          this.#unconditional[word] = (this.#unconditional[word] as number) & ~(1 << bit);
    }
    for (const [claim, comparisons] of this.#comparisons.entries()) {
      const left = comparisons?.filter((comparison) => comparison.purge(isDeleted) > 0) ?? [];
      this.#comparisons[claim] = left.length === 0 ? undefined : left;
    }
  }

  #comparison(claim: ClaimNumber, kind: KeyKind): Comparison {
    const comparisons = this.#comparisons[claim] ?? [];
    const known = comparisons.find((each) => each.kind === kind);
    if (known !== undefined) return known;
    while (this.#comparisons.length < claim) this.#comparisons.push(undefined);
    const comparison = new Comparison(claim, kind);
    this.#comparisons[claim] = [...comparisons, comparison];
    return comparison;
  }
}

/** The policies that compare a claim in one way, by key. */
class Comparison {
  readonly kind: KeyKind;
  readonly #claim: ClaimNumber;
  /** By key: the index in the other columns. For ranges, the keys are only in `#bounds`. */
  readonly #policies = new Map<JsonPrimitive, PolicyList>();
  /** For ranges: the keys in ascending order, and the policies of each. */
  readonly #bounds: number[] = [];
  readonly #policiesByBound: Position[][] = [];
  readonly #isRange: boolean;

  constructor(claim: ClaimNumber, kind: KeyKind) {
    this.#claim = claim;
    this.kind = kind;
    this.#isRange = isRange(kind);
  }

  /** Returns the number of policies of a key, some of which may be deleted. */
  countPolicies(key: JsonPrimitive): number {
    const policies = this.#policies.get(key);
    return typeof policies === 'object' ? policies.length : Number(policies !== undefined);
  }

  add(key: JsonPrimitive, position: Position): void {
    // The keys of a range are numbers.
    if (this.#isRange) this.#addBound(key as number, position);
    else {
      const policies = this.#policies.get(key);
      if (typeof policies === 'object') policies.push(position);
      else this.#policies.set(key, policies === undefined ? position : [policies, position]);
    }
  }

  #addBound(bound: number, position: Position): void {
    const end = countUpTo(this.#bounds, bound);
    if (end > 0 && this.#bounds[end - 1] === bound) this.#policiesByBound[end - 1]?.push(position);
    else {
      this.#bounds.splice(end, 0, bound);
      this.#policiesByBound.splice(end, 0, [position]);
    }
  }

  /** Sets the bits of the policies of the keys that the person meets. */
  collect(claims: ClaimTable, found: Uint32Array): void {
    const keys = keysOfPerson(this.kind, this.#claim, claims);
    if (this.#isRange) {
      const end = keys.length === 0 ? 0 : countUpTo(this.#bounds, keys[0] as number);
      for (let index = 0; index < end; index += 1) setBits(found, this.#policiesByBound[index] as Position[]);
      return;
    }
    for (const key of keys) {
      const policies = this.#policies.get(key);
      if (typeof policies === 'number') setBit(found, policies);
      else if (policies !== undefined) setBits(found, policies);
    }
  }

  /** Removes deleted policies. @returns The number of keys that are left. */
  purge(isDeleted: (position: Position) => boolean): number {
    const isLeft = (position: Position) => !isDeleted(position);
    for (const [key, policies] of this.#policies) {
      const left = (typeof policies === 'object' ? policies : [policies]).filter(isLeft);
      const [first] = left;
      if (first === undefined) this.#policies.delete(key);
      else this.#policies.set(key, left.length === 1 ? first : left);
    }
    for (let index = this.#bounds.length - 1; index >= 0; index -= 1) {
      const left = (this.#policiesByBound[index] as Position[]).filter(isLeft);
      this.#policiesByBound[index] = left;
      if (left.length > 0) continue;
      this.#bounds.splice(index, 1);
      this.#policiesByBound.splice(index, 1);
    }
    return this.#policies.size + this.#bounds.length;
  }
}

function setBits(words: Uint32Array, positions: readonly Position[]): void {
  for (let index = 0; index < positions.length; index += 1) setBit(words, positions[index] as Position);
}

function setBit(words: Uint32Array | Int32Array, position: Position): void {
  words[position >>> 5] = (words[position >>> 5] as number) | (1 << (position & 31));
}
