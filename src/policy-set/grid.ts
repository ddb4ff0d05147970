/**
 * A grid of numbers: 0; 2 ** 15 evenly spaced numbers from each power of two up to the next, for the powers from 2 ** -12 to 2 ** 50; and
 * their negatives. The points of these numbers are small integers; all numbers between two neighbors share the point between those. A
 * smaller number never has a greater point.
 */
import { MS_PER_DAY } from '../util/time.js';

const STEPS = 2 ** 15;
const LEAST_EXPONENT = -12;
const GREATEST_EXPONENT = 51;

/** A power of two above every point; half of it is the point of 0. */
export const POINTS = 2 ** 22;

/** Returns the point of a number: an integer if the number is on the grid, otherwise half a step beyond its neighbor toward 0. */
export function pointOf(number: number): number {
  const size = Math.abs(number);
  let exponent = Math.floor(Math.log2(size));
  // The logarithm of a number next to a power of two is rounded.
  if (2 ** exponent > size) exponent -= 1;
  let distance = size === 0 ? 0 : 0.5;
  if (exponent >= GREATEST_EXPONENT) distance += (GREATEST_EXPONENT - LEAST_EXPONENT) * STEPS;
  else if (exponent >= LEAST_EXPONENT) {
    const steps = (size / 2 ** exponent - 1) * STEPS;
    const whole = Math.floor(steps);
    distance = (exponent - LEAST_EXPONENT) * STEPS + whole + (steps > whole ? 1.5 : 1);
  }
  return POINTS / 2 + (number < 0 ? -distance : distance);
}

/** Returns the point of an instant, as a number of days; NaN for `undefined`. */
export function pointOfInstant(instant: number | undefined): number {
  return instant === undefined ? Number.NaN : pointOf(instant / MS_PER_DAY);
}

/** Returns the number at a point; an approximation where the point is between two of the grid. */
export function numberOf(point: number): number {
  const distance = Math.abs(point - POINTS / 2) - 1;
  if (distance < 0) return 0;
  const exponent = Math.floor(distance / STEPS) + LEAST_EXPONENT;
  const size = 2 ** exponent * (1 + (distance % STEPS) / STEPS);
  return point < POINTS / 2 ? -size : size;
}
