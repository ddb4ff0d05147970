/** Sorts values by how much they change the current value of a claim, least first (L16, L17): numbers and instants by distance, other strings by length. */

import { FIRST_INSTANT, LAST_INSTANT } from '../../engine/claims/instant.js';
import { type Check, formatInstant, type JsonValue, parseInstant } from '../../engine/index.js';
import { DATE_LENGTH, MS_PER_DAY } from '../../util/time.js';

/** The current value of a claim. */
export interface CurrentValue {
  /** `undefined` where the claim is not defined. */
  readonly value: JsonValue | undefined;
}

/** The distance to a value of another type, and between an instant and another string. */
const FAR = Number.MAX_VALUE;

/** Returns the current value, then the others by distance, including values near the bounds of checks. */
export function nearestFirst(
  values: readonly (JsonValue | undefined)[],
  checks: readonly Check[],
  { value: current }: CurrentValue,
): readonly (JsonValue | undefined)[] {
  const others = [...values, ...valuesNearBounds(checks, current)].map((value) => ({
    value,
    distance: distanceBetween(value, current),
  }));
  return [current, ...others.sort((one, other) => one.distance - other.distance).map(({ value }) => value)];
}

/**
 * Returns values near each bound: for numbers, one less, one more, and the numbers rounded down and up; if the current value is a day, the day of an
 * instant and the ones before and after it.
 */
function valuesNearBounds(checks: readonly Check[], current: JsonValue | undefined): readonly JsonValue[] {
  return checks.flatMap(({ value }): readonly JsonValue[] => {
    if (typeof value === 'number') return [value - 1, value + 1, Math.floor(value), Math.ceil(value)];
    const instant = typeof value === 'string' ? parseInstant(value) : undefined;
    if (instant === undefined || typeof current !== 'string' || !DAY.test(current)) return [];
    return [instant - MS_PER_DAY, instant, instant + MS_PER_DAY]
      .filter((at) => at >= FIRST_INSTANT && at <= LAST_INSTANT)
      .map((at) => formatInstant(at).slice(0, DATE_LENGTH));
  });
}

function distanceBetween(value: JsonValue | undefined, current: JsonValue | undefined): number {
  // Removing a claim is the least useful suggestion.
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (typeof value === 'number') {
    if (typeof current !== 'number' && current !== undefined) return FAR;
    const distance = Math.abs(value - (current ?? 0));
    // Integers are preferred where the current value is an integer or the claim is not defined.
    return Number.isInteger(value) || !Number.isInteger(current ?? 0) ? distance : distance + 2;
  }
  if (typeof value === 'string' && typeof current === 'string') {
    const [one, other] = [parseInstant(value), parseInstant(current)];
    if (one !== undefined && other !== undefined) {
      // Days are preferred where the current value is a day, and date-times where it is a date-time.
      return Math.abs(one - other) + (DAY.test(value) === DAY.test(current) ? 0 : 2 * MS_PER_DAY);
    }
    return one === undefined && other === undefined ? value.length : FAR;
  }
  return typeof value === typeof current ? 0 : FAR;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
