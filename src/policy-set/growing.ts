/** Growable typed arrays. Used instead of lists of objects, which take several times the memory. */

/** A typed array that {@link grow} copies into a larger one. */
type Column =
  | Uint8Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** Returns a longer copy: at least `size` numbers, and at least 1.5 times the previous length. */
export function grow<Grown extends Column>(column: Grown, size: number): Grown {
  const length = Math.max(size, Math.ceil(column.length * 1.5));
  // A column's constructor creates a column of the same type.
  const grown = new (column.constructor as new (length: number) => Grown)(length);
  grown.set(column);
  return grown;
}
