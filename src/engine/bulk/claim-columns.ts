/** Many subjects' claims, one column a claim path (V14, L13). */
import { type ClaimReference, isClaimPath, type ParentClaim } from '../claims/claim-path.js';
import { isJsonObject, type JsonValue } from '../claims/json-value.js';
import { type BitSlicedIndex, createBitSlicedIndex } from './bit-sliced-index.js';
import { type Column, type DictionaryColumn, toValueReader } from './column.js';
import { ColumnBuilder, type ColumnInput, sizeOf, toColumn } from './column-builder.js';
/** Laying planes of bits out takes about as long as this many look-ups. */
export const LOOKUPS_BEFORE_INDEX = 8;

/**
 * Many subjects' claims at one instant, one column a claim path. A subject is known by its row, counted from 0.
 *
 * Immutable, as long as the arrays handed to {@link ClaimColumns.of} are left alone; may be asked many queries.
 * {@link ClaimColumnsBuilder} makes them of credentials.
 *
 * @see V14, L10–L13
 */
export class ClaimColumns {
  /** How many subjects there are. */
  readonly size: number;
  readonly #columns: ReadonlyMap<string, Column>;
  /** Columns that reach into others, kept from the first query that asked for them. */
  readonly #reached = new Map<string, Column>();
  /** By a column's codes: how often it was asked for, and its planes once that was often. */
  readonly #planes = new Map<Uint16Array, number | BitSlicedIndex>();

  /** @param columns - Each `size` rows long. */
  constructor(size: number, columns: ReadonlyMap<string, Column>) {
    this.size = size;
    this.#columns = columns;
  }

  /**
   * Takes columns as they are, one a claim path. Numbers and 16-bit codes are kept, everything else is copied.
   *
   * @param columns - All of one length.
   * @throws {RangeError} When a path is no claim path (L9), lengths differ, or a code has no entry.
   */
  static of(columns: Readonly<Record<string, ColumnInput>>): ClaimColumns {
    const given = Object.entries(columns);
    const size = given[0] === undefined ? 0 : sizeOf(given[0][1]);
    const taken = new Map<string, Column>();
    for (const [path, column] of given) {
      assertClaimPath(path);
      const rows = sizeOf(column);
      if (rows !== size) throw new RangeError(`the columns differ in length: \`${path}\` has ${rows} rows`);
      taken.set(path, toColumn(path, column));
    }
    return new ClaimColumns(size, taken);
  }

  /** The claim paths that have a column of their own. */
  get paths(): readonly string[] {
    return [...this.#columns.keys()];
  }

  /** The claim at a path, as one of its own or as a member of a shorter claim (L13); `undefined` where nobody has it. */
  find(reference: ClaimReference): Column | undefined {
    const own = this.#columns.get(reference.path);
    const parents = reference.parents.filter(({ path }) => this.#columns.has(path));
    if (parents.length === 0) return own;
    const known = this.#reached.get(reference.path);
    if (known !== undefined) return known;
    const reached = this.#reach(own, parents);
    this.#reached.set(reference.path, reached);
    return reached;
  }

  /**
   * A column of few values as planes of bits; `undefined` until it has been asked for so often that laying them out pays. They take a bit a
   * subject for each time that the number of values doubles.
   *
   * @internal
   */
  findBitSlicedIndex({
    codes,
    entries,
  }: Pick<DictionaryColumn, 'codes' | 'entries'>): BitSlicedIndex | undefined {
    const known = this.#planes.get(codes) ?? 0;
    if (typeof known === 'object') return known;
    const index = known + 1 < LOOKUPS_BEFORE_INDEX ? undefined : createBitSlicedIndex(codes, entries);
    this.#planes.set(codes, index ?? known + 1);
    return index;
  }

  /** For each subject its own claim, or what the longest shorter claim that it has holds. */
  #reach(own: Column | undefined, parents: readonly ParentClaim[]): Column {
    const sources = parents.map(({ path, members }) => {
      return { column: this.#columns.get(path) as Column, members };
    });
    const [only, ...others] = sources;
    // One carrier with few values: what they hold is found once a value and not once a subject.
    if (own === undefined && others.length === 0 && only?.column.layout === 'dictionary') {
      const { column, members } = only;
      return { ...column, entries: column.entries.map((entry) => memberOf(entry, members)) };
    }
    const readers = sources.map(({ column, members }) => ({ read: toValueReader(column), members }));
    if (own !== undefined) readers.unshift({ read: toValueReader(own), members: [] });
    const builder = new ColumnBuilder();
    for (let row = 0; row < this.size; row += 1) {
      for (const { read, members } of readers) {
        const parent = read(row);
        if (parent === undefined) continue;
        const value = memberOf(parent, members);
        if (value !== undefined) builder.add(row, value);
        break;
      }
    }
    return builder.finish(this.size);
  }
}

/** @throws {RangeError} When a text is no claim path (L9). */
export function assertClaimPath(path: string): void {
  if (isClaimPath(path)) return;
  throw new RangeError(`a claim path is two or more names joined by dots, as \`identity.age\`: \`${path}\``);
}

function memberOf(parent: JsonValue | undefined, members: readonly string[]): JsonValue | undefined {
  let value = parent;
  for (const member of members) {
    if (value === undefined || !isJsonObject(value) || !Object.hasOwn(value, member)) return undefined;
    value = value[member];
  }
  return value;
}
