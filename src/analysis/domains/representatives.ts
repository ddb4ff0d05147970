/**
 * Representative numbers, arrays and objects of a claim: those that checks name, and one of each class that no check
 * distinguishes (L16–L18).
 */
import { ORDERINGS } from '../../engine/claims/claim-type.js';
import { nextNumber } from '../../engine/claims/json-value.js';
import {
  type Check,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  jsonEquals,
} from '../../engine/index.js';
import { unusedString } from '../patterns/string-partition.js';

/** Values of one type. */
export interface Values {
  readonly values: readonly JsonValue[];
  /** Why some class of values has no representative; absent if every class has one. */
  readonly incomplete?: string;
}

/** Numbers that no check distinguishes: one number, or all between two. */
export interface NumberRegion {
  readonly low: number;
  /** Equal to `low` for one number; otherwise, neither bound is part of the region. */
  readonly high: number;
  /** A number of the region. */
  readonly value: number;
}

/**
 * Returns one number of each region.
 *
 * @param equals - Numbers that checks compare for equality.
 */
export function representativeNumbers(
  checks: readonly Check[],
  equals: readonly number[],
): readonly number[] {
  return numberRegions(checks, equals).map(({ value }) => value);
}

/**
 * Divides the numbers into regions: the numbers that checks name, then the numbers between two of these, below them and above them.
 *
 * @param equals - Numbers that checks compare for equality.
 */
export function numberRegions(checks: readonly Check[], equals: readonly number[]): readonly NumberRegion[] {
  const bounds = checks.flatMap(({ operator, value }) =>
    ORDERINGS.includes(operator) && typeof value === 'number' ? [value] : [],
  );
  // Adding 0 merges the two zeros, which no check distinguishes.
  const points = [...new Set([...equals, ...bounds].map((point) => point + 0))].sort((a, b) => a - b);
  const [first, last] = [points[0], points.at(-1)];
  const [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (first === undefined || last === undefined) return [{ low, high, value: 0 }];
  return [
    ...points.map((value) => ({ low: value, high: value, value })),
    ...points.slice(1).flatMap((point, index) => {
      const before = points[index] as number;
      return between(before, point).map((value) => ({ low: before, high: point, value }));
    }),
    ...beyond(first, -1).map((value) => ({ low, high: first, value })),
    ...beyond(last, 1).map((value) => ({ low: last, high, value })),
  ];
}

/** Returns a number between two, a whole one if possible; empty where they are adjacent. */
function between(low: number, high: number): readonly number[] {
  const whole = Math.floor(low) + 1;
  if (whole > low && whole < high) return [whole];
  const middle = low + (high - low) / 2;
  if (middle > low && middle < high) return [middle];
  const next = nextNumber(low);
  return next < high ? [next] : [];
}

/** Returns a number beyond a point; empty where no finite one exists. */
function beyond(point: number, direction: 1 | -1): readonly number[] {
  const candidates = [point + direction, point * 2, direction * Number.MAX_VALUE];
  return candidates
    .filter((number) => Number.isFinite(number) && (number - point) * direction > 0)
    .slice(0, 1);
}

/** Maximum number of elements that are combined: 8 have 256 subsets. */
export const MAX_ELEMENTS = 8;

/**
 * Returns an array for each subset of the elements that checks search for, and the arrays that checks compare for equality. With more than
 * `MAX_ELEMENTS` elements, it combines only the first ones, and adds an array with all elements.
 *
 * @param equals - Arrays that checks compare for equality.
 */
export function representativeArrays(checks: readonly Check[], equals: readonly JsonArray[]): Values {
  const elements: JsonValue[] = [];
  for (const { operator, value } of checks) {
    if (operator !== 'contains' || value === undefined) continue;
    if (!elements.some((element) => jsonEquals(element, value))) elements.push(value);
  }
  const some = elements.slice(0, MAX_ELEMENTS);
  const sets = Array.from({ length: 2 ** some.length }, (_, bits) =>
    some.filter((_element, index) => (bits & (1 << index)) !== 0),
  );
  // An array longer than all named ones equals none of them.
  const longest = Math.max(0, ...equals.map((array) => array.length));
  const padding = unusedString(elements);
  const others = sets.map((set) =>
    equals.some((array) => jsonEquals(array, set))
      ? [...set, ...new Array<JsonValue>(longest + 1).fill(padding)]
      : set,
  );
  const values = [...others, ...equals];
  if (elements.length <= MAX_ELEMENTS) return { values };
  return {
    values: [...values, elements],
    incomplete: `checks search one claim for more than ${MAX_ELEMENTS} different elements`,
  };
}

/**
 * Returns an object that no check compares for equality, then the objects that checks compare for equality.
 *
 * @param equals - All values that checks compare for equality, of every type.
 */
export function representativeObjects(equals: readonly JsonValue[]): readonly JsonObject[] {
  const named = equals.filter(
    (value): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  if (named.every((object) => Object.keys(object).length > 0)) return [{}, ...named];
  // More members than any named object, under names that no claim path can contain.
  const most = Math.max(...named.map((object) => Object.keys(object).length));
  const other = Object.fromEntries(Array.from({ length: most + 1 }, (_, index) => [`other ${index}`, true]));
  return [other, ...named];
}
