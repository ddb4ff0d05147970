/** Builds columns from values or from callers' arrays, and changes their layout where the values require another (V14). */
import { assertJsonClaim, canonicalCopy, isJsonArray, type JsonValue } from '../claims/json-value.js';
import { builtInClass, wrongType } from '../value-types.js';
import { type Column, MAX_ENTRIES, toPlainColumn, toValueReader } from './column.js';

const FIRST_CAPACITY = 1_024;

/** Builds a column in one layout. */
interface LayoutBuilder {
  /** Adds a value. @returns `false` where the layout cannot hold it. */
  add(row: number, value: JsonValue): boolean;
  finish(size: number): Column;
}

/** Builds a column. Values are added in row order; rows without a value are skipped. */
export class ColumnBuilder {
  #builder: LayoutBuilder = new DictionaryColumnBuilder();

  /** Adds a value, which must not change afterwards. */
  add(row: number, value: JsonValue): void {
    if (this.#builder.add(row, value)) return;
    this.#builder = changeLayout(this.#builder.finish(row), value);
    this.#builder.add(row, value);
  }

  /** Returns the column with `size` rows. The builder must not be used afterwards. */
  finish(size: number): Column {
    return this.#builder.finish(size);
  }
}

/** Moves the values into a layout that can hold the next value as well. */
function changeLayout(column: Column, next: JsonValue): LayoutBuilder {
  // The layout `numbers` changes only for a value that is not numeric.
  const onlyNumbers = isNumeric(next) && column.layout === 'dictionary' && column.entries.every(isNumeric);
  const builder = onlyNumbers ? new NumberColumnBuilder() : new PlainColumnBuilder();
  const read = toValueReader(column);
  const size = column.layout === 'dictionary' ? column.codes.length : column.values.length;
  for (let row = 0; row < size; row += 1) {
    const value = read(row);
    if (value !== undefined) builder.add(row, value);
  }
  return builder;
}

class DictionaryColumnBuilder implements LayoutBuilder {
  #codes = new Uint16Array(FIRST_CAPACITY);
  readonly #entries: (JsonValue | undefined)[] = [undefined];
  readonly #codeOf = new Map<JsonValue, number>();
  /** Lists by their JSON: equal lists share an entry. */
  readonly #codeOfList = new Map<string, number>();

  add(row: number, value: JsonValue): boolean {
    const code = this.#codeFor(value);
    if (code === undefined) return false;
    if (row >= this.#codes.length) this.#codes = copyInto(this.#codes, new Uint16Array(row * 2));
    this.#codes[row] = code;
    return true;
  }

  finish(size: number): Column {
    const codes = copyInto(this.#codes.subarray(0, size), new Uint16Array(size));
    return { layout: 'dictionary', codes, entries: this.#entries };
  }

  #codeFor(value: JsonValue): number | undefined {
    if (typeof value !== 'object' || value === null) return this.#enter(this.#codeOf, value, value);
    const isListOfScalars = isJsonArray(value) && value.every(isScalar);
    return isListOfScalars ? this.#enter(this.#codeOfList, JSON.stringify(value), value) : undefined;
  }

  #enter<Key>(codes: Map<Key, number>, key: Key, value: JsonValue): number | undefined {
    const known = codes.get(key);
    if (known !== undefined) return known;
    const code = this.#entries.length;
    if (code >= MAX_ENTRIES) return undefined;
    this.#entries.push(value);
    codes.set(key, code);
    return code;
  }
}

class NumberColumnBuilder implements LayoutBuilder {
  #values = new Float64Array(FIRST_CAPACITY).fill(Number.NaN);
  #nulls: Uint8Array | undefined;

  add(row: number, value: JsonValue): boolean {
    if (!isNumeric(value)) return false;
    if (row >= this.#values.length) this.#grow(row * 2);
    if (typeof value === 'number') {
      this.#values[row] = value;
    } else {
      this.#nulls ??= new Uint8Array(this.#values.length);
      this.#nulls[row] = 1;
    }
    return true;
  }

  finish(size: number): Column {
    return {
      layout: 'numbers',
      values: copyInto(this.#values.subarray(0, size), new Float64Array(size).fill(Number.NaN)),
      nulls: this.#nulls && copyInto(this.#nulls.subarray(0, size), new Uint8Array(size)),
    };
  }

  #grow(capacity: number): void {
    this.#values = copyInto(this.#values, new Float64Array(capacity).fill(Number.NaN));
    this.#nulls = this.#nulls && copyInto(this.#nulls, new Uint8Array(capacity));
  }
}

class PlainColumnBuilder implements LayoutBuilder {
  readonly #values: (JsonValue | undefined)[] = [];

