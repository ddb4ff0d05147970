/**
 * Comparisons of one person with many operands: what a match does most, so that each is a word of 32 bits, decided in a few
 * instructions without a branch.
 *
 * The upper bits of a word are a column, which states what is compared and how; the lower ones are the operand. Before a match, each
 * column gets the interval of the operands for which the comparison holds: of `>= 18`, `>= 21` and `>= 40`, for a person of 34, those up
 * to 34.
 */
import { FORM, GROUP } from './check-forms.js';
import type { Slot } from './claim-table.js';
import { POINTS } from './grid.js';
import { grow } from './growing.js';
import type { ItemNumber, ItemTable } from './item-table.js';

/** A comparison that a check requires. */
export interface RequiredWord {
  readonly word: number;
  /** Whether the check passes wherever the comparison holds. */
  readonly isExact: boolean;
}

export const OPERAND_BITS = 22;
const OPERANDS = POINTS;
const COLUMNS = 2 ** (32 - OPERAND_BITS);
/** The columns before this one are those of {@link ALWAYS}, and of codes in programs. */
export const FIRST_COLUMN = 8;

/** The word of a comparison that always holds. */
export const ALWAYS = 0;

/** By column: the bits of the operand that are compared, the interval in which they must be, and −1 where they must be outside of it. */
const MASK = 0;
const LEAST = 1;
const MOST = 2;
const OUTSIDE = 3;
const COLUMN_SIZE = 4;

/**
 * Decides a comparison for the person of the match, without a branch.
 *
 * @param columns - {@link ComparisonWords.columns}.
 * @returns A negative integer where the comparison fails, so that `|` combines comparisons that must all hold.
 */
export function decideWord(word: number, columns: Int32Array): number {
  const column = (word >>> OPERAND_BITS) * COLUMN_SIZE;
  const operand = word & (columns[column + MASK] as number);
  const above = operand - (columns[column + LEAST] as number);
  const below = (columns[column + MOST] as number) - operand;
  return (above | below) ^ (columns[column + OUTSIDE] as number);
}

/** Creates the words of comparisons, and the intervals of a person. */
export class ComparisonWords {
  readonly #items: ItemTable;
  /** By form, negation and slot. */
  readonly #numbers = new Map<number, number>();
  readonly #codes: number[] = [];
  #columns = new Int32Array(64 * COLUMN_SIZE);

  constructor(items: ItemTable) {
    this.#items = items;
  }

  /** The intervals of the person of the match. Changes when a comparison is added. */
  get columns(): Int32Array {
    return this.#columns;
  }

  /** Returns the comparison that an item requires; `undefined` where none is known. @param isNegated - Whether the item must fail. */
  wordOf(item: ItemNumber, isNegated = false): RequiredWord | undefined {
    const items = this.#items;
    const kind = items.kindOf(item);
    if (kind === GROUP.not) return this.wordOf(items.memberOf(item, 0), !isNegated);
    if (kind === FORM.in && !isNegated)
      return this.create(kind, items.slotOf(item), maskOf(items, item), false);
    if (kind < FORM.defined) return undefined;
    const operand = items.operandOf(item);
    const slot = items.slotOf(item);
    if (kind < FORM.above) return this.create(kind, slot, operand, true, isNegated);
    const point = items.points[operand] as number;
    if (Number.isInteger(point)) return this.create(kind, slot, point, true, isNegated);
    // Between two points of the grid, the comparison is with the one that more people meet.
    if (isNegated) return undefined;
    return kind < FORM.below
      ? this.create(FORM.from, slot, Math.floor(point), false)
      : this.create(FORM.below, slot, Math.ceil(point), false);
  }

  /** Returns a word; `undefined` where the operand or the column has no room in it. */
  create(
    form: number,
    slot: Slot,
    operand: number,
    isExact: boolean,
    isNegated = false,
  ): RequiredWord | undefined {
    const code = (slot << 6) | (form << 1) | Number(isNegated);
    let number = this.#numbers.get(code);
    if (number === undefined) {
      number = FIRST_COLUMN + this.#codes.length;
      if (number === COLUMNS) return undefined;
      this.#numbers.set(code, number);
      this.#codes.push(code);
      const size = (number + 1) * COLUMN_SIZE;
      if (size > this.#columns.length) this.#columns = grow(this.#columns, size);
    }
    return operand < OPERANDS ? { word: (number << OPERAND_BITS) | operand, isExact } : undefined;
  }

  /** Starts a match. @param numbers - The person's numbers, by slot. */
  begin(numbers: Float64Array): void {
    const columns = this.#columns;
    for (const [index, code] of this.#codes.entries()) {
      const slot = code >>> 6;
      const form = (code >>> 1) & 0x1f;
      const number = numbers[slot] as number;
      const isDefined = !Number.isNaN(number);
      // No operand is in this interval.
      let [least, most] = [1, 0];
      let mask = OPERANDS - 1;
      if (isDefined) {
        if (form === FORM.in) {
          // An unknown value has no bit.
          if (number >= 0) mask = least = most = bitOf(number);
        } else if (form < FORM.above) {
          least = most = number;
          if (form === FORM.defined) [least, most] = [0, OPERANDS - 1];
        } else {
          if (form === FORM.from) [least, most] = [0, Math.floor(number)];
          else if (form === FORM.above) [least, most] = [0, Math.ceil(number) - 1];
          else if (form === FORM.below) [least, most] = [Math.floor(number) + 1, OPERANDS - 1];
          else [least, most] = [Math.ceil(number), OPERANDS - 1];
        }
      }
      const isOutside = (form === FORM.differs && isDefined) !== ((code & 1) === 1);
      const column = (FIRST_COLUMN + index) * COLUMN_SIZE;
      columns[column + MASK] = mask;
      columns[column + LEAST] = least;
      columns[column + MOST] = most;
      columns[column + OUTSIDE] = isOutside ? -1 : 0;
    }
  }

  /** Ends the match, so that nothing about the person is retained. */
  end(): void {
    this.#columns.fill(0);
  }
}

/** Values of a list have one of this number of bits. */
const MASK_BITS = OPERAND_BITS;

function bitOf(value: number): number {
  return 1 << (value % MASK_BITS);
}

function maskOf(items: ItemTable, list: ItemNumber): number {
  let mask = 0;
  for (let index = 0; index < items.memberCount(list); index += 1) mask |= bitOf(items.memberOf(list, index));
  return mask;
}
