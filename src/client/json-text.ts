/** Serializes what the client sends. */
import { isPlainObject } from '../util/is-plain-object.js';

/**
 * Serializes a value as JSON. Unlike `JSON.stringify`, it does not replace values that JSON does not have: as `null` or `{}`, they would
 * make another query. Members that are `undefined` are left out.
 *
 * @throws {TypeError} For a value that is not JSON, such as `NaN`, an array with a hole, a function or a `Map`.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, function (this: unknown, name, member: unknown) {
    if (isSerializable(member) || (member === undefined && !Array.isArray(this))) return member;
    const received =
      typeof member === 'number' ? member : Object.prototype.toString.call(member).slice(8, -1);
    throw new TypeError(`\`${name}\` must be JSON (got ${received})`);
  });
}

function isSerializable(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    default:
      return value === null || Array.isArray(value) || isPlainObject(value);
  }
}
