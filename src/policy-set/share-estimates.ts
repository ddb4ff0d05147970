/**
 * Estimates the share of people who pass a check. A policy set has no data about people, so the estimate depends on the values and bounds
 * with which all checks compare the claim.
 *
 * Estimates affect the time of a match, never its outcome.
 */
import type { ClaimNumber } from './claim-table.js';
import { numberOf } from './grid.js';
import type { ValueNumber } from './value-table.js';

/** Number of different values that a claim is assumed to have at least. */
const LEAST_VALUES = 4;
/** Number of different values that are counted for a claim at most. */
const MOST_VALUES = 1_024;

/**
 * A claim's values are assumed to be uniformly distributed between the least and the greatest bound: most bounds admit few people, so the share of
 * bounds on one side of a bound would be too high an estimate. But a few bounds of a claim can be far from all others, so the estimate for each side
 * is at least the share of bounds on that side, divided by this number.
 */
const MOST_DEVIATION = 4;

/** Number of bounds that are kept for a claim: those that were added first. */
const MOST_BOUNDS = 255;

/** The values and bounds with which checks compare one claim. */
interface Operands {
  readonly values: Set<ValueNumber>;
  /** Points of the grid, in ascending order. */
  readonly bounds: number[];
}

/** Estimates shares of people, from 0 to 1. */
export class ShareEstimates {
  readonly #operands: (Operands | undefined)[] = [];

  /** Records a value that a check compares a claim with. */
  addValue(claim: ClaimNumber, value: ValueNumber): void {
    const { values } = this.#operandsOf(claim);
    if (values.size < MOST_VALUES) values.add(value);
  }

  /**
   * Records a bound that a check compares a claim with.
   *
   * @param bound - A point of the grid.
   */
  addBound(claim: ClaimNumber, bound: number): void {
    const { bounds } = this.#operandsOf(claim);
    if (bounds.length < MOST_BOUNDS) bounds.splice(countUpTo(bounds, bound), 0, bound);
  }

  /** Returns the estimated share of people whose value is one of `count` values: all values are assumed to be equally frequent. */
  shareOfValues(claim: ClaimNumber, count: number): number {
    const known = this.#operands[claim]?.values.size ?? 0;
    return Math.min(1, count / Math.max(LEAST_VALUES, known));
  }

  /** Returns the estimated share of people whose value is at or above a bound. */
  shareFrom(claim: ClaimNumber, bound: number): number {
    const bounds = this.#operands[claim]?.bounds ?? [];
    const upTo = countUpTo(bounds, bound);
    const shareOfBounds = (bounds.length - upTo + 0.5) / (bounds.length + 1);
    const least = numberOf(bounds[0] ?? 0);
    const greatest = numberOf(bounds.at(-1) ?? 0);
    if (least === greatest) return shareOfBounds;
    const uniform = (greatest - numberOf(bound)) / (greatest - least);
    return Math.min(
      Math.max(uniform, shareOfBounds / MOST_DEVIATION),
      1 - (1 - shareOfBounds) / MOST_DEVIATION,
    );
  }

  #operandsOf(claim: ClaimNumber): Operands {
    let operands = this.#operands[claim];
    if (operands === undefined) {
      operands = { values: new Set(), bounds: [] };
      this.#operands[claim] = operands;
    }
    return operands;
  }
}

/** Returns how many of the ascending bounds are at most a number. */
export function countUpTo(bounds: readonly number[], number: number): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bounds[middle] as number) <= number) low = middle + 1;
    else high = middle;
  }
  return low;
}