  add(row: number, value: JsonValue): boolean {
    this.#pad(row);
    this.#values.push(value);
    return true;
  }

  finish(size: number): Column {
    this.#pad(size);
    return toPlainColumn(this.#values);
  }

  /** Pushes values, since setting the length would leave holes, which are slow to read. */
  #pad(size: number): void {
    while (this.#values.length < size) this.#values.push(undefined);
  }
}

function copyInto<Values extends Uint8Array | Uint16Array | Float64Array>(from: Values, to: Values): Values {
  to.set(from);
  return to;
}

/** Returns whether a column of numbers can hold a value. NaN, which JSON lacks, marks rows without a number. */
function isNumeric(value: JsonValue | undefined): boolean {
  if (typeof value === 'number') return !Number.isNaN(value);
  return value === null || value === undefined;
}

/** Returns whether a value is a scalar whose JSON differs from that of every other value: NaN and infinities become `null`. */
function isScalar(value: JsonValue): boolean {
  return typeof value === 'number'
    ? Number.isFinite(value)
    : value === null || typeof value === 'string' || typeof value === 'boolean';
}

/** A dictionary-encoded column: indexes into a list of distinct values, as in columnar formats. */
export interface DictionaryColumnInput {
  readonly codes: Uint8Array | Uint16Array | Uint32Array | Int32Array;
  /** `undefined` for a claim that is not defined. */
  readonly entries: readonly (JsonValue | undefined)[];
}

/**
 * A column as passed in: numbers (NaN where the claim is not defined), booleans as 0 and 1, a dictionary, or any
 * values (`undefined` where the claim is not defined).
 */
export type ColumnInput =
  | Float64Array
  | Uint8Array
  | DictionaryColumnInput
  | readonly (JsonValue | undefined)[];

/** The classes of `codes`. Float64Array is excluded, since its values may be fractions. */
const CODE_ARRAYS = /^(Uint\d+|Int32)Array$/;

/**
 * Returns the number of rows of a column.
 *
 * @throws {TypeError} For anything but a column.
 */
export function sizeOf(path: string, column: ColumnInput): number {
  if (Array.isArray(column) || column instanceof Float64Array || column instanceof Uint8Array)
    return column.length;
  const { codes, entries } = (column as Partial<DictionaryColumnInput> | undefined | null) ?? {};
  if (ArrayBuffer.isView(codes) && CODE_ARRAYS.test(builtInClass(codes)) && Array.isArray(entries))
    return codes.length;
  throw wrongType(
    `the column \`${path}\``,
    'an array, a Float64Array, a Uint8Array, or an object with `codes`, a Uint8Array, Uint16Array, Uint32Array or Int32Array, and `entries`, an array',
    column,
  );
}

/**
 * Converts a column. Numbers, and 16-bit codes of up to 65,536 entries, are used in place; everything else is copied.
 *
 * @throws {RangeError} When a code has no entry, or a byte is neither 0 nor 1.
 * @throws {TypeError} When a value is not JSON.
 */
export function toColumn(path: string, input: ColumnInput): Column {
  if (input instanceof Float64Array) {
    const infinite = input.find((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
    if (infinite !== undefined) assertJsonClaim(path, infinite);
    return { layout: 'numbers', values: input, nulls: undefined };
  }
  if (input instanceof Uint8Array) {
    const other = input.find((value) => value > 1);
    if (other !== undefined)
      throw new RangeError(`the column \`${path}\` must have only the bytes 0 and 1 (got ${other})`);
    return fromDictionary(path, { codes: input, entries: [false, true] });
  }
  return 'codes' in input ? fromDictionary(path, input) : fromValues(path, input);
}

function fromDictionary(path: string, { codes, entries }: DictionaryColumnInput): Column {
  for (const code of codes) {
    if (code < 0 || code >= entries.length)
      throw new RangeError(
        `codes of \`${path}\` must be indexes of its ${entries.length} entries (got ${code})`,
      );
  }
  // Unlike `map`, `from` reads holes, as `undefined`.
  const values = Array.from(entries, (entry) => copyValue(path, entry));
  if (values.length > MAX_ENTRIES) return toPlainColumn(Array.from(codes, (code) => values[code]));
  return {
    layout: 'dictionary',
    codes: codes instanceof Uint16Array ? codes : Uint16Array.from(codes),
    entries: values,
  };
}

function copyValue(path: string, value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined) return undefined;
  assertJsonClaim(path, value);
  return canonicalCopy(value);
}

function fromValues(path: string, values: readonly (JsonValue | undefined)[]): Column {
  const builder = new ColumnBuilder();
  values.forEach((value, row) => {
    const copy = copyValue(path, value);
    if (copy !== undefined) builder.add(row, copy);
  });
  return builder.finish(values.length);
}
