/**
 * Comparisons of one person's claims with many operands. A match decides more of these than of anything else, so each is a word of 32 bits,
 * decided in a few instructions without a branch.
 *
 * The upper bits of a word are a column, which states what is compared and how; the lower ones are the operand. Before a match, each
 * column gets the interval of the operands for which the comparison holds: of `>= 18`, `>= 21` and `>= 40`, for a person of 34, those up
 * to 34.
 */
import { FORM, GROUP } from './check-forms.js';
import type { Slot } from './claim-table.js';
import { POINTS } from './grid.js';
import { grow } from './growing.js';
import type { ItemNumber } from './item-records.js';
import type { ItemTable } from './item-table.js';
import { UNKNOWN_VALUE } from './value-table.js';

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

/** By column: what is combined with the operand by `|`, `^` and `+`, so that the result is negative where the comparison fails. */
const OR = 0;
const XOR = 1;
const PLUS = 2;
const COLUMN_SIZE = 4;

/**
 * Decides a comparison for the person of the match, without a branch.
 *
 * @param columns - {@link ComparisonWords.columns}.
 * @returns A negative integer where the comparison fails, so that `|` combines comparisons that must all hold.
 */
export function decideWord(word: number, columns: Int32Array): number {
  // Literals: V8 reads the constants of a bundled module from memory each time, and a match would take an eighth longer.
  const column = (word >>> 22) << 2;
  return (
    ((((word & 0x3f_ffff) | (columns[column] as number)) ^ (columns[column + 1] as number)) +
      (columns[column + 2] as number)) |
    0
  );
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

  /** The intervals of the person of the match. A new array may replace it when a comparison is added. */
  get columns(): Int32Array {
    return this.#columns;
  }

  /** Returns the comparison that an item requires; `undefined` where none is known. @param isNegated - Whether the item must fail. */
  wordOf(item: ItemNumber, isNegated = false): RequiredWord | undefined {
    const items = this.#items;
    const kind = items.kindOf(item);
    if (kind === GROUP.not) return this.wordOf(items.memberOf(item, 0), !isNegated);
    // `in` and a negated `notIn` both require that a defined value is in the list.
    if ((kind === FORM.in && !isNegated) || (kind === FORM.notIn && isNegated))
      return this.create(FORM.in, items.slotOf(item), maskOf(items, item), false, isNegated);
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
    let column = FIRST_COLUMN * COLUMN_SIZE;
    for (const code of this.#codes) {
      const decided = decisionOf((code >>> 1) & 0x1f, numbers[code >>> 6] as number, (code & 1) === 1);
      columns[column + OR] = decided.or;
      columns[column + XOR] = decided.xor;
      columns[column + PLUS] = decided.plus;
      column += COLUMN_SIZE;
    }
  }

  /** Ends the match, so that nothing about the person is retained. */
  end(): void {
    this.#columns.fill(0);
  }
}

/** Number of bits in the mask of a list: each value of the list sets one of them. */
const MASK_BITS = OPERAND_BITS;

function bitOf(value: number): number {
  return 1 << (value % MASK_BITS);
}

function maskOf(items: ItemTable, list: ItemNumber): number {
  let mask = 0;
  for (let index = 0; index < items.memberCount(list); index += 1) mask |= bitOf(items.memberOf(list, index));
  return mask;
}

/** The values of a column: {@link OR}, {@link XOR} and {@link PLUS}. Operands are not negative, and have {@link OPERAND_BITS} bits. */
interface Decision {
  readonly or: number;
  readonly xor: number;
  readonly plus: number;
}

function decision(or: number, xor: number, plus: number): Decision {
  return { or, xor, plus };
}

const PASSES = decision(0, 0, 0);
const FAILS = decision(0, -1, 0);

/**
 * Returns how operands are compared with a number of the person.
 *
 * @param number - NaN where the claim is not defined: every comparison fails.
 */
function decisionOf(form: number, number: number, isNegated: boolean): Decision {
  if (Number.isNaN(number)) return isNegated ? PASSES : FAILS;
  switch (form) {
    case FORM.defined:
      return isNegated ? FAILS : PASSES;
    case FORM.in:
      // A negated `notIn` requires the same of a defined claim. A negated `in` has no word.
      return number === UNKNOWN_VALUE ? FAILS : decision(~bitOf(number), 0, 1);
    case FORM.equals:
      return equalTo(number, isNegated);
    case FORM.differs:
      return equalTo(number, !isNegated);
    case FORM.from:
      return upTo(Math.floor(number), isNegated);
    case FORM.above:
      return upTo(Math.ceil(number) - 1, isNegated);
    case FORM.below:
      return upTo(Math.floor(number), !isNegated);
    default:
      return upTo(Math.ceil(number) - 1, !isNegated);
  }
}

/** Returns the comparison that holds for operands up to a number, or that holds for all others. */
function upTo(most: number, isNegated: boolean): Decision {
  return isNegated ? decision(0, 0, -most - 1) : decision(0, -1, most + 1);
}

/** Returns the comparison that holds for the operand that is a value, or that holds for all others. */
function equalTo(value: number, isNegated: boolean): Decision {
  if (value === UNKNOWN_VALUE) return isNegated ? PASSES : FAILS;
  return isNegated ? decision(0, value, -1) : decision(0, ~value, 1);
}
