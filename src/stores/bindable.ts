/** Checks that a value can be bound to a statement and read back unchanged (D1, D2, S35, S36, S201). */

/**
 * Accepts strings without U+0000, finite numbers, bigints, `null` and bytes (D1, D2).
 *
 * @throws {TypeError} For anything else.
 */
export function assertBindable(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      // SQLite truncates strings at NUL, and drivers replace lone surrogates: different keys could become equal.
      if (value.includes('\0') || !value.isWellFormed())
        throw new TypeError('a string must be well-formed Unicode without U+0000 to be stored');
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      break;
    case 'bigint':
      return value;
    case 'object':
      if (value === null) return value;
      if (value instanceof Uint8Array) return value;
      break;
  }
  throw new TypeError(
    `a stored value must be a string, finite number, bigint, null or bytes, not ${typeof value}`,
  );
}
