/** `pick`: some members of an object, or all of them (L5). */
import { isJsonObject, type JsonValue } from '../claims/json-value.js';
import type { Extraction } from './lens.js';

/**
 * Sees the named own members of an object, those that are there, in code-unit order; without names, all of them.
 * Anything but an object gives `null` (L23).
 */
export function pick(fields: readonly string[] | undefined): Extraction {
  if (fields === undefined) return (value) => (isJsonObject(value) ? value : null);
  const names = [...fields].sort();
  return (value) => {
    if (!isJsonObject(value)) return null;
    const present = names.filter((name) => Object.hasOwn(value, name));
    return Object.fromEntries(present.map((name) => [name, value[name] as JsonValue]));
  };
}
