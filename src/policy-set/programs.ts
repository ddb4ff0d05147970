/**
 * Policies as programs of integers, next to each other in memory: a test reads a policy in order until it is decided, where the table of
 * items has its parts in many places.
 */
import type { Position } from './access-index.js';
import { type Comparison as ComparisonForm, FORM, isComparison } from './check-forms.js';
import { grow } from './growing.js';
import type { ItemNumber, ItemTable } from './item-table.js';

/**
 * A program is a list of nodes that must all hold. A node starts with its code: in the lowest bits the form of a check or one of the codes
 * below, then whether the node is negated, then the claim. There follow:
 *
 * - the number of the operand, for a comparison;
 * - the number of values and their numbers, for a list;
 * - the length of the nodes inside and these, for a group;
 * - the number of the item, for an item, which is decided once per match.
 */
const ITEM = 0;
const ALL_OF = 1;
const ANY_OF = 2;
const FORM_MASK = 0x7f;
const NEGATED = 0x80;
const CLAIM_SHIFT = 8;

/** A longer node is stored as an item instead: it takes memory in each policy, and repeated decisions take time. */
const LONGEST_NODE = 24;

/** A check with one operand at most as a node, possibly negated. */
export interface Comparison {
  readonly code: number;
  readonly operand: number;
}

/** Returns the items that must all hold for an item to hold, in the order in which they are decided. */
export function conjunctsOf(items: ItemTable, item: ItemNumber): readonly ItemNumber[] {
  if (items.kindOf(item) !== 'allOf') return [item];
  return items.membersOf(item).flatMap((member) => conjunctsOf(items, member));
}

/** Returns an item as a comparison; `undefined` for any other. */
export function comparisonOf(items: ItemTable, item: ItemNumber): Comparison | undefined {
  const kind = items.kindOf(item);
  if (kind === 'not') {
    const inner = comparisonOf(items, items.membersOf(item)[0] as ItemNumber);
    return inner === undefined ? undefined : { ...inner, code: inner.code ^ NEGATED };
  }
  if (typeof kind === 'string' || !isComparison(kind)) return undefined;
  return { code: kind | (items.claimOf(item) << CLAIM_SHIFT), operand: items.operandOf(item) };
}

/** Decides a comparison on the claims of the match. */
export function holdsComparison(items: ItemTable, code: number, operand: number): boolean {
  // The code of a comparison has its form.
  const form = (code & FORM_MASK) as ComparisonForm;
  return items.compare(form, code >>> CLAIM_SHIFT, operand) === ((code & NEGATED) === 0);
}

function nodeOf(items: ItemTable, item: ItemNumber, negation = 0): readonly number[] {
  const kind = items.kindOf(item);
  const asItem = negation === 0 ? [ITEM, item] : [ITEM | NEGATED, item];
  switch (kind) {
    case 'not':
      return nodeOf(items, items.membersOf(item)[0] as ItemNumber, negation ^ NEGATED);
    case 'allOf':
    case 'anyOf': {
      const inside = items.membersOf(item).flatMap((member) => nodeOf(items, member));
      const code = kind === 'allOf' ? ALL_OF : ANY_OF;
      return inside.length > LONGEST_NODE ? asItem : [code | negation, inside.length, ...inside];
    }
    case FORM.in:
    case FORM.notIn: {
      const values = items.membersOf(item);
      const code = kind | negation | (items.claimOf(item) << CLAIM_SHIFT);
      return values.length > LONGEST_NODE ? asItem : [code, values.length, ...values];
    }
    case FORM.tested:
      return asItem;
    default:
      return [kind | negation | (items.claimOf(item) << CLAIM_SHIFT), items.operandOf(item)];
  }
}

/** Stores the programs of policies by position. */
export class Programs {
  readonly #items: ItemTable;
  #starts = new Int32Array(64);
  /** For each policy the length of its program, then this. */
  #column = new Int32Array(256);
  #end = 0;

  constructor(items: ItemTable) {
    this.#items = items;
  }

  /** Memory, in bytes. */
  get bytes(): number {
    return this.#starts.byteLength + this.#column.byteLength;
  }

  /** Stores the program of a policy. */
  set(position: Position, root: ItemNumber): void {
    const items = this.#items;
    const program = conjunctsOf(items, root).flatMap((item) => nodeOf(items, item));
    if (position >= this.#starts.length) this.#starts = grow(this.#starts, position + 1);
    const start = this.#end;
    this.#end += 1 + program.length;
    if (this.#end > this.#column.length) this.#column = grow(this.#column, this.#end);
    this.#starts[position] = start;
    this.#column[start] = program.length;
    this.#column.set(program, start + 1);
  }

  /** Decides a policy on the claims of the match. */
  holds(position: Position): boolean {
    const start = this.#starts[position] as number;
    return this.#decideGroup(start + 1, start + 1 + (this.#column[start] as number), false);
  }

  /** Frees the memory of deleted policies. */
  purge(isDeleted: (position: Position) => boolean, positions: number): void {
    const before = this.#column;
    this.#column = new Int32Array(before.length);
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

  /** @param deciding - The outcome of a node that decides the group. */
  #decideGroup(start: number, end: number, deciding: boolean): boolean {
    const column = this.#column;
    const items = this.#items;
    for (let node = start; node < end; ) {
      const code = column[node] as number;
      const second = column[node + 1] as number;
      const isNegated = (code & NEGATED) !== 0;
      let outcome: boolean;
      switch (code & FORM_MASK) {
        case ITEM:
          outcome = items.holds(second);
          node += 2;
          break;
        case ALL_OF:
          outcome = this.#decideGroup(node + 2, node + 2 + second, false);
          node += 2 + second;
          break;
        case ANY_OF:
          outcome = this.#decideGroup(node + 2, node + 2 + second, true);
          node += 2 + second;
          break;
        case FORM.in:
          outcome = this.#isListed(node, code >>> CLAIM_SHIFT, second);
          node += 2 + second;
          break;
        case FORM.notIn:
          outcome =
            items.claims.value(code >>> CLAIM_SHIFT) !== undefined &&
            !this.#isListed(node, code >>> CLAIM_SHIFT, second);
          node += 2 + second;
          break;
        default:
          // Every other code has the form of a comparison.
          outcome = items.compare((code & FORM_MASK) as ComparisonForm, code >>> CLAIM_SHIFT, second);
          node += 2;
      }
      if ((outcome !== isNegated) === deciding) return deciding;
    }
    return !deciding;
  }

  #isListed(node: number, claim: number, count: number): boolean {
    const value = this.#items.claims.valueNumber(claim);
    const end = node + 2 + count;
    for (let index = node + 2; index < end; index += 1) if (this.#column[index] === value) return true;
    return false;
  }
}
