/** The records of the items of a policy set: integers in columns, which matches read. */
import { type Form, GROUP, type Group } from './check-forms.js';
import { type ClaimNumber, SLOTS, type Slot } from './claim-table.js';
import { grow } from './growing.js';
import type { ValueNumber } from './value-table.js';

/** The number of an item, reused after its last use is released. */
export type ItemNumber = number;

/** In place of the kind of an item, for one that was released. */
export const FREE = 0;

/** An item is a record of these integers, which are together in memory: a match reads most of them. */
export const KIND = 0;
/** Where the members of a group, or the values of a list, start in `#members`; the number of a check's operand. */
export const START = 1;
const LENGTH = 2;
export const SLOT = 3;
const USES = 4;
/** Sum of the program sizes of an item's patterns, each as often as it occurs (S156). */
export const PROGRAM_SIZE = 5;
const RECORD_SIZE = 6;

/** Stores the records of items by number, with their members and the number of their uses. */
export class ItemRecords {
  #records = new Int32Array(64 * RECORD_SIZE);
  /** Approximate time of a decision, in comparisons of two numbers. */
  protected costs = new Float32Array(64);
  /** Share of people who pass an item, as estimated when it was added. Orders the members of groups. */
  protected sharesWhenAdded = new Float32Array(64);
  #members = new Int32Array(256);
  #memberCount = 0;
  #releasedMembers = 0;
  readonly #freed: ItemNumber[] = [];
  #count = 0;

  /** Number of items. */
  get size(): number {
    return this.#count - this.#freed.length;
  }

  /** A number above those of all items. */
  get end(): ItemNumber {
    return this.#count;
  }

  /** Approximate memory of the items, in bytes. */
  get bytes(): number {
    const columns = [this.#records, this.costs, this.sharesWhenAdded, this.#members];
    return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Adds a use of an item. */
  use(item: ItemNumber): ItemNumber {
    this.setField(item, USES, this.field(item, USES) + 1);
    return item;
  }

  /** Returns whether an item is a check. */
  isCheck(item: ItemNumber): boolean {
    return this.field(item, KIND) > GROUP.not;
  }

  /** Returns the kind of a group, or the form of a check. */
  kindOf(item: ItemNumber): Group | Form {
    // An item in use has one of these codes.
    return this.field(item, KIND) as Group | Form;
  }

  /** Returns the members of a group, or the numbers of the values of a list, as a view; empty for other checks. */
  membersOf(item: ItemNumber): Int32Array {
    const start = this.field(item, START);
    return this.#members.subarray(start, start + this.field(item, LENGTH));
  }

  /** Returns the number of members of a group, or of values of a list. */
  memberCount(item: ItemNumber): number {
    return this.field(item, LENGTH);
  }

  /** Returns a member of a group in the order in which they are decided, or the number of a value of a list. */
  memberOf(item: ItemNumber, index: number): number {
    return this.#members[this.field(item, START) + index] as number;
  }

  /** Returns the number of the operand of a comparison. */
  operandOf(check: ItemNumber): ValueNumber {
    return this.field(check, START);
  }

  /** Returns the share of people who pass an item, as estimated when it was added, from 0 to 1. */
  shareWhenAdded(item: ItemNumber): number {
    return this.sharesWhenAdded[item] as number;
  }

  /** Returns the number of a check's claim. */
  claimOf(check: ItemNumber): ClaimNumber {
    return Math.floor(this.field(check, SLOT) / SLOTS);
  }

  /** Returns the slot of what a check compares. */
  slotOf(check: ItemNumber): Slot {
    return this.field(check, SLOT);
  }

  /** Returns the sum of the program sizes of an item's patterns, each as often as it occurs. */
  programSize(item: ItemNumber): number {
    return this.field(item, PROGRAM_SIZE);
  }

  /** Returns the items in use: checks first, then groups, each after its members; otherwise by number. */
  inOrder(): readonly ItemNumber[] {
    const depths = new Int32Array(this.#count);
    const depthOf = (item: ItemNumber): number => {
      if (depths[item] === 0) {
        let depth = 0;
        if (!this.isCheck(item))
          for (const member of this.membersOf(item)) depth = Math.max(depth, depthOf(member));
        depths[item] = depth + 1;
      }
      return depths[item] as number;
    };
    return Array.from(depths, (_, item) => item)
      .filter((item) => this.field(item, KIND) !== FREE)
      .sort((one, other) => depthOf(one) - depthOf(other) || one - other);
  }

  /** Grows the columns where they have no room for items that are about to be created. */
  protected reserve(items: number, members: number): void {
    const end = this.#count + items;
    if (end > this.costs.length) {
      this.costs = grow(this.costs, end);
      this.sharesWhenAdded = grow(this.sharesWhenAdded, this.costs.length);
      this.#records = grow(this.#records, this.costs.length * RECORD_SIZE);
    }
    const lastMember = this.#memberCount + members;
    if (lastMember > this.#members.length) this.#members = grow(this.#members, lastMember);
  }

  /** Creates an item with one use. */
  protected create(kind: number): ItemNumber {
    const item = this.#freed.pop() ?? this.#count++;
    if (item >= this.costs.length) this.reserve(1, 0);
    const record = item * RECORD_SIZE;
    for (let field = 0; field < RECORD_SIZE; field += 1) this.#records[record + field] = 0;
    this.#records[record + KIND] = kind;
    this.#records[record + USES] = 1;
    return item;
  }

  protected field(item: ItemNumber, field: number): number {
    return this.#records[item * RECORD_SIZE + field] as number;
  }

  protected setField(item: ItemNumber, field: number, value: number): void {
    this.#records[item * RECORD_SIZE + field] = value;
  }

  protected hasMembers(item: ItemNumber, members: readonly number[]): boolean {
    const start = this.field(item, START);
    if (this.field(item, LENGTH) !== members.length) return false;
    for (let index = 0; index < members.length; index += 1)
      if (this.#members[start + index] !== members[index]) return false;
    return true;
  }

  protected setMembers(item: ItemNumber, members: readonly number[]): void {
    this.reserve(0, members.length);
    const start = this.#memberCount;
    this.#memberCount += members.length;
    for (let index = 0; index < members.length; index += 1)
      this.#members[start + index] = members[index] as number;
    this.setField(item, START, start);
    this.setField(item, LENGTH, members.length);
  }

  /** Ends a use of an item. Returns whether it was the last one. */
  protected endUse(item: ItemNumber): boolean {
    const left = this.field(item, USES) - 1;
    this.setField(item, USES, left);
    return left === 0;
  }

  /** Removes an item. The caller must end the uses of its members. */
  protected remove(item: ItemNumber): void {
    this.setField(item, KIND, FREE);
    this.#freed.push(item);
    this.#releasedMembers += this.memberCount(item);
    if (this.#releasedMembers > 1_024 && this.#releasedMembers * 2 > this.#memberCount)
      this.#compactMembers();
  }

  #compactMembers(): void {
    const members = new Int32Array(this.#members.length);
    let end = 0;
    for (let item = 0; item < this.#count; item += 1) {
      const length = this.field(item, LENGTH);
      if (this.field(item, KIND) === FREE || length === 0) continue;
      members.set(this.membersOf(item), end);
      this.setField(item, START, end);
      end += length;
    }
    this.#members = members;
    this.#memberCount = end;
    this.#releasedMembers = 0;
  }
}
