/** Plain objects, as `JSON.parse` creates them. */

/**
 * Returns whether a value is an object as `JSON.parse` creates it, of any realm and with or without a prototype; not
 * an array, not a class instance.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
