/**
 * Policies as programs of integers, next to each other in memory: a test reads a policy in order until it is decided, where the table of
 * items has its parts in many places.
 */
import type { Position } from './access-index.js';
import { FORM, GROUP } from './check-forms.js';
import { codeOf, FORM_MASK, holdsComparison, holdsList, NEGATED, SLOT_SHIFT } from './comparing.js';
import { grow } from './growing.js';
import type { ItemNumber, ItemTable } from './item-table.js';

/**
 * A program is a list of nodes that must all hold. A node starts with its code: in the lowest bits the form of a check or the kind of a
 * group, or the code below; then whether the node is negated, then the slot. There follow:
 *
 * - the number of the operand, for a comparison;
 * - the number of values and their numbers, for a list;
 * - the length of the nodes inside and these, for a group;
 * - the number of the item, for an item, which is decided once per match.
 */
const ITEM = 0;

/** A longer node is stored as an item instead: it takes memory in each policy, and repeated decisions take time. */
const LONGEST_NODE = 24;

/** In place of where a program starts, for deleted policies, which do not hold. */
const NEVER = 0;

/** Stores the programs of policies by position. */
export class Programs {
  readonly #items: ItemTable;
  #starts = new Int32Array(64);
  /** For each policy the length of its program, then this. */
  #column = new Int32Array(256);
  #end = 1;

  constructor(items: ItemTable) {
    this.#items = items;
  }

  /** Memory, in bytes. */
  get bytes(): number {
    return this.#starts.byteLength + this.#column.byteLength;
  }

  /** Stores the program of a policy. @param conjuncts - All of them must hold. */
  set(position: Position, conjuncts: readonly ItemNumber[]): void {
    if (position >= this.#starts.length) this.#starts = grow(this.#starts, position + 1);
    const start = this.#end;
    this.#starts[position] = start;
    this.#append(0);
    for (const item of conjuncts) this.#appendNode(item, 0);
    this.#column[start] = this.#end - start - 1;
  }

  /** Deletes a policy, which does not hold from then on. */
  delete(position: Position): void {
    this.#starts[position] = NEVER;
  }

  /** Decides a policy on the claims of the match. */
  holds(position: Position): boolean {
    const start = this.#starts[position] as number;
    const { numbers, bounds } = this.#items;
    if (start === NEVER) return false;
    return this.#decideGroup(start + 1, this.#column[start] as number, false, numbers, bounds);
  }

  /** Frees the memory of deleted policies. @param positions - Number of positions. */
  purge(positions: number): void {
    const before = this.#column;
    this.#column = before.slice();
    this.#end = 1;
    for (let position = 0; position < positions; position += 1) {
      const start = this.#starts[position] as number;
      if (start === NEVER) continue;
      const size = 1 + (before[start] as number);
      this.#column.set(before.subarray(start, start + size), this.#end);
      this.#starts[position] = this.#end;
      this.#end += size;
    }
  }

  #append(number: number): void {
    if (this.#end === this.#column.length) this.#column = grow(this.#column, this.#end + 1);
    this.#column[this.#end] = number;
    this.#end += 1;
  }

  /** @param negation - 0, or {@link NEGATED}. */
  #appendNode(item: ItemNumber, negation: number): void {
    const items = this.#items;
    const kind = items.kindOf(item);
    const start = this.#end;
    if (kind === GROUP.not) {
      this.#appendNode(items.memberOf(item, 0), negation ^ NEGATED);
      return;
    }
    if (kind < FORM.defined && kind !== FORM.tested) {
      const isGroup = kind < FORM.tested;
      this.#append(negation | (isGroup ? kind : codeOf(kind, items.slotOf(item))));
      this.#append(0);
      for (let index = 0; index < items.memberCount(item); index += 1)
        if (isGroup) this.#appendNode(items.memberOf(item, index), 0);
        else this.#append(items.memberOf(item, index));
      const length = this.#end - start - 2;
      this.#column[start + 1] = length;
      if (length <= LONGEST_NODE) return;
      this.#end = start;
    }
    if (kind < FORM.defined) {
      this.#append(negation | ITEM);
      this.#append(item);
    } else {
      this.#append(negation | codeOf(kind, items.slotOf(item)));
      this.#append(items.operandOf(item));
    }
  }

  /** @param deciding - The outcome of a node that decides the group. */
  #decideGroup(
    start: number,
    length: number,
    deciding: boolean,
    numbers: Float64Array,
    bounds: Float64Array,
  ): boolean {
    const column = this.#column;
    const end = start + length;
    for (let node = start; node < end; node += 2) {
      const code = column[node] as number;
      const second = column[node + 1] as number;
      const form = code & FORM_MASK;
      let outcome: boolean;
      if (form >= FORM.defined) outcome = holdsComparison(code, second, numbers, bounds);
      else {
        if (form === ITEM) outcome = this.#items.holds(second);
        else {
          outcome =
            form < FORM.tested
              ? this.#decideGroup(node + 2, second, form === GROUP.anyOf, numbers, bounds)
              : holdsList(form, numbers[code >>> SLOT_SHIFT] as number, column, node + 2, second);
          node += second;
        }
        outcome = outcome === ((code & NEGATED) === 0);
      }
      if (outcome === deciding) return deciding;
    }
    return !deciding;
  }
}
