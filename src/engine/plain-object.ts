/** Telling JSON objects from everything else that JavaScript calls an object. */

/** Whether a value is an object as `JSON.parse` makes them: of any realm, with or without a prototype; no array, no class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
