/** JSON values of claims and operands, and their equality (L16). */

import { isPlainObject } from '../../util/is-plain-object.js';
import { wrongType } from '../value-types.js';

export type JsonPrimitive = string | number | boolean | null;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [member: string]: JsonValue;
}
export type JsonValue = JsonPrimitive | JsonArray | JsonObject;

/** Maximum nesting depth of claim values and operands; each array or object adds one (S152). */
export const MAX_VALUE_DEPTH = 16;

/** Returns whether a value is a string, a number, a boolean or `null`. */
export function isPrimitive(value: JsonValue): value is JsonPrimitive {
  return typeof value !== 'object' || value === null;
}

/** Returns whether a value is a JSON array. Unlike `Array.isArray`, narrows read-only arrays. */
export function isJsonArray(value: JsonValue): value is JsonArray {
  return Array.isArray(value);
}

/** Returns whether a value is a JSON object: neither `null` nor an array. */
export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns whether two values are equal as JSON (L16): numbers by value, strings by code unit, arrays element by element,
 * objects by own members in any order. Functions and instances of classes equal only themselves, and NaN equals nothing.
 * Recurses as deep as the shallower value: throws only if both nest too deep for the stack, such as objects that contain themselves.
 */
export function jsonEquals(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (isJsonArray(left)) return isJsonArray(right) && arraysEqual(left, right);
  return !isJsonArray(right) && objectsEqual(left as JsonObject, right as JsonObject);
}

/** Returns the next larger double; infinite above the largest. */
export function nextNumber(number: number): number {
  if (number === 0) return Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  view.setBigInt64(0, view.getBigInt64(0) + (number > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

/**
 * Copies a value with the members of every object in canonical order (integer names by number, then other names by code unit), so that
 * equal values have equal JSON (L24). The copy is frozen: results contain the values of claim sets, which are shared.
 *
 * @returns The value itself where it is primitive; `undefined` where it nests deeper than `depth`.
 */
export function canonicalCopy(value: JsonValue, depth: number = MAX_VALUE_DEPTH): JsonValue | undefined {
  if (isPrimitive(value)) return value;
  if (depth === 0) return undefined;
  const members = new Map<string | number, JsonValue>();
  for (const name of isJsonArray(value) ? value.keys() : Object.keys(value).sort()) {
    const member = canonicalCopy((value as JsonObject)[name] as JsonValue, depth - 1);
    if (member === undefined) return undefined;
    members.set(name, member);
  }
  // `fromEntries` defines own members, `__proto__` included; an assignment would set the prototype.
  return Object.freeze(isJsonArray(value) ? [...members.values()] : Object.fromEntries(members));
}

function arraysEqual(left: JsonArray, right: JsonArray): boolean {
  // The spread turns holes, which `every` skips, into `undefined`.
  return (
    left.length === right.length &&
    [...left].every((value, index) => jsonEquals(value, right[index] as JsonValue))
  );
}

function objectsEqual(left: JsonObject, right: JsonObject): boolean {
  const names = Object.keys(left);
  return (
    isPlainObject(left) &&
    isPlainObject(right) &&
    names.length === Object.keys(right).length &&
    names.every(
      (name) => Object.hasOwn(right, name) && jsonEquals(left[name] as JsonValue, right[name] as JsonValue),
    )
  );
}

/**
 * Returns whether a value is JSON with finite numbers, down to `depth` nested arrays and objects; values nested deeper
 * are not examined. Throws only if a getter does.
 */
export function isJson(value: unknown, depth: number): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  if (depth === 0) return true;
  // The spread turns holes, which `every` skips, into `undefined`.
  if (Array.isArray(value)) return [...value].every((element) => isJson(element, depth - 1));
  return isPlainObject(value) && Object.values(value).every((member) => isJson(member, depth - 1));
}

/**
 * Asserts that the value of a claim is JSON. Arrays and objects nested deeper than `MAX_VALUE_DEPTH` are not examined: a claim that contains them
 * counts as undefined (S152).
 *
 * @throws {TypeError} For any other value, such as `NaN`, a `Date` or a function.
 */
export function assertJsonClaim(path: string, value: unknown): asserts value is JsonValue {
  if (!isJson(value, MAX_VALUE_DEPTH))
    throw wrongType(`claim \`${path}\``, 'a JSON value with finite numbers', value);
}
