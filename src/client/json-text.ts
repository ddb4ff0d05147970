/** Serializes what the client sends. */
import { isPlainObject } from '../util/is-plain-object.js';

/**
 * Serializes a value as JSON. Rejects values that JSON does not have, which `JSON.stringify` would replace by `null` or `{}`: the query would then have
 * another meaning. Members that are `undefined` are left out.
 *
 * @throws {TypeError} For a value that is not JSON, such as `NaN`, an array with a hole, a function, a `Date` or a `Map`.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, function (this: unknown, name, member: unknown) {
    // The value before `toJSON`, which makes an invalid date `null`.
    const given: unknown = Reflect.get(Object(this), name);
    if (isSerializable(given) || (given === undefined && !Array.isArray(this))) return member;
    const received = typeof given === 'number' ? given : Object.prototype.toString.call(given).slice(8, -1);
    throw new TypeError(`${name === '' ? 'the value' : `\`${name}\``} must be JSON (got ${received})`);
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
