/** Reads the value at a JSON Pointer (RFC 6901). */
import type { JsonValue } from '../../engine/index.js';
import { segmentsOf } from '../../util/json-pointer.js';

/** Returns the value at a JSON Pointer; `undefined` without a value. Never throws. */
export function valueAt(content: JsonValue, pointer: string): JsonValue | undefined {
  if (pointer === '') return content;
  if (!pointer.startsWith('/')) return undefined;
  let value: JsonValue | undefined = content;
  for (const name of segmentsOf(pointer)) {
    value = memberOf(value, name);
    if (value === undefined) return undefined;
  }
  return value;
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  // `length` is a property of arrays, but not an element.
  if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, JsonValue>>)[name] : undefined;
}
