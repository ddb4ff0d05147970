/** Types of values whose static type is not known, and the error for an argument of a wrong type. */

/**
 * Returns whether a value is an object as `JSON.parse` creates it, of any realm and with or without a prototype; not
 * an array, not a class instance.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Describes the type of a value for a message: `a string`, `null`, `an array`. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object') return `a ${typeof value}`;
  return isPlainObject(value) ? 'an object' : 'an instance of a class';
}

/** Creates the error for an argument of a wrong type. Numbers are shown, other values are not. */
export function wrongType(argument: string, required: string, received: unknown): TypeError {
  const found = typeof received === 'number' ? String(received) : describeType(received);
  return new TypeError(`${argument} must be ${required} (got ${found})`);
}

/** @throws {TypeError | RangeError} For anything but a whole number of 1 or more. */
export function assertPositiveInteger(argument: string, value: unknown): asserts value is number {
  const required = 'a whole number of 1 or more';
  if (typeof value !== 'number') throw wrongType(argument, required, value);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new RangeError(`${argument} must be ${required} (got ${value})`);
}

/** @throws {TypeError} For anything but an array. */
export function assertArray(argument: string, value: unknown): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw wrongType(argument, 'an array', value);
}

/** @throws {TypeError} For anything but a plain object. */
export function assertObject(
  argument: string,
  value: unknown,
): asserts value is Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) throw wrongType(argument, 'an object', value);
}

/**
 * Copies strings, which may come from an iterator that can be read once.
 *
 * @throws {TypeError} For anything but an iterable of strings. A string is one as well, but of its characters.
 */
export function toStrings(argument: string, values: unknown): readonly string[] {
  if (typeof values !== 'object' || values === null || !(Symbol.iterator in values))
    throw wrongType(argument, 'an array or another iterable of strings', values);
  // Only calling the iterator shows whether it is one.
  const strings: readonly unknown[] = [...(values as Iterable<unknown>)];
  for (const each of strings)
    if (typeof each !== 'string') throw wrongType(`each of ${argument}`, 'a string', each);
  return strings as readonly string[];
}
