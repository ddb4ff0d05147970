/** Comparisons of a person's numbers with an operand: what a match does most, so that each is a few instructions. */
import { FORM } from './check-forms.js';
import type { Slot } from './claim-table.js';
import { UNKNOWN_VALUE, type ValueNumber } from './value-table.js';

/** A check with one operand at most, or what is necessary for a list of values, as integers. */
export interface Comparison {
  /** In the lowest bits the form; then whether the check is negated, then the slot. */
  readonly code: number;
  /** For a list of values the {@link maskOf} their numbers. */
  readonly operand: ValueNumber;
}

export const FORM_MASK = 0x1f;
export const NEGATED = 0x20;
export const SLOT_SHIFT = 6;

/** In place of a comparison. */
export const ALWAYS: Comparison = { code: 0, operand: 0 };

/** Returns the code of a check. */
export function codeOf(form: number, slot: Slot): number {
  return form | (slot << SLOT_SHIFT);
}

/** Returns a bit for the lowest 5 bits of each of some numbers. */
export function maskOf(values: Iterable<ValueNumber>): number {
  let mask = 0;
  for (const value of values) mask |= 1 << value;
  return mask;
}

/**
 * Decides a comparison. One of an undefined claim fails (L14): its number is NaN.
 *
 * @param numbers - The person's numbers, by slot.
 * @param bounds - The numbers of operands of ordering operators.
 */
export function holdsComparison(
  code: number,
  operand: ValueNumber,
  numbers: Float64Array,
  bounds: Float64Array,
): boolean {
  const number = numbers[code >>> SLOT_SHIFT] as number;
  return compares(code & FORM_MASK, number, operand, bounds) === ((code & NEGATED) === 0);
}

/**
 * Decides whether a value is one of a list, or none of it.
 *
 * @param form - `in` or `notIn`.
 * @param value - The number of the claim's value; NaN for an undefined claim, of which both fail (L14).
 * @param start - Where the numbers of the values start in the column.
 */
export function holdsList(
  form: number,
  value: number,
  column: Int32Array,
  start: number,
  count: number,
): boolean {
  const end = start + count;
  for (let index = start; index < end; index += 1) if (column[index] === value) return form === FORM.in;
  return form === FORM.notIn && value >= UNKNOWN_VALUE;
}

function compares(form: number, number: number, operand: ValueNumber, bounds: Float64Array): boolean {
  switch (form) {
    case FORM.equals:
      return number === operand;
    case FORM.differs:
      return number < operand || number > operand;
    case FORM.above:
      return number > (bounds[operand] as number);
    case FORM.from:
      return number >= (bounds[operand] as number);
    case FORM.below:
      return number < (bounds[operand] as number);
    case FORM.to:
      return number <= (bounds[operand] as number);
    case FORM.defined:
      return number >= UNKNOWN_VALUE;
    case FORM.in:
      return ((operand >>> number) & 1) === 1;
    default:
      return true;
  }
}
