/** Columns of numbers that grow by doubling. */

/** Returns a copy with room for at least `size` numbers, and at least twice as many as before. */
export function growIntegers(column: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(Math.max(size, column.length * 2));
  grown.set(column);
  return grown;
}

/** Does what {@link growIntegers} does, for floating-point numbers. */
export function growFloats(column: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(Math.max(size, column.length * 2));
  grown.set(column);
  return grown;
}
