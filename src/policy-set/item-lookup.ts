/** Finds items by their contents: a hash table of item numbers, without a key per item. */
import type { ItemNumber } from './item-records.js';

const EMPTY = -1;

/** A set of items with linear probing. */
export class ItemLookup {
  #slots: Int32Array;
  #count = 0;
  readonly #hashOf: (item: ItemNumber) => number;

  /**
   * @param hashOf - Returns the hash of an item's contents, not negative.
   * @param items - The number of items that are about to be added.
   */
  constructor(hashOf: (item: ItemNumber) => number, items = 0) {
    this.#slots = new Int32Array(slotsOf(items)).fill(EMPTY);
    this.#hashOf = hashOf;
  }

  /** Memory, in bytes. */
  get bytes(): number {
    return this.#slots.byteLength;
  }

  /**
   * Returns the item with this hash for which `isWanted` holds; `undefined` if there is none. `isWanted` must compare the contents, since it is
   * also called for items with other hashes.
   */
  find(hash: number, isWanted: (item: ItemNumber) => boolean): ItemNumber | undefined {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const item = this.#slots[slot] as number;
      if (item === EMPTY) return undefined;
      if (isWanted(item)) return item;
    }
  }

  /** Adds an item that the table does not have. */
  add(item: ItemNumber): void {
    // At most three quarters of the slots are taken.
    if ((this.#count + 1) * 4 > this.#slots.length * 3) this.#double();
    this.#insert(item);
    this.#count += 1;
  }

  /** Removes an item, and moves those behind it that would no longer be found. */
  delete(item: ItemNumber): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let free = this.#hashOf(item) & mask;
    while (slots[free] !== item) {
      if (slots[free] === EMPTY) throw new RangeError(`the table has no item ${item}`);
      free = (free + 1) & mask;
    }
    this.#count -= 1;
    for (let slot = (free + 1) & mask; slots[slot] !== EMPTY; slot = (slot + 1) & mask) {
      const home = this.#hashOf(slots[slot] as number) & mask;
      // An item whose search starts after the free slot stays.
      if (((slot - home) & mask) < ((slot - free) & mask)) continue;
      slots[free] = slots[slot] as number;
      free = slot;
    }
    slots[free] = EMPTY;
  }

  #insert(item: ItemNumber): void {
    const mask = this.#slots.length - 1;
    let slot = this.#hashOf(item) & mask;
    while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask;
    this.#slots[slot] = item;
  }

  #double(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(before.length * 2).fill(EMPTY);
    for (const item of before) if (item !== EMPTY) this.#insert(item);
  }
}

/** Returns the number of slots for items, see {@link ItemLookup.add}. */
function slotsOf(items: number): number {
  let slots = 256;
  while (items * 4 > slots * 3) slots *= 2;
  return slots;
}
