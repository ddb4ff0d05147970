/** Describes and asserts the types of values of unknown static type. */
import { isPlainObject } from '../util/is-plain-object.js';

/** Describes a value in a message: a number by its digits, other values by their type, such as `a string`, `null` or `an array`. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (isPlainObject(value)) return 'an object';
  const name = builtInClass(value);
  return `an instance of ${name === 'Object' ? 'a class' : name}`;
}

/** Returns the built-in class of an object of any realm, such as `Promise`; for other classes, their `Symbol.toStringTag` or `Object`. */
export function builtInClass(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** Creates the error for an argument of a wrong type. Numbers are shown, other values are not. */
export function wrongType(argument: string, required: string, received: unknown): TypeError {
  return new TypeError(`${argument} must be ${required} (got ${describeType(received)})`);
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

/** @throws {TypeError} For anything but an array of strings, also for another iterable, which can be empty when it is read again. */
export function assertStrings(argument: string, values: unknown): asserts values is readonly string[] {
  assertArray(argument, values);
  toStrings(argument, values);
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
 * @throws {TypeError} For anything but an iterable of strings, and for a string, which iterates over its characters.
 */
export function toStrings(argument: string, values: unknown): readonly string[] {
  if (typeof values !== 'object' || values === null || !(Symbol.iterator in values))
    throw wrongType(argument, 'an array or another iterable of strings', values);
  // Only iterating shows whether the member is an iterator method.
  const strings: readonly unknown[] = [...(values as Iterable<unknown>)];
  for (const each of strings)
    if (typeof each !== 'string') throw wrongType(`each of ${argument}`, 'a string', each);
  return strings as readonly string[];
}
