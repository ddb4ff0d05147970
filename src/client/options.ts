/** Asserts the names of options: a misspelled option would otherwise have no effect. */

/**
 * Asserts that options have known names only. Smaller in browsers than the assertion of the engine, which suggests the nearest name.
 *
 * @throws {TypeError} For an unknown option.
 */
export function assertOptions(options: object, known: readonly string[]): void {
  const name = Object.keys(options).find((one) => !known.includes(one));
  if (name !== undefined) throw new TypeError(`\`${name}\` must be one of the options ${known.join(', ')}`);
}
