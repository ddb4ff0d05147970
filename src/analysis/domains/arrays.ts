/** Arrays: those that checks name, and others with any of the elements that checks look for (L16, L18). */
import { type Check, type JsonArray, type JsonValue, jsonEquals } from '../../engine/index.js';
import type { Values } from './values.js';

/** So many elements have 256 sets of them. */
const MAX_ELEMENTS = 8;

/** @param equals - Arrays that checks compare with by equality. */
export function arraysBeside(checks: readonly Check[], equals: readonly JsonArray[]): Values {
  const elements: JsonValue[] = [];
  for (const { operator, value } of checks) {
    if (operator !== 'contains' || value === undefined) continue;
    if (!elements.some((element) => jsonEquals(element, value))) elements.push(value);
  }
  const some = elements.slice(0, MAX_ELEMENTS);
  const sets = Array.from({ length: 2 ** some.length }, (_, bits) =>
    some.filter((_element, index) => (bits & (1 << index)) !== 0),
  );
  // A long array is none of those that are named.
  const longest = Math.max(0, ...equals.map((array) => array.length));
  const filler = fillerBeside(elements);
  const others = sets.map((set) =>
    equals.some((array) => jsonEquals(array, set))
      ? [...set, ...new Array<JsonValue>(longest + 1).fill(filler)]
      : set,
  );
  const values = [...others, ...equals];
  if (elements.length <= MAX_ELEMENTS) return { values };
  return {
    values: [...values, elements],
    incomplete: `more than ${MAX_ELEMENTS} different elements are looked for in one claim`,
  };
}

/** A text that none of the elements is. */
function fillerBeside(elements: readonly JsonValue[]): string {
  for (let count = 0; ; count += 1) {
    const filler = `other${count === 0 ? '' : count}`;
    if (!elements.includes(filler)) return filler;
  }
}
