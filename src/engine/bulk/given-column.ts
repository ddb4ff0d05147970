/** Columns as callers hold them, taken into one of the layouts (V14). */
import { canonicalCopy, type JsonValue } from '../claims/json-value.js';
import { type Column, MAX_ENTRIES, toPlainColumn } from './column.js';
import { ColumnBuilder } from './column-builder.js';

/** Values by their place in a list of the distinct ones, as columnar formats call dictionary-encoded. */
export interface DictionaryColumn {
  readonly codes: Uint8Array | Uint16Array | Uint32Array | Int32Array;
  /** `undefined` stands for a claim that is not defined. */
  readonly entries: readonly (JsonValue | undefined)[];
}

/**
 * A column as a caller holds it: numbers (NaN where the claim is not defined), booleans as 0 and 1, a dictionary, or any
 * values (`undefined` where the claim is not defined).
 */
export type GivenColumn = Float64Array | Uint8Array | DictionaryColumn | readonly (JsonValue | undefined)[];

/** How many rows a column has. */
export function sizeOf(column: GivenColumn): number {
  return 'codes' in column ? column.codes.length : column.length;
}

/**
 * Takes a column. Numbers and 16-bit codes are kept, everything else is copied.
 *
 * @throws {RangeError} When a code has no entry, or a byte is neither 0 nor 1.
 */
export function toColumn(path: string, given: GivenColumn): Column {
  if (given instanceof Float64Array) return { layout: 'numbers', values: given, nulls: undefined };
  if (given instanceof Uint8Array) return fromDictionary(path, { codes: given, entries: [false, true] });
  return 'codes' in given ? fromDictionary(path, given) : fromValues(given);
}

function fromDictionary(path: string, { codes, entries }: DictionaryColumn): Column {
  for (const code of codes) {
    if (code < 0 || code >= entries.length) throw new RangeError(`\`${path}\` has no entry for ${code}`);
  }
  const values = entries.map((entry) => (entry === undefined ? undefined : canonicalCopy(entry)));
  if (values.length > MAX_ENTRIES) return toPlainColumn(Array.from(codes, (code) => values[code]));
  return {
    layout: 'coded',
    codes: codes instanceof Uint16Array ? codes : Uint16Array.from(codes),
    entries: values,
  };
}

function fromValues(values: readonly (JsonValue | undefined)[]): Column {
  const builder = new ColumnBuilder();
  values.forEach((value, row) => {
    const copy = value === undefined ? undefined : canonicalCopy(value);
    if (copy !== undefined) builder.add(row, copy);
  });
  return builder.finish(values.length);
}
