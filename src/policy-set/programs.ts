/**
 * Policies as programs of integers, next to each other in memory: to test a person, the integers of each policy are read in order, until the policy is
 * decided. In the table of items, the parts of a policy are scattered.
 */
import type { Position } from './access-index.js';
import { FORM, GROUP } from './check-forms.js';
import { type ComparisonWords, decideWord, FIRST_COLUMN, OPERAND_BITS } from './comparison-words.js';
import type { Decisions } from './decisions.js';
import { grow } from './growing.js';
import type { ItemNumber } from './item-records.js';
import type { ItemTable } from './item-table.js';

/**
 * A program is a list of nodes that must all hold. A node is one of:
 *
 * - the word of a comparison, whose column is at least `FIRST_COLUMN`;
 * - a group: a word whose column is `GROUP.allOf` or `GROUP.anyOf`, plus `NEGATED` if it is negated, and whose operand is the length of the nodes that
 *   follow;
 * - an item that is decided once per match: a word whose column is `ITEM`, plus `NEGATED` if it is negated, and the number of the item.
 */
const ITEM = 3;
const NEGATED = 4;

/**
 * Maximum length of a group in words, including the word that begins it. A longer group is stored as an item: otherwise it would take memory in each policy that contains
 * it, and be decided again in each.
 */
const LONGEST_NODE = 24;

/** Stores the programs of policies by position. */
export class Programs {
  readonly #items: ItemTable;
  readonly #words: ComparisonWords;
  readonly #decisions: Decisions;
  #starts = new Int32Array(64);
  /** For each policy the length of its program, then the program. */
  #column = new Int32Array(256);
  #end = 0;
  /** The starts and the lengths of the programs that a match reads. */
  #found = new Int32Array(64);

  constructor(items: ItemTable, words: ComparisonWords, decisions: Decisions) {
    this.#items = items;
    this.#words = words;
    this.#decisions = decisions;
  }

  /** Memory of the programs, in bytes, without that which a match uses. */
  get bytes(): number {
    return this.#starts.byteLength + this.#column.byteLength;
  }

  /** Stores the program of a policy. @param conjuncts - All of them must hold. */
  set(position: Position, conjuncts: readonly ItemNumber[]): void {
    if (position >= this.#starts.length) this.#starts = grow(this.#starts, position + 1);
    const start = this.#end;
    this.#starts[position] = start;
    this.#append(0);
    for (const item of conjuncts) this.#appendNode(item, false);
    this.#column[start] = this.#end - start - 1;
  }

  /** Decides policies on the claims of the match, and moves those that pass to the start of `positions`. @returns Their number. */
  keepPassing(positions: Int32Array, count: number): number {
    if (2 * count > this.#found.length) this.#found = grow(this.#found, 2 * count);
    const found = this.#found;
    const column = this.#column;
    // Reads the starts of all programs before one is decided, so that the processor waits for several memory accesses at the same time.
    for (let index = 0; index < count; index += 1)
      found[index] = this.#starts[positions[index] as number] as number;
    for (let index = 0; index < count; index += 1)
      found[count + index] = column[found[index] as number] as number;
    let holding = 0;
    for (let index = 0; index < count; index += 1) {
      const start = (found[index] as number) + 1;
      if (!this.#decideGroup(start, found[count + index] as number, false, this.#words.columns)) continue;
      positions[holding] = positions[index] as number;
      holding += 1;
    }
    // Nothing about the person is retained.
    found.fill(0, 0, 2 * count);
    return holding;
  }

  /** Makes the memory of deleted policies available again. @param positions - Number of positions. */
  purge(positions: number, isDeleted: (position: Position) => boolean): void {
    const before = this.#column;
    this.#column = before.slice();
    this.#end = 0;
    for (let position = 0; position < positions; position += 1) {
      if (isDeleted(position)) continue;
      const start = this.#starts[position] as number;
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

  #appendNode(item: ItemNumber, isNegated: boolean): void {
    const items = this.#items;
    const kind = items.kindOf(item);
    if (kind === GROUP.not) {
      this.#appendNode(items.memberOf(item, 0), !isNegated);
      return;
    }
    const comparison = this.#words.wordOf(item, isNegated);
    if (comparison?.isExact === true) {
      this.#append(comparison.word);
      return;
    }
    const start = this.#end;
    const negation = isNegated ? NEGATED : 0;
    if (kind < FORM.defined && kind !== FORM.tested) {
      this.#append(0);
      const isAny = kind === GROUP.anyOf || kind === FORM.in;
      if (this.#appendMembers(item) && this.#end - start <= LONGEST_NODE) {
        this.#column[start] =
          ((negation | (isAny ? GROUP.anyOf : GROUP.allOf)) << OPERAND_BITS) | (this.#end - start - 1);
        return;
      }
      this.#end = start;
    }
    this.#append((negation | ITEM) << OPERAND_BITS);
    this.#append(item);
  }

  /** Appends the members of a group, or the comparisons with the values of a list. Returns whether all have a node. */
  #appendMembers(item: ItemNumber): boolean {
    const items = this.#items;
    const kind = items.kindOf(item);
    for (let index = 0; index < items.memberCount(item); index += 1) {
      const member = items.memberOf(item, index);
      if (kind < FORM.tested) this.#appendNode(member, false);
      else {
        const form = kind === FORM.in ? FORM.equals : FORM.differs;
        const comparison = this.#words.create(form, items.slotOf(item), member, true);
        if (comparison === undefined) return false;
        this.#append(comparison.word);
      }
    }
    return true;
  }

  /** @param deciding - The outcome of a node that decides the group. */
  #decideGroup(start: number, length: number, deciding: boolean, columns: Int32Array): boolean {
    const column = this.#column;
    const end = start + length;
    for (let node = start; node < end; node += 1) {
      const word = column[node] as number;
      const code = word >>> OPERAND_BITS;
      let outcome: boolean;
      if (code >= FIRST_COLUMN) outcome = decideWord(word, columns) >= 0;
      else {
        const kind = code & ~NEGATED;
        const next = node + 1;
        if (kind === ITEM) {
          outcome = this.#decisions.holds(column[next] as number);
          node = next;
        } else {
          const size = word & ((1 << OPERAND_BITS) - 1);
          outcome = this.#decideGroup(next, size, kind === GROUP.anyOf, columns);
          node += size;
        }
        outcome = outcome === code < NEGATED;
      }
      if (outcome === deciding) return deciding;
    }
    return !deciding;
  }
}
