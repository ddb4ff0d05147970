/** Decides items on the claims of a match, each at most once. */
import type { ClaimSet } from '../engine/claims/claim-set.js';
import { FORM, GROUP } from './check-forms.js';
import { grow } from './growing.js';
import type { ItemNumber } from './item-records.js';
import type { ItemTable } from './item-table.js';

/** Matches are numbered up to here, so that the number and an outcome fit into a byte. */
const LAST_EPOCH = 127;

/** The outcomes of items in the current match. */
export class Decisions {
  readonly #items: ItemTable;
  /**
   * By item: the number of the last match that decided it, and the outcome in the lowest bit. Kept for up to 127 matches, since clearing them takes
   * time in proportion to the number of items. Bytes, which stay in the processor's cache.
   */
  #outcomes = new Uint8Array(64);
  #epoch = 0;

  constructor(items: ItemTable) {
    this.#items = items;
  }

  /** Memory, in bytes. */
  get bytes(): number {
    return this.#outcomes.byteLength;
  }

  /** Starts a match: no item is decided. */
  begin(claims: ClaimSet): void {
    const items = this.#items;
    if (items.end > this.#outcomes.length) this.#outcomes = grow(this.#outcomes, items.end);
    if (this.#epoch === LAST_EPOCH) {
      this.#outcomes.fill(0);
      this.#epoch = 0;
    }
    this.#epoch += 1;
    items.claims.begin(claims);
  }

  /** Decides an item, at most once per match. */
  holds(item: ItemNumber): boolean {
    const decided = this.#outcomes[item] as number;
    if (decided >> 1 === this.#epoch) return (decided & 1) === 1;
    const outcome = this.#decide(item);
    this.#outcomes[item] = (this.#epoch << 1) | Number(outcome);
    return outcome;
  }

  #decide(item: ItemNumber): boolean {
    const items = this.#items;
    const kind = items.kindOf(item);
    if (items.isCheck(item)) {
      const value = items.claims.value(items.claimOf(item));
      if (value === undefined) return false;
      const operand = kind < FORM.above ? undefined : items.value(items.operandOf(item));
      return typeof operand === 'number'
        ? typeof value === 'number' && isOrdered(kind, value, operand)
        : items.testOf(item)(value);
    }
    if (kind === GROUP.not) return !this.holds(items.memberOf(item, 0));
    // The outcome of a member that decides the group.
    const deciding = kind === GROUP.anyOf;
    for (let index = 0; index < items.memberCount(item); index += 1)
      if (this.holds(items.memberOf(item, index)) === deciding) return deciding;
    return !deciding;
  }
}

/** Decides an ordering of numbers. Each policy may have a different one: a function for each would take more memory. */
function isOrdered(form: number, value: number, operand: number): boolean {
  if (value === operand) return form === FORM.from || form === FORM.to;
  return value > operand === form < FORM.below;
}
