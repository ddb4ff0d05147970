/** JSON values as the reference takes them apart: types, equality, one order of members (L12, L16, L24). */
import type { JsonValue } from '../engine/claims/json-value.js';

/** Whether a value is a JSON array. Never throws. */
export function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Whether a value is a JSON object: neither an array nor `null`. Never throws. */
export function isObject(value: JsonValue): value is { readonly [member: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two values are equal as JSON: arrays by order, objects by own members, all else by value (L16). Never throws. */
export function areEqual(a: JsonValue, b: JsonValue): boolean {
  if (isArray(a) && isArray(b)) {
    return a.length === b.length && a.every((value, index) => areEqual(value, b[index] as JsonValue));
  }
  if (isObject(a) && isObject(b)) {
    const sameSize = Object.keys(a).length === Object.keys(b).length;
    const hasEqual = (name: string) =>
      Object.hasOwn(b, name) && areEqual(a[name] as JsonValue, b[name] as JsonValue);
    return sameSize && Object.keys(a).every(hasEqual);
  }
  return a === b;
}

/** The value with the members of every object in code-unit order, as results write it (L24). Never throws. */
export function sorted(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] as JsonValue)]));
}

/** Whether a value nests no more than `depth` arrays and objects inside one another (L12). Never throws. */
export function nestsWithin(depth: number, value: JsonValue): boolean {
  if (!isArray(value) && !isObject(value)) return true;
  return depth > 0 && Object.values(value).every((inner) => nestsWithin(depth - 1, inner));
}
