/** `at`: one element of an array (L5). */
import { isJsonArray } from '../claims/json-value.js';
import type { Extraction } from './lens.js';

/** Sees the element at an index, a negative one counted from the end; `null` where there is none (L23). */
export function at(index: number): Extraction {
  return (value) => (isJsonArray(value) ? (value.at(index) ?? null) : null);
}
